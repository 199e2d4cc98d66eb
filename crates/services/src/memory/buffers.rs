//! Bufferization.

use minoan_ir::{Attr, Body, Builder, Name, Op, OpRef, Type, Value, service};

/// Bufferization of an operation. Queried by `plan-buffers`, operation by operation in program order, when the operands
/// have been bufferized. Default: the operation is kept, and the types of its tensor results and block arguments
/// become buffer types.
pub trait ToBuffers: Send + Sync {
    /// Creates the bufferized operations at the insertion point of `b`, which is before `op`, and returns one value
    /// per result. Storage for results that are [`Alias::Fresh`](crate::Alias::Fresh) is allocated through `buffers`;
    /// updated operands may be written to. The caller erases `op`.
    ///
    /// # Errors
    /// A message why the operation cannot be bufferized.
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String>;

    /// Like [`to_buffers`](Self::to_buffers), for an operation whose result is [`Alias::MayViewOf`](crate::Alias::MayViewOf) and
    /// can be a view: every use reads it in any layout.
    ///
    /// # Errors
    /// The same as for [`to_buffers`](Self::to_buffers).
    fn to_buffers_viewing(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        buffers: &dyn BufferOps,
    ) -> Result<Vec<Value>, String> {
        self.to_buffers(b, op, buffers)
    }

    /// Like [`to_buffers`](Self::to_buffers), for an operation that has taken ownership of its
    /// [`ConsumeTogether`](crate::OperandUse::ConsumeTogether) operands: it must reuse their storage for results or
    /// free it.
    ///
    /// # Errors
    /// The same as for [`to_buffers`](Self::to_buffers).
    fn to_buffers_taking(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        buffers: &dyn BufferOps,
    ) -> Result<Vec<Value>, String> {
        self.to_buffers(b, op, buffers)
    }

    /// Converts an operation with [`ConsumeTogether`](crate::OperandUse::ConsumeTogether) operands whose results are only
    /// read: each result may be one of these operands, which stay live as long as the result and are not consumed. `None` if
    /// there is no such form, or the reason why the operation cannot be converted at all.
    fn to_buffers_choosing(
        &self,
        _b: &mut Builder<'_>,
        _op: Op,
        _buffers: &dyn BufferOps,
    ) -> Option<Result<Vec<Value>, String>> {
        None
    }
}
service!(dyn ToBuffers, "ToBuffers", Optional);

/// The offset or the size of a part of a buffer in a dimension, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PartIndex {
    /// A value of type `index`.
    Value(Value),
    /// A constant.
    Constant(i64),
}

/// The place of a part of a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferPart {
    /// The buffer.
    pub buffer: Value,
    /// The offsets, one per dimension of the buffer.
    pub offsets: Vec<PartIndex>,
    /// The sizes, one per dimension of the buffer; `None` if the elements are not consecutive along each dimension.
    pub sizes: Option<Vec<PartIndex>>,
}

/// The storage that a buffer is created in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Storage that no other buffer had when it was allocated.
    Allocation,
    /// A global of the program.
    Global(Name),
}

/// Creation of buffers, copies and deallocations. Implemented by the dialect of the buffer types.
pub trait BufferOps: Send + Sync {
    /// The buffer type of a tensor type; `None` for other types.
    fn buffer_type(&self, ctx: &minoan_ir::Context, tensor: Type) -> Option<Type>;
    /// Allocates a buffer, with one index value per dynamic extent.
    fn alloc(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value]) -> Value;
    /// Allocates a buffer with the extents of another buffer.
    fn alloc_like(&self, b: &mut Builder<'_>, ty: Type, like: Value) -> Value;
    /// Storage that lives until the function returns, of the type and alignment of an operation that allocates.
    fn alloc_on_stack(&self, b: &mut Builder<'_>, alloc: Op) -> Value;
    /// Frees storage.
    fn dealloc(&self, b: &mut Builder<'_>, buffer: Value);
    /// Copies the contents of a buffer to another of equal extents.
    fn copy(&self, b: &mut Builder<'_>, from: Value, to: Value);
    /// Casts a buffer to a compatible type.
    fn cast(&self, b: &mut Builder<'_>, buffer: Value, ty: Type) -> Value;
    /// Declares a constant global with an unused name at the insertion point, which is in a module.
    fn declare_constant(&self, b: &mut Builder<'_>, name: &str, contents: Attr);
    /// A reference to a constant global.
    fn constant(&self, b: &mut Builder<'_>, name: &str, ty: Type) -> Value;
    /// Whether an operation allocates heap storage and returns it as its only result.
    fn is_alloc(&self, op: OpRef<'_>) -> bool;
    /// Whether an allocation can be executed speculatively: no extent is negative or large, since each is the extent of
    /// another buffer or a small constant.
    fn is_always_possible(&self, body: &Body, alloc: Op) -> bool;
    /// Loads an element.
    fn load(&self, b: &mut Builder<'_>, buffer: Value, at: &[Value]) -> Value;
    /// Stores an element.
    fn store(&self, b: &mut Builder<'_>, value: Value, buffer: Value, at: &[Value]);
    /// Prefetches the cache line of an element into all data caches, for reading.
    fn prefetch(&self, b: &mut Builder<'_>, buffer: Value, at: &[Value]);
    /// The extent of a dimension; a constant if it is static.
    fn extent(&self, b: &mut Builder<'_>, buffer: Value, dim: usize) -> Value;
    /// Allocates temporary storage with an alignment in bytes, with one index value per dynamic extent; the caller
    /// frees it.
    fn scratch(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value], align: u64) -> Value;
    /// The row-major buffer of static extents with each group of consecutive dimensions merged to one.
    fn collapse(&self, b: &mut Builder<'_>, buffer: Value, groups: &[Vec<i64>]) -> Value;
    /// A contiguous view of static extents of a part of a buffer of bytes, from an offset in bytes.
    fn view_of_bytes(&self, b: &mut Builder<'_>, bytes: Value, offset: u64, ty: Type) -> Value;
    /// The part of a buffer that begins at `offsets`: for each dimension its size, or `None` for the single index of a dimension
    /// that the result drops. `None`, with nothing created, if the layout of the buffer is not strided.
    fn slice(
        &self,
        b: &mut Builder<'_>,
        buffer: Value,
        offsets: &[PartIndex],
        sizes: &[Option<PartIndex>],
    ) -> Option<Value>;
    /// The address of the first byte of a buffer whose elements are consecutive.
    fn address(&self, b: &mut Builder<'_>, buffer: Value) -> Value;
    /// The storage of the result of an operation; `None` if it is unknown.
    fn origin(&self, op: OpRef<'_>) -> Option<Origin>;
    /// The place of a view that is a part of a buffer; `None` for other operations.
    fn part(&self, op: OpRef<'_>) -> Option<BufferPart>;
    /// The buffer and the dimension whose extent an operation reads; `None` for other operations, and if the dimension is not a
    /// constant.
    fn extent_of(&self, op: OpRef<'_>) -> Option<(Value, usize)>;
    /// Whether an operation frees its only operand.
    fn is_dealloc(&self, op: OpRef<'_>) -> bool;
}
service!(dyn BufferOps, "BufferOps", Optional);
