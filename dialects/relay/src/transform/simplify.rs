//! Chains of operators, dynamic operators with constant shapes, and approximations.

use super::fold::{common_value, integers};
use super::{Rewrite, Rule, apply, attrs, producer, replace, static_type};
use crate::attrs::AttrValue;
use crate::dialect::call;
use crate::lower::from_front;
use crate::operators::find;
use minoan_ir::{Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

pub(super) fn simplify_expr(patterns: &mut PatternSet) {
    let rules: [(&'static str, &'static [&'static str], Rewrite); 4] = [
        ("relay-reshape-of-reshape", &["relay.reshape", "relay.nn.batch_flatten"], reshape),
        ("relay-transpose-of-transpose", &["relay.transpose"], transpose),
        (
            "relay-neutral-element",
            &["relay.add", "relay.subtract", "relay.multiply", "relay.divide"],
            neutral,
        ),
        ("relay-cast-to-same", &["relay.cast"], cast),
    ];
    for (name, roots, rewrite) in rules {
        patterns.add(Rule { name, roots, rewrite });
    }
}

pub(super) fn dynamic_to_static(patterns: &mut PatternSet) {
    let roots: &[&str] = &["relay.dyn.reshape", "relay.dyn.broadcast_to", "relay.dyn.tile"];
    patterns.add(Rule { name: "relay-static-shape", roots, rewrite: static_shape });
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

/// `x - 0`, `x * 1` and `x / 1` are `x` for all numbers, NaN included; `x + 0` differs for a negative zero.
fn neutral(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let ctx = rw.context();
    let value = |operand: usize| common_value(ctx, rw.constant_of(rw.op(op).operand(operand))?);
    let result = rw.ty(rw.op(op).result(0));
    let is = |operand: usize, neutral: f64| {
        value(operand).is_some_and(|value| value.to_bits() == neutral.to_bits())
    };
    let kept = match rw.op(op).name() {
        "relay.add" if is(1, -0.0) => 0,
        "relay.add" if is(0, -0.0) => 1,
        "relay.subtract" if is(1, 0.0) => 0,
        "relay.multiply" | "relay.divide" if is(1, 1.0) => 0,
        "relay.multiply" if is(0, 1.0) => 1,
        _ => return None,
    };
    let kept: Value = rw.op(op).operand(kept);
    if rw.ty(kept) == result { replace(rw, op, kept) } else { None }
}

fn cast(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = rw.op(op).operand(0);
    if rw.ty(data) == rw.ty(rw.op(op).result(0)) { replace(rw, op, data) } else { None }
}

/// The static operator, with the shape as an attribute; the type of its result remains.
fn static_shape(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (name, attr) = match rw.op(op).name() {
        "relay.dyn.reshape" => ("reshape", "newshape"),
        "relay.dyn.broadcast_to" => ("broadcast_to", "shape"),
        "relay.dyn.tile" => ("tile", "reps"),
        _ => return None,
    };
    let view = rw.op(op);
    let (data, result) = (view.operand(0), view.result(0));
    let ints = integers(rw.context(), rw.constant_of(view.operand(1))?)?;
    let operator = find(name)?;
    let given = [(attr, AttrValue::ints(&ints))].into_iter().collect();
    let complete = crate::attrs::complete(operator, &given).ok()?;
    let ty = rw.ty(result);
    let made = call(&mut rw.builder(), operator, &[data], &complete, ty);
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
