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

/// Creation of operations that count the owners of objects. Queried by `place-counts`, per dialect. Default: there are no
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

/// Creation of objects in the memory of others that die. Queried by `reuse-objects`, per dialect. Default: every
/// object is created in new memory.
///
/// Objects of one *size class* fit into each other's memory. Memory is itself counted ([`CountOps::is_counted`]): its owner
/// either creates an object in it or drops it.
pub trait ReuseOps: Send + Sync {
    /// The operand that is an object of which the only result is a part, and the object's size class; `None` if the result is
    /// no part, or the layout of the object is unknown.
    fn part(&self, op: OpRef<'_>) -> Option<(usize, u32)>;
    /// The size class of the object that an operation creates in new memory.
    fn creates(&self, op: OpRef<'_>) -> Option<u32>;
    /// Removes an owner of the object that `part` reads, adds an owner to each of the parts that `kept` read, and returns the
    /// object's memory if it had no other owner, or none.
    fn reset(&self, b: &mut Builder<'_>, part: Op, kept: &[Op]) -> Value;
    /// Creates the object of an operation in memory, if that is any. The operation is replaced.
    fn reuse(&self, body: &mut Body, op: Op, memory: Value);
}
service!(dyn ReuseOps, "ReuseOps", Optional);

impl dyn ReuseOps {
    /// The service of the first loaded dialect that has objects.
    pub fn any(ctx: &Context) -> Option<&dyn ReuseOps> {
        ctx.dialects_with::<dyn ReuseOps>().next()?.service::<dyn ReuseOps>()
    }
}

/// Creation of objects before one of their parts. Queried by `tail-recursion-modulo-constructor`, per dialect.
/// Default: an object is created from all its parts.
pub trait HoleOps: Send + Sync {
    /// Whether an operation creates an immutable object of which the operand is a part.
    fn stores(&self, op: OpRef<'_>, operand: usize) -> bool;
    /// The type of the places of parts of this type.
    fn hole_type(&self, ctx: &Context, part: Type) -> Type;
    /// Lets an operation create its object without a part; returns the place of the part, directly after the operation.
    fn open(&self, body: &mut Body, op: Op, operand: usize) -> Value;
    /// Writes a part, whose owner the object becomes, to its place, once.
    fn fill(&self, b: &mut Builder<'_>, hole: Value, part: Value);
}
service!(dyn HoleOps, "HoleOps", Optional);

impl dyn HoleOps {
    /// The service of the first loaded dialect that has objects.
    pub fn any(ctx: &Context) -> Option<&dyn HoleOps> {
        ctx.dialects_with::<dyn HoleOps>().next()?.service::<dyn HoleOps>()
    }
}
