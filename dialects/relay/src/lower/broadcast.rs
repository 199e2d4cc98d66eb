//! Lowering of elementwise computations with broadcasting.

use super::extent::Extent;
use super::extract;
use super::site::Tensor;
use super::tensors::{cast_extents, dim, extent, extents, generate, pointwise};
use crate::ty::{DType, Dim};
use minoan_arith::{self as arith, CmpI, CmpIPredicate, Select};
use minoan_data::assert_values;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Builder, OpDef, Value};

/// Computes a tensor elementwise from several that are broadcast against each other.
pub(super) fn combine(
    b: &mut Builder<'_>,
    inputs: &[&Tensor],
    dtype: DType,
    fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
) -> Tensor {
    let extents = joined_extents(b, inputs);
    let inputs: Vec<Tensor> = inputs.iter().map(|input| repeated_where_needed(b, input, &extents)).collect();
    let with_maps: Vec<(&Tensor, Vec<AffineExpr>)> =
        inputs.iter().map(|input| (input, broadcast_map(input, &extents))).collect();
    pointwise(b, &with_maps, &extents, dtype, fill)
}

/// The indexing expressions of an input that is replicated along axes of extent 1.
pub(super) fn broadcast_map(input: &Tensor, extents: &[Extent]) -> Vec<AffineExpr> {
    let offset = extents.len() - input.rank();
    let exprs = input.ty.shape.iter().enumerate().map(|(axis, extent)| {
        let repeated = *extent == Dim::Known(1) && extents[offset + axis] != Extent::Known(1);
        if repeated { AffineExpr::Constant(0) } else { dim(offset + axis) }
    });
    exprs.collect()
}

/// The extents of inputs that are broadcast against each other.
pub(super) fn joined_extents(b: &mut Builder<'_>, inputs: &[&Tensor]) -> Vec<Extent> {
    let rank = inputs.iter().map(|input| input.rank()).max().unwrap_or(0);
    (0..rank).map(|axis| joined(b, inputs, axis, rank)).collect()
}

/// The joint extent of inputs along an axis counted from the front of `rank` axes.
fn joined(b: &mut Builder<'_>, inputs: &[&Tensor], axis: usize, rank: usize) -> Extent {
    let mut joined = Extent::Known(1);
    for input in inputs {
        let Some(own) = (axis + input.rank()).checked_sub(rank) else { continue };
        let found = extent(b, input, own);
        joined = joined_extent(b, joined, found);
    }
    joined
}

/// The extent of two axes that are broadcast against each other.
pub(super) fn joined_extent(b: &mut Builder<'_>, first: Extent, second: Extent) -> Extent {
    match (first, second) {
        (Extent::Known(1), other) | (other, Extent::Known(1)) => other,
        (known @ Extent::Known(_), _) | (_, known @ Extent::Known(_)) => known,
        (Extent::Value(one), Extent::Value(other)) => {
            if first.is(b, second) || is_joined_from(b, one, other) {
                first
            } else if is_joined_from(b, other, one) {
                second
            } else {
                larger(b, first, second)
            }
        }
    }
}

/// Whether `whole` is the joint extent of axes among which is that of `part`, or are all those of which `part` is the joint extent.
fn is_joined_from(b: &Builder<'_>, whole: Value, part: Value) -> bool {
    let (mut of_whole, mut of_part) = (Vec::new(), Vec::new());
    collect_joined(b, whole, &mut of_whole);
    collect_joined(b, part, &mut of_part);
    let contains = |&part: &Value| of_whole.iter().any(|&own| Extent::Value(own).is(b, Extent::Value(part)));
    of_part.iter().all(contains)
}

/// Collects the extents of which `extent` is the joint one, by [`larger`]. It is not taken apart beyond a limit.
fn collect_joined(b: &Builder<'_>, extent: Value, parts: &mut Vec<Value>) {
    const MOST: usize = 8;
    let body = b.body();
    let mut open = vec![extent];
    while let Some(extent) = open.pop() {
        let chosen = body.defining_op(extent).and_then(|op| Select::cast(body, op));
        let joined = chosen.filter(|_| open.len() + parts.len() < MOST).and_then(|chosen| {
            let [condition, second, first] =
                [chosen.condition(body), chosen.true_value(body), chosen.false_value(body)];
            let single = body.defining_op(condition).and_then(|op| CmpI::cast(body, op))?;
            let bound =
                arith::constant_value(body, single.rhs(body))?.as_i64(body.op(single.op()).context())?;
            let is_join =
                single.predicate(body) == CmpIPredicate::Eq && single.lhs(body) == first && bound == 1;
            is_join.then_some([first, second])
        });
        match joined {
            Some(both) => open.extend(both),
            None => parts.push(extent),
        }
    }
}

/// If one of two extents is 1, the other one.
fn larger(b: &mut Builder<'_>, first: Extent, second: Extent) -> Extent {
    let (first, second) = (first.value(b), second.value(b));
    let one = arith::constant_index(b, 1);
    let repeated = arith::cmpi(b, CmpIPredicate::Eq, first, one);
    Extent::Value(arith::select(b, repeated, second, first))
}

/// Repeats a tensor along its axes of extent 1, which are known at run time, and along new outer ones.
pub(super) fn repeated_to(b: &mut Builder<'_>, data: &Tensor, wanted: &[Extent]) -> Tensor {
    let old = extents(b, data);
    for (&own, &whole) in old.iter().zip(&wanted[wanted.len() - old.len()..]) {
        expect_repeatable(b, own, whole);
    }
    replicated(b, data, &old, wanted)
}

/// A tensor whose axes of dynamic extent have the last extents of `wanted`: where one of them is 1 at run time instead, the
/// elements are repeated. Static axes of extent 1 stay as they are.
pub(super) fn repeated_where_needed(b: &mut Builder<'_>, data: &Tensor, wanted: &[Extent]) -> Tensor {
    let old = extents(b, data);
    let mut target = Vec::with_capacity(old.len());
    let mut same: Option<Value> = None;
    for (&own, &whole) in old.iter().zip(&wanted[wanted.len() - old.len()..]) {
        if matches!(own, Extent::Known(_)) || own.is(b, whole) {
            target.push(own);
            continue;
        }
        expect_repeatable(b, own, whole);
        let (found, expected) = (own.value(b), whole.value(b));
        let equal = arith::cmpi(b, CmpIPredicate::Eq, found, expected);
        same = Some(same.map_or(equal, |same| arith::andi(b, same, equal)));
        target.push(whole);
    }
    let Some(same) = same else { return data.clone() };
    // No element is repeated if the tensor is chosen. A select of tensors copies none.
    let zero = arith::constant_index(b, 0);
    let left = target.iter().zip(&old).map(|(&whole, &own)| {
        if own == whole {
            return own;
        }
        let whole = whole.value(b);
        Extent::Value(arith::select(b, same, zero, whole))
    });
    let left: Vec<Extent> = left.collect();
    let repeated = replicated(b, data, &old, &left);
    let chosen = Tensor { value: arith::select(b, same, data.value, repeated.value), ty: data.ty.clone() };
    cast_extents(b, &chosen, &target)
}

/// A tensor with the extents `wanted`, the last of which are the tensor's own or repeat an axis of extent 1.
fn replicated(b: &mut Builder<'_>, data: &Tensor, own: &[Extent], wanted: &[Extent]) -> Tensor {
    generate(b, wanted, data.dtype(), |b, indices| {
        let places = indices[wanted.len() - own.len()..].iter().zip(own);
        let at: Vec<Value> = places.map(|(&index, &extent)| repeated(b, index, extent)).collect();
        extract(b, data.value, &at)
    })
}

/// Asserts that an extent is 1 or equal to that of the result.
pub(super) fn expect_repeatable(b: &mut Builder<'_>, extent: Extent, whole: Extent) {
    if extent.is(b, whole) || matches!((extent, whole), (Extent::Known(_), Extent::Known(_))) {
        return;
    }
    let (extent, whole, one) = (extent.value(b), whole.value(b), arith::constant_index(b, 1));
    let same = arith::cmpi(b, CmpIPredicate::Eq, extent, whole);
    let single = arith::cmpi(b, CmpIPredicate::Eq, extent, one);
    let fits = arith::ori(b, same, single);
    assert_values(b, fits, "an extent of {} cannot be broadcast to {}", &[extent, whole]);
}

/// An index of an axis that is repeated when it has one element.
pub(super) fn repeated(b: &mut Builder<'_>, index: Value, extent: Extent) -> Value {
    match extent {
        Extent::Known(1) => arith::constant_index(b, 0),
        Extent::Known(_) => index,
        Extent::Value(extent) => {
            let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
            let single = arith::cmpi(b, CmpIPredicate::Eq, extent, one);
            arith::select(b, single, zero, index)
        }
    }
}
