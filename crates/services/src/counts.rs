//! Reference counts of objects on the heap.

use minoan_ir::{Body, Builder, Context, Op, OpRef, Type, Value, service};

/// The owner of an object that is a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultOwner {
    /// The result is an owner of its own.
    Itself,
    /// The operand with this number, of which the result is a part that lives as long.
    Operand(usize),
    /// An object with another owner, which need not live as long: one of several operands, or the contents of storage that
    /// may be overwritten. An owner is added at once.
    Shared,
}

/// Creation of operations that count the owners of objects. Asked of dialects by `place-counts`. Default: there are no
/// objects.
pub trait CountOps: Send + Sync {
    /// Whether values of a type are objects whose owners are counted.
    fn is_counted(&self, ctx: &Context, ty: Type) -> bool;
    /// The owner of an object that is a result.
    fn owner(&self, op: OpRef<'_>, result: usize) -> ResultOwner;
    /// Marks an operation that creates an object, which is counted from now on.
    fn mark(&self, body: &mut Body, op: Op);
    /// Adds an owner.
    fn dup(&self, b: &mut Builder<'_>, object: Value);
    /// Removes an owner; the last one frees the object.
    fn drop(&self, b: &mut Builder<'_>, object: Value);
    /// Whether an operation is a [`dup`](Self::dup) or a [`drop`](Self::drop).
    fn is_count(&self, op: OpRef<'_>) -> bool;
}
service!(dyn CountOps, "CountOps", Optional);

impl dyn CountOps {
    /// The service of the first loaded dialect that has objects.
    pub fn any(ctx: &Context) -> Option<&dyn CountOps> {
        ctx.dialects_with::<dyn CountOps>().next()?.service::<dyn CountOps>()
    }
}
