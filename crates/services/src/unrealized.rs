//! Unrealized conversion casts.

use minoan_ir::{Context, OpKind, OpState, Type, Value, service};

/// Casts between arbitrary lists of types, which materialize at the boundary of a partial conversion until both sides
/// agree. Asked of operations by dialect conversion. Default: types cannot be converted.
pub trait UnrealizedCast: Send + Sync {
    /// Creates a cast of values to other types; the numbers of values and types may differ.
    fn cast(&self, ctx: &Context, values: &[Value], types: &[Type]) -> OpState;
}
service!(dyn UnrealizedCast, "UnrealizedCast", Optional);

impl dyn UnrealizedCast {
    /// The first loaded operation that is such a cast.
    pub fn kind(ctx: &Context) -> Option<OpKind> {
        let table = ctx.service_table::<dyn UnrealizedCast>()?;
        ctx.registered_kinds().find(|&kind| table.get(kind).is_some())
    }
}
