//! Folds of the vector operations for known operands or operand definitions.
//!
//! Operations on constants are folded by their evaluation and not handled here. Scalable vectors cannot be evaluated,
//! but their constants are splats.

pub(crate) mod elements;
pub(crate) mod memory;
pub(crate) mod shapes;

use crate::mask::is_masked;
use crate::rules::result;
use minoan_ir::{Attr, Context, OpDef, OpRef, Value};
use minoan_services::{Datum, Fold, Folded};

/// The fold of an operation that may be masked. Under a mask it is only folded in place: its operands alone do not determine
/// its result.
pub(crate) struct Unmasked(pub(crate) fn(OpRef<'_>, &[Option<Attr>]) -> Folded);

impl Fold for Unmasked {
    fn fold(&self, op: OpRef<'_>, known: &[Option<Attr>]) -> Folded {
        match (self.0)(op, known) {
            Folded::Changed(change) => Folded::Changed(change),
            _ if is_masked(op) => Folded::Stays,
            folded => folded,
        }
    }
}

/// Downcasts the definition of a value to an op type.
fn defining<'a, O: OpDef>(op: OpRef<'a>, value: Value) -> Option<OpRef<'a>> {
    let body = op.body();
    Some(body.op(body.defining_op(value)?)).filter(|op| op.is::<O>())
}

/// The operand, if it has the type of the result.
fn as_it_is(op: OpRef<'_>, value: Value) -> Option<Value> {
    (op.body().ty(value) == result(op)).then_some(value)
}

/// The inherent attributes with one of them replaced.
fn with_prop(op: OpRef<'_>, name: &str, value: Attr) -> Attr {
    let ctx = op.context();
    let name = ctx.name(name);
    let others = op.props().as_dictionary(ctx).unwrap_or(&[]).iter().copied();
    let entries: Vec<_> = others.filter(|&(other, _)| other != name).chain([(name, value)]).collect();
    Attr::dictionary(ctx, &entries)
}

/// A splat of the result type, of a constant scalar or of the elements of a splat.
fn splat_of(op: OpRef<'_>, known: Option<Attr>) -> Option<Attr> {
    let (ctx, known) = (op.context(), known?);
    let scalar = |ctx: &Context| {
        let datum = Datum::of_attr(ctx, known).ok().filter(|datum| !matches!(datum, Datum::Tensor(_)))?;
        (datum.to_attr(ctx, known.value_type(ctx)?) == Some(known)).then_some(datum)
    };
    let is_scalar = known.value_type(ctx)?.element(ctx).is_none();
    let datum = if is_scalar { scalar(ctx)? } else { Datum::of_splat(ctx, known)? };
    let ty = result(op);
    if ty.is_vector(ctx) { datum.to_splat(ctx, ty) } else { datum.to_attr(ctx, ty) }
}
