//! CombineParallelDense, CombineParallelBatchMatmul and CombineParallelConv2D: products of the same data by several weights, which are
//! constants or arguments, become one product.

use super::{Rule, apply, apply_with, attrs, static_type};
use crate::attrs::{AttrValue, Attrs};
use crate::dialect::{Get, MakeTuple};
use minoan_ir::{InsertionPoint, Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

/// The number of products that are combined, as in TVM.
const MIN_PRODUCTS: usize = 3;

/// Limit on the users of a value that are considered.
const MAX_USERS: usize = 64;

pub(super) fn combine(patterns: &mut PatternSet) {
    let roots: &[&str] = &["relay.nn.dense", "relay.nn.batch_matmul", "relay.nn.conv2d"];
    patterns.add(Rule { name: "relay-combine-parallel", roots, rewrite: products });
}

/// The attributes that must agree: all but the number of output channels.
fn comparable(mut given: Attrs) -> Attrs {
    for name in ["units", "channels"] {
        if given.get(name).is_some() {
            given.set(name, AttrValue::None);
        }
    }
    given
}

fn products(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let name = rw.op(op).name().strip_prefix("relay.")?.to_owned();
    let data = rw.op(op).operand(0);
    let given = attrs(rw.op(op))?;
    let common = comparable(given.clone());
    let is_conv = name == "nn.conv2d";
    let plain = given.text("data_layout") == Some("NCHW") && given.text("kernel_layout") == Some("OIHW");
    if is_conv && (given.int("groups") != Some(1) || !plain) {
        return None;
    }
    // The axis of the weights that has the channels of the result.
    let along = match name.as_str() {
        "nn.batch_matmul" if given.flag("transpose_b") => 1,
        "nn.batch_matmul" => 2,
        _ => 0,
    };
    let (_, first) = static_type(rw, rw.op(op).operand(1))?;
    let mut found: Vec<(Op, Value, i64)> = Vec::new();
    let users = rw.body().uses(data).filter(|at| at.index == 0).map(|at| at.op);
    for user in users.take(MAX_USERS) {
        let view = rw.op(user);
        if view.name().strip_prefix("relay.") != Some(&name) {
            continue;
        }
        let weight = view.operand(1);
        let Some((_, shape)) = static_type(rw, weight) else { continue };
        let others_agree = shape.len() == first.len()
            && shape.iter().zip(&first).enumerate().all(|(axis, (a, b))| axis == along || a == b);
        // The weights are there where the data are.
        let is_argument = rw.body().defining_op(weight).is_none();
        let fits = others_agree && (is_argument || rw.constant_of(weight).is_some());
        if fits && attrs(view).is_some_and(|given| comparable(given) == common) {
            found.push((user, weight, shape[along]));
        }
    }
    if found.len() < MIN_PRODUCTS {
        return None;
    }
    let total: i64 = found.iter().map(|&(.., count)| count).sum();
    let mut sums = Vec::with_capacity(found.len());
    for &(.., count) in &found[..found.len() - 1] {
        sums.push(sums.last().unwrap_or(&0) + count);
    }
    let axis = if is_conv { 1 } else { static_type(rw, rw.op(op).result(0))?.1.len() - 1 };
    // All users follow the data.
    rw.set_insertion_point(match rw.body().defining_op(data) {
        Some(source) => InsertionPoint::After(source),
        None => InsertionPoint::Start(rw.body().block_of(data)?),
    });
    let mut weights = Vec::with_capacity(found.len());
    for &(_, weight, _) in &found {
        weights.push(match rw.constant_of(weight) {
            Some(value) => rw.constant(op, value, rw.ty(weight)).ok()?,
            None => weight,
        });
    }
    let b = &mut rw.builder();
    let tuple = MakeTuple::build(b, &weights).result(b.body());
    let weight = apply(b, "concatenate", &[tuple], [("axis", AttrValue::Int(along as i64))])?;
    let mut all = given.clone();
    let count = if is_conv { "channels" } else { "units" };
    if !matches!(given.get(count), None | Some(AttrValue::None)) {
        all.set(count, AttrValue::Int(total));
    }
    let product = apply_with(b, &name, &[data, weight], &all)?;
    let axis = AttrValue::Int(i64::try_from(axis).ok()?);
    let split = [("indices_or_sections", AttrValue::ints(&sums)), ("axis", axis)];
    let parts = apply(b, "split", &[product], split)?;
    let mut replacements = Vec::with_capacity(found.len());
    for at in 0..found.len() {
        let index = i64::try_from(at).ok()?;
        replacements.push(Get::build(b, parts, index).result(b.body()));
    }
    rw.flush();
    for (&(old, ..), &new) in found.iter().zip(&replacements) {
        rw.replace(old, &[new]);
    }
    Some(Matched)
}
