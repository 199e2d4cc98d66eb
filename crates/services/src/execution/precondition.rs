//! Preconditions of operations on numbers.

use crate::{IndexOps, Scalar, UNDEFINED_DIVISION};
use minoan_ir::{Builder, Op, OpRef, Type, Value, service};

/// Operations on numbers, or vectors of them, that are undefined for some operands, such as integer divisions. Queried by
/// `generate-runtime-verification`, which asserts the condition; that of an operation in the computation of an iteration domain
/// is asserted for all points before the computation, which therefore contains no assertion. Default: the operation is defined
/// for all operands.
pub trait Precondition: Send + Sync {
    /// The error if the condition does not hold, in the words of the interpreter.
    fn message(&self) -> &'static str;

    /// Whether the condition is known to hold.
    fn is_known(&self, op: OpRef<'_>) -> bool;

    /// The operands that the condition depends on.
    fn operands(&self, op: OpRef<'_>) -> Vec<Value>;

    /// The operand that decides, except for rare values of it, whether the condition holds.
    fn decisive(&self, op: OpRef<'_>) -> Value;

    /// Creates a condition on the decisive operand alone that is sufficient, of type `i1` or a vector of it. It has one element per
    /// element of the operand.
    fn sufficient(&self, b: &mut Builder<'_>, index: &dyn IndexOps, decisive: Value) -> Value;

    /// Creates the condition from `sufficient`.
    fn exact(&self, b: &mut Builder<'_>, index: &dyn IndexOps, op: Op, sufficient: Value) -> Value;

    /// Creates a constant, of the type of the decisive operand, with which the condition holds. Signed numbers have at least 2 bits.
    fn valid(&self, b: &mut Builder<'_>, index: &dyn IndexOps, ty: Type) -> Value;
}
service!(dyn Precondition, "Precondition", Optional);

/// The precondition of an integer division or remainder, whose operands are the dividend and the divisor: the divisor is not
/// zero, and a signed quotient does not overflow.
pub struct DefinedDivision {
    /// Whether the division is signed.
    pub signed: bool,
    /// Whether the divisor is known to be neither zero nor, if the division is signed, -1.
    pub is_known: fn(OpRef<'_>) -> bool,
}

impl Precondition for DefinedDivision {
    fn message(&self) -> &'static str {
        UNDEFINED_DIVISION
    }

    fn is_known(&self, op: OpRef<'_>) -> bool {
        (self.is_known)(op)
    }

    fn operands(&self, op: OpRef<'_>) -> Vec<Value> {
        if self.signed { vec![op.operand(0), op.operand(1)] } else { vec![op.operand(1)] }
    }

    fn decisive(&self, op: OpRef<'_>) -> Value {
        op.operand(1)
    }

    fn sufficient(&self, b: &mut Builder<'_>, index: &dyn IndexOps, divisor: Value) -> Value {
        let ty = b.ty(divisor);
        let zero = integer(b, index, 0, ty);
        let mut is_critical = index.equal(b, divisor, zero);
        if self.signed {
            let minus_one = integer(b, index, -1, ty);
            let is_minus_one = index.equal(b, divisor, minus_one);
            is_critical = index.or(b, is_critical, is_minus_one);
        }
        negated(b, index, is_critical)
    }

    fn exact(&self, b: &mut Builder<'_>, index: &dyn IndexOps, op: Op, sufficient: Value) -> Value {
        if !self.signed {
            return sufficient;
        }
        // The divisor is 0 or -1. The least number is the one other than zero that is equal to its negation, at any width.
        let view = b.body().op(op);
        let (dividend, divisor) = (view.operand(0), view.operand(1));
        let zero = integer(b, index, 0, b.ty(dividend));
        let is_zero = index.equal(b, dividend, zero);
        let negation = index.sub(b, zero, dividend);
        let is_fixed = index.equal(b, dividend, negation);
        let is_changed = negated(b, index, is_fixed);
        let fits = index.or(b, is_zero, is_changed);
        let divides_by_zero = index.equal(b, divisor, zero);
        let divides = negated(b, index, divides_by_zero);
        let rest = index.and(b, divides, fits);
        // A choice does not depend on the dividend where the divisor is sufficient: the dividend may be poison.
        let yes = integer(b, index, -1, b.ty(sufficient));
        index.select(b, sufficient, yes, rest)
    }

    fn valid(&self, b: &mut Builder<'_>, index: &dyn IndexOps, ty: Type) -> Value {
        integer(b, index, 1, ty)
    }
}

fn negated(b: &mut Builder<'_>, index: &dyn IndexOps, condition: Value) -> Value {
    let no = integer(b, index, 0, b.ty(condition));
    index.equal(b, condition, no)
}

/// A constant of an integer type, or a splat of a vector of one.
fn integer(b: &mut Builder<'_>, index: &dyn IndexOps, value: i128, ty: Type) -> Value {
    let ctx = b.context();
    let datum = Scalar::of(&ctx, ty).and_then(|scalar| scalar.integer(value));
    let datum = datum.expect("the operands of a division are integers");
    let attr = if ty.element(&ctx).is_some() { datum.to_splat(&ctx, ty) } else { datum.to_attr(&ctx, ty) };
    index.constant(b, attr.expect("integers are constants"))
}
