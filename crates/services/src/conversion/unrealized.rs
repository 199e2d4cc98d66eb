//! Unrealized conversion casts.

use minoan_ir::{Context, OpKind, OpRef, OpState, Type, Value, service};
use smallvec::SmallVec;

/// An unrealized conversion cast: it converts values of any types to values of any types and connects converted and
/// unconverted operations until both sides agree. Queried by dialect conversion. Default: types cannot be converted.
pub trait UnrealizedCast: Send + Sync {
    /// Creates a cast of values to other types; the numbers of values and types may differ.
    fn cast(&self, ctx: &Context, values: &[Value], types: &[Type]) -> OpState;
}
service!(dyn UnrealizedCast, "UnrealizedCast", Optional);

impl dyn UnrealizedCast {
    /// The values that a cast forwards: its operands, if their types equal the result types, or the operands of the
    /// cast that defines its operands, if their types do.
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
