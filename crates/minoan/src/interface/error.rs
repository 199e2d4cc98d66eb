//! The error for a value that does not belong to the expected type.

use std::fmt;

/// The reason why a value does not belong to a type: another kind or shape, or a number out of range. Its text follows the name
/// of the value in a sentence: `expected true or false, found 1`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueError(String);

impl ValueError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ValueError {}
