//! The reasons for copies, for remarks.

use std::fmt;

/// The reason why an operation updates a copy of an operand.
#[derive(Clone, Copy)]
pub(super) enum CopyReason {
    UpdatedTwice,
    UsedLater,
    UsedTwice,
    NotOwned,
}

impl fmt::Display for CopyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyReason::UpdatedTwice => "it is updated twice here",
            CopyReason::UsedLater => "it is used again later",
            CopyReason::UsedTwice => "it is used more than once here",
            CopyReason::NotOwned => {
                "the block does not own it: a constant, or an argument of the caller or an enclosing block"
            }
        })
    }
}
