//! From tensors to buffers.

use minoan_ir::{Attr, Body, Builder, Op, OpRef, Type, Value, service};

/// The form of an operation on buffers. Asked by the planning of buffers, operation by operation in program order:
/// operands are buffers already. Without an answer the operation stays, and the types of its tensor results and
/// block arguments become buffer types.
pub trait ToBuffers: Send + Sync {
    /// Creates the form on buffers at the cursor of `b`, which stands before `op`, and gives one value for each
    /// result. Storage for the result that [`AliasModel`](crate::AliasModel) calls fresh is made here, through
    /// `buffers`; an updated operand may be written to. The operation is erased afterwards.
    ///
    /// # Errors
    /// What stands in the way, in words for the user.
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String>;

    /// The same, where the operands were taken over of which [`Ownership`](crate::Ownership) says
    /// [`ConsumeTogether`](crate::OperandUse::ConsumeTogether): their storage becomes that of results, or is freed here.
    ///
    /// # Errors
    /// As [`to_buffers`](Self::to_buffers).
    fn to_buffers_taking(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        buffers: &dyn BufferOps,
    ) -> Result<Vec<Value>, String> {
        self.to_buffers(b, op, buffers)
    }
}
service!(dyn ToBuffers, "ToBuffers", Optional);

/// How buffers are made, copied and freed: answered by the dialect whose types they are.
pub trait BufferOps: Send + Sync {
    /// The buffer type for a tensor type; `None` for a type that is not a tensor.
    fn buffer_type(&self, ctx: &minoan_ir::Context, tensor: Type) -> Option<Type>;
    /// New storage of a buffer type; one index value for each dynamic extent.
    fn alloc(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value]) -> Value;
    /// New storage with the extents of another buffer.
    fn alloc_like(&self, b: &mut Builder<'_>, ty: Type, like: Value) -> Value;
    /// Storage that lives until the function returns.
    fn alloc_on_stack(&self, b: &mut Builder<'_>, ty: Type) -> Value;
    /// Frees storage.
    fn dealloc(&self, b: &mut Builder<'_>, buffer: Value);
    /// Copies contents between buffers of equal extents.
    fn copy(&self, b: &mut Builder<'_>, from: Value, to: Value);
    /// Reads a buffer as one of another compatible type.
    fn cast(&self, b: &mut Builder<'_>, buffer: Value, ty: Type) -> Value;
    /// Declares constant contents at the cursor, which stands in a module, under a symbol that is free.
    fn declare_constant(&self, b: &mut Builder<'_>, name: &str, contents: Attr);
    /// The constant contents of a symbol.
    fn constant(&self, b: &mut Builder<'_>, name: &str, ty: Type) -> Value;
    /// Whether an operation makes heap storage, and its one result is that.
    fn is_alloc(&self, op: OpRef<'_>) -> bool;
    /// Whether storage of those extents can be made where the operation that makes it might not have run: no extent
    /// is negative or large, for it is that of another buffer or a small constant.
    fn is_always_possible(&self, body: &Body, alloc: Op) -> bool;
    /// Whether an operation frees its one operand.
    fn is_dealloc(&self, op: OpRef<'_>) -> bool;
}
service!(dyn BufferOps, "BufferOps", Optional);
