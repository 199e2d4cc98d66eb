//! Random tensor operations. Dynamic extents are always [`OPEN_EXTENT`].

use crate::{Cast, Dim, Extract, FromElements, Insert, Splat, Yield};
use minoan_ir::{Builder, Context, DYNAMIC, Op, OpDef, OpKind, OpState, Type, TypeData, Value};
use minoan_memref::RandomSlice;
use minoan_services::{Generate, Inside, Maker, OPEN_EXTENT};

pub(crate) fn types(ctx: &Context) -> Vec<Type> {
    let shapes: [&[i64]; 6] = [&[], &[OPEN_EXTENT], &[2], &[DYNAMIC], &[2, OPEN_EXTENT], &[DYNAMIC, 2]];
    shapes.map(|shape| Type::tensor(ctx, shape, Type::I32)).to_vec()
}

/// The extents of a ranked tensor.
fn shape(ctx: &Context, ty: Type) -> Option<&[i64]> {
    match ty.data(ctx) {
        TypeData::RankedTensor { shape, .. } => Some(shape),
        _ => None,
    }
}

/// An existing tensor.
fn tensor(b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<(Value, Type)> {
    let ctx = b.context();
    let tensor = maker.existing(b, &|ty| shape(&ctx, ty).is_some())?;
    Some((tensor, b.ty(tensor)))
}

/// The extents of a ranked tensor at run time.
fn extents(ctx: &Context, ty: Type) -> Option<Vec<i64>> {
    let extent = |&extent: &i64| if extent == DYNAMIC { OPEN_EXTENT } else { extent };
    shape(ctx, ty).map(|shape| shape.iter().map(extent).collect())
}

/// Random in-bounds indices for a tensor type.
fn indices(b: &mut Builder<'_>, maker: &mut dyn Maker, ty: Type) -> Option<Vec<Value>> {
    extents(&b.context(), ty)?.into_iter().map(|extent| maker.index_in(b, 0..extent)).collect()
}

/// The sizes for the dynamic extents of a type: constants, or `tensor.dim` of another tensor.
fn sizes(b: &mut Builder<'_>, maker: &mut dyn Maker, ty: Type) -> Option<Vec<Value>> {
    let ctx = b.context();
    let open = shape(&ctx, ty)?.iter().filter(|&&extent| extent == DYNAMIC).count();
    (0..open).map(|_| size(b, maker)).collect()
}

fn size(b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Value> {
    let ctx = b.context();
    let is_open = |ty: Type| shape(&ctx, ty).is_some_and(|shape| shape.contains(&DYNAMIC));
    let Some(other) = maker.existing(b, &is_open).filter(|_| maker.below(2) == 0) else {
        return maker.number(b, OPEN_EXTENT, Type::INDEX);
    };
    let at = shape(&ctx, b.ty(other))?.iter().position(|&extent| extent == DYNAMIC)?;
    let at = maker.number(b, at as i64, Type::INDEX)?;
    let dim = Dim::build(b, other, at);
    Some(dim.result(b.body()))
}

pub(crate) struct AnyCast;

impl Generate for AnyCast {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (source, ty) = tensor(b, maker)?;
        let extent = |&extent: &i64| match (extent, maker.below(2)) {
            (DYNAMIC, 0) => OPEN_EXTENT,
            (OPEN_EXTENT, 0) => DYNAMIC,
            _ => extent,
        };
        let extents: Vec<i64> = shape(&ctx, ty)?.iter().map(extent).collect();
        let to = ty.with_shape(&ctx, &extents)?;
        Some(Cast::build(b, source, to).op())
    }
}

pub(crate) struct AnyDim;

impl Generate for AnyDim {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (source, ty) = tensor(b, maker)?;
        let rank = ty.rank(&b.context()).filter(|&rank| rank > 0)?;
        let index = maker.index_in(b, 0..rank as i64)?;
        Some(Dim::build(b, source, index).op())
    }
}

pub(crate) struct AnyExtract;

impl Generate for AnyExtract {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        2
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (source, ty) = tensor(b, maker)?;
        let indices = indices(b, maker, ty)?;
        let element = ty.element_or_self(&b.context());
        let state = OpState::new(b.context().kind_of::<Extract>()).operands(&[source]).operands(&indices);
        Some(b.create(state.results(&[element])))
    }
}

pub(crate) struct AnyInsert;

impl Generate for AnyInsert {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        2
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (dest, ty) = tensor(b, maker)?;
        let indices = indices(b, maker, ty)?;
        let scalar = maker.value(b, ty.element_or_self(&b.context()))?;
        let state =
            OpState::new(b.context().kind_of::<Insert>()).operands(&[scalar, dest]).operands(&indices);
        Some(b.create(state.results(&[ty])))
    }
}

pub(crate) struct AnyExtractSlice;

impl Generate for AnyExtractSlice {
    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (source, ty) = tensor(b, maker)?;
        let slice = RandomSlice::of(b, maker, &extents(&ctx, ty)?, None)?;
        let part = Type::tensor(&ctx, &slice.numbers[1], ty.element_or_self(&ctx));
        let props = slice.props(b, 1);
        let state = OpState::new(kind).operands(&[source]).operands(&slice.offsets);
        Some(b.create(state.props(props).results(&[part])))
    }
}

pub(crate) struct AnyInsertSlice;

impl Generate for AnyInsertSlice {
    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (dest, ty) = tensor(b, maker)?;
        let fits = |other: Type| {
            let is_static = shape(&ctx, other).is_some_and(|shape| !shape.contains(&DYNAMIC));
            is_static && other.rank(&ctx) == ty.rank(&ctx) && other.element(&ctx) == ty.element(&ctx)
        };
        let part = maker.existing(b, &fits)?;
        let slice = RandomSlice::of(b, maker, &extents(&ctx, ty)?, shape(&ctx, b.ty(part)))?;
        let props = slice.props(b, 2);
        let state = OpState::new(kind).operands(&[part, dest]).operands(&slice.offsets);
        Some(b.create(state.props(props).results(&[ty])))
    }
}

pub(crate) struct AnyFromElements;

impl Generate for AnyFromElements {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let is_static = |ty: Type| shape(&ctx, ty).is_some_and(|shape| !shape.contains(&DYNAMIC));
        let ty = maker.ty(&is_static)?;
        let count: i64 = shape(&ctx, ty)?.iter().product();
        let element = ty.element_or_self(&ctx);
        let elements = (0..count).map(|_| maker.value(b, element)).collect::<Option<Vec<Value>>>()?;
        let state = OpState::new(ctx.kind_of::<FromElements>()).operands(&elements).results(&[ty]);
        Some(b.create(state))
    }
}

pub(crate) struct AnySplat;

impl Generate for AnySplat {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let ty = maker.ty(&|ty| shape(&ctx, ty).is_some())?;
        let input = maker.value(b, ty.element_or_self(&ctx))?;
        let sizes = sizes(b, maker, ty)?;
        let state = OpState::new(ctx.kind_of::<Splat>()).operands(&[input]).operands(&sizes);
        Some(b.create(state.results(&[ty])))
    }
}

pub(crate) struct AnyGenerate;

impl Generate for AnyGenerate {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        2
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let ty = maker.ty(&|ty| shape(&ctx, ty).is_some())?;
        let element = ty.element_or_self(&ctx);
        // Inside the region, no value of the type may be available.
        let default = maker.value(b, element)?;
        let sizes = sizes(b, maker, ty)?;
        let state = OpState::new(ctx.kind_of::<crate::Generate>()).operands(&sizes).results(&[ty]).regions(1);
        let op = b.create(state);
        let shape = shape(&ctx, ty)?;
        let (block, outside) = b.enter(op, 0, &vec![Type::INDEX; shape.len()]);
        let mut args: Vec<Value> = b.body().block(block).args().collect();
        let ranges: Vec<_> = args.iter().zip(extents(&ctx, ty)?).map(|(&arg, most)| (arg, 0..most)).collect();
        args.push(default);
        let inside = Inside {
            args: &args,
            ranges: &ranges,
            gives: &[element],
            times: 8,
            effects: false,
            ..Inside::ONCE
        };
        let values = maker.inside(b, &inside);
        Yield::build(b, values[0]);
        b.set_insertion_point(outside);
        Some(op)
    }
}
