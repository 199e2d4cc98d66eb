//! Materialization of constants and branches.

use minoan_ir::{Attr, Block, Context, OpKind, OpState, ServiceTable, Type, Value, service};

/// Constant operations of a dialect. Queried by folding, first of the dialect of the folded operation. Default: the
/// next dialect is queried.
pub trait ConstantMaterializer: Send + Sync {
    /// Creates an operation with the trait `CONSTANT_LIKE` whose only result is `value`, of type `ty`; `None` if the
    /// dialect has none.
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState>;
}
service!(dyn ConstantMaterializer, "ConstantMaterializer", Optional);

impl dyn ConstantMaterializer {
    /// Materializes a constant for a folded operation of kind `kind`: its dialect is queried first, then the others in
    /// order of name. `None` if no loaded dialect can materialize it.
    pub fn constant(ctx: &Context, kind: OpKind, value: Attr, ty: Type) -> Option<OpState> {
        let table: &ServiceTable<dyn ConstantMaterializer> = ctx.service_table()?;
        let own = table.get(kind).and_then(|service| service.materialize(ctx, value, ty));
        own.or_else(|| {
            let others =
                ctx.dialects().iter().filter_map(|dialect| dialect.service::<dyn ConstantMaterializer>());
            others.into_iter().find_map(|service| service.materialize(ctx, value, ty))
        })
    }
}

/// Unconditional branches of a dialect. Queried by passes that create control flow without an existing branch to copy.
/// Default: none are created.
pub trait BranchMaterializer: Send + Sync {
    /// Creates a branch to `to` that forwards these operands, and implements [`Branches`](crate::Branches).
    fn branch(&self, ctx: &Context, to: Block, operands: &[Value]) -> OpState;
}
service!(dyn BranchMaterializer, "BranchMaterializer", Optional);

impl dyn BranchMaterializer {
    /// The first loaded dialect with unconditional branches.
    pub fn any(ctx: &Context) -> Option<&dyn BranchMaterializer> {
        ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn BranchMaterializer>())
    }
}
