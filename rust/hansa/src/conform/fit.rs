//! Whether numbers have the distribution that they should have.

use std::collections::BTreeMap;
use std::fmt;

/// A statistic that is exceeded about once in ten thousand when everything is as it should be.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// What was compared.
    pub what: String,
    /// The statistic.
    pub statistic: f64,
    /// The limit, exceeded with a probability of 1e-4.
    pub limit: f64,
}

/// The normal quantile of 1 - 1e-4.
const ONE_SIDED: f64 = 3.719;
/// The normal quantile of 1 - 1e-4 / 2.
const TWO_SIDED: f64 = 3.891;

impl Fit {
    /// Whether the statistic is within the limit.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.statistic <= self.limit
    }

    fn chi_square(what: String, statistic: f64, freedom: usize) -> Self {
        // Wilson and Hilferty: the cube root of chi-square is nearly normal.
        let freedom = freedom.max(1) as f64;
        let spread = 2.0 / (9.0 * freedom);
        Self { what, statistic, limit: freedom * (1.0 - spread + ONE_SIDED * spread.sqrt()).powi(3) }
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {:.1}, at most {:.1}", self.what, self.statistic, self.limit)
    }
}

/// Chi-square of counts against weights. A count where the weight is 0 never fits.
///
/// # Panics
/// If there is not one weight a count, or all weights are 0.
#[must_use]
pub fn weighted(what: impl Into<String>, counts: &[u64], weights: &[f64]) -> Fit {
    assert_eq!(counts.len(), weights.len(), "one weight a count");
    let total: f64 = weights.iter().sum();
    assert!(total > 0.0, "some weight is positive");
    let draws = counts.iter().sum::<u64>() as f64;
    let statistic = counts.iter().zip(weights).map(|(&count, weight)| {
        let expected = draws * weight / total;
        if count == 0 { expected } else { (count as f64 - expected).powi(2) / expected }
    });
    let freedom = weights.iter().filter(|&&weight| weight > 0.0).count() - 1;
    Fit::chi_square(what.into(), statistic.sum(), freedom)
}

/// Chi-square of two samples of the same kind of thing. What was seen fewer than 20 times in both together is one thing.
#[must_use]
pub fn same_distribution<T: Ord>(what: impl Into<String>, first: &BTreeMap<T, u64>, second: &BTreeMap<T, u64>) -> Fit {
    let keys: std::collections::BTreeSet<&T> = first.keys().chain(second.keys()).collect();
    let mut cells = Vec::new();
    let mut rare = (0, 0);
    for key in keys {
        let cell = (first.get(key).copied().unwrap_or(0), second.get(key).copied().unwrap_or(0));
        if cell.0 + cell.1 < 20 { rare = (rare.0 + cell.0, rare.1 + cell.1) } else { cells.push(cell) }
    }
    if rare.0 + rare.1 >= 20 {
        cells.push(rare);
    }
    let sums = cells.iter().fold((0.0, 0.0), |sums, cell| (sums.0 + cell.0 as f64, sums.1 + cell.1 as f64));
    let all = sums.0 + sums.1;
    let statistic = cells.iter().map(|&(one, two)| {
        let both = (one + two) as f64;
        let (expected_one, expected_two) = (both * sums.0 / all, both * sums.1 / all);
        (one as f64 - expected_one).powi(2) / expected_one + (two as f64 - expected_two).powi(2) / expected_two
    });
    Fit::chi_square(what.into(), statistic.sum(), cells.len().max(2) - 1)
}

/// The difference of two means in standard errors.
#[must_use]
pub fn same_mean(what: impl Into<String>, first: &BTreeMap<i64, u64>, second: &BTreeMap<i64, u64>) -> Fit {
    let moments = |sample: &BTreeMap<i64, u64>| {
        let number = sample.values().sum::<u64>() as f64;
        let mean = sample.iter().map(|(&value, &count)| value as f64 * count as f64).sum::<f64>() / number;
        let squares = sample.iter().map(|(&value, &count)| (value as f64 - mean).powi(2) * count as f64).sum::<f64>();
        (mean, squares / number / number)
    };
    let (one, two) = (moments(first), moments(second));
    let error = (one.1 + two.1).sqrt();
    let difference = (one.0 - two.0).abs();
    let statistic = if difference == 0.0 { 0.0 } else { difference / error };
    Fit { what: what.into(), statistic, limit: TWO_SIDED }
}

#[cfg(test)]
mod tests {
    use super::{Fit, same_distribution, same_mean, weighted};

    #[test]
    fn limits_are_those_of_the_tables() {
        // Quantiles of chi-square at 1 - 1e-4: 15.1 with 1 degree of freedom, 35.6 with 10, 161.3 with 100. The
        // approximation is some percent high with 1.
        for (freedom, limit, tolerance) in [(1, 15.1, 0.08), (10, 35.6, 0.03), (100, 161.3, 0.01)] {
            let fit = Fit::chi_square(String::new(), 0.0, freedom);
            assert!((fit.limit / limit - 1.0).abs() < tolerance, "{freedom}: {fit}");
        }
    }

    #[test]
    fn a_tilted_sample_does_not_fit() {
        assert!(weighted("fair", &[1010, 990], &[1.0, 1.0]).holds());
        assert!(!weighted("tilted", &[1100, 900], &[1.0, 1.0]).holds());
        assert!(weighted("weighted", &[2020, 980], &[2.0, 1.0]).holds());
        assert!(!weighted("impossible", &[1000, 1], &[1.0, 0.0]).holds());
        let sample = |counts: [u64; 3]| (0..3).zip(counts).collect();
        let (first, like, unlike) = (sample([500, 300, 200]), sample([510, 295, 195]), sample([380, 330, 290]));
        assert!(same_distribution("like", &first, &like).holds() && same_mean("like", &first, &like).holds());
        assert!(!same_distribution("unlike", &first, &sample([600, 100, 300])).holds());
        assert!(!same_mean("unlike", &first, &unlike).holds());
    }
}
