//! ToMixedPrecision: convolutions and products of matrices compute with `float16`.
//!
//! Operators whose time depends on the width of their operands always compute with `float16`. Others follow their operands: they
//! do so if those are narrow already, or are constants or arguments of the function, which a cast makes narrow. All others, such
//! as `exp` and sums, keep `float32`, as does the result of the function.

use super::{Rule, apply, apply_with, attrs, producer, replace, static_type};
use crate::dialect::MakeTuple;
use crate::ty::DType;
use minoan_ir::{Builder, Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

const NARROW: DType = DType::Float(16);
const WIDE: DType = DType::Float(32);

/// Operators that always compute with narrow numbers.
const ALWAYS: &[&str] = &[
    "relay.nn.conv1d",
    "relay.nn.conv2d",
    "relay.nn.conv3d",
    "relay.nn.conv1d_transpose",
    "relay.nn.conv2d_transpose",
    "relay.nn.conv3d_transpose",
    "relay.nn.dense",
    "relay.nn.matmul",
    "relay.nn.batch_matmul",
];

/// Operators that compute with narrow numbers if their operands are narrow.
const FOLLOW: &[&str] = &[
    "relay.add",
    "relay.subtract",
    "relay.multiply",
    "relay.divide",
    "relay.maximum",
    "relay.minimum",
    "relay.negative",
    "relay.abs",
    "relay.sqrt",
    "relay.ceil",
    "relay.floor",
    "relay.round",
    "relay.clip",
    "relay.tanh",
    "relay.sigmoid",
    "relay.copy",
    "relay.concatenate",
    "relay.expand_dims",
    "relay.reshape",
    "relay.squeeze",
    "relay.strided_slice",
    "relay.transpose",
    "relay.broadcast_to",
    "relay.layout_transform",
    "relay.nn.bias_add",
    "relay.nn.relu",
    "relay.nn.leaky_relu",
    "relay.nn.prelu",
    "relay.nn.batch_flatten",
    "relay.nn.depth_to_space",
    "relay.nn.space_to_depth",
    "relay.nn.pad",
    "relay.nn.upsampling",
    "relay.nn.max_pool1d",
    "relay.nn.max_pool2d",
    "relay.nn.max_pool3d",
    "relay.nn.avg_pool1d",
    "relay.nn.avg_pool2d",
    "relay.nn.avg_pool3d",
    "relay.nn.global_avg_pool2d",
    "relay.nn.global_max_pool2d",
    "relay.nn.adaptive_avg_pool2d",
    "relay.nn.adaptive_max_pool2d",
];

pub(super) fn to_mixed_precision(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-narrow-product", roots: ALWAYS, rewrite: always });
    patterns.add(Rule { name: "relay-narrow-follower", roots: FOLLOW, rewrite: follow });
    patterns.add(Rule {
        name: "relay-narrow-of-widened",
        roots: &["relay.cast"],
        rewrite: narrow_of_widened,
    });
}

fn is_wide(rw: &Rewriter<'_>, value: Value) -> bool {
    static_type(rw, value).is_some_and(|(ty, _)| ty.dtype == WIDE)
}

/// The narrow value that a value is widened from.
fn widened(rw: &Rewriter<'_>, value: Value) -> Option<Value> {
    let data = producer(rw, value, "cast").filter(|_| is_wide(rw, value))?.operand(0);
    static_type(rw, data).filter(|(ty, _)| ty.dtype == NARROW).map(|_| data)
}

fn cast(b: &mut Builder<'_>, value: Value, dtype: DType) -> Option<Value> {
    apply(b, "cast", &[value], [("dtype", dtype.to_string().as_str().into())])
}

/// A value as a narrow one.
fn narrowed(rw: &mut Rewriter<'_>, value: Value) -> Option<Value> {
    match widened(rw, value) {
        Some(narrow) => Some(narrow),
        None => cast(&mut rw.builder(), value, NARROW),
    }
}

/// Replaces an operator on wide numbers by the same one on narrow numbers, and a cast.
fn narrow(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (name, mut given) = (rw.op(op).name().strip_prefix("relay.")?.to_owned(), attrs(rw.op(op))?);
    if given.dtype("out_dtype").is_some() {
        given.set("out_dtype", NARROW.to_string().as_str().into());
    }
    let tuple = rw.body().defining_op(rw.op(op).operand(0)).filter(|&tuple| rw.op(tuple).is::<MakeTuple>());
    let operands: Vec<Value> = match tuple {
        Some(tuple) => rw.op(tuple).operands().collect(),
        None => rw.op(op).operands().collect(),
    };
    let mut args = Vec::with_capacity(operands.len());
    for value in operands {
        args.push(if is_wide(rw, value) { narrowed(rw, value)? } else { value });
    }
    let b = &mut rw.builder();
    if tuple.is_some() {
        args = vec![MakeTuple::build(b, &args).result(b.body())];
    }
    let made = apply_with(b, &name, &args, &given)?;
    let wide = cast(b, made, WIDE)?;
    replace(rw, op, wide)
}

fn always(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let view = rw.op(op);
    let wide = view.operands().chain(view.results()).all(|value| is_wide(rw, value));
    let plain = attrs(view)?.dtype("out_dtype").is_none_or(|dtype| dtype == WIDE);
    if wide && plain { narrow(op, rw) } else { None }
}

fn follow(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let view = rw.op(op);
    let tuple = rw.body().defining_op(view.operand(0)).filter(|&tuple| rw.op(tuple).is::<MakeTuple>());
    let operands: Vec<Value> = match tuple {
        Some(tuple) => rw.op(tuple).operands().collect(),
        None => view.operands().collect(),
    };
    if !view.results().chain(operands.iter().copied()).all(|value| is_wide(rw, value)) {
        return None;
    }
    let is_narrow = |&value: &Value| widened(rw, value).is_some();
    let can_be = |&value: &Value| {
        is_narrow(&value) || rw.constant_of(value).is_some() || rw.body().defining_op(value).is_none()
    };
    let follows = operands.iter().any(is_narrow) && operands.iter().all(can_be);
    if follows { narrow(op, rw) } else { None }
}

/// Folds a cast to the narrow type of a widened value to that value: widening is exact.
fn narrow_of_widened(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = widened(rw, rw.op(op).operand(0))?;
    let (ty, _) = static_type(rw, rw.op(op).result(0))?;
    if ty.dtype == NARROW { replace(rw, op, data) } else { None }
}
