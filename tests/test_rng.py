"""The random stream: a seed means the same numbers for ever."""

from __future__ import annotations

import copy
import pickle

import pytest

import hansa

MASK = 2**64 - 1


class Reference:
    """The published algorithms once more, slow and plain: xoshiro256++ seeded by SplitMix64."""

    def __init__(self, seed: int) -> None:
        self.mixed = seed
        # The stream of a user is purpose 0, index 0: neither changes the mixed seed.
        self.mixed = self.split_mix()
        self.mixed = self.split_mix()
        self.words = [self.split_mix() for _ in range(4)]

    def split_mix(self) -> int:
        self.mixed = (self.mixed + 0x9E3779B97F4A7C15) & MASK
        word = self.mixed
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
        return word ^ (word >> 31)

    def next(self) -> int:
        one, two, three, four = self.words
        result = (rotate((one + four) & MASK, 23) + one) & MASK
        three ^= one
        four ^= two
        self.words = [one ^ four, two ^ three, three ^ ((two << 17) & MASK), rotate(four, 45)]
        return result


def rotate(word: int, by: int) -> int:
    """A word of 64 bits, rotated to the left."""
    return ((word << by) | (word >> (64 - by))) & MASK


@pytest.mark.parametrize("seed", [0, 1, 7, 2**64 - 1])
def test_the_stream_is_the_published_one(seed: int) -> None:
    rng, reference = hansa.Rng(seed), Reference(seed)
    assert rng.words == tuple(reference.words)
    assert [rng.next_seed() for _ in range(100)] == [reference.next() for _ in range(100)]
    assert rng.unit() == (reference.next() >> 11) / 2**53
    for bound in (1, 2, 6, 1000, 2**31 + 1):
        # Lemire's method: multiply, and reject the few words that would tilt it.
        while True:
            product = (reference.next() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                break
        assert rng.below(bound) == product >> 32


def test_the_numbers_of_a_seed_are_part_of_the_contract() -> None:
    # A change here breaks everybody's seeds.
    rng = hansa.Rng(7)
    assert [rng.below(1000) for _ in range(5)] == [321, 317, 4, 308, 393]


def test_a_stream_can_be_saved() -> None:
    rng = hansa.Rng(1)
    rng.unit()
    for other in (copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))):
        assert other == rng
        assert other.next_seed() == copy.copy(rng).next_seed()
        assert other != rng
        assert str(rng.words[0]) in repr(rng)
    assert rng == rng  # noqa: PLR0124
    assert rng != hansa.Rng(1)
    with pytest.raises(TypeError):
        hash(rng)


def test_numbers_are_in_their_ranges() -> None:
    rng = hansa.Rng(0)
    assert {rng.below(3) for _ in range(100)} == {0, 1, 2}
    assert all(0 <= rng.unit() < 1 for _ in range(100))
    for bound in (0, -1, 2**32):
        with pytest.raises(ValueError, match=f"found {bound}"):
            rng.below(bound)
    with pytest.raises(ValueError, match="must not all be 0"):
        hansa.Rng.from_words((0, 0, 0, 0))
