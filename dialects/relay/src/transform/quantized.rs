//! qnn.Legalize: quantized operators become operators on integers and real numbers.
//!
//! The results are those of the quantized operators. A change of the scale multiplies 64-bit integers in fixed-point
//! arithmetic, by a number that is computed from constant scales; operators whose scales are not constant stay.

use super::fold::Dense;
use super::number::integer_range;
use super::scale::{expanded, number};
use super::{Rule, apply, apply_with, attrs, replace, static_type};
use crate::attrs::{AttrValue, Attrs};
use crate::dialect::{Constant, MakeTuple};
use crate::lower::from_front;
use crate::ty::DType;
use minoan_ir::{AttrData, Builder, Op, Type as IrType, Value};
use minoan_rewrite::{Matched, PatternSet, Rewriter};

const QUANTIZED: &[&str] = &[
    "relay.qnn.quantize",
    "relay.qnn.dequantize",
    "relay.qnn.requantize",
    "relay.qnn.conv2d",
    "relay.qnn.conv2d_transpose",
    "relay.qnn.dense",
    "relay.qnn.batch_matmul",
    "relay.qnn.add",
    "relay.qnn.subtract",
    "relay.qnn.mul",
    "relay.qnn.concatenate",
    "relay.qnn.avg_pool2d",
    "relay.qnn.leaky_relu",
    "relay.qnn.softmax",
    "relay.qnn.abs",
    "relay.qnn.erf",
    "relay.qnn.exp",
    "relay.qnn.log",
    "relay.qnn.rsqrt",
    "relay.qnn.sigmoid",
    "relay.qnn.sqrt",
    "relay.qnn.tanh",
    "relay.qnn.hardswish",
];

pub(super) fn legalize(patterns: &mut PatternSet) {
    patterns.add(Rule { name: "relay-qnn-to-operators", roots: QUANTIZED, rewrite: operators });
}

const WIDE: DType = DType::I64;

/// Whole numbers of this size saturate all types that results are quantized to, and are exact.
const BOUND: f64 = (1u64 << 40) as f64;

fn operators(op: Op, rw: &mut Rewriter<'_>) -> Option<Matched> {
    let name = rw.op(op).name().strip_prefix("relay.qnn.")?.to_owned();
    let given = attrs(rw.op(op))?;
    let (result, _) = static_type(rw, rw.op(op).result(0))?;
    let args: Vec<Value> = rw.op(op).operands().collect();
    let axis = |rw: &Rewriter<'_>, name: &str, at: usize| {
        let rank = static_type(rw, args[at])?.1.len();
        Some(from_front(given.int(name).unwrap_or(-1), rank))
    };
    let made = match name.as_str() {
        "quantize" => {
            let axis = axis(rw, "axis", 0)?;
            quantized(rw, args[0], axis, (args[1], args[2]), result.dtype)?
        }
        "dequantize" => {
            let axis = axis(rw, "axis", 0)?;
            dequantized(rw, args[0], axis, (args[1], args[2]), result.dtype)?
        }
        "requantize" => {
            let axis = axis(rw, "axis", 0)?;
            let how = Change::of(&given)?;
            how.apply(rw, (args[0], axis), (args[1], args[2]), (args[3], args[4]), result.dtype)?
        }
        "conv2d" | "conv2d_transpose" | "dense" | "batch_matmul" => {
            product(rw, &name, &args, given, result.dtype)?
        }
        "add" | "subtract" => {
            let mut sides = Vec::with_capacity(2);
            for (at, axis_name) in [(0, "lhs_axis"), (1, "rhs_axis")] {
                let from = (args[2 + 2 * at], args[3 + 2 * at]);
                let data = (args[at], axis(rw, axis_name, at)?);
                sides.push(Change::DEFAULT.apply(rw, data, from, (args[6], args[7]), DType::I32)?);
            }
            let back = if name == "add" { "subtract" } else { "add" };
            let is_zero = is_zero(rw, args[7]);
            let b = &mut rw.builder();
            let mut sum = apply(b, &name, &sides, [])?;
            if !is_zero {
                sum = apply(b, back, &[sum, args[7]], [])?;
            }
            narrowed(b, sum, DType::I32, result.dtype)?
        }
        "mul" => multiplied(rw, &args, result.dtype)?,
        "concatenate" => return concatenated(op, rw, &args, given, result.dtype),
        "avg_pool2d" => {
            let (from, to) = ((args[1], args[2]), (args[3], args[4]));
            let data = Change::DEFAULT.apply(rw, (args[0], 0), from, to, DType::I32)?;
            let b = &mut rw.builder();
            let mean = apply_with(b, "nn.avg_pool2d", &[data], &given)?;
            narrowed(b, mean, DType::I32, result.dtype)?
        }
        "leaky_relu" => leaky_relu(rw, &args, &given, result.dtype)?,
        function => {
            let numbers = dequantized(rw, args[0], 0, (args[1], args[2]), DType::F32)?;
            let done = real_function(&mut rw.builder(), function, numbers, &given)?;
            quantized(rw, done, 0, (args[3], args[4]), result.dtype)?
        }
    };
    replace(rw, op, made)
}

fn text(dtype: DType) -> AttrValue {
    AttrValue::Str(dtype.to_string())
}

fn cast(b: &mut Builder<'_>, value: Value, dtype: DType) -> Option<Value> {
    apply(b, "cast", &[value], [("dtype", text(dtype))])
}

/// A constant of these integers: a number, or one for each index of an axis.
fn integers(b: &mut Builder<'_>, dtype: DType, values: &[i64]) -> Option<Value> {
    let ctx = b.context();
    let (element, size) = match dtype {
        DType::Int(32) => (IrType::integer(&ctx, 32), 4),
        DType::Int(64) => (IrType::integer(&ctx, 64), 8),
        _ => return None,
    };
    let shape = if values.len() == 1 { vec![] } else { vec![i64::try_from(values.len()).ok()?] };
    let ty = IrType::tensor(&ctx, &shape, element);
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(size)).collect();
    let attr = super::fold::made(&ctx, ty, data, size);
    Some(Constant::build(b, attr).result(b.body()))
}

/// The elements of a constant of type `float32`.
fn floats(rw: &Rewriter<'_>, value: Value) -> Option<Vec<f64>> {
    Dense::of(rw.context(), rw.constant_of(value)?).filter(|dense| dense.dtype == DType::F32)?.floats()
}

/// Whether all elements of a tensor are known to be zero.
fn is_zero(rw: &Rewriter<'_>, value: Value) -> bool {
    let constant = rw.constant_of(value);
    constant.is_some_and(|constant| match constant.data(rw.context()) {
        AttrData::DenseElements { data, .. } => data.iter().all(|&byte| byte == 0),
        _ => false,
    })
}

/// A scale or a zero point for data of a rank, with its elements along an axis.
fn along(b: &mut Builder<'_>, param: Value, rank: usize, axis: usize) -> Option<Value> {
    let ctx = b.context();
    match b.ty(param).rank(&ctx)? {
        0 => Some(param),
        1 => expanded(b, param, rank.checked_sub(axis + 1)?),
        _ => None,
    }
}

/// The differences of data and a zero point, in a type.
fn centered(rw: &mut Rewriter<'_>, data: Value, axis: usize, zero: Value, dtype: DType) -> Option<Value> {
    let rank = static_type(rw, data)?.1.len();
    let is_zero = is_zero(rw, zero);
    let b = &mut rw.builder();
    let wide = cast(b, data, dtype)?;
    if is_zero {
        return Some(wide);
    }
    let zero = along(b, zero, rank, axis)?;
    let zero = cast(b, zero, dtype)?;
    apply(b, "subtract", &[wide, zero], [])
}

/// Integers of a type that holds them, saturated or, from 32 bits, wrapped.
fn narrowed(b: &mut Builder<'_>, value: Value, from: DType, to: DType) -> Option<Value> {
    if from == to {
        return Some(value);
    }
    let value = if to.bits() < 32 { clipped(b, value, to)? } else { value };
    cast(b, value, to)
}

/// Integers in the range of a type.
fn clipped(b: &mut Builder<'_>, value: Value, dtype: DType) -> Option<Value> {
    let (low, high) = integer_range(dtype)?;
    let bounds = [("a_min", AttrValue::Float(low as f64)), ("a_max", AttrValue::Float(high as f64))];
    apply(b, "clip", &[value], bounds)
}

/// Whole floating-point numbers as wide integers.
fn whole(b: &mut Builder<'_>, value: Value) -> Option<Value> {
    let bounds = [("a_min", AttrValue::Float(-BOUND)), ("a_max", AttrValue::Float(BOUND))];
    let value = apply(b, "clip", &[value], bounds)?;
    cast(b, value, WIDE)
}

/// Real numbers, divided by the scale, rounded, moved by the zero point, and saturated.
fn quantized(
    rw: &mut Rewriter<'_>,
    data: Value,
    axis: usize,
    (scale, zero): (Value, Value),
    dtype: DType,
) -> Option<Value> {
    let (ty, shape) = static_type(rw, data)?;
    let is_zero = is_zero(rw, zero);
    let b = &mut rw.builder();
    let data = if ty.dtype == DType::F32 { data } else { cast(b, data, DType::F32)? };
    let scale = along(b, scale, shape.len(), axis)?;
    let scaled = apply(b, "divide", &[data, scale], [])?;
    let rounded = apply(b, "round", &[scaled], [])?;
    let mut moved = whole(b, rounded)?;
    if !is_zero {
        let zero = along(b, zero, shape.len(), axis)?;
        let zero = cast(b, zero, WIDE)?;
        moved = apply(b, "add", &[moved, zero], [])?;
    }
    let clipped = clipped(b, moved, dtype)?;
    cast(b, clipped, dtype)
}

/// The real numbers that integers represent.
fn dequantized(
    rw: &mut Rewriter<'_>,
    data: Value,
    axis: usize,
    (scale, zero): (Value, Value),
    dtype: DType,
) -> Option<Value> {
    let rank = static_type(rw, data)?.1.len();
    let moved = centered(rw, data, axis, zero, DType::I32)?;
    let b = &mut rw.builder();
    let numbers = cast(b, moved, DType::F32)?;
    let scale = along(b, scale, rank, axis)?;
    let scaled = apply(b, "multiply", &[numbers, scale], [])?;
    if dtype == DType::F32 { Some(scaled) } else { cast(b, scaled, dtype) }
}

/// A change of the scale and of the zero point.
struct Change {
    /// Whether halves are rounded away from zero instead of up.
    away: bool,
    /// The floating-point type to compute with instead of integers.
    float: Option<DType>,
}

impl Change {
    /// The one that other operators use.
    const DEFAULT: Change = Change { away: false, float: None };

    fn of(given: &Attrs) -> Option<Change> {
        let away = match given.text("rounding") {
            None | Some("None" | "UPWARD") => false,
            Some("TONEAREST") => true,
            Some(_) => return None,
        };
        let float = match given.text("compute_dtype") {
            None | Some("None" | "int64") => None,
            Some("float32") => Some(DType::F32),
            Some("float64") => Some(DType::Float(64)),
            Some(_) => return None,
        };
        Some(Change { away, float })
    }

    fn apply(
        &self,
        rw: &mut Rewriter<'_>,
        data: (Value, usize),
        from: (Value, Value),
        to: (Value, Value),
        dtype: DType,
    ) -> Option<Value> {
        let ratios = ratios(&floats(rw, from.0)?, &floats(rw, to.0)?)?;
        self.with_ratios(rw, data, &ratios, (from.1, to.1), dtype)
    }

    fn with_ratios(
        &self,
        rw: &mut Rewriter<'_>,
        (data, axis): (Value, usize),
        ratios: &[f64],
        (from, to): (Value, Value),
        dtype: DType,
    ) -> Option<Value> {
        let rank = static_type(rw, data)?.1.len();
        let moved = centered(rw, data, axis, from, WIDE)?;
        let is_zero = is_zero(rw, to);
        let b = &mut rw.builder();
        let mut scaled = match self.float {
            _ if ratios.iter().all(|&ratio| ratio == 1.0) => moved,
            Some(float) => self.in_floats(b, moved, rank, axis, ratios, float)?,
            None if self.away => away_from_zero(b, moved, rank, axis, ratios)?,
            None => upward(b, moved, axis, ratios)?,
        };
        if !is_zero {
            let zero = along(b, to, rank, axis)?;
            let zero = cast(b, zero, WIDE)?;
            scaled = apply(b, "add", &[scaled, zero], [])?;
        }
        narrowed(b, scaled, WIDE, dtype)
    }

    fn in_floats(
        &self,
        b: &mut Builder<'_>,
        value: Value,
        rank: usize,
        axis: usize,
        ratios: &[f64],
        float: DType,
    ) -> Option<Value> {
        let [ratio] = ratios else { return None };
        let value = cast(b, value, float)?;
        let ratio = number(b, float, *ratio)?;
        let ratio = along(b, ratio, rank, axis)?;
        let scaled = apply(b, "multiply", &[value, ratio], [])?;
        let rounded = if self.away {
            apply(b, "round", &[scaled], [])?
        } else {
            let half = number(b, float, 0.5)?;
            let moved = apply(b, "add", &[scaled, half], [])?;
            apply(b, "floor", &[moved], [])?
        };
        whole(b, rounded)
    }
}

/// The ratios of scales: one, or one for each channel. `None` if one is not positive and finite.
fn ratios(from: &[f64], to: &[f64]) -> Option<Vec<f64>> {
    let count = from.len().max(to.len());
    let at = |scales: &[f64], at: usize| scales.get(if scales.len() == 1 { 0 } else { at }).copied();
    let ratios: Vec<f64> =
        (0..count).map(|index| Some(at(from, index)? / at(to, index)?)).collect::<Option<_>>()?;
    let fits = |ratio: &f64| ratio.is_normal() && *ratio > 0.0;
    (!ratios.is_empty() && ratios.iter().all(fits)).then_some(ratios)
}

/// A positive number as `multiplier * 2^(exponent - 31)`, where the multiplier is rounded to 31 bits.
fn decomposed(ratio: f64) -> (i64, i64) {
    let bits = ratio.to_bits();
    let exponent = ((bits >> 52) & 0x7ff).cast_signed() - 1022;
    let fraction = (bits & ((1 << 52) - 1)) | (1 << 52);
    let multiplier = ((fraction + (1 << 21)) >> 22).cast_signed();
    // A fraction that is rounded to 1.
    if multiplier == 1 << 31 { (1 << 30, exponent + 1) } else { (multiplier, exponent) }
}

/// Products with ratios in fixed-point arithmetic, halves rounded up.
fn upward(b: &mut Builder<'_>, value: Value, axis: usize, ratios: &[f64]) -> Option<Value> {
    let (multipliers, exponents): (Vec<i64>, Vec<i64>) = ratios.iter().copied().map(decomposed).unzip();
    if let ([multiplier], [exponent]) = (&multipliers[..], &exponents[..]) {
        let given = [("multiplier", AttrValue::Int(*multiplier)), ("shift", AttrValue::Int(*exponent))];
        return apply(b, "fixed_point_multiply", &[value], given);
    }
    let lefts: Vec<i64> = exponents.iter().map(|&exponent| exponent.max(0)).collect();
    let rights: Vec<i64> = exponents.iter().map(|&exponent| (-exponent).max(0)).collect();
    let given = [
        ("is_lshift_required", AttrValue::Bool(lefts.iter().any(|&left| left > 0))),
        ("is_rshift_required", AttrValue::Bool(rights.iter().any(|&right| right > 0))),
        ("axes", AttrValue::ints(&[i64::try_from(axis).ok()?])),
    ];
    let mut args = vec![value];
    for numbers in [multipliers, lefts, rights] {
        args.push(integers(b, DType::I32, &numbers)?);
    }
    apply(b, "fixed_point_multiply_per_axis", &args, given)
}

/// Products with ratios in fixed-point arithmetic, halves rounded away from zero.
fn away_from_zero(
    b: &mut Builder<'_>,
    value: Value,
    rank: usize,
    axis: usize,
    ratios: &[f64],
) -> Option<Value> {
    /// A product has at most 62 bits.
    const MAX_SHIFT: i64 = 62;
    let (multipliers, exponents): (Vec<i64>, Vec<i64>) = ratios.iter().copied().map(decomposed).unzip();
    let lefts: Vec<i64> = exponents.iter().map(|&exponent| exponent.max(0)).collect();
    let rights: Vec<i64> = exponents.iter().map(|&exponent| 31 - exponent.min(0)).collect();
    if rights.iter().any(|&right| right > MAX_SHIFT) || lefts.iter().any(|&left| left > MAX_SHIFT) {
        return None;
    }
    let rounders: Vec<i64> = rights.iter().map(|&right| 1 << (right - 1)).collect();
    let below: Vec<i64> = rounders.iter().map(|&rounder| rounder - 1).collect();
    let mut constants = Vec::with_capacity(5);
    for numbers in [&lefts, &multipliers, &below, &rounders, &rights] {
        let constant = integers(b, WIDE, numbers)?;
        constants.push(along(b, constant, rank, axis)?);
    }
    let &[left, multiplier, below, rounder, right] = &constants[..] else { return None };
    let value =
        if lefts.iter().all(|&left| left == 0) { value } else { apply(b, "left_shift", &[value, left], [])? };
    let product = apply(b, "multiply", &[value, multiplier], [])?;
    let zero = integers(b, WIDE, &[0])?;
    let negative = apply(b, "less", &[value, zero], [])?;
    let rounder = apply(b, "where", &[negative, below, rounder], [])?;
    let moved = apply(b, "add", &[product, rounder], [])?;
    apply(b, "right_shift", &[moved, right], [])
}

/// A convolution or a matrix product of the differences from the zero points.
fn product(
    rw: &mut Rewriter<'_>,
    name: &str,
    args: &[Value],
    mut given: Attrs,
    dtype: DType,
) -> Option<Value> {
    let outputs = match name {
        "conv2d" | "conv2d_transpose" => given.text("kernel_layout")?.find('O')?,
        _ => 0,
    };
    let mut sides = Vec::with_capacity(2);
    for (at, axis) in [(0, 0), (1, outputs)] {
        let (ty, shape) = static_type(rw, args[at])?;
        let (_, of_zero) = static_type(rw, args[at + 2])?;
        // The data has one zero point; that of the kernel may depend on the output channel.
        let fits = of_zero.is_empty() || at == 1 && of_zero == [*shape.get(axis)?];
        if !fits {
            return None;
        }
        let wide = if ty.dtype.bits() <= 8 { DType::Int(16) } else { DType::I32 };
        sides.push(centered(rw, args[at], axis, args[at + 2], wide)?);
    }
    given.set("out_dtype", text(dtype));
    apply_with(&mut rw.builder(), &format!("nn.{name}"), &sides, &given)
}

fn multiplied(rw: &mut Rewriter<'_>, args: &[Value], dtype: DType) -> Option<Value> {
    let (lhs, rhs, to) = (floats(rw, args[2])?, floats(rw, args[4])?, floats(rw, args[6])?);
    let ([lhs], [rhs]) = (&lhs[..], &rhs[..]) else { return None };
    let ratios = ratios(&[f64::from(*lhs as f32 * *rhs as f32)], &to)?;
    let sides =
        [centered(rw, args[0], 0, args[3], DType::I32)?, centered(rw, args[1], 0, args[5], DType::I32)?];
    let b = &mut rw.builder();
    let product = apply(b, "multiply", &sides, [])?;
    let zero = integers(b, DType::I32, &[0])?;
    Change::DEFAULT.with_ratios(rw, (product, 0), &ratios, (zero, args[7]), dtype)
}

fn concatenated(
    op: Op,
    rw: &mut Rewriter<'_>,
    args: &[Value],
    given: Attrs,
    dtype: DType,
) -> Option<Matched> {
    let mut lists: Vec<Vec<Value>> = Vec::with_capacity(3);
    for &list in &args[..3] {
        let tuple = rw.op(rw.body().defining_op(list)?);
        if !tuple.is::<MakeTuple>() {
            return None;
        }
        lists.push(tuple.operands().collect());
    }
    let mut parts = Vec::with_capacity(lists[0].len());
    for (at, &part) in lists[0].iter().enumerate() {
        let from = (*lists[1].get(at)?, *lists[2].get(at)?);
        parts.push(Change::DEFAULT.apply(rw, (part, 0), from, (args[3], args[4]), dtype)?);
    }
    let b = &mut rw.builder();
    let tuple = MakeTuple::build(b, &parts).result(b.body());
    let made = apply_with(b, "concatenate", &[tuple], &given)?;
    replace(rw, op, made)
}

/// Integers below the zero point are moved towards it in fixed-point arithmetic: `alpha * q + (1 - alpha) * zero`.
fn leaky_relu(rw: &mut Rewriter<'_>, args: &[Value], given: &Attrs, dtype: DType) -> Option<Value> {
    let alpha = given.float("alpha")?;
    let is_scalar = static_type(rw, args[2])?.1.is_empty();
    if !(is_scalar && alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    let b = &mut rw.builder();
    let (value, zero) = (cast(b, args[0], WIDE)?, cast(b, args[2], WIDE)?);
    let (own, rest) = (upward(b, value, 0, &[alpha])?, upward(b, zero, 0, &[1.0 - alpha])?);
    let below = apply(b, "less", &[value, zero], [])?;
    let total = apply(b, "add", &[own, rest], [])?;
    let chosen = apply(b, "where", &[below, total, value], [])?;
    let chosen = cast(b, chosen, DType::I32)?;
    Change::DEFAULT.apply(rw, (chosen, 0), (args[1], args[2]), (args[3], args[4]), dtype)
}

/// A function of real numbers.
fn real_function(b: &mut Builder<'_>, name: &str, data: Value, given: &Attrs) -> Option<Value> {
    match name {
        "softmax" => apply_with(b, "nn.softmax", &[data], given),
        "hardswish" => {
            let (three, six) = (number(b, DType::F32, 3.0)?, number(b, DType::F32, 6.0)?);
            let moved = apply(b, "add", &[data, three], [])?;
            let bounds = [("a_min", AttrValue::Float(0.0)), ("a_max", AttrValue::Float(6.0))];
            let gate = apply(b, "clip", &[moved], bounds)?;
            let product = apply(b, "multiply", &[data, gate], [])?;
            apply(b, "divide", &[product, six], [])
        }
        _ => apply(b, name, &[data], []),
    }
}
