//! Errors of reads and edits.

use std::fmt;

/// The error of an invalid id: its entity was erased, or belongs to another body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidId {
    pub(super) id: String,
    /// The queried body, if the id belongs to another one.
    pub(super) body: Option<u32>,
}

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.body {
            Some(body) => write!(f, "{} does not belong to body #{body}", self.id),
            None => write!(f, "{} was erased", self.id),
        }
    }
}

impl std::error::Error for InvalidId {}

/// The reason why an edit is refused; the body is unchanged. Operations are given by name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EditError {
    /// The operation to erase defines a value that has a use outside of it.
    OpIsUsed {
        /// The operation.
        op: String,
        /// The user.
        user: String,
        /// Whether the value is a result of the operation itself, instead of a value in its regions.
        is_result: bool,
    },
    /// The block to erase defines a value that has a use outside of the erased blocks.
    BlockIsUsed {
        /// The user.
        user: String,
    },
    /// Another block branches to the block to erase.
    BlockIsSuccessor,
    /// The position is in a region of the moved operation.
    IntoOwnRegion {
        /// The operation.
        op: String,
    },
    /// The position is relative to an operation that is in no block.
    BesideDetached {
        /// The operation.
        op: String,
        /// The detached operation.
        other: String,
    },
    /// The operation to hoist out of a loop uses a value that is defined in the loop.
    OperandIsInside {
        /// The operation with the operand: the one to hoist, or one in its regions.
        op: String,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::OpIsUsed { op, user, is_result } => {
                let what = if *is_result { "its result" } else { "a value inside it" };
                write!(f, "'{op}' cannot be erased: {what} is used by '{user}'")
            }
            EditError::BlockIsUsed { user } => {
                write!(f, "a block cannot be erased: a value of it is used by '{user}'")
            }
            EditError::BlockIsSuccessor => f.write_str("a block cannot be erased: a branch names it"),
            EditError::IntoOwnRegion { op } => write!(f, "'{op}' cannot be moved into its own region"),
            EditError::BesideDetached { op, other } => {
                write!(f, "'{op}' cannot be moved beside '{other}', which is in no block")
            }
            EditError::OperandIsInside { op } => write!(f, "'{op}' uses a value defined in the loop"),
        }
    }
}

impl std::error::Error for EditError {}
