//! Chains of operators, and approximations.

use super::fold::{Dense, common_value, integers};
use super::number::{Number, integer_range, widens};
use super::scale::with_constant;
use super::{Rewrite, Rule, apply, attrs, has_one_use, producer, replace, static_type};
use crate::attrs::AttrValue;
use crate::lower::from_front;
use crate::ty::DType;
use minoan_ir::{Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

pub(super) fn simplify_expr(patterns: &mut PatternSet) {
    let rules: [(&'static str, &'static [&'static str], Rewrite); 11] = [
        ("relay-reshape-of-reshape", &["relay.reshape", "relay.nn.batch_flatten"], reshape),
        ("relay-transpose-of-transpose", &["relay.transpose"], transpose),
        ("relay-layout-of-layout", &["relay.layout_transform"], super::layout::inverse),
        ("relay-like-to-static", LIKE, like),
        ("relay-same-shape", &["relay.broadcast_to", "relay.squeeze", "relay.strided_slice"], same_shape),
        ("relay-neutral-element", ARITHMETIC, neutral),
        ("relay-merge-integer-constants", &["relay.add", "relay.multiply"], merge_integers),
        ("relay-common-integer-factor", &["relay.add"], common_integer_factor),
        ("relay-cast-of-cast", &["relay.cast"], cast),
        ("relay-clip-to-range", &["relay.clip"], clip),
        ("relay-order-of-dequantized", &["relay.argmax", "relay.argmin", "relay.argsort"], order),
    ];
    for (name, roots, rewrite) in rules {
        patterns.add(Rule { name, roots, rewrite });
    }
}

/// The simplifications that change the rounding of floating-point numbers.
pub(super) fn simplify_rounding(patterns: &mut PatternSet) {
    let rules: [(&'static str, &'static [&'static str], Rewrite); 3] = [
        ("relay-merge-float-constants", &["relay.add", "relay.multiply"], merge_floats),
        ("relay-common-float-factor", &["relay.add"], common_float_factor),
        ("relay-add-zero", &["relay.add"], add_zero),
    ];
    for (name, roots, rewrite) in rules {
        patterns.add(Rule { name, roots, rewrite });
    }
}

pub(super) fn fast_math(patterns: &mut PatternSet) {
    let roots: &[&str] = &["relay.exp", "relay.erf", "relay.tanh", "relay.nn.softmax"];
    patterns.add(Rule { name: "relay-fast-math", roots, rewrite: fast });
}

/// Combines a reshape with a reshape of its operand, and erases a reshape that does not change the shape.
fn reshape(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = rw.op(op).operand(0);
    let (_, wanted) = static_type(rw, rw.op(op).result(0))?;
    if rw.ty(data) == rw.ty(rw.op(op).result(0)) {
        return replace(rw, op, data);
    }
    let first = ["reshape", "nn.batch_flatten", "expand_dims", "squeeze"];
    let first = first.into_iter().find_map(|name| producer(rw, data, name))?;
    let source = first.operand(0);
    static_type(rw, source)?;
    let made = apply(&mut rw.builder(), "reshape", &[source], [("newshape", AttrValue::ints(&wanted))])?;
    replace(rw, op, made)
}

/// The permutation of a transpose.
fn permutation(rw: &Rewriter<'_>, op: Op) -> Option<Vec<usize>> {
    let rank = static_type(rw, rw.op(op).operand(0))?.1.len();
    let axes = attrs(rw.op(op))?.ints("axes").filter(|axes| !axes.is_empty());
    Some(match axes {
        Some(axes) => axes.into_iter().map(|axis| from_front(axis, rank)).collect(),
        None => (0..rank).rev().collect(),
    })
}

fn transpose(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, axes) = (rw.op(op).operand(0), permutation(rw, op)?);
    if axes.iter().enumerate().all(|(at, &axis)| at == axis) {
        return replace(rw, op, data);
    }
    let first = producer(rw, data, "transpose")?;
    let (source, before) = (first.operand(0), permutation(rw, first.id())?);
    let both: Vec<i64> =
        axes.iter().map(|&axis| i64::try_from(*before.get(axis)?).ok()).collect::<Option<_>>()?;
    let made = apply(&mut rw.builder(), "transpose", &[source], [("axes", AttrValue::ints(&both))])?;
    replace(rw, op, made)
}

const ARITHMETIC: &[&str] = &["relay.add", "relay.subtract", "relay.multiply", "relay.divide"];

/// The number that all elements of a value are.
pub(super) fn splat(rw: &Rewriter<'_>, value: Value) -> Option<Number> {
    if let Some(constant) = rw.constant_of(value) {
        return common_value(rw.context(), constant);
    }
    let op = rw.op(rw.body().defining_op(value)?);
    let (ty, _) = static_type(rw, value)?;
    match op.name() {
        "relay.zeros" | "relay.zeros_like" => Number::Int(0).cast(ty.dtype),
        "relay.ones" | "relay.ones_like" => Number::Int(1).cast(ty.dtype),
        "relay.full" => common_value(rw.context(), rw.constant_of(op.operand(0))?)?.cast(ty.dtype),
        "relay.full_like" => common_value(rw.context(), rw.constant_of(op.operand(1))?)?.cast(ty.dtype),
        _ => None,
    }
}

/// `x - 0`, `x * 1` and `x / 1` are `x` for all numbers, NaN included; the sum of a negative zero and zero is zero, so `x + 0`
/// is `x` for integers only.
fn neutral(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let result = rw.ty(rw.op(op).result(0));
    let is_int = static_type(rw, rw.op(op).result(0)).is_some_and(|(ty, _)| ty.dtype.is_int());
    let is = |operand: usize, neutral: f64| {
        splat(rw, rw.op(op).operand(operand)).is_some_and(|value| value.is(neutral))
    };
    let zero = if is_int { 0.0 } else { -0.0 };
    let kept = match rw.op(op).name() {
        "relay.add" if is(1, zero) => 0,
        "relay.add" if is(0, zero) => 1,
        "relay.subtract" if is(1, 0.0) => 0,
        "relay.multiply" | "relay.divide" if is(1, 1.0) => 0,
        "relay.multiply" if is(0, 1.0) => 1,
        _ => return None,
    };
    let kept: Value = rw.op(op).operand(kept);
    if rw.ty(kept) == result { replace(rw, op, kept) } else { None }
}

/// `x + 0` is `x` but for the sign of zero.
fn add_zero(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let result = rw.ty(rw.op(op).result(0));
    let (lhs, rhs) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let is_zero = |value: Value| splat(rw, value).is_some_and(|value| value.is(0.0));
    let kept = if is_zero(rhs) {
        lhs
    } else if is_zero(lhs) {
        rhs
    } else {
        return None;
    };
    if rw.ty(kept) == result { replace(rw, op, kept) } else { None }
}

fn is_of(rw: &Rewriter<'_>, op: Op, kind: fn(DType) -> bool) -> bool {
    static_type(rw, rw.op(op).result(0)).is_some_and(|(ty, _)| kind(ty.dtype))
}

/// `(x + a) + b` is `x + (a + b)`, as for products, where `a` and `b` are constants and the sum of both has the extents of one.
fn merge(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let name = rw.op(op).name().strip_prefix("relay.")?.to_owned();
    let (first, outer) = with_constant(rw, op)?;
    let (data, inner) = with_constant(rw, producer(rw, first, &name)?.id())?;
    let [(_, a), (_, b)] = [static_type(rw, inner)?, static_type(rw, outer)?];
    let (small, large) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let fits =
        small.iter().rev().zip(large.iter().rev()).all(|(&small, &large)| small == 1 || small == large);
    if !fits || !has_one_use(rw, first) {
        return None;
    }
    let b = &mut rw.builder();
    let both = apply(b, &name, &[inner, outer], [])?;
    let made = apply(b, &name, &[data, both], [])?;
    replace(rw, op, made)
}

fn merge_integers(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    if is_of(rw, op, DType::is_int) { merge(op, rw) } else { None }
}

fn merge_floats(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    if is_of(rw, op, DType::is_float) { merge(op, rw) } else { None }
}

/// `a * x + b * x` is `(a + b) * x`: one product less.
fn common_factor(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (lhs, rhs) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let factors = |product: Value| {
        let op = producer(rw, product, "multiply").filter(|_| has_one_use(rw, product))?;
        Some([op.operand(0), op.operand(1)])
    };
    let ([a, b], [c, d]) = (factors(lhs)?, factors(rhs)?);
    let (factor, one, other) = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)]
        .into_iter()
        .find(|&(factor, _, same, _)| factor == same)
        .map(|(factor, one, _, other)| (factor, one, other))?;
    // The sum of the other factors is not larger than the result: no element is computed more often.
    let b = &mut rw.builder();
    let sum = apply(b, "add", &[one, other], [])?;
    let made = apply(b, "multiply", &[factor, sum], [])?;
    replace(rw, op, made)
}

fn common_integer_factor(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    if is_of(rw, op, DType::is_int) { common_factor(op, rw) } else { None }
}

fn common_float_factor(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    if is_of(rw, op, DType::is_float) { common_factor(op, rw) } else { None }
}

/// A cast that changes nothing, or of a cast that loses nothing. Casts between integers keep the low bits.
fn cast(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = rw.op(op).operand(0);
    if rw.ty(data) == rw.ty(rw.op(op).result(0)) {
        return replace(rw, op, data);
    }
    let source = producer(rw, data, "cast")?.operand(0);
    let dtype = |value: Value| Some(static_type(rw, value)?.0.dtype);
    let (from, between, to) = (dtype(source)?, dtype(data)?, dtype(rw.op(op).result(0))?);
    let narrows = |from: DType, to: DType| from.is_int() && to.is_int() && from.bits() >= to.bits();
    let is_exact = match (from.is_float(), between.is_float(), to.is_float()) {
        // Numbers beyond the integer type differ.
        (false, true, false) => widens(from, between) && widens(from, to),
        _ => widens(from, between) || (to.is_int() && from.is_int() && narrows(between, to)),
    };
    if !is_exact {
        return None;
    }
    let made = apply(&mut rw.builder(), "cast", &[source], [("dtype", to.to_string().as_str().into())])?;
    replace(rw, op, made)
}

/// A clip to bounds that all integers of the data's type are within, or of a clip to other bounds.
fn clip(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = rw.op(op).operand(0);
    let bounds = |op: Op| {
        let given = attrs(rw.op(op))?;
        Some((given.float("a_min")?, given.float("a_max")?))
    };
    let (low, high) = bounds(op)?;
    let source = producer(rw, data, "cast").map_or(data, |cast| cast.operand(0));
    let (ty, between) = (static_type(rw, source)?.0.dtype, static_type(rw, data)?.0.dtype);
    let is_inside = integer_range(ty)
        .is_some_and(|(least, most)| low <= least as f64 && most as f64 <= high && most < 1 << 53);
    if is_inside && widens(ty, between) {
        return replace(rw, op, data);
    }
    let first = producer(rw, data, "clip")?;
    let (inner_low, inner_high) = bounds(first.id())?;
    let (low, high) = (low.max(inner_low), high.min(inner_high));
    if low > high || low.is_nan() || high.is_nan() {
        return None;
    }
    let source = first.operand(0);
    let given = [("a_min", AttrValue::Float(low)), ("a_max", AttrValue::Float(high))];
    let made = apply(&mut rw.builder(), "clip", &[source], given)?;
    replace(rw, op, made)
}

const LIKE: &[&str] = &[
    "relay.zeros_like",
    "relay.ones_like",
    "relay.full_like",
    "relay.reshape_like",
    "relay.broadcast_to_like",
    "relay.collapse_sum_like",
    "relay.cast_like",
];

/// An operator that takes a shape or an element type from an operand, which is known, takes it from an attribute.
fn like(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let view = rw.op(op);
    let (ty, shape) = static_type(rw, view.result(0))?;
    let (name, first) = (view.name().to_owned(), view.operand(0));
    let (shape, dtype) = (AttrValue::ints(&shape), AttrValue::Str(ty.dtype.to_string()));
    static_type(rw, first)?;
    let second = view.operands().nth(1);
    let b = &mut rw.builder();
    let made = match name.as_str() {
        "relay.zeros_like" => apply(b, "zeros", &[], [("shape", shape), ("dtype", dtype)])?,
        "relay.ones_like" => apply(b, "ones", &[], [("shape", shape), ("dtype", dtype)])?,
        "relay.full_like" => apply(b, "full", &[second?], [("shape", shape), ("dtype", dtype)])?,
        "relay.reshape_like" => apply(b, "reshape", &[first], [("newshape", shape)])?,
        "relay.broadcast_to_like" => apply(b, "broadcast_to", &[first], [("shape", shape)])?,
        "relay.cast_like" => apply(b, "cast", &[first], [("dtype", dtype)])?,
        "relay.collapse_sum_like" => first,
        _ => return None,
    };
    replace(rw, op, made)
}

/// A broadcast to the same shape, and a slice of the whole.
fn same_shape(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = rw.op(op).operand(0);
    static_type(rw, data)?;
    let backward =
        attrs(rw.op(op))?.ints("strides").is_some_and(|strides| strides.iter().any(|&step| step < 0));
    if backward { None } else { replace(rw, op, data) }
}

/// The order of numbers is that of their quantized form. Their distances of at most 2^16 steps are exact, and remain distinct
/// after the multiplication by a positive scale that is far from the limits of the exponents.
fn order(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let numbers = rw.op(op).operand(0);
    let quantization = producer(rw, numbers, "qnn.dequantize")?;
    let (data, scale, zero) = (quantization.operand(0), quantization.operand(1), quantization.operand(2));
    let (ty, _) = static_type(rw, data)?;
    let scale = Dense::of(rw.context(), rw.constant_of(scale)?)?.floats()?;
    let zero = integers(rw.context(), rw.constant_of(zero)?)?;
    let ([scale], [zero]) = (&scale[..], &zero[..]) else { return None };
    let is_exact = static_type(rw, numbers)?.0.dtype == DType::F32 && zero.unsigned_abs() < 1 << 16;
    let is_narrow = matches!(ty.dtype, DType::Int(8 | 16) | DType::UInt(8 | 16));
    if !is_exact || !is_narrow || !(1e-20..1e20).contains(scale) {
        return None;
    }
    let (name, given) = (rw.op(op).name().strip_prefix("relay.")?.to_owned(), attrs(rw.op(op))?);
    let made = super::apply_with(&mut rw.builder(), &name, &[data], &given)?;
    replace(rw, op, made)
}

fn fast(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, given) = (rw.op(op).operand(0), attrs(rw.op(op))?);
    let name = match rw.op(op).name() {
        "relay.exp" => "fast_exp",
        "relay.erf" => "fast_erf",
        "relay.tanh" => "fast_tanh",
        _ => "nn.fast_softmax",
    };
    let made = super::apply_with(&mut rw.builder(), name, &[data], &given)?;
    replace(rw, op, made)
}
