//! Folds of operations with constant or equal operands: `x + 0` is `x`.
//!
//! Operations on constants only are folded by their evaluation and not handled here. Constant operands of commutative
//! operations are on the right when these rules apply.

mod apfloat;
mod cast;
mod compare;
mod float;
mod integer;

use minoan_ir::{Attr, AttrData, Context, DialectBuilder, Int, OpDef, OpRef, Signedness, Type, Value};
use minoan_services::{Datum, Fold, FoldResult, Folded, Scalar};
use num_bigint::BigInt;
use num_traits::One;
use std::sync::Arc;

/// Registers the folds of all operations.
pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    integer::register(dialect);
    float::register(dialect);
    apfloat::register(dialect);
    compare::register(dialect);
    cast::register(dialect);
}

/// An operation to fold, with the constants of its operands.
#[derive(Clone, Copy)]
pub(crate) struct Folding<'a> {
    op: OpRef<'a>,
    known: &'a [Option<Attr>],
}

/// A fold of one kind of operation.
struct Rule(fn(Folding<'_>) -> Folded);

impl Fold for Rule {
    fn fold(&self, op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
        (self.0)(Folding { op, known })
    }
}

/// Registers a fold for `O`.
fn rule<O: OpDef>(dialect: &mut DialectBuilder<'_>, rule: fn(Folding<'_>) -> Folded) {
    dialect.op_service::<O, dyn Fold>(Arc::new(Rule(rule)));
}

impl<'a> Folding<'a> {
    fn ctx(self) -> &'a Context {
        self.op.context()
    }

    fn operand(self, index: usize) -> Value {
        self.op.operand(index)
    }

    fn ty(self, value: Value) -> Type {
        self.op.body().ty(value)
    }

    /// The value of an operand that is an integer constant or splat.
    fn integer(self, index: usize) -> Option<Integer> {
        Integer::of(self.ctx(), self.known[index]?)
    }

    /// The value of an operand that is a float constant or splat.
    fn float(self, index: usize) -> Option<f64> {
        float_of(self.ctx(), self.known[index]?)
    }

    /// Downcasts the definition of an operand to `O`.
    fn def<O: OpDef>(self, index: usize) -> Option<(O, OpRef<'a>)> {
        let body = self.op.body();
        let def = body.op(body.defining_op(self.operand(index))?);
        Some((def.cast::<O>()?, def))
    }

    /// Folds to an operand.
    fn keep(self, index: usize) -> Option<FoldResult> {
        Some(self.operand(index).into())
    }

    /// An integer constant of the type of a result.
    fn result_integer(self, index: usize, value: i64) -> Option<FoldResult> {
        integer_attr(self.ctx(), value, self.ty(self.op.result(index))).map(FoldResult::Constant)
    }
}

/// An integer constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Integer {
    /// The sign-extended value, also for one bit.
    pub(crate) signed: Int,
    /// The bit width; 64 for `index`.
    pub(crate) width: u32,
}

impl Integer {
    /// The value of an integer constant or splat.
    pub(crate) fn of(ctx: &Context, attr: Attr) -> Option<Integer> {
        let scalar = |ty| Scalar::of(ctx, ty).ok()?.width().ok();
        let (value, width) = match attr.data(ctx) {
            AttrData::Integer { value, ty } => (value.clone(), scalar(*ty)?),
            AttrData::DenseElements { ty, splat: true, .. } => {
                (Datum::of_splat(ctx, attr)?.wide().ok()?, scalar(*ty)?)
            }
            _ => return None,
        };
        Some(Integer { signed: value.wrapped(width, Signedness::Signed), width })
    }

    /// The value as a signed number.
    pub(crate) fn number(&self) -> BigInt {
        self.signed.to_big()
    }

    /// The bits as an unsigned number.
    fn magnitude(&self) -> BigInt {
        self.signed.clone().wrapped(self.width, Signedness::Unsigned).to_big()
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.signed.as_i64() == Some(0)
    }

    pub(crate) fn is_one(&self) -> bool {
        // One bit that is set is -1.
        self.signed.as_i64() == Some(if self.width == 1 { -1 } else { 1 })
    }

    pub(crate) fn is_all_ones(&self) -> bool {
        self.signed.as_i64() == Some(-1)
    }

    fn is_signed_max(&self) -> bool {
        self.number() + 1 == BigInt::one() << (self.width - 1)
    }

    fn is_signed_min(&self) -> bool {
        self.number() == -(BigInt::one() << (self.width - 1))
    }
}

/// The integer constant of a type, modulo its width; a splat for a vector or tensor with static extents.
pub(crate) fn integer_attr(ctx: &Context, value: impl Into<BigInt>, ty: Type) -> Option<Attr> {
    let datum = Scalar::of(ctx, ty).ok()?.big_integer(value.into()).ok()?;
    match ty.shape(ctx) {
        None => datum.to_attr(ctx, ty),
        Some(shape) if shape.iter().all(|&extent| extent >= 0) => datum.to_splat(ctx, ty),
        Some(_) => None,
    }
}

/// The value of a float constant or splat of at most 64 bits.
pub(crate) fn float_of(ctx: &Context, attr: Attr) -> Option<f64> {
    let datum = match attr.data(ctx) {
        AttrData::Float { bits, ty } => Scalar::of(ctx, *ty).ok()?.of_bits(*bits),
        AttrData::DenseElements { splat: true, .. } => Datum::of_splat(ctx, attr)?,
        _ => return None,
    };
    match datum {
        Datum::F32(value) => Some(value.into()),
        Datum::F64(value) => Some(value),
        _ => None,
    }
}
