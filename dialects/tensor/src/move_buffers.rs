//! Slices, paddings, concatenations and reshapes on buffers.
//!
//! Operations that move elements become loops of loads and stores: contiguous ones are vectorized by LLVM, and buffers keep the
//! identity layout. A slice is a view where everything that reads it accepts any layout. Reshapes are views, since buffers are
//! contiguous.

use crate::buffers::{loops, nest, parts};
use crate::{ExtractSlice, Pad};
use minoan_arith::{addi, constant_index, maxsi, muli, subi};
use minoan_ir::{
    Attr, Block, Body, Builder, DYNAMIC, InsertionPoint, Op, OpDef, OpRef, OpState, Type, Value,
};
use minoan_memref::slices::{SLICE_NAMES, dropped_dims, numbers};
use minoan_memref::{Dim, Load, Store, SubView};
use minoan_services::{Alias, AliasModel, BufferOps, ToBuffers};
use std::marker::PhantomData;

/// A number, or a value that is only known at run time.
#[derive(Clone, Copy)]
pub(crate) enum Mixed {
    Number(i64),
    Value(Value),
}

impl Mixed {
    /// The list of an attribute and of the operand group that belongs to it.
    pub(crate) fn list(b: &Builder<'_>, op: Op, name: &str, group: usize) -> Vec<Mixed> {
        let view = b.body().op(op);
        let mut values = view.operand_group(group).into_iter();
        let mixed = |number| match number {
            DYNAMIC => values.next().map_or(Mixed::Number(0), Mixed::Value),
            number => Mixed::Number(number),
        };
        numbers(view, name).into_iter().map(mixed).collect()
    }

    fn value(self, b: &mut Builder<'_>) -> Value {
        match self {
            Mixed::Number(number) => constant_index(b, number),
            Mixed::Value(value) => value,
        }
    }

    pub(crate) fn plus(self, b: &mut Builder<'_>, index: Value) -> Value {
        if let Mixed::Number(0) = self {
            return index;
        }
        let offset = self.value(b);
        addi(b, index, offset)
    }

    /// The difference of an index and this number.
    fn less(self, b: &mut Builder<'_>, index: Value) -> Value {
        if let Mixed::Number(0) = self {
            return index;
        }
        let offset = self.value(b);
        subi(b, index, offset)
    }

    /// The number of elements that a padding of this width adds.
    fn added(self, b: &mut Builder<'_>) -> Mixed {
        match self {
            Mixed::Number(number) => Mixed::Number(number.max(0)),
            Mixed::Value(value) => {
                let zero = constant_index(b, 0);
                Mixed::Value(maxsi(b, value, zero))
            }
        }
    }

    /// The number of elements that a padding of this width, which may be negative, removes.
    fn removed(self, b: &mut Builder<'_>) -> Mixed {
        match self {
            Mixed::Number(number) => Mixed::Number(number.min(0).saturating_neg()),
            Mixed::Value(value) => {
                let zero = constant_index(b, 0);
                let negated = subi(b, zero, value);
                Mixed::Value(maxsi(b, negated, zero))
            }
        }
    }

    fn times(self, b: &mut Builder<'_>, index: Value) -> Value {
        if let Mixed::Number(1) = self {
            return index;
        }
        let stride = self.value(b);
        muli(b, index, stride)
    }
}

/// The extents of a buffer.
fn extents(b: &mut Builder<'_>, buffer: Value) -> Vec<Value> {
    let shape = b.ty(buffer).shape(&b.context()).unwrap_or(&[]).to_vec();
    let extent = |(dim, extent)| match extent {
        DYNAMIC => {
            let dim = constant_index(b, dim as i64);
            let size = Dim::build(b, buffer, dim);
            size.result(b.body())
        }
        extent => constant_index(b, extent),
    };
    shape.into_iter().enumerate().map(extent).collect()
}

fn load(b: &mut Builder<'_>, buffer: Value, indices: &[Value]) -> Value {
    let load = Load::build(b, buffer, indices, None, None);
    load.result(b.body())
}

/// Copies all elements of `from` to `to`, each at its indices plus offsets.
fn copy_at(b: &mut Builder<'_>, from: Value, to: Value, offsets: &[Mixed]) -> Result<(), String> {
    let extents = extents(b, from);
    nest(b, &extents, |b, indices| {
        let element = load(b, from, indices);
        let place: Vec<Value> = indices.iter().zip(offsets).map(|(&at, offset)| offset.plus(b, at)).collect();
        Store::build(b, element, to, &place, None, None);
        Ok(())
    })
}

/// A slice: for each dimension of the whole an offset, a size, a stride, and whether the part leaves it out.
struct Slice {
    dims: Vec<(Mixed, Mixed, Mixed, bool)>,
}

impl Slice {
    /// The slice of an operation whose operand groups begin with number `first`, with the extents of its part.
    fn of(b: &Builder<'_>, op: Op, first: usize, part: &[i64]) -> Result<Slice, String> {
        let [offsets, sizes, strides] =
            [0, 1, 2].map(|at| Mixed::list(b, op, SLICE_NAMES[at], first + at).into_iter());
        let static_sizes = numbers(b.body().op(op), SLICE_NAMES[1]);
        let dropped = dropped_dims(&static_sizes, part).ok_or("the part is not a rank-reduced slice")?;
        let dims = offsets.zip(sizes).zip(strides).zip(dropped);
        Ok(Slice {
            dims: dims.map(|(((offset, size), stride), drop)| (offset, size, stride, drop)).collect(),
        })
    }

    /// The extents of the part.
    fn sizes(&self, b: &mut Builder<'_>) -> Vec<Value> {
        let kept = self.dims.iter().filter(|(.., dropped)| !dropped);
        kept.map(|(_, size, ..)| size.value(b)).collect()
    }

    /// The indices in the whole of an element of the part.
    fn place(&self, b: &mut Builder<'_>, indices: &[Value]) -> Vec<Value> {
        let mut indices = indices.iter();
        let mut place = Vec::with_capacity(self.dims.len());
        for &(offset, _, stride, dropped) in &self.dims {
            let index = if dropped { None } else { indices.next() };
            place.push(match index {
                Some(&index) => {
                    let step = stride.times(b, index);
                    offset.plus(b, step)
                }
                None => offset.value(b),
            });
        }
        place
    }
}

pub(crate) struct BufferExtractSlice;

impl ToBuffers for BufferExtractSlice {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, _) = parts(b, op, buffers)?;
        let source = ExtractSlice::from_op_unchecked(op).source(b.body());
        let shape = ty.shape(&b.context()).unwrap_or(&[]).to_vec();
        let slice = Slice::of(b, op, 1, &shape)?;
        let sizes = slice.sizes(b);
        let dynamic: Vec<Value> = sizes
            .iter()
            .zip(&shape)
            .filter(|(_, extent)| **extent == DYNAMIC)
            .map(|(&size, _)| size)
            .collect();
        let part = buffers.alloc(b, ty, &dynamic);
        nest(b, &sizes, |b, indices| {
            let place = slice.place(b, indices);
            let element = load(b, source, &place);
            Store::build(b, element, part, indices, None, None);
            Ok(())
        })?;
        Ok(vec![part])
    }

    fn to_buffers_viewing(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        _: &dyn BufferOps,
    ) -> Result<Vec<Value>, String> {
        let view = b.body().op(op);
        let ctx = b.context();
        let source = view.operand(0);
        let lists = SLICE_NAMES.map(|name| numbers(view, name));
        let groups = [1, 2, 3].map(|group| view.operand_group(group));
        let part = view.result_types().next().and_then(|ty| ty.shape(&ctx)).unwrap_or(&[]).to_vec();
        let dropped = dropped_dims(&lists[1], &part).ok_or("the part is not a rank-reduced slice")?;
        let whole = SubView::whole_type(&ctx, b.ty(source), lists.each_ref().map(Vec::as_slice));
        let whole = whole.ok_or("the slice does not fit the layout of its source")?;
        let ty = SubView::without(&ctx, whole, &dropped).ok_or("the layout of the slice is not strided")?;
        let [offsets, sizes, strides] = lists;
        let made = SubView::build(b, source, &groups[0], &groups[1], &groups[2], offsets, sizes, strides, ty);
        Ok(vec![made.result(b.body())])
    }
}

/// Whether the source of an insertion is a view of the slice that it is inserted into.
fn is_in_place(body: &Body, insert: OpRef<'_>) -> bool {
    let view = body.defining_op(insert.operand(0)).map(|def| body.op(def));
    view.filter(|view| view.is::<SubView>()).is_some_and(|view| {
        view.operand(0) == insert.operand(1)
            && view.operands().skip(1).eq(insert.operands().skip(2))
            && SLICE_NAMES.iter().all(|name| numbers(view, name) == numbers(insert, name))
    })
}

/// An insertion updates its destination.
pub(crate) struct InsertsSlice;

impl AliasModel for InsertsSlice {
    fn alias(&self, _: OpRef<'_>, _: usize) -> Alias {
        Alias::UpdateOf(1)
    }

    fn reads_any_layout(&self, _: OpRef<'_>, operand: usize) -> bool {
        operand == 0
    }

    fn writes_back(&self, op: OpRef<'_>, slice: OpRef<'_>) -> Option<usize> {
        let same = op.operand(1) == slice.operand(0)
            && op.operands().skip(2).eq(slice.operands().skip(1))
            && SLICE_NAMES.iter().all(|name| numbers(op, name) == numbers(slice, name))
            && op.operand_types().next() == slice.result_types().next();
        same.then_some(0)
    }
}

/// A slice whose last dimension is kept, with stride 1: its elements can be loaded side by side.
pub(crate) struct SliceMayBeView;

impl AliasModel for SliceMayBeView {
    fn alias(&self, op: OpRef<'_>, _: usize) -> Alias {
        let ctx = op.context();
        let part = op.result_types().next().and_then(|ty| ty.shape(ctx)).unwrap_or(&[]);
        let dropped = dropped_dims(&numbers(op, SLICE_NAMES[1]), part);
        let is_kept = dropped.is_some_and(|dropped| dropped.last() == Some(&false));
        match is_kept && numbers(op, SLICE_NAMES[2]).last() == Some(&1) {
            true => Alias::MayViewOf(0),
            false => Alias::Fresh,
        }
    }
}

pub(crate) struct BufferInsertSlice;

impl ToBuffers for BufferInsertSlice {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let view = b.body().op(op);
        let (source, dest) = (view.operand(0), view.operand(1));
        if is_in_place(b.body(), view) {
            return Ok(vec![dest]);
        }
        let shape = b.ty(source).shape(&b.context()).unwrap_or(&[]).to_vec();
        let slice = Slice::of(b, op, 2, &shape)?;
        let sizes = extents(b, source);
        nest(b, &sizes, |b, indices| {
            let element = load(b, source, indices);
            let place = slice.place(b, indices);
            Store::build(b, element, dest, &place, None, None);
            Ok(())
        })?;
        Ok(vec![dest])
    }
}

/// The padding everywhere, then the tensor in it.
pub(crate) struct BufferPad;

impl ToBuffers for BufferPad {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, operands) = parts(b, op, buffers)?;
        let source = operands[0];
        let low = Mixed::list(b, op, "static_low", 1);
        let high = Mixed::list(b, op, "static_high", 2);
        let shape = ty.shape(&b.context()).unwrap_or(&[]).to_vec();
        let inner = extents(b, source);
        let mut sizes = Vec::new();
        for (dim, &inner) in inner.iter().enumerate() {
            if shape[dim] == DYNAMIC {
                let behind = high[dim].plus(b, inner);
                sizes.push(low[dim].plus(b, behind));
            }
        }
        let region = Pad::from_op_unchecked(op).region(b.body());
        let block = b.body().region(region).entry().ok_or("the region is empty")?;
        let padded = buffers.alloc(b, ty, &sizes);
        loops(b, ty, &sizes, |b, indices| store_yielded(b, block, padded, indices))?;
        // The part of the source that negative widths leave.
        let (mut counts, mut from, mut to) = (Vec::new(), Vec::new(), Vec::new());
        for (dim, extent) in inner.into_iter().enumerate() {
            let (before, behind) = (low[dim].removed(b), high[dim].removed(b));
            let kept = before.less(b, extent);
            counts.push(behind.less(b, kept));
            to.push(low[dim].added(b));
            from.push(before);
        }
        nest(b, &counts, |b, indices| {
            let place = |b: &mut Builder<'_>, offsets: &[Mixed]| -> Vec<Value> {
                indices.iter().zip(offsets).map(|(&at, offset)| offset.plus(b, at)).collect()
            };
            let from = place(b, &from);
            let element = load(b, source, &from);
            let to = place(b, &to);
            Store::build(b, element, padded, &to, None, None);
            Ok(())
        })?;
        Ok(vec![padded])
    }
}

/// Moves a region's block into the innermost loop and stores the yielded value.
pub(crate) fn store_yielded(
    b: &mut Builder<'_>,
    block: Block,
    buffer: Value,
    indices: &[Value],
) -> Result<(), String> {
    let end = b.body().block(block).last().ok_or("the region has no terminator")?;
    let element = b.body().op(end).operand(0);
    let store = Store::build(b, element, buffer, indices, None, None);
    b.body_mut().erase(end);
    b.body_mut().inline_block(block, InsertionPoint::Before(store.op()), indices);
    Ok(())
}

pub(crate) struct BufferConcat;

impl ToBuffers for BufferConcat {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, operands) = parts(b, op, buffers)?;
        let ctx = b.context();
        let along = b.body().op(op).attr_named("dim").and_then(|dim| dim.as_i64(&ctx)).unwrap_or(0) as usize;
        let shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
        let mut total = extents(b, *operands.first().ok_or("there is no tensor")?);
        let mut starts = vec![Mixed::Number(0)];
        for &operand in &operands[1..] {
            starts.push(Mixed::Value(total[along]));
            let extent = extents(b, operand)[along];
            total[along] = addi(b, total[along], extent);
        }
        let sizes: Vec<Value> = total
            .into_iter()
            .zip(&shape)
            .filter(|(_, extent)| **extent == DYNAMIC)
            .map(|(size, _)| size)
            .collect();
        let whole = buffers.alloc(b, ty, &sizes);
        for (operand, start) in operands.into_iter().zip(starts) {
            let mut offsets = vec![Mixed::Number(0); shape.len()];
            offsets[along] = start;
            copy_at(b, operand, whole, &offsets)?;
        }
        Ok(vec![whole])
    }
}

pub(crate) struct BufferBitCast;

impl ToBuffers for BufferBitCast {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let (ty, operands) = parts(b, op, buffers)?;
        let ctx = b.context();
        let to = ty.element(&ctx).ok_or("the result is not a tensor")?;
        let from = b.ty(operands[0]).element(&ctx);
        let is_plain = |ty: Type| ty.is_signless_integer(&ctx) || ty.is_float(&ctx);
        if from != Some(to) && !(is_plain(to) && from.is_some_and(is_plain)) {
            return Err("has no bufferization for integers with a sign".to_owned());
        }
        let (shape, sizes) = (ty.shape(&ctx), extents(b, operands[0]));
        let shape = shape.ok_or("has no bufferization for unranked tensors")?;
        let dynamic = sizes.iter().zip(shape).filter(|(_, extent)| **extent == DYNAMIC);
        let dynamic: Vec<Value> = dynamic.map(|(&size, _)| size).collect();
        let cast = buffers.alloc(b, ty, &dynamic);
        nest(b, &sizes, |b, indices| {
            let element = load(b, operands[0], indices);
            let bits = match b.ty(element) == to {
                true => element,
                false => minoan_arith::bitcast(b, element, to),
            };
            Store::build(b, bits, cast, indices, None, None);
            Ok(())
        })?;
        Ok(vec![cast])
    }
}

/// The operation `O` with the same operands and attributes, whose result is a buffer or no tensor.
pub(crate) struct Same<O>(PhantomData<O>);

impl<O> Same<O> {
    pub(crate) fn new() -> Self {
        Same(PhantomData)
    }
}

impl<O: OpDef + Send + Sync> ToBuffers for Same<O> {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let ctx = b.context();
        let view = b.body().op(op);
        let operands: Vec<Value> = view.operands().collect();
        let buffer = |ty| buffers.buffer_type(&ctx, ty).unwrap_or(ty);
        let results: Vec<_> = view.result_types().map(buffer).collect();
        let state = OpState::new(ctx.kind_of::<O>()).loc(view.loc()).operands(&operands).results(&results);
        let state = state.props(view.props()).attrs(view.attrs());
        let new = b.create(state);
        Ok(b.body().op(new).results().collect())
    }
}

/// The extents of a collapsed buffer: 0 for a group with an extent of 0, although the extent of the tensor is dynamic if
/// another one of the group is.
fn merged(shape: &[i64], groups: &[Vec<i64>]) -> Vec<i64> {
    let product = |group: &Vec<i64>| {
        group.iter().fold(1, |product, &dim| minoan_ir::strided::dynamic_mul(product, shape[dim as usize]))
    };
    groups.iter().map(product).collect()
}

fn groups_of(op: OpRef<'_>) -> Vec<Vec<i64>> {
    let ctx = op.context();
    let groups = op.attr_named("reassociation").and_then(|attr| attr.as_array(ctx)).unwrap_or(&[]);
    let numbers = |group: &Attr| -> Vec<i64> {
        group.as_array(ctx).unwrap_or(&[]).iter().filter_map(|dim| dim.as_i64(ctx)).collect()
    };
    groups.iter().map(numbers).collect()
}

/// A view of a buffer whose type has other extents, which are known to be equal at run time.
fn with_extents(b: &mut Builder<'_>, buffer: Value, shape: &[i64]) -> Value {
    let (ctx, ty) = (b.context(), b.ty(buffer));
    if ty.shape(&ctx) == Some(shape) {
        return buffer;
    }
    let ty = Type::memref(&ctx, shape, ty.element_or_self(&ctx));
    minoan_memref::Cast::build(b, buffer, ty).dest(b.body())
}

/// A collapse.
pub(crate) struct BufferCollapse;

impl ToBuffers for BufferCollapse {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let ctx = b.context();
        let view = b.body().op(op);
        let (groups, source) = (groups_of(view), view.operand(0));
        let ty = view.result_types().next().ok_or("the result is not a tensor")?;
        let result = buffers.buffer_type(&ctx, ty).ok_or("the result is not a tensor")?;
        let shape = merged(b.ty(source).shape(&ctx).unwrap_or(&[]), &groups);
        if result.shape(&ctx) == Some(&shape) {
            return Same::<minoan_memref::CollapseShape>::new().to_buffers(b, op, buffers);
        }
        let collapsed = buffers.collapse(b, source, &groups);
        Ok(vec![with_extents(b, collapsed, result.shape(&ctx).unwrap_or(&[]))])
    }
}

/// An expansion to several dynamic extents is a view with explicit strides: `memref.expand_shape` infers the strides from at
/// most one dynamic extent in each group.
pub(crate) struct BufferExpand;

impl ToBuffers for BufferExpand {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let ctx = b.context();
        let view = b.body().op(op);
        let operands: Vec<Value> = view.operands().collect();
        let ty = view.result_types().next().ok_or("the result is not a tensor")?;
        let groups = groups_of(view);
        let shape: Vec<i64> = ty.shape(&ctx).unwrap_or(&[]).to_vec();
        let dynamic_of =
            |group: &Vec<i64>| group.iter().filter(|&&dim| shape[dim as usize] == DYNAMIC).count();
        let result = buffers.buffer_type(&ctx, ty).ok_or("the result is not a tensor")?;
        if groups.iter().all(|group| dynamic_of(group) < 2) {
            let collapsed = merged(&shape, &groups);
            if b.ty(operands[0]).shape(&ctx) != Some(&collapsed) {
                let source = with_extents(b, operands[0], &collapsed);
                b.body_mut().set_operand(op, 0, source);
            }
            return Same::<minoan_memref::ExpandShape>::new().to_buffers(b, op, buffers);
        }
        let mut sizes = operands[1..].iter().copied();
        let extents: Vec<Option<Value>> =
            shape.iter().map(|&extent| if extent == DYNAMIC { sizes.next() } else { None }).collect();
        let (mut strides, mut static_strides) = (Vec::new(), vec![1; shape.len()]);
        let (mut known, mut factor): (i64, Option<Value>) = (1, None);
        for dim in (0..shape.len()).rev() {
            match factor {
                Some(factor) => {
                    static_strides[dim] = DYNAMIC;
                    let known = constant_index(b, known);
                    strides.insert(0, muli(b, factor, known));
                }
                None => static_strides[dim] = known,
            }
            match extents[dim] {
                Some(extent) => {
                    factor = Some(match factor {
                        Some(factor) => muli(b, factor, extent),
                        None => extent,
                    })
                }
                None => known *= shape[dim],
            }
        }
        let cast = minoan_memref::ReinterpretCast::build(
            b,
            operands[0],
            &[],
            &operands[1..],
            &strides,
            [0],
            shape,
            static_strides,
            result,
        );
        Ok(vec![cast.result(b.body())])
    }
}
