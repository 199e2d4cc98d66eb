//! Casts that stand between what is converted and what is not.

use minoan_ir::{Context, OpKind, OpState, Type, Value, service};

/// An operation that makes values of any types from values of any types: it stands where a conversion of types has come
/// to an end, until both sides agree. Asked by dialect conversion, of operations; without an answer types cannot be
/// converted.
pub trait UnrealizedCast: Send + Sync {
    /// The cast of values to other types; one value may become several, and several one.
    fn cast(&self, ctx: &Context, values: &[Value], types: &[Type]) -> OpState;
}
service!(dyn UnrealizedCast, "UnrealizedCast", Optional);

impl dyn UnrealizedCast {
    /// The first operation of the loaded dialects that is such a cast.
    pub fn kind(ctx: &Context) -> Option<OpKind> {
        let table = ctx.service_table::<dyn UnrealizedCast>()?;
        ctx.registered_kinds().find(|&kind| table.get(kind).is_some())
    }
}
