//! FakeQuantizationToInteger: computations between `qnn.dequantize` and `qnn.quantize` use integers.
//!
//! A value between them is affine: the real number `(integer - zero point) * scale`. Operators that only move or select
//! elements keep scale and zero point, products multiply the scales, and sums of affine values have the scale of the
//! quantization that follows. All operators from a quantization back to the dequantizations are rewritten, or none.

mod operators;

use super::fold::Dense;
use super::number::Number;
use super::scale::number;
use super::{Rule, apply, apply_with, attrs, static_type};
use crate::attrs::{AttrValue, Attrs};
use crate::dialect::{Constant, Get, MakeTuple};
use crate::lower::from_front;
use crate::ty::DType;
use minoan_ir::{AttrData, Builder, Op, OpRef, Type as IrType, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};
use operators::{Form, clip, form, product, weighted};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn to_integer(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-quantized-region", roots: &["relay.qnn.quantize"], rewrite: quantized });
}

/// The form of an operator's computation with affine values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A movement or selection of elements.
    Move,
    /// Means of elements, computed as 32-bit integers.
    Mean,
    /// A product by weights that are dequantized: the quantized operator.
    Product(&'static str),
    /// An elementwise operator on two affine values: the quantized operator.
    Binary(&'static str),
    /// A function of each element, or a softmax: the quantized operator, which looks its results up or computes them with floats.
    Function(&'static str),
    /// The larger or smaller of two affine values.
    Extremum,
    /// A part of the data that `split` makes.
    Part,
    Pad,
    Relu,
    Clip,
    BiasAdd,
    Concatenate,
}

fn kind(operator: &str) -> Option<Kind> {
    Some(match operator {
        "nn.max_pool2d"
        | "nn.global_max_pool2d"
        | "nn.adaptive_max_pool2d"
        | "nn.batch_flatten"
        | "nn.depth_to_space"
        | "nn.space_to_depth"
        | "reshape"
        | "transpose"
        | "squeeze"
        | "expand_dims"
        | "strided_slice"
        | "broadcast_to"
        | "copy"
        | "layout_transform"
        | "take"
        | "tile"
        | "repeat"
        | "reverse"
        | "min"
        | "max"
        | "topk"
        | "image.resize2d"
        | "nn.upsampling" => Kind::Move,
        "nn.avg_pool2d"
        | "nn.global_avg_pool2d"
        | "nn.adaptive_avg_pool2d"
        | "nn.adaptive_avg_pool1d"
        | "mean" => Kind::Mean,
        "nn.conv2d_transpose" => Kind::Product("qnn.conv2d_transpose"),
        "abs" => Kind::Function("qnn.abs"),
        "erf" => Kind::Function("qnn.erf"),
        "exp" => Kind::Function("qnn.exp"),
        "log" => Kind::Function("qnn.log"),
        "rsqrt" => Kind::Function("qnn.rsqrt"),
        "sigmoid" => Kind::Function("qnn.sigmoid"),
        "sqrt" => Kind::Function("qnn.sqrt"),
        "tanh" => Kind::Function("qnn.tanh"),
        "nn.leaky_relu" => Kind::Function("qnn.leaky_relu"),
        "nn.softmax" => Kind::Function("qnn.softmax"),
        "maximum" | "minimum" => Kind::Extremum,
        "get" => Kind::Part,
        "nn.pad" => Kind::Pad,
        "nn.conv2d" => Kind::Product("qnn.conv2d"),
        "nn.dense" => Kind::Product("qnn.dense"),
        "nn.batch_matmul" => Kind::Product("qnn.batch_matmul"),
        "add" => Kind::Binary("qnn.add"),
        "subtract" => Kind::Binary("qnn.subtract"),
        "multiply" => Kind::Binary("qnn.mul"),
        "nn.relu" => Kind::Relu,
        "clip" => Kind::Clip,
        "nn.bias_add" => Kind::BiasAdd,
        "concatenate" => Kind::Concatenate,
        _ => return None,
    })
}

/// A quantized value.
#[derive(Clone, Copy)]
struct Affine {
    value: Value,
    scale: Value,
    zero: Value,
    dtype: DType,
    /// The axis along which scales differ; `None` if there is one scale.
    axis: Option<usize>,
}

/// The operator that a value is the result of.
fn defined<'b>(rw: &'b Rewriter<'_>, value: Value) -> Option<(OpRef<'b>, &'b str)> {
    let op = rw.op(rw.body().defining_op(value)?);
    Some((op, op.name().strip_prefix("relay.")?))
}

/// The operands of a dequantization.
fn dequantized(rw: &Rewriter<'_>, value: Value) -> Option<Affine> {
    let (op, "qnn.dequantize") = defined(rw, value)? else { return None };
    let (value, scale, zero) = (op.operand(0), op.operand(1), op.operand(2));
    let (ty, _) = static_type(rw, value)?;
    let one_scale = static_type(rw, scale)?.1.is_empty();
    let axis = (!one_scale).then(|| attrs(op)?.int("axis").map(|axis| from_front(axis, ty.rank())));
    Some(Affine { value, scale, zero, dtype: ty.dtype, axis: axis.flatten() })
}

/// The affine operands of an operator; `None` if it cannot compute with integers.
fn affine_operands(rw: &Rewriter<'_>, op: OpRef<'_>, kind: Kind) -> Option<Vec<Value>> {
    static_type(rw, op.results().next()?)?;
    match kind {
        Kind::Binary(_) | Kind::Extremum => Some(op.operands().collect()),
        Kind::Function(_) => Some(vec![op.operand(0)]),
        Kind::Part => {
            let (split, "split") = defined(rw, op.operand(0))? else { return None };
            Some(vec![split.operand(0)])
        }
        Kind::Pad => {
            let given = attrs(op)?;
            let fits =
                given.text("pad_mode") != Some("constant") || constant_number(rw, op.operand(1)).is_some();
            fits.then(|| vec![op.operand(0)])
        }
        Kind::Concatenate => {
            let tuple = rw.op(rw.body().defining_op(op.operand(0))?);
            tuple.is::<MakeTuple>().then(|| tuple.operands().collect())
        }
        Kind::Product(name) => {
            let given = attrs(op)?;
            let weight = dequantized(rw, op.operand(1))?;
            let plain = given.text("data_layout").is_none_or(|layout| layout == "NCHW")
                && given.text("kernel_layout").is_none_or(|layout| matches!(layout, "OIHW" | "IOHW"))
                && given.text("out_layout").is_none_or(|layout| matches!(layout, "" | "NCHW"));
            let two_axes = name != "qnn.dense" || static_type(rw, op.operand(0))?.1.len() == 2;
            let first_is_output = !["qnn.batch_matmul", "qnn.conv2d_transpose"].contains(&name);
            let by_channel = plain && two_axes && weight.axis == Some(0) && first_is_output;
            let untransposed =
                name != "qnn.batch_matmul" || !given.flag("transpose_a") && given.flag("transpose_b");
            (untransposed && (weight.axis.is_none() || by_channel)).then(|| vec![op.operand(0)])
        }
        Kind::BiasAdd => {
            let (product, name) = defined(rw, op.operand(0))?;
            let of_product = matches!(self::kind(name), Some(Kind::Product(_))) && product.n_results() == 1;
            let at_channel = from_front(attrs(op)?.int("axis")?, static_type(rw, op.operand(0))?.1.len());
            (of_product && at_channel == CHANNELS).then(|| vec![op.operand(0)])
        }
        Kind::Move | Kind::Mean if form(op)? == Form::Neither => None,
        Kind::Move | Kind::Mean | Kind::Relu | Kind::Clip => Some(vec![op.operand(0)]),
    }
}

fn is_zeros(given: &Attrs, name: &str) -> bool {
    given.ints(name).is_none_or(|all| all.iter().all(|&one| one == 0))
}

/// Whether operands of an operator may be constant numbers.
fn takes_constants(kind: Kind) -> bool {
    matches!(kind, Kind::Binary(_) | Kind::Extremum | Kind::Concatenate)
}

/// The axis of the channels in the result of a product: `NCHW`, or the columns of a matrix.
const CHANNELS: usize = 1;

/// Whether the result of an operator has another range than its operands, so that these are not quantized like the result of
/// the region.
fn has_own_range(kind: Kind) -> bool {
    matches!(kind, Kind::Product(_) | Kind::Binary(_) | Kind::Function(_) | Kind::BiasAdd)
}

/// The operators that compute a value from dequantized values, operands first; `None` if one of them has no integer form.
///
/// The result of a function is quantized like that of the region, so only operators follow it that keep the range.
fn region(rw: &Rewriter<'_>, value: Value) -> Option<Vec<Op>> {
    /// A value of the region.
    struct Visit {
        value: Value,
        /// Whether its operands have been visited.
        done: bool,
        /// Whether operators with another range follow.
        rescaled: bool,
    }
    let mut order = Vec::new();
    let mut pending = vec![Visit { value, done: false, rescaled: false }];
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    while let Some(Visit { value, done, rescaled }) = pending.pop() {
        let (op, name) = defined(rw, value)?;
        if done {
            order.push(op.id());
            continue;
        }
        if name == "qnn.dequantize" {
            dequantized(rw, value)?;
            continue;
        }
        let kind = kind(name)?;
        if rescaled && matches!(kind, Kind::Function(_)) {
            return None;
        }
        if !seen.insert(value) {
            continue;
        }
        pending.push(Visit { value, done: true, rescaled });
        let mut operands = affine_operands(rw, op, kind)?;
        if takes_constants(kind) {
            operands.retain(|&operand| !is_numbers(rw, operand));
            operands.first()?;
        }
        let rescaled = rescaled || has_own_range(kind);
        pending.extend(operands.into_iter().map(|value| Visit { value, done: false, rescaled }));
    }
    Some(order)
}

/// A number of a constant tensor with one element.
fn constant_number(rw: &Rewriter<'_>, value: Value) -> Option<f64> {
    let attr = rw.constant_of(value)?;
    let AttrData::DenseElements { data, .. } = attr.data(rw.context()) else { return None };
    let (ty, shape) = static_type(rw, value)?;
    if shape.iter().product::<i64>() != 1 {
        return None;
    }
    match Number::read(ty.dtype, data)? {
        Number::Int(value) => Some(value as f64),
        Number::Float(kind, bits) => Some(minoan_ir::float_to_f64(kind, bits)),
    }
}

fn zero_point(b: &mut Builder<'_>, value: i32) -> Value {
    let ctx = b.context();
    let ty = IrType::tensor(&ctx, &[], IrType::integer(&ctx, 32));
    let data = value.to_le_bytes().into();
    let attr = ctx.intern_attr(AttrData::DenseElements { ty, data, splat: true });
    Constant::build(b, attr).result(b.body())
}

/// Whether a value is a constant of finite numbers of type `float32`.
fn is_numbers(rw: &Rewriter<'_>, value: Value) -> bool {
    numbers(rw, value).is_some()
}

fn numbers(rw: &Rewriter<'_>, value: Value) -> Option<Vec<f64>> {
    let dense = Dense::of(rw.context(), rw.constant_of(value)?).filter(|dense| dense.dtype == DType::F32)?;
    dense.floats().filter(|all| all.iter().all(|number| number.is_finite()))
}

/// A constant, quantized with steps that the type has just enough of for its largest number.
fn quantized_constant(rw: &mut Rewriter<'_>, value: Value, dtype: DType) -> Option<Affine> {
    let most = numbers(rw, value)?.into_iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    let most = if most < f64::from(f32::MIN_POSITIVE) * 256.0 { 1.0 } else { most };
    let zero = match dtype {
        DType::Int(8) => 0,
        DType::UInt(8) => 128,
        _ => return None,
    };
    let b = &mut rw.builder();
    let (scale, zero) = (number(b, DType::F32, most / 127.0)?, zero_point(b, zero));
    let value = apply(b, "qnn.quantize", &[value, scale, zero], [("out_dtype", text(dtype))])?;
    Some(Affine { value, scale, zero, dtype, axis: None })
}

fn text(dtype: DType) -> AttrValue {
    AttrValue::Str(dtype.to_string())
}

/// A value with the scale, the zero point and the type of the result.
fn requantized(b: &mut Builder<'_>, from: Affine, to: Affine) -> Option<Affine> {
    if from.scale == to.scale && from.zero == to.zero && from.dtype == to.dtype {
        return Some(from);
    }
    let axis = from.axis.map_or(-1, |axis| axis as i64);
    let given = [("axis", AttrValue::Int(axis)), ("out_dtype", text(to.dtype))];
    let args = [from.value, from.scale, from.zero, to.scale, to.zero];
    let value = apply(b, "qnn.requantize", &args, given)?;
    Some(Affine { value, ..to })
}

/// A value with one scale.
fn with_one_scale(b: &mut Builder<'_>, from: Affine, out: Affine) -> Option<Affine> {
    if from.axis.is_none() { Some(from) } else { requantized(b, from, out) }
}

fn quantized(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let view = rw.op(op);
    let (data, scale, zero) = (view.operand(0), view.operand(1), view.operand(2));
    let dtype = static_type(rw, view.result(0))?.0.dtype;
    let (step, offset) = (constant_number(rw, scale)?, constant_number(rw, zero)?);
    if !static_type(rw, scale)?.1.is_empty() || !matches!(dtype, DType::Int(8 | 16 | 32) | DType::UInt(8)) {
        return None;
    }
    let out = Affine { value: data, scale, zero, dtype, axis: None };
    let order = region(rw, data)?;
    let mut values: FxHashMap<Value, Affine> = FxHashMap::default();
    for op in order {
        let (_, name) = defined(rw, rw.op(op).result(0))?;
        let kind = kind(name)?;
        let operands = affine_operands(rw, rw.op(op), kind)?;
        let mut found = Vec::with_capacity(operands.len());
        for operand in operands {
            found.push(match values.get(&operand).copied().or_else(|| dequantized(rw, operand)) {
                Some(known) => known,
                None => quantized_constant(rw, operand, dtype)?,
            });
        }
        let operands = found;
        let made = integer(op, kind, &operands, (out, step, offset), rw)?;
        values.insert(rw.op(op).result(0), made);
    }
    let found = values.get(&data).copied().or_else(|| dequantized(rw, data))?;
    let result = requantized(&mut rw.builder(), found, out)?;
    super::replace(rw, op, result.value)
}

/// Creates the operator on integers.
fn integer(
    op: Op,
    kind: Kind,
    operands: &[Affine],
    (out, step, offset): (Affine, f64, f64),
    rw: &mut Rewriter<'_>,
) -> Option<Affine> {
    let view = rw.op(op);
    let name = view.name().strip_prefix("relay.")?.to_owned();
    let given = if kind == Kind::Part { Attrs::new() } else { attrs(view)? };
    let first = operands[0];
    rw.set_loc(rw.op(op).loc());
    if matches!(kind, Kind::Move | Kind::Mean) && form(rw.op(op))? == Form::Weighted {
        return weighted(rw, op, first, out);
    }
    match kind {
        Kind::Move => {
            let b = &mut rw.builder();
            let data = with_one_scale(b, first, out)?;
            let mut args: Vec<Value> = rw.op(op).operands().collect();
            args[0] = data.value;
            Some(Affine { value: apply_with(&mut rw.builder(), &name, &args, &given)?, ..data })
        }
        Kind::Part => {
            let view = rw.op(op);
            let index = view.attr_named("index")?.as_i64(view.context())?;
            let (split, _) = defined(rw, view.operand(0))?;
            let given = attrs(split)?;
            let b = &mut rw.builder();
            let data = with_one_scale(b, first, out)?;
            let parts = apply_with(b, "split", &[data.value], &given)?;
            Some(Affine { value: Get::build(b, parts, index).result(b.body()), ..data })
        }
        Kind::Pad => {
            let pad = rw.op(op).operand(1);
            let b = &mut rw.builder();
            // Sums are not padded with the precision of their type.
            let data = if first.dtype == DType::I32 { requantized(b, first, out)? } else { first };
            let data = with_one_scale(b, data, out)?;
            let pad = apply(b, "cast", &[pad], [("dtype", text(DType::F32))])?;
            let pad =
                apply(b, "qnn.quantize", &[pad, data.scale, data.zero], [("out_dtype", text(data.dtype))])?;
            Some(Affine { value: apply_with(b, &name, &[data.value, pad], &given)?, ..data })
        }
        Kind::Function(quantized) => {
            let b = &mut rw.builder();
            let data = if first.dtype == DType::I32 { requantized(b, first, out)? } else { first };
            let data = with_one_scale(b, data, out)?;
            if data.dtype != out.dtype {
                return None;
            }
            let args = [data.value, data.scale, data.zero, out.scale, out.zero];
            Some(Affine { value: apply_with(b, quantized, &args, &given)?, ..out })
        }
        Kind::Extremum => {
            let b = &mut rw.builder();
            let (lhs, rhs) = (requantized(b, first, out)?, requantized(b, operands[1], out)?);
            Some(Affine { value: apply_with(b, &name, &[lhs.value, rhs.value], &given)?, ..out })
        }
        Kind::Mean => {
            let b = &mut rw.builder();
            let data = with_one_scale(b, first, out)?;
            let wide = match data.dtype {
                DType::I32 => data.value,
                _ => apply(b, "cast", &[data.value], [("dtype", text(DType::I32))])?,
            };
            let value = apply_with(b, &name, &[wide], &given)?;
            Some(Affine { value, dtype: DType::I32, ..data })
        }
        Kind::Product(quantized) => product(op, quantized, first, out, given, rw),
        Kind::Binary(quantized) => {
            let b = &mut rw.builder();
            let mut fit = |from: Affine| match from.dtype == out.dtype && from.axis.is_none() {
                true => Some(from),
                false => requantized(b, from, out),
            };
            let (lhs, rhs) = (fit(first)?, fit(operands[1])?);
            let args = [lhs.value, rhs.value, lhs.scale, lhs.zero, rhs.scale, rhs.zero, out.scale, out.zero];
            Some(Affine { value: apply(b, quantized, &args, [])?, ..out })
        }
        Kind::Relu => {
            let b = &mut rw.builder();
            let zero = apply(b, "cast", &[first.zero], [("dtype", text(first.dtype))])?;
            Some(Affine { value: apply(b, "maximum", &[first.value, zero], [])?, ..first })
        }
        Kind::Clip => clip(first, (out, step, offset), given, rw),
        Kind::BiasAdd => {
            let bias = rw.op(op).operand(1);
            let b = &mut rw.builder();
            let quantize = [("out_dtype", text(DType::I32)), ("axis", AttrValue::Int(0))];
            let bias = apply(b, "qnn.quantize", &[bias, first.scale, first.zero], quantize)?;
            Some(Affine { value: apply_with(b, "nn.bias_add", &[first.value, bias], &given)?, ..first })
        }
        Kind::Concatenate => {
            let b = &mut rw.builder();
            let mut parts = Vec::with_capacity(operands.len());
            for &part in operands {
                parts.push(requantized(b, part, out)?.value);
            }
            let tuple = MakeTuple::build(b, &parts).result(b.body());
            Some(Affine { value: apply_with(b, &name, &[tuple], &given)?, ..out })
        }
    }
}
