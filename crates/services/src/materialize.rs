//! Constants and branches as operations.

use minoan_ir::{Attr, Block, Context, OpKind, OpState, ServiceTable, Type, Value, service};

/// The operation of a dialect whose result is a constant. Asked by whoever folds, of the dialect of the operation
/// that was folded.
pub trait ConstantMaterializer: Send + Sync {
    /// An operation with the trait `CONSTANT_LIKE` whose one result is `value`, of type `ty`; `None` where the
    /// dialect has none.
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState>;
}
service!(dyn ConstantMaterializer, "ConstantMaterializer", Optional);

impl dyn ConstantMaterializer {
    /// A constant for what an operation of kind `kind` was folded to: its dialect is asked first, then the others
    /// by name. `None` when no loaded dialect has such a constant.
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

/// The operation of a dialect that always goes to a block. Asked by whoever makes control flow where there is no branch to
/// take after; without an answer none is made.
pub trait BranchMaterializer: Send + Sync {
    /// An operation that goes to `to` and passes it these operands, and answers [`Branches`](crate::Branches) so.
    fn branch(&self, ctx: &Context, to: Block, operands: &[Value]) -> OpState;
}
service!(dyn BranchMaterializer, "BranchMaterializer", Optional);

impl dyn BranchMaterializer {
    /// The first dialect that has such operations.
    pub fn any(ctx: &Context) -> Option<&dyn BranchMaterializer> {
        ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn BranchMaterializer>())
    }
}
