//! Reference counts of objects on the heap.

use minoan_ir::{Body, Builder, Context, Op, OpRef, Type, Value, service};

/// The owner of an object that is a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultOwner {
    /// The result is a new owner.
    Itself,
    /// The result is a borrowed field of this operand; it is valid while the operand is live.
    Operand(usize),
    /// The result has another owner, which need not outlive it: one of several operands, or the contents of storage that
    /// may be overwritten. An owner is added at once.
    Shared,
}

/// Creation of operations that count the owners of objects. Queried by `place-counts`, per dialect. Default: values are not
/// counted.
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

/// Creation of objects in the memory of dying ones: the reuse analysis of Perceus (*functional but in-place*). Queried by
/// `reuse-objects`, per dialect. Default: every object is created in new memory.
///
/// Objects of one *size class* fit into each other's memory. Memory that may be reused is a value, the *reuse token*, which may
/// be null. Tokens are themselves counted ([`CountOps::is_counted`]): the owner either creates an object in the memory or drops
/// it.
pub trait ReuseOps: Send + Sync {
    /// If the only result of the operation is a field of an operand: the index of that operand, and the size class of the object.
    /// `None` if the layout of the object is unknown.
    fn part(&self, op: OpRef<'_>) -> Option<(usize, u32)>;
    /// The size class of the object that an operation creates in new memory.
    fn creates(&self, op: OpRef<'_>) -> Option<u32>;
    /// Decrements the count of the object that `part` projects from. If it was unique, drops its fields except those that `kept`
    /// read, and returns its memory as a reuse token; otherwise increments the counts of the fields that `kept` read, and returns
    /// a null token.
    fn reset(&self, b: &mut Builder<'_>, part: Op, kept: &[Op]) -> Value;
    /// Replaces a constructor by one that allocates from the reuse token `memory`, or from new memory if the token is null.
    fn reuse(&self, body: &mut Body, op: Op, memory: Value);
}
service!(dyn ReuseOps, "ReuseOps", Optional);

impl dyn ReuseOps {
    /// The service of the first loaded dialect that has objects.
    pub fn any(ctx: &Context) -> Option<&dyn ReuseOps> {
        ctx.dialects_with::<dyn ReuseOps>().next()?.service::<dyn ReuseOps>()
    }
}

/// Creation of objects with a hole, a field that is filled later (*tail recursion modulo constructor*). Queried by
/// `tail-recursion-modulo-constructor`, per dialect. Default: an object is created with all of its fields.
pub trait HoleOps: Send + Sync {
    /// Whether an operation creates an immutable object that has the operand as a field.
    fn stores(&self, op: OpRef<'_>, operand: usize) -> bool;
    /// The type of holes for fields of type `part`.
    fn hole_type(&self, ctx: &Context, part: Type) -> Type;
    /// Changes an operation to create its object with a hole in place of a field; returns the hole, directly after the operation.
    fn open(&self, body: &mut Body, op: Op, operand: usize) -> Value;
    /// Fills a hole with a field, whose ownership moves to the object. Each hole is filled once.
    fn fill(&self, b: &mut Builder<'_>, hole: Value, part: Value);
}
service!(dyn HoleOps, "HoleOps", Optional);

impl dyn HoleOps {
    /// The service of the first loaded dialect that has objects.
    pub fn any(ctx: &Context) -> Option<&dyn HoleOps> {
        ctx.dialects_with::<dyn HoleOps>().next()?.service::<dyn HoleOps>()
    }
}
