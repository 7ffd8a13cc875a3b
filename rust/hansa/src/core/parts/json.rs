//! Reading JSON so that an error says where it is and what would be right.

use serde_json::{Map, Value};

use crate::core::FormatError;

/// What was read, or what is wrong with it.
pub type Read<T> = Result<T, FormatError>;

/// A value with its place.
#[derive(Debug, Clone)]
pub struct Node<'a> {
    /// The value.
    pub value: &'a Value,
    /// Keys and places from the root on, e.g. `players[1].hand`; empty for the root.
    pub path: String,
}

impl<'a> Node<'a> {
    /// The whole document.
    #[must_use]
    pub fn root(value: &'a Value) -> Self {
        Self { value, path: String::new() }
    }

    /// The error that this value is not what was `expected`.
    ///
    /// # Errors
    /// Always.
    pub fn wrong<T>(&self, expected: &str) -> Read<T> {
        let text = self.value.to_string();
        let shown: String = text.chars().take(40).collect();
        let dots = if shown.len() < text.len() { "..." } else { "" };
        Err(FormatError::new(self.path.clone(), format!("is {shown}{dots}, must be {expected}")))
    }

    /// The object, which has just these keys.
    ///
    /// # Errors
    /// No object, a missing key, or an unknown one.
    pub fn object(&self, keys: &[&str]) -> Read<&'a Map<String, Value>> {
        let Some(object) = self.value.as_object() else { return self.wrong("an object") };
        if let Some(missing) = keys.iter().find(|&&key| !object.contains_key(key)) {
            return Err(FormatError::new(self.path.clone(), format!("lacks the key {missing:?}")));
        }
        if let Some(extra) = object.keys().find(|key| !keys.contains(&key.as_str())) {
            let problem = format!("has the unknown key {extra:?}; the keys are {}", keys.join(", "));
            return Err(FormatError::new(self.path.clone(), problem));
        }
        Ok(object)
    }

    /// The value of a key; null where there is none.
    #[must_use]
    pub fn key(&self, key: &str) -> Node<'a> {
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Node { value: self.value.get(key).unwrap_or(&Value::Null), path }
    }

    /// The items of an array.
    ///
    /// # Errors
    /// No array, or more than `most` items.
    pub fn items(&self, most: usize) -> Read<Vec<Node<'a>>> {
        match self.value.as_array() {
            Some(items) if items.len() <= most => Ok(items
                .iter()
                .enumerate()
                .map(|(index, value)| Node { value, path: format!("{}[{index}]", self.path) })
                .collect()),
            _ => self.wrong(&format!("an array of at most {most}")),
        }
    }

    /// A whole number.
    ///
    /// # Errors
    /// No number from 0 to `most`.
    pub fn number(&self, most: u16) -> Read<u16> {
        match self.value.as_u64() {
            Some(number) if number <= u64::from(most) => Ok(number as u16),
            _ => self.wrong(&format!("a number from 0 to {most}")),
        }
    }

    /// A whole number of one byte.
    ///
    /// # Errors
    /// No number from 0 to `most`.
    pub fn byte(&self, most: usize) -> Read<u8> {
        self.number(most as u16).map(|number| number as u8)
    }

    /// True or false.
    ///
    /// # Errors
    /// Neither.
    pub fn flag(&self) -> Read<bool> {
        self.value.as_bool().map_or_else(|| self.wrong("true or false"), Ok)
    }

    /// Which of the words the text is.
    ///
    /// # Errors
    /// None of them.
    pub fn one_of(&self, words: &[&str]) -> Read<usize> {
        match words.iter().position(|&word| self.value.as_str() == Some(word)) {
            Some(index) => Ok(index),
            None => self.wrong(&format!("one of {}", words.join(", "))),
        }
    }
}
