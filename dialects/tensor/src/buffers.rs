//! Bufferization of tensor operations; those that move whole parts are in [`move_buffers`](crate::move_buffers).

use crate::move_buffers::store_yielded;
use crate::{Extract, Generate, Insert};
use minoan_arith::constant_index;
use minoan_ir::{Builder, DYNAMIC, InsertionPoint, Op, OpDef, OpRef, Type, Value};
use minoan_scf::For;
use minoan_services::{Alias, AliasModel, BufferOps, RegionExecution, RegionFlow, ToBuffers};

pub(crate) struct CastIsView;

impl AliasModel for CastIsView {
    fn alias(&self, _: OpRef<'_>, _: usize) -> Alias {
        Alias::ViewOf(0)
    }
}

pub(crate) struct InsertUpdates;

impl AliasModel for InsertUpdates {
    fn alias(&self, _: OpRef<'_>, _: usize) -> Alias {
        Alias::UpdateOf(1)
    }
}

pub(crate) struct GenerateFlow;

impl RegionFlow for GenerateFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::Parallel
    }
}

/// The buffer type of a result, and the operands.
pub(crate) fn parts(b: &Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<(Type, Vec<Value>), String> {
    let view = b.body().op(op);
    let ty = view.result_types().next().and_then(|ty| buffers.buffer_type(b.body().context(), ty));
    Ok((ty.ok_or("the result is not a tensor")?, view.operands().collect()))
}

pub(crate) struct BufferCast;

impl ToBuffers for BufferCast {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, operands) = parts(b, op, buffers)?;
        Ok(vec![buffers.cast(b, operands[0], ty)])
    }
}

pub(crate) struct BufferDim;

impl ToBuffers for BufferDim {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let operands: Vec<Value> = b.body().op(op).operands().collect();
        let dim = minoan_memref::Dim::build(b, operands[0], operands[1]);
        Ok(vec![dim.result(b.body())])
    }
}

pub(crate) struct BufferEmpty;

impl ToBuffers for BufferEmpty {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, sizes) = parts(b, op, buffers)?;
        Ok(vec![buffers.alloc(b, ty, &sizes)])
    }
}

pub(crate) struct BufferExtract;

impl ToBuffers for BufferExtract {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let extract = Extract::from_op_unchecked(op);
        let (tensor, indices) = (extract.tensor(b.body()), extract.indices(b.body()));
        Ok(vec![minoan_memref::load(b, tensor, &indices)])
    }
}

pub(crate) struct BufferInsert;

impl ToBuffers for BufferInsert {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let insert = Insert::from_op_unchecked(op);
        let (scalar, dest) = (insert.scalar(b.body()), insert.dest(b.body()));
        let indices = insert.indices(b.body());
        minoan_memref::Store::build(b, scalar, dest, &indices, None, None);
        Ok(vec![dest])
    }
}

pub(crate) struct BufferFromElements;

impl ToBuffers for BufferFromElements {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, elements) = parts(b, op, buffers)?;
        let shape: Vec<i64> = ty.shape(b.body().context()).unwrap_or(&[]).to_vec();
        let buffer = buffers.alloc(b, ty, &[]);
        for (position, element) in elements.into_iter().enumerate() {
            let mut rest = position as i64;
            let mut at: Vec<i64> = Vec::with_capacity(shape.len());
            for &extent in shape.iter().rev() {
                at.push(rest % extent);
                rest /= extent;
            }
            let indices: Vec<Value> = at.into_iter().rev().map(|index| constant_index(b, index)).collect();
            minoan_memref::Store::build(b, element, buffer, &indices, None, None);
        }
        Ok(vec![buffer])
    }
}

/// A nest of loops over the extents of a buffer type with the dynamic extents `sizes`; `build` fills the innermost
/// one.
pub(crate) fn loops(
    b: &mut Builder<'_>,
    ty: Type,
    sizes: &[Value],
    build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Result<(), String>,
) -> Result<(), String> {
    let shape: Vec<i64> = ty.shape(b.body().context()).unwrap_or(&[]).to_vec();
    let mut sizes = sizes.iter();
    let mut extents = Vec::with_capacity(shape.len());
    for extent in shape {
        extents.push(match extent {
            DYNAMIC => *sizes.next().ok_or("a dynamic extent without a size")?,
            extent => constant_index(b, extent),
        });
    }
    nest(b, &extents, build)
}

/// A nest of loops from zero up to each of `extents`; `build` fills the innermost one.
pub(crate) fn nest(
    b: &mut Builder<'_>,
    extents: &[Value],
    build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Result<(), String>,
) -> Result<(), String> {
    let (zero, one) = (constant_index(b, 0), constant_index(b, 1));
    let outside = b.insertion_point();
    let mut indices = Vec::with_capacity(extents.len());
    for &extent in extents {
        let nest = For::with(b, [zero, extent, one], &[], |_, index, _| {
            indices.push(index);
            Vec::new()
        });
        let block = b.body().op(nest.op()).region(0);
        let block = b.body().region(block).entry().ok_or("a loop has a block")?;
        let end = b.body().block(block).last().ok_or("a loop has a terminator")?;
        b.set_insertion_point(InsertionPoint::Before(end));
    }
    let filled = build(b, &indices);
    b.set_insertion_point(outside);
    filled
}

pub(crate) struct BufferSplat;

impl ToBuffers for BufferSplat {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, operands) = parts(b, op, buffers)?;
        let buffer = buffers.alloc(b, ty, &operands[1..]);
        loops(b, ty, &operands[1..], |b, indices| {
            minoan_memref::Store::build(b, operands[0], buffer, indices, None, None);
            Ok(())
        })?;
        Ok(vec![buffer])
    }
}

/// Bufferization to loops that compute and store each element.
pub(crate) struct BufferGenerate;

impl ToBuffers for BufferGenerate {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, sizes) = parts(b, op, buffers)?;
        let generate = Generate::from_op_unchecked(op);
        let region = generate.body(b.body());
        let block = b.body().region(region).entry().ok_or("the region is empty")?;
        let buffer = buffers.alloc(b, ty, &sizes);
        loops(b, ty, &sizes, |b, indices| store_yielded(b, block, buffer, indices))?;
        Ok(vec![buffer])
    }
}
