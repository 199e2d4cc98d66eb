//! Bufferization.

use crate::{AllocTensor, MaterializeInDestination, ToBuffer, ToTensor};
use minoan_ir::{Builder, Context, DYNAMIC, Op, OpDef, OpRef, Type, Value};
use minoan_memref::cast_fits;
use minoan_services::{
    Alias, AliasModel, BufferExchange, BufferOps, EffectSet, Effects, Exchange, ExchangeOps, Extent,
    ExtentOf, ToBuffers,
};

/// The type of a dense buffer with the extents and elements of another one.
fn dense(ctx: &Context, ty: Type) -> Option<Type> {
    Some(Type::memref(ctx, ty.shape(ctx)?, ty.element(ctx)?))
}

/// The type of the buffer of a tensor that an operation has as operand or result.
fn buffer_type(b: &Builder<'_>, buffers: &dyn BufferOps, tensor: Type) -> Result<Type, String> {
    buffers.buffer_type(&b.context(), tensor).ok_or_else(|| "a tensor without a buffer".to_owned())
}

pub(crate) struct AllocTensorExtents;

impl ExtentOf for AllocTensorExtents {
    fn extent(&self, op: OpRef<'_>, _: usize, dim: usize) -> Option<Extent> {
        if !op.operand_group(1).is_empty() {
            return Some(Extent::Of { operand: 0, dim });
        }
        let shape = op.result_types().next()?.shape(op.context())?;
        let before = shape.get(..dim)?.iter().filter(|&&extent| extent == DYNAMIC).count();
        op.operand_group(0).get(before).copied().map(Extent::Value)
    }
}

pub(crate) struct BufferAllocTensor;

impl ToBuffers for BufferAllocTensor {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (alloc, body) = (AllocTensor::from_op_unchecked(op), b.body());
        let (sizes, copied) = (alloc.dynamic_sizes(body), alloc.copy(body));
        let ty = buffer_type(b, buffers, b.ty(alloc.result(body)))?;
        let Some(copied) = copied else { return Ok(vec![buffers.alloc(b, ty, &sizes)]) };
        let buffer = buffers.alloc_like(b, ty, copied);
        buffers.copy(b, copied, buffer);
        Ok(vec![buffer])
    }
}

/// The buffer is freed after its last use in any case.
pub(crate) struct BufferDeallocTensor;

impl ToBuffers for BufferDeallocTensor {
    fn to_buffers(&self, _: &mut Builder<'_>, _: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        Ok(Vec::new())
    }
}

/// A tensor destination is a value.
pub(crate) struct MaterializeEffects;

impl Effects for MaterializeEffects {
    fn effects(&self, op: OpRef<'_>) -> EffectSet {
        if op.n_results() == 0 { EffectSet::WRITE } else { EffectSet::NONE }
    }
}

pub(crate) struct MaterializeUpdates;

impl AliasModel for MaterializeUpdates {
    fn alias(&self, _: OpRef<'_>, _: usize) -> Alias {
        Alias::UpdateOf(1)
    }

    fn reads_updated(&self, _: OpRef<'_>, _: usize) -> bool {
        false
    }

    fn reads_any_layout(&self, _: OpRef<'_>, operand: usize) -> bool {
        operand == 0
    }
}

pub(crate) struct BufferMaterialize;

impl ToBuffers for BufferMaterialize {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (write, body) = (MaterializeInDestination::from_op_unchecked(op), b.body());
        let (source, dest) = (write.source(body), write.dest(body));
        let is_value = write.result(body).is_some();
        if source != dest {
            buffers.copy(b, source, dest);
        }
        Ok(if is_value { vec![dest] } else { Vec::new() })
    }
}

pub(crate) struct Materializes;

impl BufferExchange for Materializes {
    fn exchange(&self, op: OpRef<'_>) -> Option<Exchange> {
        let is_exclusive = MaterializeInDestination::from_op_unchecked(op.id()).restrict(op.body());
        let (body, ctx) = (op.body(), op.context());
        let is_dense = dense(ctx, body.ty(op.operand(1))) == Some(body.ty(op.operand(1)));
        (op.n_results() == 0).then_some(Exchange::Write { tensor: 0, buffer: 1, is_exclusive, is_dense })
    }
}

/// Whether the buffer of a tensor is, possibly after a cast, of the type that `to_buffer` gives.
fn is_cast(op: OpRef<'_>) -> bool {
    let (ctx, wanted) = (op.context(), op.body().ty(op.result(0)));
    let given = wanted.shape(ctx).and_then(|_| dense(ctx, wanted)).unwrap_or(wanted);
    given == wanted || cast_fits(ctx, given, wanted)
}

/// The buffer of the tensor, which is updated unless the result is only read; a buffer of its own for another layout or memory
/// space.
pub(crate) struct BufferOfTensor;

impl AliasModel for BufferOfTensor {
    fn alias(&self, op: OpRef<'_>, _: usize) -> Alias {
        match ToBuffer::from_op_unchecked(op.id()).read_only(op.body()) {
            _ if !is_cast(op) => Alias::Fresh,
            true => Alias::ViewOf(0),
            false => Alias::UpdateOf(0),
        }
    }
}

pub(crate) struct BufferToBuffer;

impl ToBuffers for BufferToBuffer {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let view = b.body().op(op);
        let (tensor, ty, is_cast) = (view.operand(0), b.ty(view.result(0)), is_cast(view));
        if is_cast {
            return Ok(vec![buffers.cast(b, tensor, ty)]);
        }
        let buffer = buffers.alloc_like(b, ty, tensor);
        buffers.copy(b, tensor, buffer);
        Ok(vec![buffer])
    }
}

pub(crate) struct IsBuffer;

impl BufferExchange for IsBuffer {
    fn exchange(&self, _: OpRef<'_>) -> Option<Exchange> {
        Some(Exchange::Buffer { tensor: 0 })
    }
}

/// A view of the buffer, as long as it has the same contents.
pub(crate) struct TensorOfBuffer;

impl AliasModel for TensorOfBuffer {
    fn alias(&self, _: OpRef<'_>, _: usize) -> Alias {
        Alias::MayViewOf(0)
    }
}

pub(crate) struct BufferToTensor;

impl ToBuffers for BufferToTensor {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (read, body) = (ToTensor::from_op_unchecked(op), b.body());
        let source = read.buffer(body);
        let ty = buffer_type(b, buffers, b.ty(read.result(body)))?;
        if ty.shape(&b.context()).is_none() {
            return Err("has no bufferization for unranked tensors".to_owned());
        }
        let buffer = buffers.alloc_like(b, ty, source);
        buffers.copy(b, source, buffer);
        Ok(vec![buffer])
    }

    fn to_buffers_viewing(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        _: &dyn BufferOps,
    ) -> Result<Vec<Value>, String> {
        Ok(vec![b.body().op(op).operand(0)])
    }
}

pub(crate) struct ReadsBuffer;

impl BufferExchange for ReadsBuffer {
    fn exchange(&self, op: OpRef<'_>) -> Option<Exchange> {
        let (read, body) = (ToTensor::from_op_unchecked(op.id()), op.body());
        let ty = body.ty(read.buffer(body));
        let is_dense = dense(op.context(), ty) == Some(ty);
        Some(Exchange::Read { buffer: 0, is_exclusive: read.restrict(body), is_dense })
    }
}

/// The maker of exclusive exchanges.
pub(crate) struct Exclusive;

impl ExchangeOps for Exclusive {
    fn read(&self, b: &mut Builder<'_>, buffer: Value, writable: bool) -> Value {
        let (ctx, ty) = (b.context(), b.ty(buffer));
        let ty = Type::tensor(&ctx, ty.shape(&ctx).unwrap_or(&[]), ty.element_or_self(&ctx));
        ToTensor::builder(buffer, ty).restrict(true).writable(writable).build(b).result(b.body())
    }

    fn write(&self, b: &mut Builder<'_>, tensor: Value, buffer: Value) {
        MaterializeInDestination::builder(tensor, buffer).restrict(true).writable(true).build(b);
    }
}
