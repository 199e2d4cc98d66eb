//! SimplifyInference of normalizations by the statistics of their data, as TVM writes them: each becomes reductions and
//! arithmetic.
//!
//! The lowering of the operators computes the same; in this form, the parts are visible to other patterns. So the patterns are
//! applied if asked for.

use super::scale::{any_batch_norm, expanded, number};
use super::{Rewrite, Rule, apply, attrs, replace, static_type};
use crate::attrs::{AttrValue, Attrs};
use crate::lower::from_front;
use crate::ty::DType;
use minoan_ir::{Builder, Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

pub(super) fn simplify_normalization(patterns: &mut PatternSet) {
    let rules: [(&'static str, &'static [&'static str], Rewrite); 3] = [
        ("relay-any-batch-norm-to-scale", &["relay.get"], any_batch_norm),
        (
            "relay-norm-to-arithmetic",
            &["relay.nn.layer_norm", "relay.nn.instance_norm", "relay.nn.group_norm"],
            normalization,
        ),
        ("relay-l2-normalize-to-arithmetic", &["relay.nn.l2_normalize"], l2_normalize),
    ];
    for (name, roots, rewrite) in rules {
        patterns.add(Rule { name, roots, rewrite });
    }
}

fn axes_of(axes: impl IntoIterator<Item = usize>) -> AttrValue {
    AttrValue::List(axes.into_iter().map(|axis| AttrValue::Int(axis as i64)).collect())
}

/// The data, less their means over some axes, divided by the standard deviation.
fn normalized(
    b: &mut Builder<'_>,
    data: Value,
    axes: AttrValue,
    dtype: DType,
    epsilon: f64,
) -> Option<Value> {
    let reduction = [("axis", axes), ("keepdims", AttrValue::Bool(true))];
    let mean = apply(b, "mean", &[data], reduction.clone())?;
    let variance = apply(b, "variance", &[data, mean], reduction)?;
    let epsilon = number(b, dtype, epsilon)?;
    let sum = apply(b, "add", &[variance, epsilon], [])?;
    let deviation = apply(b, "sqrt", &[sum], [])?;
    let off = apply(b, "subtract", &[data, mean], [])?;
    apply(b, "divide", &[off, deviation], [])
}

/// Scale and offset, which have one element for each index of an axis, followed by `after` axes.
fn scaled(
    b: &mut Builder<'_>,
    data: Value,
    [gamma, beta]: [Value; 2],
    after: usize,
    given: &Attrs,
) -> Option<Value> {
    let mut done = data;
    if given.flag("scale") {
        let gamma = expanded(b, gamma, after)?;
        done = apply(b, "multiply", &[done, gamma], [])?;
    }
    if given.flag("center") {
        let beta = expanded(b, beta, after)?;
        done = apply(b, "add", &[done, beta], [])?;
    }
    Some(done)
}

fn normalization(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (view, given) = (rw.op(op), attrs(rw.op(op))?);
    let name = view.name().strip_prefix("relay.nn.")?.to_owned();
    let (data, weights) = (view.operand(0), [view.operand(1), view.operand(2)]);
    let (ty, shape) = static_type(rw, data)?;
    let rank = shape.len();
    let axis = from_front(given.int("axis")?, rank);
    let epsilon = given.float("epsilon").unwrap_or(1e-5);
    let dtype = ty.dtype;
    let b = &mut rw.builder();
    let done = match name.as_str() {
        "layer_norm" => normalized(b, data, axes_of([axis]), dtype, epsilon)?,
        "instance_norm" => {
            let axes = axes_of((1..rank).filter(|&other| other != axis));
            normalized(b, data, axes, dtype, epsilon)?
        }
        _ => {
            let groups = given.int("num_groups").unwrap_or(1).max(1);
            if shape[axis] % groups != 0 {
                return None;
            }
            let mut grouped = shape.clone();
            grouped.splice(axis..=axis, [groups, shape[axis] / groups]);
            let split = apply(b, "reshape", &[data], [("newshape", AttrValue::ints(&grouped))])?;
            let done = normalized(b, split, axes_of(axis + 1..=rank), dtype, epsilon)?;
            apply(b, "reshape", &[done], [("newshape", AttrValue::ints(&shape))])?
        }
    };
    let done = scaled(b, done, weights, rank - 1 - axis, &given)?;
    replace(rw, op, done)
}

/// The data, divided by the root of the sum of their squares, which is at least `eps`.
fn l2_normalize(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, given) = (rw.op(op).operand(0), attrs(rw.op(op))?);
    let (ty, shape) = static_type(rw, data)?;
    let axes: Vec<usize> = match given.ints("axis") {
        Some(axes) if !axes.is_empty() => {
            axes.into_iter().map(|axis| from_front(axis, shape.len())).collect()
        }
        _ => (0..shape.len()).collect(),
    };
    let b = &mut rw.builder();
    let squares = apply(b, "multiply", &[data, data], [])?;
    let reduction = [("axis", axes_of(axes)), ("keepdims", AttrValue::Bool(true))];
    let sum = apply(b, "sum", &[squares], reduction)?;
    let least = number(b, ty.dtype, given.float("eps")?)?;
    let sum = apply(b, "maximum", &[sum, least], [])?;
    let norm = apply(b, "sqrt", &[sum], [])?;
    let done = apply(b, "divide", &[data, norm], [])?;
    replace(rw, op, done)
}
