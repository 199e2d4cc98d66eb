//! Random computations on tensors or buffers: elementwise with permuted or broadcast operands, and reductions.

use crate::{Fill, Generic, IteratorType};
use minoan_ir::affine::AffineMap;
use minoan_ir::{Builder, Context, DYNAMIC, Op, OpDef, OpKind, Type, TypeData, Value};
use minoan_services::{Generate, Inside, Maker, OPEN_EXTENT};

/// The extents of a tensor or buffer at run time.
fn extents(ctx: &Context, ty: Type) -> Option<Vec<i64>> {
    let (TypeData::RankedTensor { shape, .. } | TypeData::MemRef { shape, .. }) = ty.data(ctx) else {
        return None;
    };
    Some(shape.iter().map(|&extent| if extent == DYNAMIC { OPEN_EXTENT } else { extent }).collect())
}

pub(crate) struct AnyFill;

impl Generate for AnyFill {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let output = maker.existing(b, &|ty| extents(&ctx, ty).is_some())?;
        let value = maker.value(b, b.ty(output).element_or_self(&ctx))?;
        Some(Fill::with(b, value, output).op())
    }
}

pub(crate) struct AnyGeneric;

impl Generate for AnyGeneric {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        3
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        // The first operand has all dimensions, so that their extents are determined.
        let first = maker.existing(b, &|ty| extents(&ctx, ty).is_some())?;
        let domain = extents(&ctx, b.ty(first))?;
        // All operands are tensors, or all are buffers.
        let in_storage = b.ty(first).is_memref(&ctx);
        let mut operands = vec![(first, AffineMap::identity(domain.len() as u32))];
        for _ in 0..maker.below(3) {
            operands.extend(operand(b, maker, &domain, in_storage));
        }
        let (output, output_map) = operand(b, maker, &domain, in_storage)?;
        let (inputs, maps): (Vec<Value>, Vec<AffineMap>) = operands.into_iter().unzip();
        let maps = [maps, vec![output_map.clone()]].concat();
        let kept = output_map.as_projection().unwrap_or_default();
        let iterator = |dim: u32| {
            if kept.contains(&dim) { IteratorType::Parallel } else { IteratorType::Reduction }
        };
        let iterators: Vec<IteratorType> = (0..domain.len() as u32).map(iterator).collect();
        let element = b.ty(output).element_or_self(&ctx);
        let made = Generic::with(b, &inputs, &[output], &maps, &iterators, |b, args| {
            let inside = Inside { args, gives: &[element], times: 8, effects: false, ..Inside::ONCE };
            maker.inside(b, &inside)
        });
        Some(made.op())
    }
}

/// A tensor or buffer that has some dimensions of the domain in any order, and these dimensions.
fn operand(
    b: &mut Builder<'_>,
    maker: &mut dyn Maker,
    domain: &[i64],
    in_storage: bool,
) -> Option<(Value, AffineMap)> {
    let ctx = b.context();
    let fits = |ty: Type| {
        ty.is_memref(&ctx) == in_storage && extents(&ctx, ty).is_some_and(|shape| shape.len() <= domain.len())
    };
    let value = maker.existing(b, &fits)?;
    let mut free: Vec<u32> = (0..domain.len() as u32).collect();
    let mut dims = Vec::new();
    for extent in extents(&ctx, b.ty(value))? {
        let fitting: Vec<u32> = free.iter().copied().filter(|&dim| domain[dim as usize] == extent).collect();
        let dim = *fitting.get(maker.below(fitting.len().max(1)))?;
        free.retain(|&other| other != dim);
        dims.push(dim);
    }
    Some((value, AffineMap::projection(domain.len() as u32, &dims)))
}
