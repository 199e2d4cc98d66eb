//! Scales: normalization by known statistics, and scales that become part of weights.

use super::{Rule, apply, attrs, has_one_use, producer, replace, static_type};
use crate::attrs::AttrValue;
use crate::dialect::Constant;
use crate::lower::from_front;
use crate::ty::DType;
use minoan_ir::{AttrData, Builder, FloatKind, Op, Type as IrType, Value, float_from_f64};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

pub(super) fn simplify_inference(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-batch-norm-to-scale", roots: &["relay.get"], rewrite: batch_norm });
    patterns.add(Rule { name: "relay-dropout-to-data", roots: &["relay.get"], rewrite: dropout });
}

pub(super) fn canonicalize_ops(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-bias-add-to-add", roots: &["relay.nn.bias_add"], rewrite: bias_add });
}

fn canonicalize_constants(patterns: &mut PatternSet) {
    patterns.add(Rule {
        name: "relay-constant-bias-to-add",
        roots: &["relay.nn.bias_add"],
        rewrite: constant_bias,
    });
}

pub(super) fn fold_scale_axis(patterns: &mut PatternSet) {
    canonicalize_constants(patterns);
    patterns.add(Rule {
        name: "relay-scale-of-product",
        roots: &["relay.multiply"],
        rewrite: scale_of_product,
    });
    patterns.add(Rule { name: "relay-scale-of-sum", roots: &["relay.multiply"], rewrite: scale_of_sum });
}

/// A tensor of rank 0 with a floating-point value.
pub(super) fn number(b: &mut Builder<'_>, dtype: DType, value: f64) -> Option<Value> {
    let ctx = b.context();
    let (kind, element, bytes) = match dtype {
        DType::Float(32) => (FloatKind::F32, IrType::F32, 4),
        DType::Float(64) => (FloatKind::F64, IrType::F64, 8),
        _ => return None,
    };
    let data = float_from_f64(kind, value).to_le_bytes()[..bytes].into();
    let ty = IrType::tensor(&ctx, &[], element);
    let attr = ctx.intern_attr(AttrData::DenseElements { ty, data, splat: true });
    Some(Constant::build(b, attr).result(b.body()))
}

/// `value`, which has one element for each index of an axis, followed by `after` axes of extent 1.
pub(super) fn expanded(b: &mut Builder<'_>, value: Value, after: usize) -> Option<Value> {
    if after == 0 {
        return Some(value);
    }
    let count = AttrValue::Int(i64::try_from(after).ok()?);
    apply(b, "expand_dims", &[value], [("axis", AttrValue::Int(1)), ("num_newaxis", count)])
}

/// With fewer elements to normalize for each channel, statistics that are not constant are not combined first.
const MIN_ELEMENTS: i64 = 16;

/// Normalization by constant statistics, or of many elements for each channel.
fn batch_norm(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    batch_norm_of(op, rw, MIN_ELEMENTS)
}

pub(super) fn any_batch_norm(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    batch_norm_of(op, rw, 0)
}

/// The data, normalized by mean and variance, is `data * scale + offset`, where scale and offset are computed once for a channel.
fn batch_norm_of(op: Op, rw: &mut Rewriter<'_>, least: i64) -> Option<Matched> {
    let get = rw.op(op);
    if get.attr_named("index").and_then(|index| index.as_i64(get.context())) != Some(0) {
        return None;
    }
    let norm = producer(rw, get.operand(0), "nn.batch_norm")?;
    let attrs = attrs(norm)?;
    let args: Vec<Value> = norm.operands().collect();
    let &[data, gamma, beta, mean, variance] = &args[..] else { return None };
    let (ty, shape) = static_type(rw, data)?;
    let axis = from_front(attrs.int("axis")?, ty.rank());
    // Other statistics are combined in every call.
    let are_constant = args[1..].iter().all(|&arg| rw.constant_of(arg).is_some());
    let others = shape.iter().enumerate().filter(|&(at, _)| at != axis);
    let of_channel = others.fold(1i64, |count, (_, &extent)| count.saturating_mul(extent));
    if !matches!(ty.dtype, DType::Float(32 | 64)) || !(are_constant || of_channel >= least) {
        return None;
    }
    let after = ty.rank() - 1 - axis;
    let b = &mut rw.builder();
    let epsilon = number(b, ty.dtype, attrs.float("epsilon").unwrap_or(1e-5))?;
    let sum = apply(b, "add", &[variance, epsilon], [])?;
    let deviation = apply(b, "sqrt", &[sum], [])?;
    let top = if attrs.flag("scale") { gamma } else { number(b, ty.dtype, 1.0)? };
    let scale = apply(b, "divide", &[top, deviation], [])?;
    let moved = apply(b, "multiply", &[mean, scale], [])?;
    let start = if attrs.flag("center") { beta } else { number(b, ty.dtype, 0.0)? };
    let offset = apply(b, "subtract", &[start, moved], [])?;
    let (scale, offset) = (expanded(b, scale, after)?, expanded(b, offset, after)?);
    let scaled = apply(b, "multiply", &[data, scale], [])?;
    let done = apply(b, "add", &[scaled, offset], [])?;
    replace(rw, op, done)
}

fn dropout(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let get = rw.op(op);
    if get.attr_named("index").and_then(|index| index.as_i64(get.context())) != Some(0) {
        return None;
    }
    let data = producer(rw, get.operand(0), "nn.dropout")?.operand(0);
    replace(rw, op, data)
}

fn bias_add(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, bias) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let (ty, _) = static_type(rw, data)?;
    let axis = from_front(attrs(rw.op(op))?.int("axis")?, ty.rank());
    let b = &mut rw.builder();
    let bias = expanded(b, bias, ty.rank() - 1 - axis)?;
    let sum = apply(b, "add", &[data, bias], [])?;
    replace(rw, op, sum)
}

fn constant_bias(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (data, bias) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let (ty, shape) = static_type(rw, data)?;
    let axis = from_front(attrs(rw.op(op))?.int("axis")?, ty.rank());
    // One element would be added to all.
    let of_channels = rw.constant_of(bias).is_some() && static_type(rw, bias)?.1 == [shape[axis]];
    if of_channels { bias_add(op, rw) } else { None }
}

/// The operands of a commutative operation, with the constant last.
pub(super) fn with_constant(rw: &Rewriter<'_>, op: Op) -> Option<(Value, Value)> {
    let (lhs, rhs) = (rw.op(op).operand(0), rw.op(op).operand(1));
    match (rw.constant_of(lhs).is_some(), rw.constant_of(rhs).is_some()) {
        (false, true) => Some((lhs, rhs)),
        (true, false) => Some((rhs, lhs)),
        _ => None,
    }
}

/// `product(data, weight) * scale` is `product(data, weight * scale)`, where the scale has one element for each output channel.
fn scale_of_product(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (product, scale) = with_constant(rw, op)?;
    let (ty, shape) = static_type(rw, product)?;
    let (_, scale_shape) = static_type(rw, scale)?;
    let is_conv = producer(rw, product, "nn.conv2d").is_some();
    let made = producer(rw, product, "nn.conv2d").or_else(|| producer(rw, product, "nn.dense"))?;
    let given = attrs(made)?;
    let (data, weight) = (made.operand(0), made.operand(1));
    let (name, loc) = (if is_conv { "nn.conv2d" } else { "nn.dense" }, made.loc());
    let plain = !is_conv
        || given.text("data_layout") == Some("NCHW")
            && given.text("kernel_layout") == Some("OIHW")
            && matches!(given.text("out_layout"), None | Some("" | "NCHW"));
    if !plain || !ty.dtype.is_float() || !has_one_use(rw, product) || rw.constant_of(weight).is_none() {
        return None;
    }
    // The scale varies along the channels only.
    let channel = if is_conv { 1 } else { shape.len() - 1 };
    let lacking = shape.len().checked_sub(scale_shape.len())?;
    let channels = shape[channel];
    for (at, &extent) in scale_shape.iter().enumerate() {
        if extent != 1 && at + lacking != channel {
            return None;
        }
    }
    let own: i64 = scale_shape.iter().product();
    let (weight_ty, weight_shape) = static_type(rw, weight)?;
    if weight_ty.dtype != ty.dtype || weight_shape[0] != channels || (own != 1 && own != channels) {
        return None;
    }
    let rank = weight_shape.len();
    let wanted: Vec<i64> = std::iter::once(own).chain(vec![1; rank - 1]).collect();
    rw.set_loc(loc);
    let b = &mut rw.builder();
    let scale = apply(b, "reshape", &[scale], [("newshape", AttrValue::ints(&wanted))])?;
    let weight = apply(b, "multiply", &[weight, scale], [])?;
    let scaled = super::apply_with(b, name, &[data, weight], &given)?;
    replace(rw, op, scaled)
}

/// `(data + offset) * scale` is `data * scale + offset * scale`, if a product is scaled then.
fn scale_of_sum(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (sum, scale) = with_constant(rw, op)?;
    let add = producer(rw, sum, "add")?.id();
    let (data, offset) = with_constant(rw, add)?;
    let is_product = producer(rw, data, "nn.conv2d").is_some() || producer(rw, data, "nn.dense").is_some();
    let (ty, _) = static_type(rw, data)?;
    if !is_product || !ty.dtype.is_float() || !has_one_use(rw, sum) || rw.ty(data) != rw.ty(sum) {
        return None;
    }
    let b = &mut rw.builder();
    let scaled = apply(b, "multiply", &[data, scale], [])?;
    let offset = apply(b, "multiply", &[offset, scale], [])?;
    let done = apply(b, "add", &[scaled, offset], [])?;
    replace(rw, op, done)
}
