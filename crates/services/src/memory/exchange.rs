//! Exchange of contents between tensors and buffers of the program.

use minoan_ir::{Builder, Context, OpRef, Value, service};

/// The exchange of contents between a tensor and a buffer. Operands are given by their index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// The only result is a tensor with the contents that a buffer has when the operation is executed. It may be a view of the
    /// buffer ([`MayViewOf`](crate::Alias::MayViewOf)) as long as nothing writes to memory.
    Read {
        /// The buffer.
        buffer: usize,
        /// Whether no other exclusive exchange accesses the same memory.
        is_exclusive: bool,
        /// Whether the buffer has the type that the buffer of the tensor has.
        is_dense: bool,
    },
    /// The elements of a tensor are written to a buffer of equal extents.
    Write {
        /// The tensor.
        tensor: usize,
        /// The buffer.
        buffer: usize,
        /// Whether no other exclusive exchange accesses the same memory.
        is_exclusive: bool,
        /// Whether the buffer has the type that the buffer of the tensor has.
        is_dense: bool,
    },
    /// The only result is a buffer with the contents of a tensor. According to [`AliasModel`](crate::AliasModel), it is the buffer
    /// of the tensor, which it updates or views, or storage of its own.
    Buffer {
        /// The tensor.
        tensor: usize,
    },
}

/// Operations between tensors and buffers of the program. Queried by `plan-buffers`. Default: tensors and buffers share no
/// contents.
pub trait BufferExchange: Send + Sync {
    /// The exchange by the operation; `None` if it has none.
    fn exchange(&self, op: OpRef<'_>) -> Option<Exchange>;
}
service!(dyn BufferExchange, "BufferExchange", Optional);

/// Creates exclusive exchanges: no other exclusive exchange accesses the same memory. Queried by `raise-buffer-loops`, per dialect.
pub trait ExchangeOps: Send + Sync {
    /// A tensor with the contents of a buffer. Tensors may be computed in a `writable` buffer.
    fn read(&self, b: &mut Builder<'_>, buffer: Value, writable: bool) -> Value;
    /// Writes a tensor to a buffer of equal extents.
    fn write(&self, b: &mut Builder<'_>, tensor: Value, buffer: Value);
}
service!(dyn ExchangeOps, "ExchangeOps", Optional);

impl dyn ExchangeOps {
    /// The service of the first loaded dialect that exchanges contents.
    pub fn any(ctx: &Context) -> Option<&dyn ExchangeOps> {
        ctx.dialects_with::<dyn ExchangeOps>().next()?.service::<dyn ExchangeOps>()
    }
}
