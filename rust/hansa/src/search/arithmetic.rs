//! Logarithm, roots and exponential from basic operations only, so that a seed means the same on every platform.

use std::sync::LazyLock;

/// Counts below this have their roots in a table.
const SMALL: usize = 512;

/// Roots of counts, looked up for the small ones: most nodes of a tree were visited a few times only.
#[derive(Debug)]
pub(super) struct Roots {
    inverse: [f64; SMALL],
    of_ln: [f64; SMALL],
}

/// The one table.
static ROOTS: LazyLock<Roots> = LazyLock::new(|| Roots {
    inverse: std::array::from_fn(|count| inverse_root(count as u32)),
    of_ln: std::array::from_fn(|count| ln(count as u32).sqrt()),
});

fn inverse_root(count: u32) -> f64 {
    1.0 / f64::from(count.max(1)).sqrt()
}

impl Roots {
    pub(super) fn table() -> &'static Self {
        &ROOTS
    }

    /// `1 / sqrt(count)`; 1 for 0.
    #[inline(always)]
    pub(super) fn inverse(&self, count: u32) -> f64 {
        self.inverse.get(count as usize).copied().unwrap_or_else(|| inverse_root(count))
    }

    /// `sqrt(ln(count))`; 0 for 0.
    #[inline(always)]
    pub(super) fn of_ln(&self, count: u32) -> f64 {
        self.of_ln.get(count as usize).copied().unwrap_or_else(|| ln(count).sqrt())
    }
}

/// The natural logarithm of a count, to 2e-5; 0 for 0 and 1.
fn ln(count: u32) -> f64 {
    let bits = f64::from(count.max(1)).to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    let series = 2.0 * t * (1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0))));
    f64::from(exponent) * std::f64::consts::LN_2 + series
}

/// The exponential of a number from -8 to 0, to a thousandth; less than -8 counts as -8.
pub(super) fn exp(x: f32) -> f32 {
    let part = x.max(-8.0) / 64.0;
    let mut power = 1.0 + part * (1.0 + part * (0.5 + part / 6.0));
    for _ in 0..6 {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    #[test]
    fn logarithm_and_exponential_are_close_enough() {
        for count in (1..5000).chain([65_535, 1 << 20, 123_456_789, u32::MAX]) {
            assert!((super::ln(count) - f64::from(count).ln()).abs() < 2e-5, "ln {count}");
        }
        for count in [1, 2, 511, 512, 513, 100_000] {
            let roots = super::Roots::table();
            assert!((roots.inverse(count) - f64::from(count).powf(-0.5)).abs() < 1e-12);
            assert!((roots.of_ln(count) - f64::from(count).ln().sqrt()).abs() < 2e-5);
        }
        assert_eq!((super::ln(0), super::ln(1)), (0.0, 0.0));
        for step in 0..=80 {
            let x = -(step as f32) / 10.0;
            assert!((super::exp(x) / x.exp() - 1.0).abs() < 1e-3, "exp {x}");
        }
        assert_eq!(super::exp(-1000.0), super::exp(-8.0));
    }
}
