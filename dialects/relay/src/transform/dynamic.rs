//! DynamicToStatic: operators of `dyn.*` whose shapes, counts or positions are constant become static ones.
//!
//! The result then has known extents where the type of the dynamic operator has `?`, and `copy` converts it to that type, as
//! the front end does where a known extent meets an unknown one. The operators that use such a copy read its source, as long as
//! their relation accepts it, so known extents advance to the boundaries of functions, conditionals and calls; `shape_of` a
//! known shape is a constant, which makes the next dynamic operator static. An argument that the static operator does not
//! accept stays one of the dynamic operator, which reports it when it is executed.

use super::fold::{Dense, integers};
use super::{Rule, attrs, producer};
use crate::attrs::{AttrValue, Attrs, complete};
use crate::dialect::{Get, MakeTuple, agrees, call, from_ir, operator_of, to_ir};
use crate::operators::{Operator, find};
use crate::relation::{Answer, relate};
use crate::ty::Type;
use minoan_ir::{Builder, Op, Type as IrType, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

/// The dynamic operators with a static form.
const DYNAMIC: &[&str] = &[
    "relay.dyn.broadcast_to",
    "relay.dyn.expand_dims",
    "relay.dyn.full",
    "relay.dyn.image.resize2d",
    "relay.dyn.nn.pad",
    "relay.dyn.nn.upsampling",
    "relay.dyn.nn.upsampling3d",
    "relay.dyn.one_hot",
    "relay.dyn.ones",
    "relay.dyn.reshape",
    "relay.dyn.sparse_to_dense",
    "relay.dyn.squeeze",
    "relay.dyn.strided_slice",
    "relay.dyn.tile",
    "relay.dyn.topk",
    "relay.dyn.zeros",
];

pub(super) fn dynamic_to_static(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-static-operator", roots: DYNAMIC, rewrite: static_operator });
    patterns.add(Rule { name: "relay-advance-extents", roots: &["relay.copy"], rewrite: advance });
}

/// The integers of a constant operand.
fn ints(rw: &Rewriter<'_>, value: Value) -> Option<Vec<i64>> {
    integers(rw.context(), rw.constant_of(value)?)
}

/// The floating-point numbers of a constant operand.
fn floats(rw: &Rewriter<'_>, value: Value) -> Option<Vec<f64>> {
    Dense::of(rw.context(), rw.constant_of(value)?)?.floats()
}

/// The number of a constant operand with one element.
fn one_int(rw: &Rewriter<'_>, value: Value) -> Option<AttrValue> {
    match ints(rw, value)?[..] {
        [only] => Some(AttrValue::Int(only)),
        _ => None,
    }
}

fn one_float(rw: &Rewriter<'_>, value: Value) -> Option<AttrValue> {
    match floats(rw, value)?[..] {
        [only] => Some(AttrValue::Float(only)),
        _ => None,
    }
}

/// The operands and the attributes of the static operator of the same name.
fn static_form(rw: &Rewriter<'_>, op: Op, name: &str) -> Option<(Vec<Value>, Attrs)> {
    let args: Vec<Value> = rw.op(op).operands().collect();
    let mut given = attrs(rw.op(op))?;
    let list = |index: usize| Some(AttrValue::ints(&ints(rw, args[index])?));
    let mut kept = args.clone();
    match name {
        "reshape" => {
            let codes = ints(rw, args[1])?;
            // The dynamic operator does not have the codes -2 and -4.
            if codes.iter().any(|code| !matches!(code, -1 | -3 | 0..)) {
                return None;
            }
            given.set("newshape", AttrValue::ints(&codes));
            kept.truncate(1);
        }
        "broadcast_to" | "full" => {
            given.set("shape", list(1)?);
            kept.truncate(1);
        }
        "zeros" | "ones" => {
            given.set("shape", list(0)?);
            kept.clear();
        }
        "tile" => {
            given.set("reps", list(1)?);
            kept.truncate(1);
        }
        "squeeze" => {
            given.set("axis", list(1)?);
            kept.truncate(1);
        }
        "expand_dims" => {
            given.set("axis", one_int(rw, args[1])?);
            kept.truncate(1);
        }
        "topk" => {
            given.set("k", one_int(rw, args[1])?);
            kept.truncate(1);
        }
        "one_hot" => {
            given.set("depth", one_int(rw, args[3])?);
            kept.truncate(3);
        }
        "strided_slice" => {
            for (index, name) in (1..).zip(["begin", "end", "strides"]) {
                given.set(name, list(index)?);
            }
            kept.truncate(1);
        }
        "sparse_to_dense" => {
            given.set("output_shape", list(3)?);
            kept.truncate(3);
        }
        "nn.pad" => {
            let widths = ints(rw, args[1])?;
            given.set("pad_width", AttrValue::List(widths.chunks(2).map(AttrValue::ints).collect()));
            kept.remove(1);
        }
        "image.resize2d" => {
            given.set("size", list(1)?);
            if given.text("coordinate_transformation_mode") == Some("tf_crop_and_resize") {
                let corners = floats(rw, args[2])?.into_iter().map(AttrValue::Float).collect();
                given.set("roi", AttrValue::List(corners));
            }
            kept.truncate(1);
        }
        "nn.upsampling" | "nn.upsampling3d" => {
            let names = ["scale_d", "scale_h", "scale_w"];
            for (index, name) in (1..).zip(&names[4 - args.len()..]) {
                given.set(*name, one_float(rw, args[index])?);
            }
            kept.truncate(1);
        }
        _ => return None,
    }
    Some((kept, given))
}

fn static_operator(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let name = rw.op(op).name().strip_prefix("relay.dyn.")?.to_owned();
    let operator = find(&name)?;
    let (args, given) = static_form(rw, op, &name)?;
    let given = complete(operator, &given).ok()?;
    let made = recreated(rw, op, operator, &args, &given)?;
    rw.replace(op, &[made]);
    Some(Matched)
}

/// Whether a type has an extent that another type of the same ranks does not know.
fn knows_more(new: &Type, old: &Type) -> bool {
    match (new, old) {
        (Type::Tensor(new), Type::Tensor(old)) => {
            let pairs = new.shape.iter().zip(&old.shape);
            pairs.clone().any(|(new, old)| new.known().is_some() && old.known().is_none())
                && pairs.clone().all(|(new, old)| new.known().is_some() || old.known().is_none())
        }
        (Type::Tuple(new), Type::Tuple(old)) => {
            let pairs = new.iter().zip(old);
            pairs.clone().any(|(new, old)| knows_more(new, old))
                && pairs.clone().all(|(new, old)| new == old || knows_more(new, old))
        }
        _ => false,
    }
}

/// Calls an operator in place of `op`, with the most extents that are known, and converts the result to the type of the result
/// of `op`. `None` if the operator does not accept the operands.
fn recreated(
    rw: &mut Rewriter<'_>,
    op: Op,
    operator: &Operator,
    args: &[Value],
    given: &Attrs,
) -> Option<Value> {
    let ctx = rw.context().clone();
    let wanted = rw.ty(rw.op(op).result(0));
    let types: Vec<Type> = args.iter().map(|&value| from_ir(&ctx, rw.ty(value))).collect();
    let own = from_ir(&ctx, wanted);
    let ty = match relate(operator, &types, given).ok()? {
        Answer::Solved { result, .. } if !agrees(&result, &own) => return None,
        Answer::Solved { result, .. } if knows_more(&result, &own) => to_ir(&ctx, &result)?,
        _ => wanted,
    };
    rw.set_before(op);
    let b = &mut rw.builder();
    let made = call(b, operator, args, given, ty);
    let made = converted(b, made, wanted)?;
    rw.flush();
    Some(made)
}

/// A value as one of a type with fewer known extents.
fn converted(b: &mut Builder<'_>, value: Value, wanted: IrType) -> Option<Value> {
    let ctx = b.context();
    if b.ty(value) == wanted {
        return Some(value);
    }
    let Some(parts) = wanted.as_tuple(&ctx) else {
        return Some(call(b, find("copy")?, &[value], &Attrs::new(), wanted));
    };
    let mut components = Vec::with_capacity(parts.len());
    for (index, &part) in (0..).zip(parts) {
        let component = Get::build(b, value, index).result(b.body());
        components.push(converted(b, component, part)?);
    }
    Some(MakeTuple::build(b, &components).result(b.body()))
}

/// The source of a copy that only forgets extents.
fn source(rw: &Rewriter<'_>, value: Value) -> Option<Value> {
    let data = producer(rw, value, "copy")?.operand(0);
    let ctx = rw.context();
    knows_more(&from_ir(ctx, rw.ty(data)), &from_ir(ctx, rw.ty(value))).then_some(data)
}

/// Gives the operators that use a copy with fewer known extents the source of the copy.
fn advance(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let copy = rw.op(op).result(0);
    source(rw, copy)?;
    let mut users: Vec<Op> = rw.body().uses(copy).map(|place| place.op).collect();
    users.dedup();
    let mut changed = None;
    for user in users {
        changed = with_source(rw, user).or(changed);
    }
    changed
}

fn with_source(rw: &mut Rewriter<'_>, user: Op) -> Option<Matched> {
    let operands: Vec<Value> = rw.op(user).operands().collect();
    let known: Vec<Value> = operands.iter().map(|&operand| source(rw, operand).unwrap_or(operand)).collect();
    if known == operands {
        return None;
    }
    if rw.op(user).is::<MakeTuple>() {
        return tuple_with_sources(rw, user, &known);
    }
    let operator = operator_of(rw.op(user))?;
    let given = attrs(rw.op(user))?;
    let made = recreated(rw, user, operator, &known, &given)?;
    rw.replace(user, &[made]);
    Some(Matched)
}

/// Gives the operator that uses a tuple, such as `concatenate`, a tuple of the sources.
fn tuple_with_sources(rw: &mut Rewriter<'_>, tuple: Op, known: &[Value]) -> Option<Matched> {
    let whole = rw.op(tuple).result(0);
    let mut users: Vec<Op> = rw.body().uses(whole).map(|place| place.op).collect();
    users.dedup();
    let components: Vec<Type> = known.iter().map(|&value| from_ir(rw.context(), rw.ty(value))).collect();
    let components = Type::Tuple(components);
    let mut changed = None;
    for user in users {
        let Some(operator) = operator_of(rw.op(user)) else { continue };
        let Some(given) = attrs(rw.op(user)) else { continue };
        let is_only = rw.op(user).operands().count() == 1;
        if !is_only || relate(operator, std::slice::from_ref(&components), &given).is_err() {
            continue;
        }
        rw.set_before(user);
        let b = &mut rw.builder();
        let sources = MakeTuple::build(b, known).result(b.body());
        let made = recreated(rw, user, operator, &[sources], &given)?;
        rw.replace(user, &[made]);
        changed = Some(Matched);
    }
    changed
}
