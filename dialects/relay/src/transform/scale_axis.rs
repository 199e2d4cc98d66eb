//! FoldScaleAxis in full: scales of channels move to the weights of a product, through the operators between them.
//!
//! Backward, `f(product(data, weight)) * scale` is `f(product(data, weight * scale))` with the scale of the output channels;
//! forward, `product(f(data * scale), weight)` is `product(f(data), weight * scale)` with that of the input channels. The
//! operators of `f` are activations that commute with positive scales, poolings, and sums with one element for each channel.
//! Weights and scales may be arguments: then the weights are scaled at run time, which takes longer than it saves if there are
//! more of them than of results. So these patterns are applied if asked for.

use super::fold::Dense;
use super::number::Number;
use super::simplify::splat;
use super::{Rule, apply, apply_with, attrs, has_one_use, replace, static_type};
use crate::attrs::AttrValue;
use crate::layout::Layout;
use crate::lower::from_front;
use minoan_ir::{Op, OpRef, Value, float_to_f64};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

const PRODUCTS: &[&str] =
    &["relay.nn.conv1d", "relay.nn.conv2d", "relay.nn.conv3d", "relay.nn.conv2d_transpose", "relay.nn.dense"];

/// Limit on the operators between a scale and a product.
const MAX_DEPTH: usize = 16;

pub(super) fn scale_axis(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-scale-backward", roots: &["relay.multiply"], rewrite: backward });
    patterns.add(Rule { name: "relay-scale-forward", roots: PRODUCTS, rewrite: forward });
}

/// The axes of the channels of a product.
struct Product {
    /// The axes of the input channels in the data and in the weights.
    input: (usize, usize),
    /// The axes of the output channels in the result and in the weights.
    output: (usize, usize),
}

fn product(rw: &Rewriter<'_>, op: OpRef<'_>) -> Option<Product> {
    if !PRODUCTS.contains(&op.name()) {
        return None;
    }
    let (ty, data) = static_type(rw, op.operand(0))?;
    let (weight_ty, weight) = static_type(rw, op.operand(1))?;
    let (result_ty, result) = static_type(rw, op.result(0))?;
    if !ty.dtype.is_float() || weight_ty.dtype != ty.dtype || result_ty.dtype != ty.dtype {
        return None;
    }
    if op.name() == "relay.nn.dense" {
        return Some(Product { input: (data.len() - 1, 1), output: (result.len() - 1, 0) });
    }
    let given = attrs(op)?;
    let layout = |name: &str| {
        let layout = Layout::parse(given.text(name)?)?;
        let plain = layout.axes().all(|(_, inner)| inner.is_none());
        plain.then_some(layout)
    };
    let of_data = layout("data_layout")?;
    let of_result = match given.text("out_layout") {
        None | Some("") => layout("data_layout")?,
        Some(_) => layout("out_layout")?,
    };
    let of_weight = layout("kernel_layout")?;
    let (input, output) = (of_data.position('C')?, of_result.position('C')?);
    let (mut of_input, of_output) = (of_weight.position('I')?, of_weight.position('O')?);
    let (groups, channels) = (given.int("groups").unwrap_or(1), data[input]);
    let depthwise = groups == channels && weight[of_output] == channels && weight[of_input] == 1;
    if depthwise && op.name() != "relay.nn.conv2d_transpose" {
        of_input = of_output;
    } else if groups != 1 {
        return None;
    }
    Some(Product { input: (input, of_input), output: (output, of_output) })
}

/// The number of elements of a scale that varies at most along one axis of a shape.
fn along(rw: &Rewriter<'_>, scale: Value, shape: &[i64], axis: usize) -> Option<i64> {
    let (_, own) = static_type(rw, scale)?;
    let lacking = shape.len().checked_sub(own.len())?;
    let fits = own
        .iter()
        .enumerate()
        .all(|(at, &extent)| extent == 1 || (at + lacking == axis && extent == shape[axis]));
    fits.then(|| own.iter().product())
}

fn is_positive(rw: &Rewriter<'_>, scale: Value) -> bool {
    let fits = |value: f64| value > 0.0 && value.is_finite();
    if let Some(Number::Float(kind, bits)) = splat(rw, scale) {
        return fits(float_to_f64(kind, bits));
    }
    let elements = || Dense::of(rw.context(), rw.constant_of(scale)?)?.floats();
    elements().is_some_and(|all| all.into_iter().all(fits))
}

/// `scale` with its elements along an axis of the weights.
fn weight_scale(rw: &mut Rewriter<'_>, weight: Value, scale: Value, axis: usize) -> Option<Value> {
    let ((_, shape), (_, own)) = (static_type(rw, weight)?, static_type(rw, scale)?);
    if own.is_empty() {
        return apply(&mut rw.builder(), "multiply", &[weight, scale], []);
    }
    let count: i64 = own.iter().product();
    let mut wanted = vec![1; shape.len()];
    wanted[axis] = count;
    let b = &mut rw.builder();
    let scale = apply(b, "reshape", &[scale], [("newshape", AttrValue::ints(&wanted))])?;
    apply(b, "multiply", &[weight, scale], [])
}

/// An operator that a scale moves through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    /// An operator that commutes with all scales.
    Linear,
    /// An operator that commutes with positive scales.
    Monotonic,
    /// A sum or difference.
    Sum,
    /// The sum with a bias.
    Bias,
}

fn through(op: OpRef<'_>) -> Option<Through> {
    Some(match op.name().strip_prefix("relay.")? {
        "nn.avg_pool2d" | "nn.global_avg_pool2d" | "nn.adaptive_avg_pool2d" => Through::Linear,
        "nn.relu" | "nn.leaky_relu" | "nn.max_pool2d" | "nn.global_max_pool2d" => Through::Monotonic,
        "add" | "subtract" => Through::Sum,
        "nn.bias_add" => Through::Bias,
        _ => return None,
    })
}

/// Whether an operator, if it is a pooling, does not pool along this axis of its data.
fn keeps(op: OpRef<'_>, axis: usize) -> bool {
    if !op.name().contains("_pool") {
        return true;
    }
    let layout = attrs(op).and_then(|given| Layout::parse(given.text("layout")?));
    layout.is_some_and(|layout| layout.position('C') == Some(axis))
}

/// Whether an addend has at most one element for each channel, so that its scaled form is computed once.
fn is_offset(rw: &Rewriter<'_>, value: Value, shape: &[i64], channels: i64) -> bool {
    static_type(rw, value).is_some_and(|(_, own)| {
        own.len() <= shape.len() && own.iter().product::<i64>() <= channels && own != shape
    })
}

/// A scale of channels that moves from its multiplication to a product.
#[derive(Clone, Copy)]
struct Scale {
    value: Value,
    /// The axis of the channels, and their number.
    axis: usize,
    channels: i64,
    positive: bool,
}

/// Whether a value can be computed with the scale inside of it.
fn takes(rw: &Rewriter<'_>, value: Value, scale: Scale, depth: usize) -> bool {
    let Some(op) = rw.body().defining_op(value).map(|op| rw.op(op)) else { return false };
    let Some((_, shape)) = static_type(rw, value) else { return false };
    if depth == MAX_DEPTH || !has_one_use(rw, value) || shape.get(scale.axis) != Some(&scale.channels) {
        return false;
    }
    let inner = |value: Value| takes(rw, value, scale, depth + 1);
    let Some(through) = through(op) else {
        return product(rw, op).is_some_and(|product| product.output.0 == scale.axis);
    };
    match through {
        Through::Linear => keeps(op, scale.axis) && inner(op.operand(0)),
        Through::Monotonic => scale.positive && keeps(op, scale.axis) && inner(op.operand(0)),
        Through::Bias => {
            let given = attrs(op).and_then(|given| given.int("axis"));
            given.is_some_and(|axis| from_front(axis, shape.len()) == scale.axis) && inner(op.operand(0))
        }
        Through::Sum => {
            let (lhs, rhs) = (op.operand(0), op.operand(1));
            let offset = |value| is_offset(rw, value, &shape, scale.channels);
            match (inner(lhs), inner(rhs)) {
                (true, true) => true,
                (true, false) => offset(rhs),
                (false, true) => offset(lhs),
                (false, false) => false,
            }
        }
    }
}

/// The value times the scale, which the weights take.
fn scaled(rw: &mut Rewriter<'_>, value: Value, scale: Scale) -> Option<Value> {
    let Some(op) = rw.body().defining_op(value).filter(|_| takes(rw, value, scale, 0)) else {
        return apply(&mut rw.builder(), "multiply", &[value, scale.value], []);
    };
    let (name, given) = (rw.op(op).name().strip_prefix("relay.")?.to_owned(), attrs(rw.op(op))?);
    let mut args: Vec<Value> = rw.op(op).operands().collect();
    match through(rw.op(op)) {
        None => {
            let axis = product(rw, rw.op(op))?.output.1;
            args[1] = weight_scale(rw, args[1], scale.value, axis)?;
        }
        Some(Through::Linear | Through::Monotonic) => args[0] = scaled(rw, args[0], scale)?,
        Some(Through::Sum) => {
            for arg in &mut args {
                *arg = scaled(rw, *arg, scale)?;
            }
        }
        Some(Through::Bias) => {
            args[0] = scaled(rw, args[0], scale)?;
            args[1] = weight_scale(rw, args[1], scale.value, 0)?;
        }
    }
    rw.set_loc(rw.op(op).loc());
    apply_with(&mut rw.builder(), &name, &args, &given)
}

fn backward(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let (lhs, rhs) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let (_, shape) = static_type(rw, rw.op(op).result(0))?;
    for (data, value) in [(lhs, rhs), (rhs, lhs)] {
        let positive = is_positive(rw, value);
        for (axis, &channels) in shape.iter().enumerate() {
            let scale = Scale { value, axis, channels, positive };
            let is_scale = rw.ty(data) == rw.ty(rw.op(op).result(0))
                && along(rw, value, &shape, axis).is_some()
                && takes(rw, data, scale, 0);
            if is_scale {
                let made = scaled(rw, data, scale)?;
                return replace(rw, op, made);
            }
        }
    }
    None
}

/// The multiplication whose scale a product can take, through the operators that compute a value.
fn source(rw: &Rewriter<'_>, value: Value, axis: usize, depth: usize) -> Option<Scale> {
    let op = rw.op(rw.body().defining_op(value).filter(|_| depth < MAX_DEPTH && has_one_use(rw, value))?);
    let (_, shape) = static_type(rw, value)?;
    if op.name() == "relay.multiply" {
        let value = factors(rw, op, axis)?.1;
        let positive = is_positive(rw, value);
        return Some(Scale { value, axis, channels: shape[axis], positive });
    }
    let inner = |value: Value| source(rw, value, axis, depth + 1);
    match through(op)? {
        Through::Linear => inner(op.operand(0)).filter(|_| keeps(op, axis)),
        Through::Monotonic => inner(op.operand(0)).filter(|scale| scale.positive && keeps(op, axis)),
        Through::Bias => {
            let at_channels = from_front(attrs(op)?.int("axis")?, shape.len()) == axis;
            inner(op.operand(0)).filter(|scale| at_channels && scale.positive)
        }
        Through::Sum => {
            let (lhs, rhs) = (op.operand(0), op.operand(1));
            let (data, offset) =
                if is_offset(rw, rhs, &shape, shape[axis]) { (lhs, rhs) } else { (rhs, lhs) };
            inner(data).filter(|scale| scale.positive && is_offset(rw, offset, &shape, shape[axis]))
        }
    }
}

/// The data and the scale of a multiplication.
fn factors(rw: &Rewriter<'_>, op: OpRef<'_>, axis: usize) -> Option<(Value, Value)> {
    let (lhs, rhs) = (op.operand(0), op.operand(1));
    let (_, shape) = static_type(rw, op.result(0))?;
    [(lhs, rhs), (rhs, lhs)]
        .into_iter()
        .find(|&(data, scale)| rw.ty(data) == rw.ty(op.result(0)) && along(rw, scale, &shape, axis).is_some())
}

/// The value without the scale of the multiplication.
fn unscaled(rw: &mut Rewriter<'_>, value: Value, scale: Scale) -> Option<Value> {
    let op = rw.body().defining_op(value)?;
    if rw.op(op).name() == "relay.multiply" {
        return Some(factors(rw, rw.op(op), scale.axis)?.0);
    }
    let (name, given) = (rw.op(op).name().strip_prefix("relay.")?.to_owned(), attrs(rw.op(op))?);
    let mut args: Vec<Value> = rw.op(op).operands().collect();
    let (_, shape) = static_type(rw, value)?;
    match through(rw.op(op))? {
        Through::Linear | Through::Monotonic => args[0] = unscaled(rw, args[0], scale)?,
        Through::Bias => {
            args[0] = unscaled(rw, args[0], scale)?;
            let count: i64 = static_type(rw, scale.value)?.1.iter().product();
            let b = &mut rw.builder();
            let divisor = apply(b, "reshape", &[scale.value], [("newshape", AttrValue::ints(&[count]))])?;
            args[1] = apply(b, "divide", &[args[1], divisor], [])?;
        }
        Through::Sum => {
            let at = usize::from(!is_offset(rw, args[1], &shape, scale.channels));
            args[at] = unscaled(rw, args[at], scale)?;
            args[1 - at] = apply(&mut rw.builder(), "divide", &[args[1 - at], scale.value], [])?;
        }
    }
    rw.set_loc(rw.op(op).loc());
    apply_with(&mut rw.builder(), &name, &args, &given)
}

fn forward(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let axes = product(rw, rw.op(op))?.input;
    let (data, weight) = (rw.op(op).operand(0), rw.op(op).operand(1));
    let (name, given) = (rw.op(op).name().strip_prefix("relay.")?.to_owned(), attrs(rw.op(op))?);
    let scale = source(rw, data, axes.0, 0)?;
    let data = unscaled(rw, data, scale)?;
    let weight = weight_scale(rw, weight, scale.value, axes.1)?;
    rw.set_before(op);
    let made = apply_with(&mut rw.builder(), &name, &[data, weight], &given)?;
    replace(rw, op, made)
}
