//! ConvertLayout: convolutions have their channels last, `NHWC`.
//!
//! In that layout, vectors are full for any size of the image. Constant weights become `HWIO`; others keep their layout, and the
//! kernel that reads them copies them in the order of its computation, once for all points of the image. A single convolution by
//! such weights keeps its layout: the transformations of its image and of its result would take as long as they save. A
//! transformation from `NHWC` to `NCHW` after each convolution sinks through pointwise operators, poolings and concatenations,
//! until it meets the opposite one before the next convolution.

use super::{Rewrite, Rule, apply, apply_with, attrs, producer, replace, static_type};
use crate::attrs::AttrValue;
use crate::dialect::MakeTuple;
use crate::lower::from_front;
use minoan_ir::{Builder, Op, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

/// Convolutions with fewer output channels keep their layout: they would leave lanes empty.
const MIN_CHANNELS: i64 = 16;

const UNARY: &[&str] = &[
    "relay.nn.relu",
    "relay.nn.leaky_relu",
    "relay.clip",
    "relay.tanh",
    "relay.sigmoid",
    "relay.exp",
    "relay.erf",
    "relay.negative",
    "relay.sqrt",
    "relay.abs",
    "relay.cast",
    "relay.copy",
];

const BINARY: &[&str] =
    &["relay.add", "relay.subtract", "relay.multiply", "relay.divide", "relay.maximum", "relay.minimum"];

const POOLS: &[&str] = &[
    "relay.nn.max_pool2d",
    "relay.nn.avg_pool2d",
    "relay.nn.global_avg_pool2d",
    "relay.nn.global_max_pool2d",
    "relay.nn.adaptive_avg_pool2d",
    "relay.nn.adaptive_max_pool2d",
];

pub(super) fn convert(patterns: &mut PatternSet) {
    let rules: [(&'static str, &'static [&'static str], Rewrite); 9] = [
        ("relay-channels-last", &["relay.nn.conv2d"], conv2d),
        ("relay-channels-last-transposed", &["relay.nn.conv2d_transpose"], conv2d_transpose),
        ("relay-layout-of-layout", &["relay.layout_transform"], inverse),
        ("relay-layout-through-unary", UNARY, unary),
        ("relay-layout-through-binary", BINARY, binary),
        ("relay-layout-through-bias-add", &["relay.nn.bias_add"], bias_add),
        ("relay-layout-through-pool", POOLS, pool),
        ("relay-layout-through-concatenate", &["relay.concatenate"], concatenate),
        ("relay-layout-through-flatten", &["relay.nn.batch_flatten"], flatten),
    ];
    for (name, roots, rewrite) in rules {
        patterns.add(Rule { name, roots, rewrite });
    }
}

fn transformed(b: &mut Builder<'_>, value: Value, from: &str, to: &str) -> Option<Value> {
    apply(b, "layout_transform", &[value], [("src_layout", from.into()), ("dst_layout", to.into())])
}

/// The image with the channels last that a value is transformed from.
fn last(rw: &Rewriter<'_>, value: Value) -> Option<Value> {
    let op = producer(rw, value, "layout_transform")?;
    let attrs = attrs(op)?;
    let is_ours = attrs.text("src_layout") == Some("NHWC") && attrs.text("dst_layout") == Some("NCHW");
    is_ours.then(|| op.operand(0))
}

/// Replaces an operation by the transformation of `value` to `NCHW`.
fn replace_by_last(rw: &mut Rewriter<'_>, op: Op, value: Value) -> Option<Matched> {
    let back = transformed(&mut rw.builder(), value, "NHWC", "NCHW")?;
    replace(rw, op, back)
}

fn conv2d(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, weight) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let mut given = attrs(rw.op(op))?;
    let plain = given.text("data_layout") == Some("NCHW")
        && given.text("kernel_layout") == Some("OIHW")
        && matches!(given.text("out_layout"), None | Some("" | "NCHW"));
    let (ty, shape) = static_type(rw, data)?;
    let (_, kernel) = static_type(rw, weight)?;
    static_type(rw, rw.op(op).result(0))?;
    let groups = given.int("groups").unwrap_or(1);
    let depthwise = groups == shape[1] && kernel[0] == shape[1];
    let is_wide = kernel[0] >= MIN_CHANNELS && (groups == 1 || depthwise);
    if !plain || !is_wide || !ty.dtype.is_float() {
        return None;
    }
    let is_constant = rw.constant_of(weight).is_some();
    let known = last(rw, data);
    if !is_constant && known.is_none() && !is_convolved(rw, rw.op(op).result(0)) {
        return None;
    }
    // The weights of a depthwise convolution are few, and a factor of each lane: a kernel does not copy them.
    let transposes = depthwise || is_constant;
    let b = &mut rw.builder();
    let data = match known {
        Some(data) => data,
        None => transformed(b, data, "NCHW", "NHWC")?,
    };
    given.set("data_layout", "NHWC".into());
    let weight = if transposes {
        given.set("kernel_layout", "HWIO".into());
        apply(b, "transpose", &[weight], [("axes", AttrValue::ints(&[2, 3, 1, 0]))])?
    } else {
        weight
    };
    given.set("out_layout", "".into());
    let made = apply_with(b, "nn.conv2d", &[data, weight], &given)?;
    replace_by_last(rw, op, made)
}

/// A transposed convolution by constant weights.
fn conv2d_transpose(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, weight) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let mut given = attrs(rw.op(op))?;
    let plain = given.text("data_layout") == Some("NCHW")
        && given.text("kernel_layout") == Some("IOHW")
        && matches!(given.text("out_layout"), None | Some("" | "NCHW"));
    let (ty, _) = static_type(rw, data)?;
    let (_, kernel) = static_type(rw, weight)?;
    static_type(rw, rw.op(op).result(0))?;
    let is_wide = kernel[1] >= MIN_CHANNELS && given.int("groups").unwrap_or(1) == 1;
    if !plain || !is_wide || !ty.dtype.is_float() || rw.constant_of(weight).is_none() {
        return None;
    }
    let known = last(rw, data);
    let b = &mut rw.builder();
    let data = match known {
        Some(data) => data,
        None => transformed(b, data, "NCHW", "NHWC")?,
    };
    given.set("data_layout", "NHWC".into());
    given.set("kernel_layout", "HWIO".into());
    given.set("out_layout", "".into());
    let weight = apply(b, "transpose", &[weight], [("axes", AttrValue::ints(&[2, 3, 0, 1]))])?;
    let made = apply_with(b, "nn.conv2d_transpose", &[data, weight], &given)?;
    replace_by_last(rw, op, made)
}

/// The most operations that are visited to find out whether an image is convolved.
const MAX_VISITED: usize = 32;

/// Whether operators through which a transformation sinks lead from an image to a convolution of it.
fn is_convolved(rw: &Rewriter<'_>, image: Value) -> bool {
    let (mut pending, mut visited) = (vec![image], 0);
    while let Some(value) = pending.pop() {
        for place in rw.body().uses(value) {
            let user = rw.op(place.op);
            let name = user.name();
            if ["relay.nn.conv2d", "relay.nn.conv2d_transpose"].contains(&name) && place.index == 0 {
                return true;
            }
            visited += 1;
            if visited > MAX_VISITED {
                return false;
            }
            let is_tuple = user.is::<MakeTuple>() || ["relay.get", "relay.concatenate"].contains(&name);
            let is_norm = ["relay.nn.batch_norm", "relay.nn.bias_add"].contains(&name) && place.index == 0;
            if is_tuple || is_norm || [UNARY, BINARY, POOLS].iter().any(|names| names.contains(&name)) {
                pending.extend(user.results());
            }
        }
    }
    false
}

/// Two transformations that are inverses of each other.
pub(super) fn inverse(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let own = attrs(rw.op(op))?;
    let first = producer(rw, rw.op(op).operand(0), "layout_transform")?;
    let before = attrs(first)?;
    let (data, from) = (first.operand(0), before.text("src_layout")?);
    if own.text("dst_layout") != Some(from) || own.text("src_layout") != before.text("dst_layout") {
        return None;
    }
    replace(rw, op, data)
}

fn unary(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = last(rw, rw.op(op).operand(0))?;
    let (name, given) = (rw.op(op).name().strip_prefix("relay.")?.to_owned(), attrs(rw.op(op))?);
    let made = apply_with(&mut rw.builder(), &name, &[data], &given)?;
    replace_by_last(rw, op, made)
}

/// The form of an operand in an operation on images with the channels last.
enum Part {
    /// Unchanged.
    Same(Value),
    /// With one element for each channel.
    Channels(Value, i64),
}

fn part(rw: &Rewriter<'_>, value: Value, channels: i64) -> Option<Part> {
    if let Some(data) = last(rw, value) {
        return Some(Part::Same(data));
    }
    let (_, shape) = static_type(rw, value)?;
    if shape.iter().all(|&extent| extent == 1) && shape.len() <= 1 {
        return Some(Part::Same(value));
    }
    let lacking = 4usize.checked_sub(shape.len())?;
    let fits = shape
        .iter()
        .enumerate()
        .all(|(at, &extent)| if at + lacking == 1 { extent == 1 || extent == channels } else { extent == 1 });
    fits.then(|| Part::Channels(value, shape.iter().product()))
}

fn binary(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (lhs, rhs) = (rw.op(op).operand(0), rw.op(op).operand(1));
    if last(rw, lhs).is_none() && last(rw, rhs).is_none() {
        return None;
    }
    let (_, shape) = static_type(rw, rw.op(op).result(0))?;
    let channels = *shape.get(1)?;
    let parts = [part(rw, lhs, channels)?, part(rw, rhs, channels)?];
    let (name, given) = (rw.op(op).name().strip_prefix("relay.")?.to_owned(), attrs(rw.op(op))?);
    let b = &mut rw.builder();
    let mut args = Vec::with_capacity(2);
    for part in parts {
        args.push(match part {
            Part::Same(value) => value,
            Part::Channels(value, count) => {
                apply(b, "reshape", &[value], [("newshape", AttrValue::ints(&[count]))])?
            }
        });
    }
    let made = apply_with(b, &name, &args, &given)?;
    replace_by_last(rw, op, made)
}

fn bias_add(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, bias) = (last(rw, rw.op(op).operand(0))?, rw.op(op).operand(1));
    if from_front(attrs(rw.op(op))?.int("axis")?, 4) != 1 {
        return None;
    }
    let made = apply(&mut rw.builder(), "nn.bias_add", &[data, bias], [("axis", AttrValue::Int(3))])?;
    replace_by_last(rw, op, made)
}

fn pool(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = last(rw, rw.op(op).operand(0))?;
    let (name, mut given) = (rw.op(op).name().strip_prefix("relay.")?.to_owned(), attrs(rw.op(op))?);
    if given.text("layout") != Some("NCHW") || !matches!(given.text("out_layout"), None | Some("" | "NCHW")) {
        return None;
    }
    given.set("layout", "NHWC".into());
    if given.get("out_layout").is_some() {
        given.set("out_layout", "".into());
    }
    let made = apply_with(&mut rw.builder(), &name, &[data], &given)?;
    replace_by_last(rw, op, made)
}

fn concatenate(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let tuple = rw.op(rw.body().defining_op(rw.op(op).operand(0))?);
    let axis = from_front(attrs(rw.op(op))?.int("axis")?, 4);
    if !tuple.is::<MakeTuple>() || axis != 1 {
        return None;
    }
    let parts: Vec<Value> = tuple.operands().map(|part| last(rw, part)).collect::<Option<_>>()?;
    let b = &mut rw.builder();
    let tuple = MakeTuple::build(b, &parts).result(b.body());
    let made = apply(b, "concatenate", &[tuple], [("axis", AttrValue::Int(3))])?;
    replace_by_last(rw, op, made)
}

/// The order of the axes does not matter for images of one element.
fn flatten(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let data = last(rw, rw.op(op).operand(0))?;
    let (_, shape) = static_type(rw, data)?;
    if shape.get(1..3)? != [1, 1] {
        return None;
    }
    let made = apply(&mut rw.builder(), "nn.batch_flatten", &[data], [])?;
    replace(rw, op, made)
}
