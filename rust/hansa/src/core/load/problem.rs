//! What is wrong with rule data, and where.

use std::fmt;

/// One thing that is wrong with the rule data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The keys that lead there, e.g. `final.deck.cards[3].power`; empty for the document as a whole. Elements are counted
    /// as in the merged rule data; one that found no place there, as in the override.
    pub path: String,
    /// The line of the override's text, from 1, where the key stands; `None` if it does not stand there.
    pub line: Option<usize>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(formatter, "line {line}: ")?;
        }
        if !self.path.is_empty() {
            write!(formatter, "{}: ", self.path)?;
        }
        formatter.write_str(&self.message)
    }
}

/// Everything that is wrong with the rule data; displayed with one problem a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesError {
    /// The problems: by line, then those without a line; never empty.
    pub problems: Vec<Problem>,
}

impl RulesError {
    /// The error that lists these problems, each one once.
    ///
    /// # Panics
    /// If there is no problem.
    #[must_use]
    pub fn new(mut problems: Vec<Problem>) -> Self {
        assert!(!problems.is_empty(), "an error has a problem");
        problems.sort_by_key(|problem| problem.line.unwrap_or(usize::MAX));
        let mut listed: Vec<Problem> = Vec::with_capacity(problems.len());
        for problem in problems {
            if !listed.contains(&problem) {
                listed.push(problem);
            }
        }
        Self { problems: listed }
    }

    /// Nothing if there is no problem.
    ///
    /// # Errors
    /// The error that lists these problems.
    pub fn unless_empty(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self::new(problems)) }
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            problem.fmt(formatter)?;
        }
        Ok(())
    }
}

impl std::error::Error for RulesError {}

/// The known name that `given` was probably meant to be: at most a third of it mistyped, case aside.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name of this length is no typing error, and the distance takes time in the product of the lengths.
    const LONGEST: usize = 100;
    let given = given.to_lowercase();
    let length = given.chars().count();
    if length > LONGEST {
        return None;
    }
    let distances = known.into_iter().map(|name| (strsim::osa_distance(&given, &name.to_lowercase()), name));
    let (distance, name) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance <= length.max(3) / 3).then_some(name)
}
