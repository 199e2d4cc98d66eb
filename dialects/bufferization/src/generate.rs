//! Random operations. Nothing is `restrict`, since buffers may be views of each other.

use crate::{MaterializeInDestination, ToBuffer, ToTensor};
use minoan_ir::{Builder, Context, DYNAMIC, Op, OpDef, OpKind, Type, TypeData, Value};
use minoan_memref as memref;
use minoan_services::{Generate, Maker, OPEN_EXTENT};

/// The extents of a tensor or buffer at run time.
fn extents(ctx: &Context, ty: Type) -> Option<Vec<i64>> {
    let shape = match ty.data(ctx) {
        TypeData::MemRef { shape, .. } | TypeData::RankedTensor { shape, .. } => shape,
        _ => return None,
    };
    Some(shape.iter().map(|&extent| if extent == DYNAMIC { OPEN_EXTENT } else { extent }).collect())
}

/// An existing buffer.
fn buffer(b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<(Value, Type)> {
    let ctx = b.context();
    let found = maker.existing(b, &|ty| ty.is_memref(&ctx) && extents(&ctx, ty).is_some())?;
    Some((found, b.ty(found)))
}

pub(crate) struct AnyRead;

impl Generate for AnyRead {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        3
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (buffer, ty) = buffer(b, maker)?;
        let tensor = Type::tensor(&ctx, ty.shape(&ctx)?, ty.element_or_self(&ctx));
        Some(ToTensor::builder(buffer, tensor).writable(maker.below(2) == 0).build(b).op())
    }
}

pub(crate) struct AnyWrite;

impl Generate for AnyWrite {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        3
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (buffer, ty) = buffer(b, maker)?;
        let (shape, element) = (extents(&ctx, ty)?, ty.element(&ctx));
        let same = |other: Type| {
            other.is_tensor(&ctx)
                && other.element(&ctx) == element
                && extents(&ctx, other).as_ref() == Some(&shape)
        };
        let tensor = maker.existing(b, &same)?;
        Some(MaterializeInDestination::builder(tensor, buffer).writable(true).build(b).op())
    }
}

/// Writes an element to the buffer of a tensor and reads one. The buffer must not be forwarded to other blocks.
pub(crate) struct AnyBuffer;

impl Generate for AnyBuffer {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let tensor = maker.existing(b, &|ty| ty.is_tensor(&ctx) && extents(&ctx, ty).is_some())?;
        let ty = b.ty(tensor);
        let (extents, element) = (extents(&ctx, ty)?, ty.element_or_self(&ctx));
        let mut at =
            || -> Option<Vec<Value>> { extents.iter().map(|&extent| maker.index_in(b, 0..extent)).collect() };
        let (written, read) = (at()?, at()?);
        let value = maker.value(b, element)?;
        let is_written = maker.below(2) == 0;
        let buffer = ToBuffer::builder(tensor, Type::memref(&ctx, ty.shape(&ctx)?, element));
        let buffer = buffer.read_only(!is_written).build(b).buffer(b.body());
        if is_written {
            memref::Store::build(b, value, buffer, &written, None, None);
        }
        let loaded = memref::load(b, buffer, &read);
        b.body().defining_op(loaded)
    }
}
