//! Allocation of buffers for bufferization.

use crate::slices::numbers;
use crate::{
    Alloc, Alloca, Cast, CollapseShape, Copy, Dealloc, Dim, ExtractAlignedPointerAsIndex, GetGlobal, Global,
    Prefetch, Store, SubView, View,
};
use minoan_ir::strided::dynamic_mul;
use minoan_ir::{Array, Attr, Body, Builder, Context, DYNAMIC, Op, OpDef, OpRef, Type, TypeData, Value};
use minoan_services::{Alias, AliasModel, BufferOps, BufferPart, Lanes, Origin, PartIndex, VectorForm};

/// The alignment of constants in bytes, the same as for allocated buffers, so that no vector load crosses a cache line.
const CONSTANT_ALIGNMENT: i64 = 64;

pub(crate) struct MemRefBuffers;

impl BufferOps for MemRefBuffers {
    fn buffer_type(&self, ctx: &Context, tensor: Type) -> Option<Type> {
        match tensor.data(ctx) {
            TypeData::RankedTensor { shape, element, .. } => Some(Type::memref(ctx, shape, *element)),
            TypeData::UnrankedTensor(element) => {
                Some(ctx.intern_type(TypeData::UnrankedMemRef { element: *element, space: None }))
            }
            _ => None,
        }
    }

    fn alloc(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value]) -> Value {
        let alloc = Alloc::build(b, sizes, &[], None, ty);
        alloc.memref(b.body())
    }

    fn alloc_like(&self, b: &mut Builder<'_>, ty: Type, like: Value) -> Value {
        let ctx = b.context();
        // The sizes of an allocation may be known where its buffer is not.
        let alloc = b.body().defining_op(like).and_then(|def| Alloc::cast(b.body(), def));
        if let Some(alloc) = alloc.filter(|_| b.ty(like) == ty) {
            let sizes = alloc.dynamic_sizes(b.body());
            return self.alloc(b, ty, &sizes);
        }
        let mut sizes = Vec::new();
        for (dim, &extent) in ty.shape(&ctx).unwrap_or(&[]).iter().enumerate() {
            if extent == DYNAMIC {
                let dim = minoan_arith::constant_index(b, dim as i64);
                let size = Dim::build(b, like, dim);
                sizes.push(size.result(b.body()));
            }
        }
        self.alloc(b, ty, &sizes)
    }

    fn alloc_on_stack(&self, b: &mut Builder<'_>, alloc: Op) -> Value {
        let view = b.body().op(alloc);
        let (ty, alignment) = (b.ty(view.result(0)), view.attr_value::<i64>("alignment"));
        let alloc = Alloca::build(b, &[], &[], alignment, ty);
        alloc.memref(b.body())
    }

    fn dealloc(&self, b: &mut Builder<'_>, buffer: Value) {
        Dealloc::build(b, buffer);
    }

    fn copy(&self, b: &mut Builder<'_>, from: Value, to: Value) {
        Copy::build(b, from, to);
    }

    fn cast(&self, b: &mut Builder<'_>, buffer: Value, ty: Type) -> Value {
        if b.ty(buffer) == ty {
            return buffer;
        }
        let cast = Cast::build(b, buffer, ty);
        cast.dest(b.body())
    }

    fn declare_constant(&self, b: &mut Builder<'_>, name: &str, contents: Attr) {
        let ctx = b.context();
        let ty = contents.value_type(&ctx).and_then(|ty| self.buffer_type(&ctx, ty));
        Global::builder(name, ty.unwrap_or(Type::NONE))
            .sym_visibility("private".to_owned())
            .initial_value(contents)
            .constant(true)
            .alignment(CONSTANT_ALIGNMENT)
            .build(b);
    }

    fn constant(&self, b: &mut Builder<'_>, name: &str, ty: Type) -> Value {
        let ctx = b.context();
        let global = GetGlobal::build(b, ctx.name(name), ty);
        global.result(b.body())
    }

    fn is_alloc(&self, op: OpRef<'_>) -> bool {
        op.is::<Alloc>()
    }

    fn is_always_possible(&self, body: &Body, alloc: Op) -> bool {
        body.op(alloc).operands().all(|size| is_extent(body, size))
    }

    fn load(&self, b: &mut Builder<'_>, buffer: Value, at: &[Value]) -> Value {
        crate::load(b, buffer, at)
    }

    fn store(&self, b: &mut Builder<'_>, value: Value, buffer: Value, at: &[Value]) {
        Store::build(b, value, buffer, at, None, None);
    }

    fn prefetch(&self, b: &mut Builder<'_>, buffer: Value, at: &[Value]) {
        const KEEP_IN_ALL: i32 = 3;
        let (is_write, is_data_cache) = (false, true);
        Prefetch::build(b, buffer, at, is_write, KEEP_IN_ALL, is_data_cache);
    }

    fn slice(
        &self,
        b: &mut Builder<'_>,
        buffer: Value,
        offsets: &[PartIndex],
        sizes: &[Option<PartIndex>],
    ) -> Option<Value> {
        let sizes_or_one = sizes.iter().map(|size| size.unwrap_or(PartIndex::Constant(1)));
        let (static_offsets, offsets) = split(offsets.iter().copied());
        let (static_sizes, dynamic_sizes) = split(sizes_or_one);
        let strides = vec![1; sizes.len()];
        let ctx = b.context();
        let lists = [&static_offsets[..], &static_sizes, &strides];
        let whole = SubView::whole_type(&ctx, b.ty(buffer), lists)?;
        let dropped: Vec<bool> = sizes.iter().map(Option::is_none).collect();
        let ty = if dropped.contains(&true) { SubView::without(&ctx, whole, &dropped)? } else { whole };
        let part = SubView::build(
            b,
            buffer,
            &offsets,
            &dynamic_sizes,
            &[],
            static_offsets,
            static_sizes,
            strides,
            ty,
        );
        Some(part.result(b.body()))
    }

    fn address(&self, b: &mut Builder<'_>, buffer: Value) -> Value {
        ExtractAlignedPointerAsIndex::build(b, buffer).aligned_pointer(b.body())
    }

    fn origin(&self, op: OpRef<'_>) -> Option<Origin> {
        match GetGlobal::cast(op.body(), op.id()) {
            Some(global) => Some(Origin::Global(global.name(op.body()))),
            None => (op.is::<Alloc>() || op.is::<Alloca>()).then_some(Origin::Allocation),
        }
    }

    fn part(&self, op: OpRef<'_>) -> Option<BufferPart> {
        if !op.is::<SubView>() {
            return None;
        }
        // The operands after the source are the dynamic offsets, sizes and strides.
        let mut values = op.operands().skip(1);
        let mut indices = |name: &str| -> Option<Vec<PartIndex>> {
            let index = |index: i64| match index {
                DYNAMIC => values.next().map(PartIndex::Value),
                _ => Some(PartIndex::Constant(index)),
            };
            numbers(op, name).into_iter().map(index).collect()
        };
        let (offsets, sizes) = (indices("static_offsets")?, indices("static_sizes")?);
        let is_dense = numbers(op, "static_strides").into_iter().all(|stride| stride == 1);
        Some(BufferPart { buffer: op.operand(0), offsets, sizes: is_dense.then_some(sizes) })
    }

    fn extent(&self, b: &mut Builder<'_>, buffer: Value, dim: usize) -> Value {
        let ctx = b.context();
        let extent = b.ty(buffer).shape(&ctx).and_then(|shape| shape.get(dim).copied());
        match extent.filter(|&extent| extent != DYNAMIC) {
            Some(extent) => minoan_arith::constant_index(b, extent),
            None => {
                let dim = minoan_arith::constant_index(b, dim as i64);
                Dim::build(b, buffer, dim).result(b.body())
            }
        }
    }

    fn scratch(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value], align: u64) -> Value {
        let align = i64::try_from(align).ok();
        Alloc::build(b, sizes, &[], align, ty).memref(b.body())
    }

    fn collapse(&self, b: &mut Builder<'_>, buffer: Value, groups: &[Vec<i64>]) -> Value {
        let (ctx, ty) = (b.context(), b.ty(buffer));
        let shape = ty.shape(&ctx).unwrap_or(&[]);
        let extent = |group: &Vec<i64>| {
            group.iter().fold(1, |product, &dim| dynamic_mul(product, shape[dim as usize]))
        };
        let merged: Vec<i64> = groups.iter().map(extent).collect();
        let ty = Type::memref(&ctx, &merged, ty.element_or_self(&ctx));
        let groups = Array(groups.iter().map(|group| Array(group.clone())).collect());
        CollapseShape::build(b, buffer, groups, ty).result(b.body())
    }

    fn view_of_bytes(&self, b: &mut Builder<'_>, bytes: Value, offset: u64, ty: Type) -> Value {
        let offset = minoan_arith::constant_index(b, i64::try_from(offset).unwrap_or(i64::MAX));
        View::build(b, bytes, offset, &[], ty).result(b.body())
    }

    fn extent_of(&self, op: OpRef<'_>) -> Option<(Value, usize)> {
        let dim = Dim::cast(op.body(), op.id())?;
        let index = minoan_arith::constant_value(op.body(), dim.index(op.body()))?;
        Some((dim.source(op.body()), usize::try_from(index.as_i64(op.context())?).ok()?))
    }

    fn is_dealloc(&self, op: OpRef<'_>) -> bool {
        op.is::<Dealloc>()
    }
}

/// The static list of a slice, and the values of its dynamic indices.
fn split(list: impl Iterator<Item = PartIndex>) -> (Vec<i64>, Vec<Value>) {
    let mut values = Vec::new();
    let index = |index: PartIndex| match index {
        PartIndex::Constant(index) => index,
        PartIndex::Value(value) => {
            values.push(value);
            DYNAMIC
        }
    };
    (list.map(index).collect(), values)
}

/// Whether a value is an extent of a buffer or a small constant, possibly through a cast.
fn is_extent(body: &Body, mut size: Value) -> bool {
    const LARGEST: i64 = 1 << 20;
    loop {
        if let Some(known) = minoan_arith::constant_value(body, size) {
            return known.as_i64(body.context()).is_some_and(|known| (0..=LARGEST).contains(&known));
        }
        let Some(op) = body.defining_op(size) else { return false };
        if minoan_arith::IndexCast::cast(body, op).is_none() {
            return body.op(op).is::<Dim>();
        }
        size = body.op(op).operand(0);
    }
}

/// Reads elements at vectorized indices.
pub(crate) struct ReadLanes;

impl VectorForm for ReadLanes {
    fn lanes(&self, b: &mut Builder<'_>, op: Op, lanes: &mut Lanes) -> Option<Vec<Value>> {
        let operands: Vec<Value> = b.body().op(op).operands().collect();
        let (&container, indices) = operands.split_first()?;
        Some(vec![lanes.read(b, container, indices)?])
    }

    fn speculatable(&self, _: OpRef<'_>) -> bool {
        false
    }
}

/// Result `i` is a view of operand `i`.
pub(crate) struct ViewsOperand;

impl AliasModel for ViewsOperand {
    fn alias(&self, _: OpRef<'_>, result: usize) -> Alias {
        Alias::ViewOf(result)
    }
}

/// Memory that is never freed.
pub(crate) struct OfTheProgram;

impl AliasModel for OfTheProgram {
    fn alias(&self, _: OpRef<'_>, _: usize) -> Alias {
        Alias::Static
    }
}
