//! Expansion of operations into simpler ones.

use crate::MachineModel;
use minoan_ir::{Builder, Op, Value, service};

/// The accuracy of floating-point functions and the freedom to reorder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FloatPolicy {
    /// Nothing is reordered: `fastmath` flags are dropped. Functions have the same error bounds as by default.
    Strict,
    /// The flags of the operations hold; functions have an error of at most 2 ulp.
    #[default]
    Default,
    /// All values are assumed finite, and functions may have an error of 4 ulp.
    Fast,
}

impl FloatPolicy {
    /// The policy by its name: `strict`, `default` or `fast`.
    pub fn of_keyword(word: &str) -> Option<Self> {
        [Self::Strict, Self::Default, Self::Fast].into_iter().find(|policy| policy.keyword() == word)
    }

    /// The name.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Default => "default",
            Self::Fast => "fast",
        }
    }
}

/// Operations that can be computed by simpler ones, such as a function by a polynomial. Asked by `expand-math`.
/// Default: the operation is kept.
pub trait Expand: Send + Sync {
    /// Creates the simpler operations at the insertion point, which is before `op`, and returns one value per result;
    /// `None`, with nothing created, if the operation is kept.
    fn expand(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        machine: &MachineModel,
        policy: FloatPolicy,
    ) -> Option<Vec<Value>>;
}
service!(dyn Expand, "Expand", Optional);
