//! Algebraic laws of scalar operations: reordering, and the propagation of corrections from operands to results.

use minoan_ir::{Attr, Builder, Op, OpRef, Value, service};

/// The effect of the order in which elements are combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// The result is bitwise identical for any order.
    Exact,
    /// Another order rounds differently, which the program permits.
    Rounds,
    /// Elements are combined one after the other, in ascending order.
    Fixed,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $word:literal $float:literal;)*) => {
        /// A binary operation that combines elements, by the names of MLIR's `vector.kind`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum CombineKind {
            $($(#[$doc])* $name,)*
        }

        impl CombineKind {
            /// The keyword, such as `maximumf`; sums of integers and floats are both `add`.
            pub fn keyword(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// Whether it combines floats.
            pub fn is_float(self) -> bool {
                match self {
                    $(Self::$name => $float,)*
                }
            }
        }
    };
}

kinds! {
    /// The sum of integers.
    AddI "add" false;
    /// The sum of floats.
    AddF "add" true;
    /// The product of integers.
    MulI "mul" false;
    /// The product of floats.
    MulF "mul" true;
    /// The minimum of signed integers.
    MinSI "minsi" false;
    /// The minimum of unsigned integers.
    MinUI "minui" false;
    /// The maximum of signed integers.
    MaxSI "maxsi" false;
    /// The maximum of unsigned integers.
    MaxUI "maxui" false;
    /// The minimum; NaN if an operand is NaN.
    MinimumF "minimumf" true;
    /// The maximum; NaN if an operand is NaN.
    MaximumF "maximumf" true;
    /// The minimum; if one operand is NaN, the other.
    MinNumF "minnumf" true;
    /// The maximum; if one operand is NaN, the other.
    MaxNumF "maxnumf" true;
    /// Bitwise and.
    And "and" false;
    /// Bitwise or.
    Or "or" false;
    /// Bitwise exclusive or.
    Xor "xor" false;
}

/// A binary operation with an identity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Monoid {
    /// The constant that changes no element that it is combined with.
    pub identity: Attr,
    /// The effect of the order of combination.
    pub order: Order,
    /// Whether an element may be combined repeatedly.
    pub idempotent: bool,
    /// The operation.
    pub kind: CombineKind,
}

impl Monoid {
    /// Whether the operation distributes over a correction: correcting all elements alike corrects their combination
    /// in the same way.
    pub fn distributes(&self, correction: Correction) -> bool {
        use CombineKind::*;
        match correction {
            Correction::Plus => matches!(self.kind, MinimumF | MaximumF | MinNumF | MaxNumF),
            Correction::Times => self.kind == AddF,
        }
    }
}

/// A correction of a float that was computed too early: the difference or the quotient of the new and the old value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Correction {
    /// The correction is added.
    Plus,
    /// The value is multiplied by the correction.
    Times,
}

/// The algebraic laws of scalar operations. Queried by scheduling. Default: the order of operations is kept, and no
/// correction passes through.
///
/// The laws of floats hold over the real numbers; a caller uses them only where the reductions involved are
/// [`Order::Rounds`].
pub trait Algebra: Send + Sync {
    /// The monoid of a binary operation that combines an accumulator, either operand, with an element. The `fastmath`
    /// flags of the operation determine [`Monoid::order`].
    fn monoid(&self, op: OpRef<'_>) -> Option<Monoid>;

    /// Whether the operation is the sum of two floats or complex numbers, over which products [distribute](Self::multiplies).
    /// Default: whether the monoid is a sum of floats.
    fn adds(&self, op: OpRef<'_>) -> bool {
        self.monoid(op).is_some_and(|monoid| monoid.kind == CombineKind::AddF)
    }

    /// Whether the operation is the product of two floats or complex numbers. Default: whether the monoid is a product of floats.
    fn multiplies(&self, op: OpRef<'_>) -> bool {
        self.monoid(op).is_some_and(|monoid| monoid.kind == CombineKind::MulF)
    }

    /// The form of the correction of the result if one operand is corrected; `None` if the result is not corrected by
    /// an addition or a multiplication.
    fn carry(&self, op: OpRef<'_>, operand: usize, correction: Correction) -> Option<Correction> {
        let _ = (op, operand, correction);
        None
    }

    /// Materializes the correction of the result, given that of an operand; only for operations with a [`carry`](Self::carry).
    /// `operands` are the current operands of the operation, scalars or vectors of the type of `by`.
    fn carried(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        operand: usize,
        correction: Correction,
        by: Value,
        operands: &[Value],
    ) -> Value {
        let _ = (b, op, operand, correction, operands);
        by
    }
}
service!(dyn Algebra, "Algebra", Optional);
