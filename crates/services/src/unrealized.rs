//! Unrealized conversion casts.

use minoan_ir::{Context, OpKind, OpRef, OpState, Type, Value, service};
use smallvec::SmallVec;

/// An operation that stands between converted and unconverted operations: it makes values of any types from values of any
/// types, until both sides agree. Asked by dialect conversion, of operations; without an answer types cannot be converted.
pub trait UnrealizedCast: Send + Sync {
    /// Creates a cast of values to other types; the numbers of values and types may differ.
    fn cast(&self, ctx: &Context, values: &[Value], types: &[Type]) -> OpState;
}
service!(dyn UnrealizedCast, "UnrealizedCast", Optional);

impl dyn UnrealizedCast {
    /// The values that a cast gives back: its operands, where their types are those of its results, or the operands of the
    /// cast whose results it takes, where their types are.
    pub fn undone(cast: OpRef<'_>) -> Option<SmallVec<[Value; 2]>> {
        if cast.operand_types().eq(cast.result_types()) {
            return Some(cast.operands().collect());
        }
        let body = cast.body();
        let first = body.op(body.defining_op(cast.operands().next()?)?);
        let undoes = cast.context().service::<dyn UnrealizedCast>(first.kind()).is_some()
            && first.results().eq(cast.operands())
            && first.operand_types().eq(cast.result_types());
        undoes.then(|| first.operands().collect())
    }

    /// The first loaded operation that is such a cast.
    pub fn kind(ctx: &Context) -> Option<OpKind> {
        let table = ctx.service_table::<dyn UnrealizedCast>()?;
        ctx.registered_kinds().find(|&kind| table.get(kind).is_some())
    }
}
