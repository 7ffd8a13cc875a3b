//! Choosing a set bit of a mask: the heart of playouts without action lists.
//!
//! With BMI2 the n-th set bit is one `pdep`; without, a broadword search. A wheel serves every x86-64, so the choice is
//! made at run time, once a playout, and travels as a value of a type that implements [`Select`].
#![expect(
    unsafe_code,
    reason = "run-time dispatch to BMI2 makes whole playouts 2 to 3 times faster, see docs/benchmarks.md"
)]

/// A way to find the n-th set bit.
pub trait Select: Copy {
    /// The `n`-th set bit of `mask`, counted from the lowest, as a mask of one bit.
    ///
    /// `n` is less than the number of set bits.
    fn one_hot(self, mask: u64, n: u32) -> u64;
}

/// Works everywhere.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

const LOW_BYTES: u64 = 0x0101_0101_0101_0101;

/// `SELECT_IN_BYTE[n][byte]` is the n-th set bit of the byte.
static SELECT_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0u8; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = 1 << bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl Select for Portable {
    #[inline(always)]
    fn one_hot(self, mask: u64, n: u32) -> u64 {
        // Vigna 2008, "Broadword implementation of rank/select queries": byte counts, their running sums, then the byte
        // whose running sum passes n.
        let pairs = mask - (mask >> 1 & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let sums = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(LOW_BYTES);
        let passed = (((u64::from(n) * LOW_BYTES) | 0x8080_8080_8080_8080) - sums) & 0x8080_8080_8080_8080;
        let shift = ((passed >> 7).wrapping_mul(LOW_BYTES) >> 53 & 0x78) as u32;
        let before = (sums << 8) >> shift & 0xff;
        let byte = mask >> shift & 0xff;
        u64::from(SELECT_IN_BYTE[(n - before as u32) as usize & 7][byte as usize]) << shift
    }
}

/// Proof that this processor has fast BMI2; made by [`Bmi2::detect`] only.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Bmi2(());

#[cfg(target_arch = "x86_64")]
impl Bmi2 {
    /// The proof, where the processor has BMI2 in hardware.
    ///
    /// AMD's family 17h (Zen 1 and 2) has `pdep` in microcode, slower than the broadword search. A build with
    /// `RUSTFLAGS="--cfg hansa_portable"` takes no processor to have it, for measuring what the others get.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        static FAST: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
            !cfg!(hansa_portable)
                && std::arch::is_x86_feature_detected!("bmi2")
                && std::arch::is_x86_feature_detected!("bmi1")
                && std::arch::is_x86_feature_detected!("lzcnt")
                && std::arch::is_x86_feature_detected!("popcnt")
                && std::arch::is_x86_feature_detected!("avx2")
                && !microcoded()
        });
        FAST.then_some(Self(()))
    }

    /// Calls `body` compiled for this processor. `body` must be inlined to gain by it.
    #[inline]
    pub fn run<R>(self, body: impl FnOnce() -> R) -> R {
        // SAFETY: `self` exists only where `detect` found every one of these features.
        unsafe { with_features(body) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,avx2")]
fn with_features<R>(body: impl FnOnce() -> R) -> R {
    body()
}

#[cfg(target_arch = "x86_64")]
fn microcoded() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let amd = [vendor.ebx, vendor.edx, vendor.ecx] == [0x6874_7541, 0x6974_6e65, 0x444d_4163];
    let version = __cpuid(1).eax;
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    amd && family <= 0x17
}

#[cfg(target_arch = "x86_64")]
impl Select for Bmi2 {
    #[inline(always)]
    fn one_hot(self, mask: u64, n: u32) -> u64 {
        // SAFETY: `self` exists only where `detect` found BMI2.
        unsafe { std::arch::x86_64::_pdep_u64(1 << n, mask) }
    }
}

/// The `n`-th set bit of `mask` as an index, without knowing the processor.
#[inline]
#[must_use]
pub fn nth(mask: u64, n: u32) -> u32 {
    Portable.one_hot(mask, n).trailing_zeros()
}

/// The indices of the set bits, lowest first.
#[inline]
pub fn ones(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let index = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            index
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Portable, Select, nth, ones};

    #[test]
    fn every_way_finds_the_same_bit() {
        let mut rng = crate::core::Rng::new(1);
        for round in 0..20_000 {
            let mask = match round % 4 {
                0 => rng.next_u64(),
                1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
                2 => rng.next_u64() & 0x8080_8080_8080_8080,
                _ => u64::MAX << rng.below(64),
            };
            for (n, index) in ones(mask).enumerate() {
                assert_eq!(Portable.one_hot(mask, n as u32), 1 << index, "bit {n} of {mask:#x}");
                assert_eq!(nth(mask, n as u32), u32::from(index));
                #[cfg(target_arch = "x86_64")]
                if let Some(fast) = super::Bmi2::detect() {
                    assert_eq!(fast.one_hot(mask, n as u32), 1 << index);
                }
            }
        }
    }
}
