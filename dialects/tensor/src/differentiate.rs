//! Derivatives of tensor operations that move elements. Operations that compute elements from their indices are differentiated
//! as loops.

use crate::move_buffers::Mixed;
use crate::{
    Cast, CollapseShape, ExpandShape, ExtractSlice, FromElements, Generate, InsertSlice, Reshape, Splat,
    extract, insert,
};
use minoan_arith::{addi, constant_index};
use minoan_ir::{Array, Attr, Builder, DYNAMIC, Op, OpDef, OpRef, OpState, Type, Value};
use minoan_memref::slices::numbers;
use minoan_services::{Differentiate, TangentCx, TangentSpace, TransposeCx, is_constant_zero};

type Outcome = Result<(), String>;

/// A zero with the type and the extents of a value.
fn zero_like(b: &mut Builder<'_>, value: Value) -> Value {
    let ctx = b.context();
    let ty = b.ty(value);
    let (space, _) = <dyn TangentSpace>::of(&ctx, ty).expect("the value has a tangent");
    space.zero_like(b, value)
}

/// An extent of a tensor.
fn extent(b: &mut Builder<'_>, value: Value, dim: usize) -> Value {
    let dim = constant_index(b, dim as i64);
    crate::Dim::build(b, value, dim).result(b.body())
}

/// The sum of two cotangents.
fn sum(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let ctx = b.context();
    match <dyn TangentSpace>::of(&ctx, b.ty(y)) {
        Some((space, _)) => space.add(b, x, y),
        None => y,
    }
}

/// Creates an operation like `op` with other operands.
fn same_with(b: &mut Builder<'_>, op: Op, operands: &[Value]) -> Value {
    let view = b.body().op(op);
    let types: Vec<Type> = view.result_types().collect();
    let state = OpState::new(view.kind()).operands(operands).results(&types).props(view.props());
    let made = b.create(state.loc(view.loc()));
    b.body().op(made).result(0)
}

/// The tangent of an operation that moves elements: the same operation on the tangents. Operands without a tangent, such as
/// indices, stay the same.
pub(crate) fn moved(cx: &mut TangentCx<'_, '_>) -> Outcome {
    let count = cx.b.body().op(cx.op).n_operands();
    if (0..count).all(|operand| cx.d(operand).is_none()) {
        return Ok(());
    }
    let ctx = cx.b.context();
    let mut operands = Vec::with_capacity(count);
    for operand in 0..count {
        let primal = cx.primal(operand);
        operands.push(match cx.d(operand) {
            Some(tangent) => tangent,
            None if <dyn TangentSpace>::of(&ctx, cx.b.ty(primal)).is_some() => zero_like(cx.b, primal),
            None => primal,
        });
    }
    let tangent = same_with(cx.b, cx.op, &operands);
    cx.set(0, tangent);
    Ok(())
}

/// The operands from number `first` on.
fn rest(cx: &TransposeCx<'_, '_>, first: usize) -> Vec<Value> {
    cx.b.body().op(cx.op).operands().skip(first).collect()
}

pub(crate) fn extract_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    let indices = rest(cx, 1);
    cx.update(0, &mut |b, tensor| {
        let old = extract(b, tensor, &indices);
        let new = sum(b, old, ct);
        insert(b, new, tensor, &indices)
    });
    Ok(())
}

/// The overwritten element of the destination has no influence on the result.
pub(crate) fn insert_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    let indices = rest(cx, 2);
    if cx.is_linear(0) {
        let element = extract(cx.b, ct, &indices);
        cx.add(0, element);
    }
    if cx.is_linear(1) {
        let ctx = cx.b.context();
        let ty = cx.b.ty(ct).element_or_self(&ctx);
        let zero = <dyn TangentSpace>::zero_of(cx.b, ty);
        let others = insert(cx.b, zero, ct, &indices);
        cx.add(1, others);
    }
    Ok(())
}

pub(crate) fn from_elements_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    let ctx = cx.b.context();
    let shape: Vec<i64> = cx.b.ty(ct).shape(&ctx).unwrap_or(&[]).to_vec();
    for operand in 0..cx.b.body().op(cx.op).n_operands() {
        if !cx.is_linear(operand) {
            continue;
        }
        let mut number = operand as i64;
        let mut at = vec![0; shape.len()];
        for (index, &extent) in at.iter_mut().zip(&shape).rev() {
            (*index, number) = (number % extent.max(1), number / extent.max(1));
        }
        let indices: Vec<Value> = at.into_iter().map(|index| constant_index(cx.b, index)).collect();
        let element = extract(cx.b, ct, &indices);
        cx.add(operand, element);
    }
    Ok(())
}

pub(crate) fn cast_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    if let Some(ct) = cx.ct(0) {
        let ty = cx.b.ty(cx.operand(0));
        let back = Cast::build(cx.b, ct, ty).dest(cx.b.body());
        cx.add(0, back);
    }
    Ok(())
}

/// Reshapes the cotangent to the extents of the operand.
pub(crate) fn reshape_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    let ctx = cx.b.context();
    let source = cx.operand(0);
    let ty = cx.b.ty(source);
    let reassociation = cx.b.body().op(cx.op).attr_value::<Array<Array<i64>>>("reassociation");
    let reassociation: Option<Vec<Array<i64>>> =
        reassociation.map(|groups| groups.iter().map(|group| group.iter().collect()).collect());
    let shape: Vec<i64> = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    let kind = cx.b.body().op(cx.op);
    let (expands, collapses) = (kind.is::<ExpandShape>(), kind.is::<CollapseShape>());
    let back = if let Some(reassociation) = reassociation.clone().filter(|_| expands) {
        CollapseShape::build(cx.b, ct, reassociation, ty).result(cx.b.body())
    } else if let Some(reassociation) = reassociation.filter(|_| collapses) {
        let dynamic = shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC);
        let sizes: Vec<Value> = dynamic.map(|(dim, _)| extent(cx.b, source, dim)).collect();
        ExpandShape::build(cx.b, ct, &sizes, reassociation, shape, ty).result(cx.b.body())
    } else {
        let extents: Vec<Value> = (0..shape.len()).map(|dim| extent(cx.b, source, dim)).collect();
        let list = Type::tensor(&ctx, &[extents.len() as i64], Type::INDEX);
        let list = FromElements::build(cx.b, &extents, list).result(cx.b.body());
        Reshape::build(cx.b, ct, list, ty).result(cx.b.body())
    };
    cx.add(0, back);
    Ok(())
}

pub(crate) fn extract_slice_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    let (op, place) = (cx.op, rest(cx, 1));
    cx.update(0, &mut |b, tensor| {
        let new = match is_zero_splat(b, tensor) {
            true => ct,
            false => {
                let operands = [&[tensor][..], &place].concat();
                let old = same_with(b, op, &operands);
                sum(b, ct, old)
            }
        };
        insert_like(b, op, new, tensor, &place)
    });
    Ok(())
}

/// Whether all elements of a tensor are the constant zero that it has been created with.
pub fn is_zero_splat(b: &Builder<'_>, tensor: Value) -> bool {
    let body = b.body();
    let splat = body.defining_op(tensor).and_then(|def| Splat::cast(body, def));
    splat.is_some_and(|splat| is_constant_zero(body, splat.input(body)))
}

/// Inserts a slice where `extract`, an `extract_slice`, extracts one.
fn insert_like(b: &mut Builder<'_>, extract: Op, source: Value, dest: Value, place: &[Value]) -> Value {
    let ctx = b.context();
    let view = b.body().op(extract);
    let groups = [1, 2, 3].map(|group| view.operand_group(group).len() as i32);
    let segments = Attr::dense_i32(&ctx, &[1, 1, groups[0], groups[1], groups[2]]);
    let props = slice_props(view, segments);
    let ty = b.ty(dest);
    let state = OpState::new(ctx.kind_of::<InsertSlice>()).operands(&[source, dest]).operands(place);
    let made = b.create(state.results(&[ty]).props(props));
    b.body().op(made).result(0)
}

/// The attributes of a slice with other segments.
fn slice_props(op: OpRef<'_>, segments: Attr) -> Attr {
    let ctx = op.context();
    let mut entries = op.props().as_dictionary(ctx).unwrap_or(&[]).to_vec();
    let name = ctx.names().operand_segments;
    entries.retain(|(entry, _)| *entry != name);
    entries.push((name, segments));
    Attr::dictionary(ctx, &entries)
}

pub(crate) fn insert_slice_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    let (source, place) = (cx.operand(0), rest(cx, 2));
    if cx.is_linear(0) {
        let ctx = cx.b.context();
        let view = cx.b.body().op(cx.op);
        let groups = [2, 3, 4].map(|group| view.operand_group(group).len() as i32);
        let segments = Attr::dense_i32(&ctx, &[1, groups[0], groups[1], groups[2]]);
        let props = slice_props(view, segments);
        let state = OpState::new(ctx.kind_of::<ExtractSlice>()).operands(&[ct]).operands(&place);
        let ty = cx.b.ty(source);
        let made = cx.b.create(state.results(&[ty]).props(props));
        let part = cx.b.body().op(made).result(0);
        cx.add(0, part);
    }
    if cx.is_linear(1) {
        let zero = zero_like(cx.b, source);
        let operands = [&[zero, ct][..], &place].concat();
        let others = same_with(cx.b, cx.op, &operands);
        cx.add(1, others);
    }
    Ok(())
}

pub(crate) fn concat_transpose(cx: &mut TransposeCx<'_, '_>) -> Outcome {
    let Some(ct) = cx.ct(0) else { return Ok(()) };
    let ctx = cx.b.context();
    let along = cx.b.body().op(cx.op).attr_value::<i64>("dim").unwrap_or(0) as usize;
    let rank = cx.b.ty(ct).rank(&ctx).unwrap_or(0);
    let mut offset = constant_index(cx.b, 0);
    for operand in 0..cx.b.body().op(cx.op).n_operands() {
        let source = cx.operand(operand);
        let length = extent(cx.b, source, along);
        if cx.is_linear(operand) {
            let ty = cx.b.ty(source);
            let shape: Vec<i64> = ty.shape(&ctx).unwrap_or(&[]).to_vec();
            let mut offsets = vec![0; rank];
            offsets[along] = DYNAMIC;
            let dynamic = shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC);
            let sizes: Vec<Value> = dynamic.map(|(dim, _)| extent(cx.b, source, dim)).collect();
            let strides = vec![1; rank];
            let made = ExtractSlice::build(cx.b, ct, &[offset], &sizes, &[], offsets, shape, strides, ty);
            let part = made.result(cx.b.body());
            cx.add(operand, part);
        }
        offset = addi(cx.b, offset, length);
    }
    Ok(())
}

/// Pads the tangent with zeros. A padding that depends on an active value becomes a tensor that the source is inserted into.
pub(crate) struct PadRule;

impl Differentiate for PadRule {
    fn tangent(&self, cx: &mut TangentCx<'_, '_>) -> Outcome {
        let Some(tangent) = cx.d(0) else { return Ok(()) };
        let ctx = cx.b.context();
        let view = cx.b.body().op(cx.op);
        let operands: Vec<Value> = std::iter::once(tangent).chain(view.operands().skip(1)).collect();
        let types: Vec<Type> = view.result_types().collect();
        let state = OpState::new(view.kind()).operands(&operands).results(&types).props(view.props());
        let padded = cx.b.create(state.loc(view.loc()).regions(1));
        let ty = types[0];
        cx.b.region(padded, 0, &vec![Type::INDEX; ty.rank(&ctx).unwrap_or(0)], |b, _| {
            let zero = <dyn TangentSpace>::zero_of(b, ty.element_or_self(&ctx));
            crate::Yield::build(b, zero);
        });
        let result = cx.b.body().op(padded).result(0);
        cx.set(0, result);
        Ok(())
    }

    fn transpose(&self, cx: &mut TransposeCx<'_, '_>) -> Outcome {
        let Some(ct) = cx.ct(0) else { return Ok(()) };
        let ctx = cx.b.context();
        let source = cx.operand(0);
        let ty = cx.b.ty(source);
        let view = cx.b.body().op(cx.op);
        let low = view.operand_group(1);
        let offsets = view.attr_value::<Vec<i64>>("static_low").map(Vec::from).unwrap_or_default();
        let shape: Vec<i64> = ty.shape(&ctx).unwrap_or(&[]).to_vec();
        let dynamic = shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC);
        let sizes: Vec<Value> = dynamic.map(|(dim, _)| extent(cx.b, source, dim)).collect();
        let strides = vec![1; shape.len()];
        let made = ExtractSlice::build(cx.b, ct, &low, &sizes, &[], offsets, shape, strides, ty);
        let part = made.result(cx.b.body());
        cx.add(0, part);
        Ok(())
    }

    fn expand(&self, b: &mut Builder<'_>, op: Op) -> Option<Vec<Value>> {
        let ctx = b.context();
        let (low, high) = (Mixed::list(b, op, "static_low", 1), Mixed::list(b, op, "static_high", 2));
        let view = b.body().op(op);
        let (source, ty) = (view.operand(0), view.result_types().next()?);
        let (starts, static_starts) = (view.operand_group(1), numbers(view, "static_low"));
        let block = b.body().region(view.own_region(0)?).entry()?;
        let last = b.body().block(block).last()?;
        let part: Vec<i64> = b.ty(source).shape(&ctx)?.to_vec();
        let mut sizes = Vec::new();
        for (dim, _) in ty.shape(&ctx)?.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC) {
            let inner = extent(b, source, dim);
            let behind = high[dim].plus(b, inner);
            sizes.push(low[dim].plus(b, behind));
        }
        let padding = Generate::with(b, ty, &sizes, |b, indices| {
            let element = b.body().op(last).operand(0);
            let point = b.insertion_point();
            b.body_mut().erase(last);
            b.body_mut().inline_block(block, point, indices);
            element
        });
        let padding = padding.result(b.body());
        let dynamic = part.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC);
        let part_sizes: Vec<Value> = dynamic.map(|(dim, _)| extent(b, source, dim)).collect();
        let strides = vec![1; part.len()];
        let made =
            InsertSlice::build(b, source, padding, &starts, &part_sizes, &[], static_starts, part, strides);
        Some(vec![made.result(b.body())])
    }
}
