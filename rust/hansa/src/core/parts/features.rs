//! An observation as a sequence of named parts, told once for its layout and once for its numbers.

use std::fmt::Arguments;

use crate::core::Game;

/// A game whose observations are made of named parts.
pub trait Features: Game {
    /// Tells every part of the observation of a view, its name and its numbers; names and lengths are those of any view.
    fn each_feature(&self, view: &Self::View, part: &mut impl FnMut(Arguments<'_>, &[f32]));

    /// Names and lengths of the parts, in order.
    fn features(&self) -> Vec<(String, usize)> {
        let mut parts = Vec::new();
        self.each_feature(&self.view(&self.start(), 0), &mut |name, values| {
            parts.push((name.to_string(), values.len()));
        });
        parts
    }

    /// Writes the numbers of the parts one after another.
    fn write_features(&self, view: &Self::View, out: &mut [f32]) {
        let mut place = 0;
        self.each_feature(view, &mut |_, values| {
            out[place..place + values.len()].copy_from_slice(values);
            place += values.len();
        });
    }
}
