//! CombineParallelDense, CombineParallelBatchMatmul and CombineParallelConv2D: products of the same data by several weights
//! become one product, and so do the elementwise operators that follow each of them alike.

use super::{Rule, apply, apply_with, attrs, static_type};
use crate::attrs::{AttrValue, Attrs};
use crate::dialect::{Get, MakeTuple, operator_of};
use crate::lower::from_front;
use crate::operators::{Operator, Pattern};
use crate::relation::Relation;
use minoan_ir::{InsertionPoint, Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};
use rustc_hash::FxHashMap;

/// The number of products that are combined, as in TVM.
const MIN_PRODUCTS: usize = 3;

/// Limit on the users of a value that are considered.
const MAX_USERS: usize = 64;

/// Limit on the operators that follow a product.
const MAX_DEPTH: usize = 16;

/// Limit on the distance of the operators from the definition of the data.
const MAX_DISTANCE: usize = 4096;

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

/// A product, and the operators that follow it, each the only user of the one before.
struct Branch {
    ops: Vec<Op>,
    /// The number of channels of the result.
    channels: i64,
}

/// The operand of an operator for all branches.
enum Arg {
    /// The result of the operator before it.
    Previous,
    /// A value that all branches have.
    Shared(Value),
    /// The operands of the branches, along an axis.
    Joined(Vec<Value>, usize),
}

/// An operator that all branches have in one place.
struct Level {
    operator: &'static Operator,
    given: Attrs,
    args: Vec<Arg>,
}

fn products(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let name = operator_of(rw.op(op))?.name;
    let data = rw.op(op).operand(0);
    let given = attrs(rw.op(op))?;
    let is_conv = name == "nn.conv2d";
    let plain = given.text("data_layout") == Some("NCHW")
        && given.text("kernel_layout") == Some("OIHW")
        && matches!(given.text("out_layout"), None | Some("" | "NCHW"));
    if is_conv && (given.int("groups") != Some(1) || !plain) {
        return None;
    }
    // The axis of the weights that has the channels of the result.
    let along = match name {
        "nn.batch_matmul" if given.flag("transpose_b") => 1,
        "nn.batch_matmul" => 2,
        _ => 0,
    };
    let axis = if is_conv { 1 } else { static_type(rw, rw.op(op).result(0))?.1.len() - 1 };
    let near = near(rw, data)?;
    let mut branches = parallel(rw, op, &near, along)?;
    branches.iter_mut().for_each(|branch| follow(rw, branch, &near));
    let weights = branches.iter().map(|branch| rw.op(branch.ops[0]).operand(1)).collect();
    let mut all = given;
    let count = if is_conv { "channels" } else { "units" };
    if !matches!(all.get(count), None | Some(AttrValue::None)) {
        all.set(count, AttrValue::Int(branches.iter().map(|branch| branch.channels).sum()));
    }
    let args = vec![Arg::Shared(data), Arg::Joined(weights, along)];
    let mut levels = vec![Level { operator: operator_of(rw.op(op))?, given: all, args }];
    while let Some(next) = level(rw, &branches, levels.len(), axis) {
        levels.push(next);
    }
    let place = loop {
        if let Some(place) = place(rw, data, &branches, &levels, &near) {
            break place;
        }
        levels.pop();
        if levels.is_empty() {
            return None;
        }
    };
    rw.set_insertion_point(place);
    build(rw, op, &branches, &levels, axis)
}

/// The positions of the operations that follow the definition of a value.
fn near(rw: &Rewriter<'_>, data: Value) -> Option<FxHashMap<Op, usize>> {
    let body = rw.body();
    let first = match body.defining_op(data) {
        Some(source) => body.op(source).next(),
        None => body.block(body.block_of(data)?).ops().next(),
    };
    let following = std::iter::successors(first, |&op| body.op(op).next());
    Some(following.take(MAX_DISTANCE).enumerate().map(|(at, op)| (op, at)).collect())
}

/// The products of the data of one that can be combined with it, in the order of the block; `None` if there are too few.
fn parallel(rw: &Rewriter<'_>, op: Op, near: &FxHashMap<Op, usize>, along: usize) -> Option<Vec<Branch>> {
    let (data, weight) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let (ty, first) = static_type(rw, weight)?;
    let common = comparable(attrs(rw.op(op))?);
    let mut found = Vec::new();
    for user in rw.body().uses(data).filter(|at| at.index == 0).map(|at| at.op).take(MAX_USERS) {
        let view = rw.op(user);
        if view.kind() != rw.op(op).kind() || !near.contains_key(&user) {
            continue;
        }
        let Some((other, shape)) = static_type(rw, view.operand(1)) else { continue };
        let others_agree = shape.len() == first.len()
            && shape.iter().zip(&first).enumerate().all(|(axis, (a, b))| axis == along || a == b);
        let fits = other.dtype == ty.dtype && others_agree;
        if fits && attrs(view).is_some_and(|given| comparable(given) == common) {
            found.push(Branch { ops: vec![user], channels: shape[along] });
        }
    }
    found.sort_by_key(|branch| near[&branch.ops[0]]);
    (found.len() >= MIN_PRODUCTS).then_some(found)
}

/// Whether each element of the result depends on the elements of the operands in the same place, and a bias on the channel.
fn is_elementwise(operator: &Operator) -> bool {
    let relations = [
        Relation::Identity,
        Relation::IdentityCompRel,
        Relation::Cast,
        Relation::Broadcast,
        Relation::BroadcastComp,
        Relation::BiasAdd,
    ];
    matches!(operator.pattern, Pattern::Elemwise | Pattern::Broadcast)
        && relations.contains(&operator.relation)
}

/// Appends the elementwise operators that follow a product to its branch.
fn follow(rw: &Rewriter<'_>, branch: &mut Branch, near: &FxHashMap<Op, usize>) {
    while branch.ops.len() <= MAX_DEPTH {
        let value = rw.op(branch.ops[branch.ops.len() - 1]).result(0);
        let mut uses = rw.body().uses(value).map(|at| at.op);
        let (Some(user), None) = (uses.next(), uses.next()) else { return };
        let is_elementwise = operator_of(rw.op(user)).is_some_and(is_elementwise);
        let shape = |value: Value| static_type(rw, value).map(|(_, shape)| shape);
        let same = shape(rw.op(user).result(0)).is_some_and(|new| Some(new) == shape(value));
        if !is_elementwise || !same || !near.contains_key(&user) {
            return;
        }
        branch.ops.push(user);
    }
}

/// The operator that follows the products in all branches at a depth.
fn level(rw: &Rewriter<'_>, branches: &[Branch], depth: usize, axis: usize) -> Option<Level> {
    let at = |branch: &Branch| branch.ops.get(depth).map(|&op| rw.op(op));
    let first = at(&branches[0])?;
    let (operator, given) = (operator_of(first)?, attrs(first)?);
    let before = |branch: &Branch| rw.op(branch.ops[depth - 1]).result(0);
    let rank = static_type(rw, first.result(0))?.1.len();
    let along_channels = operator.relation != Relation::BiasAdd
        || given.int("axis").is_some_and(|other| from_front(other, rank) == axis);
    if !along_channels {
        return None;
    }
    let parent = first.operands().position(|value| value == before(&branches[0]))?;
    for branch in branches {
        let op = at(branch)?;
        let is_like =
            op.kind() == first.kind() && attrs(op)? == given && op.operand(parent) == before(branch);
        if !is_like {
            return None;
        }
    }
    let args = (0..operator.args.len()).map(|index| {
        if index == parent {
            return Some(Arg::Previous);
        }
        let values: Vec<Value> =
            branches.iter().map(|branch| Some(at(branch)?.operand(index))).collect::<Option<_>>()?;
        // The axis of the operand that is that of the channels.
        let own =
            if operator.relation == Relation::BiasAdd { 1 } else { static_type(rw, values[0])?.1.len() };
        let channel =
            if operator.relation == Relation::BiasAdd { Some(0) } else { (axis + own).checked_sub(rank) };
        argument(rw, branches, values, channel)
    });
    let args = args.collect::<Option<Vec<Arg>>>()?;
    Some(Level { operator, given, args })
}

/// The operand for all branches, given that of each and its axis of the channels.
fn argument(
    rw: &Rewriter<'_>,
    branches: &[Branch],
    values: Vec<Value>,
    channel: Option<usize>,
) -> Option<Arg> {
    let (ty, first) = static_type(rw, values[0])?;
    let same = |&value: &Value| {
        let constant = rw.constant_of(value);
        value == values[0]
            || constant.is_some() && constant == rw.constant_of(values[0]) && rw.ty(value) == rw.ty(values[0])
    };
    if channel.is_none_or(|channel| first[channel] == 1) && values.iter().all(same) {
        return Some(Arg::Shared(values[0]));
    }
    let channel = channel?;
    for (value, branch) in values.iter().zip(branches) {
        let (other, shape) = static_type(rw, *value)?;
        let agree = other.dtype == ty.dtype
            && shape.len() == first.len()
            && shape.iter().zip(&first).enumerate().all(|(at, (a, b))| at == channel || a == b);
        if !agree || shape[channel] != branch.channels {
            return None;
        }
    }
    Some(Arg::Joined(values, channel))
}

/// The place where all operands are defined and no result is used yet.
fn place(
    rw: &Rewriter<'_>,
    data: Value,
    branches: &[Branch],
    levels: &[Level],
    near: &FxHashMap<Op, usize>,
) -> Option<InsertionPoint> {
    let body = rw.body();
    let args = levels.iter().flat_map(|level| &level.args).flat_map(|arg| match arg {
        Arg::Previous => &[][..],
        Arg::Shared(value) => std::slice::from_ref(value),
        Arg::Joined(values, _) => values,
    });
    let args = args.filter(|&&value| rw.constant_of(value).is_none());
    let definitions = args.filter_map(|&value| body.defining_op(value));
    let latest = definitions.filter_map(|op| Some((*near.get(&op)?, op))).max_by_key(|&(at, _)| at);
    let users = branches.iter().flat_map(|branch| body.uses(rw.op(branch.ops[levels.len() - 1]).result(0)));
    let positions = users.filter_map(|user| body.op(user.op).ancestors().find_map(|op| near.get(&op.id())));
    match (latest, positions.min(), body.defining_op(data)) {
        (Some((at, _)), Some(&first), _) if at >= first => None,
        (Some((_, op)), ..) | (None, _, Some(op)) => Some(InsertionPoint::After(op)),
        (None, _, None) => Some(InsertionPoint::Start(body.block_of(data)?)),
    }
}

/// Creates the operators for all branches, and replaces the results of these.
fn build(
    rw: &mut Rewriter<'_>,
    op: Op,
    branches: &[Branch],
    levels: &[Level],
    axis: usize,
) -> Option<Matched> {
    let mut result = None;
    for Level { operator, given, args } in levels {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(match arg {
                Arg::Previous => result?,
                Arg::Shared(value) => available(rw, op, *value)?,
                Arg::Joined(parts, along) => {
                    let parts: Vec<Value> =
                        parts.iter().map(|&part| available(rw, op, part)).collect::<Option<_>>()?;
                    let b = &mut rw.builder();
                    let tuple = MakeTuple::build(b, &parts).result(b.body());
                    let along = AttrValue::Int(i64::try_from(*along).ok()?);
                    apply(b, "concatenate", &[tuple], [("axis", along)])?
                }
            });
        }
        result = Some(apply_with(&mut rw.builder(), operator.name, &values, given)?);
    }
    let mut sums: Vec<i64> = Vec::with_capacity(branches.len());
    for branch in &branches[..branches.len() - 1] {
        sums.push(sums.last().unwrap_or(&0) + branch.channels);
    }
    let axis = AttrValue::Int(i64::try_from(axis).ok()?);
    let b = &mut rw.builder();
    let split = [("indices_or_sections", AttrValue::ints(&sums)), ("axis", axis)];
    let parts = apply(b, "split", &[result?], split)?;
    let mut replacements = Vec::with_capacity(branches.len());
    for at in 0..branches.len() {
        let index = i64::try_from(at).ok()?;
        replacements.push(Get::build(b, parts, index).result(b.body()));
    }
    rw.flush();
    for (branch, &new) in branches.iter().zip(&replacements) {
        let (last, before) = branch.ops[..levels.len()].split_last()?;
        rw.replace(*last, &[new]);
        before.iter().rev().for_each(|&op| rw.erase(op));
    }
    Some(Matched)
}

/// A value at the insertion point, where constants are created again.
fn available(rw: &mut Rewriter<'_>, op: Op, value: Value) -> Option<Value> {
    match rw.constant_of(value) {
        Some(constant) => rw.constant(op, constant, rw.ty(value)).ok(),
        None => Some(value),
    }
}
