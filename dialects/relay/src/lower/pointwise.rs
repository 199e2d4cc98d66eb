//! Lowering of elementwise operators.

use super::broadcast::combine;
use super::scalar::{self, Compare};
use super::site::{Site, Tensor, undefined_for};
use super::{Lowered, Rule};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};
use minoan_math as math;

/// Annotations that are the identity on values.
const IDENTITIES: [&str; 12] = [
    "copy",
    "annotation.bitpack_end",
    "annotation.bitpack_start",
    "annotation.cast_hint",
    "annotation.checkpoint",
    "annotation.compiler_begin",
    "annotation.compiler_end",
    "annotation.stop_fusion",
    "annotation.with_funcid",
    "debug",
    "device_copy",
    "on_device",
];

pub(super) fn rule(name: &str) -> Option<Rule> {
    if unary(name).is_some() {
        return Some(|site, b| site.unary(b));
    }
    if IDENTITIES.contains(&name) {
        return Some(|site, _| Ok(site.args[0].clone()));
    }
    if binary(name).is_some() {
        return Some(|site, b| site.binary(b));
    }
    Some(match name {
        "clip" => |site, b| site.clip(b),
        "nn.leaky_relu" => |site, b| site.leaky_relu(b),
        "cast" | "cast_like" => |site, b| {
            let to = site.result().dtype;
            Ok(vec![cast(b, site.arg(0), to)])
        },
        "reinterpret" => |site, b| {
            let (from, to) = (site.arg(0).dtype(), site.result().dtype);
            if from.bits() != to.bits() {
                return Err(format!("{from} and {to} have different widths"));
            }
            Ok(vec![each(b, site.arg(0), to, |b, value| {
                let ty = scalar::element(&b.context(), to);
                if b.ty(value) == ty { value } else { arith::bitcast(b, value, ty) }
            })])
        },
        "where" => |site, b| {
            let condition = site.arg(0).dtype();
            let inputs = [site.arg(0), site.arg(1), site.arg(2)];
            Ok(vec![combine(b, &inputs, site.result().dtype, |b, elements| {
                let condition = scalar::truth(b, elements[0], condition);
                arith::select(b, condition, elements[1], elements[2])
            })])
        },
        _ => return None,
    })
}

/// Casts a tensor to another element type.
pub(super) fn cast(b: &mut Builder<'_>, tensor: &Tensor, to: DType) -> Tensor {
    let from = tensor.dtype();
    if from == to {
        return tensor.clone();
    }
    each(b, tensor, to, |b, element| scalar::cast(b, element, from, to))
}

/// Computes a tensor elementwise from one operand.
pub(super) fn each(
    b: &mut Builder<'_>,
    tensor: &Tensor,
    dtype: DType,
    fill: impl FnOnce(&mut Builder<'_>, Value) -> Value,
) -> Tensor {
    combine(b, &[tensor], dtype, |b, elements| fill(b, elements[0]))
}

/// A unary function.
enum Unary {
    /// Defined for floats only.
    Float(fn(&mut Builder<'_>, Value) -> Value),
    /// A rounding function of floats; the identity on integers.
    Rounding(fn(&mut Builder<'_>, Value) -> Value),
    /// Defined for all numbers.
    Any(fn(&mut Builder<'_>, Value, DType) -> Value),
    /// A predicate of floats, and its value for integers.
    Test(fn(&mut Builder<'_>, Value) -> Value, bool),
}

fn unary(name: &str) -> Option<Unary> {
    use Unary::{Any, Float, Rounding, Test};
    Some(match name {
        "exp" | "fast_exp" => Float(math::exp),
        "log" => Float(math::log),
        "log2" => Float(math::log2),
        "log10" => Float(math::log10),
        "sqrt" => Float(math::sqrt),
        "rsqrt" => Float(math::rsqrt),
        "tanh" | "fast_tanh" => Float(math::tanh),
        "erf" | "fast_erf" => Float(math::erf),
        "sin" => Float(math::sin),
        "cos" => Float(math::cos),
        "tan" => Float(math::tan),
        "sinh" => Float(math::sinh),
        "cosh" => Float(math::cosh),
        "asin" => Float(math::asin),
        "acos" => Float(math::acos),
        "atan" => Float(math::atan),
        "asinh" => Float(math::asinh),
        "acosh" => Float(math::acosh),
        "atanh" => Float(math::atanh),
        "floor" => Rounding(math::floor),
        "ceil" => Rounding(math::ceil),
        "round" => Rounding(math::round),
        "trunc" => Rounding(math::trunc),
        "isnan" => Test(math::isnan, false),
        "isinf" => Test(math::isinf, false),
        "isfinite" => Test(math::isfinite, true),
        "sigmoid" => Any(sigmoid),
        "hardswish" => Any(hardswish),
        "abs" => Any(abs),
        "negative" => Any(negative),
        "sign" => Any(sign),
        "nn.relu" => Any(relu),
        "logical_not" => Any(|b, value, _| scalar::not(b, value)),
        "bitwise_not" => Any(|b, value, dtype| {
            let ones = scalar::integer(b, -1, dtype);
            arith::xori(b, value, ones)
        }),
        _ => return None,
    })
}

/// A unary function of floating-point numbers.
pub(super) fn float_function(name: &str) -> Option<fn(&mut Builder<'_>, Value, DType) -> Value> {
    Some(match name {
        "abs" => abs,
        "sigmoid" => sigmoid,
        "hardswish" => hardswish,
        "exp" => |b, value, _| math::exp(b, value),
        "log" => |b, value, _| math::log(b, value),
        "sqrt" => |b, value, _| math::sqrt(b, value),
        "rsqrt" => |b, value, _| math::rsqrt(b, value),
        "tanh" => |b, value, _| math::tanh(b, value),
        "erf" => |b, value, _| math::erf(b, value),
        _ => return None,
    })
}

/// `x * min(max(x + 3, 0), 6) / 6`.
fn hardswish(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    let [zero, three, six] = [0.0, 3.0, 6.0].map(|number| scalar::constant(b, number, dtype));
    let moved = arith::addf(b, value, three);
    let above = arith::maximumf(b, moved, zero);
    let gate = arith::minimumf(b, above, six);
    let product = arith::mulf(b, value, gate);
    arith::divf(b, product, six)
}

fn sigmoid(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    let negative = arith::negf(b, value);
    let power = math::exp(b, negative);
    let one = scalar::one(b, dtype);
    let sum = arith::addf(b, one, power);
    arith::divf(b, one, sum)
}

fn abs(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    match dtype {
        _ if dtype.is_float() => math::absf(b, value),
        DType::Int(_) => {
            let (zero, negative) = (scalar::zero(b, dtype), negative(b, value, dtype));
            let below = scalar::compare(b, Compare::Lt, value, zero, dtype);
            arith::select(b, below, negative, value)
        }
        _ => value,
    }
}

fn negative(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    if dtype.is_float() {
        return arith::negf(b, value);
    }
    let zero = scalar::zero(b, dtype);
    arith::subi(b, zero, value)
}

/// The sign: -1, 0 or 1; 0 for NaN.
fn sign(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    let (zero, one) = (scalar::zero(b, dtype), scalar::one(b, dtype));
    let above = scalar::compare(b, Compare::Gt, value, zero, dtype);
    let rest = if scalar::is_signed(dtype) || dtype.is_float() {
        let below = scalar::compare(b, Compare::Lt, value, zero, dtype);
        let minus = scalar::integer(b, -1, dtype);
        arith::select(b, below, minus, zero)
    } else {
        zero
    };
    arith::select(b, above, one, rest)
}

fn relu(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    let zero = scalar::zero(b, dtype);
    scalar::max(b, value, zero, dtype)
}

/// A binary function on numbers of one type.
type Binary = fn(&mut Builder<'_>, Value, Value, DType) -> Value;

/// The function, and whether it is a predicate.
fn binary(name: &str) -> Option<(Binary, bool)> {
    let arithmetic = |function: Binary| Some((function, false));
    let comparison = |function: Binary| Some((function, true));
    match name {
        "add" => arithmetic(scalar::add),
        "subtract" => arithmetic(scalar::sub),
        "multiply" => arithmetic(scalar::mul),
        "divide" => arithmetic(scalar::div),
        "trunc_divide" => arithmetic(|b, lhs, rhs, dtype| {
            let quotient = scalar::div(b, lhs, rhs, dtype);
            if dtype.is_float() { math::trunc(b, quotient) } else { quotient }
        }),
        "mod" | "trunc_mod" => arithmetic(scalar::rem),
        "floor_divide" => arithmetic(scalar::floor_div),
        "floor_mod" => arithmetic(scalar::floor_mod),
        "maximum" => arithmetic(scalar::max),
        "minimum" => arithmetic(scalar::min),
        "power" => arithmetic(power),
        "left_shift" => arithmetic(scalar::left_shift),
        "right_shift" => arithmetic(scalar::right_shift),
        "bitwise_and" | "logical_and" => arithmetic(|b, lhs, rhs, _| arith::andi(b, lhs, rhs)),
        "bitwise_or" | "logical_or" => arithmetic(|b, lhs, rhs, _| arith::ori(b, lhs, rhs)),
        "bitwise_xor" | "logical_xor" => arithmetic(|b, lhs, rhs, _| arith::xori(b, lhs, rhs)),
        "equal" => comparison(|b, lhs, rhs, dtype| scalar::compare(b, Compare::Eq, lhs, rhs, dtype)),
        "not_equal" => comparison(|b, lhs, rhs, dtype| scalar::compare(b, Compare::Ne, lhs, rhs, dtype)),
        "less" => comparison(|b, lhs, rhs, dtype| scalar::compare(b, Compare::Lt, lhs, rhs, dtype)),
        "less_equal" => comparison(|b, lhs, rhs, dtype| scalar::compare(b, Compare::Le, lhs, rhs, dtype)),
        "greater" => comparison(|b, lhs, rhs, dtype| scalar::compare(b, Compare::Gt, lhs, rhs, dtype)),
        "greater_equal" => comparison(|b, lhs, rhs, dtype| scalar::compare(b, Compare::Ge, lhs, rhs, dtype)),
        _ => None,
    }
}

fn power(b: &mut Builder<'_>, base: Value, exponent: Value, dtype: DType) -> Value {
    if dtype.is_float() {
        return math::powf(b, base, exponent);
    }
    if scalar::is_signed(dtype) {
        return scalar::integer_power(b, base, exponent, dtype);
    }
    // `ipowi` reads its exponent as a signed integer: base^e = (base^(e / 2))^2 * base^(e % 2).
    let one = scalar::one(b, dtype);
    let half = arith::shrui(b, exponent, one);
    let odd = arith::andi(b, exponent, one);
    let root = math::ipowi(b, base, half);
    let square = arith::muli(b, root, root);
    let rest = math::ipowi(b, base, odd);
    arith::muli(b, square, rest)
}

/// The constraint of an operator on the type of its elements, which are numbers.
fn refuses(name: &str, dtype: DType) -> Option<String> {
    let refused = match name {
        "logical_and" | "logical_or" | "logical_xor" | "logical_not" => dtype != DType::Bool,
        "left_shift" | "right_shift" | "bitwise_and" | "bitwise_or" | "bitwise_xor" | "bitwise_not" => {
            dtype.is_float()
        }
        "sigmoid" | "hardswish" => !dtype.is_float(),
        "power" => dtype == DType::Bool,
        _ => false,
    };
    refused.then(|| undefined_for(dtype))
}

impl Site {
    fn unary(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        if let Some(message) = refuses(self.name, dtype) {
            return Err(message);
        }
        let result = match unary(self.name).ok_or("there is no function")? {
            Unary::Float(_) if !dtype.is_float() => {
                return Err(undefined_for(dtype));
            }
            Unary::Float(function) => each(b, data, dtype, function),
            Unary::Rounding(_) if !dtype.is_float() => data.clone(),
            Unary::Rounding(function) => each(b, data, dtype, function),
            Unary::Any(function) => each(b, data, dtype, |b, value| function(b, value, dtype)),
            Unary::Test(_, known) if !dtype.is_float() => {
                each(b, data, DType::Bool, |b, _| arith::constant_bool(b, known))
            }
            Unary::Test(function, _) => each(b, data, DType::Bool, function),
        };
        Ok(vec![result])
    }

    fn binary(&self, b: &mut Builder<'_>) -> Lowered {
        let dtype = self.arg(0).dtype();
        if let Some(message) = refuses(self.name, dtype) {
            return Err(message);
        }
        let (function, test) = binary(self.name).ok_or("there is no function")?;
        let result = if test { DType::Bool } else { dtype };
        let inputs = [self.arg(0), self.arg(1)];
        Ok(vec![combine(b, &inputs, result, |b, elements| function(b, elements[0], elements[1], dtype))])
    }

    fn clip(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let bound = |name: &str| self.attrs.float(name).unwrap_or(0.0);
        let (low, high) = (bound("a_min"), bound("a_max"));
        Ok(vec![each(b, data, dtype, |b, value| {
            let (low, high) = (saturated(b, low, dtype), saturated(b, high, dtype));
            let below = scalar::min(b, value, high, dtype);
            scalar::max(b, below, low, dtype)
        })])
    }

    fn leaky_relu(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let alpha = self.attrs.float("alpha").unwrap_or(0.25);
        Ok(vec![each(b, data, dtype, |b, value| {
            let (zero, alpha) = (scalar::zero(b, dtype), scalar::constant(b, alpha, dtype));
            let above = scalar::compare(b, Compare::Gt, value, zero, dtype);
            let scaled = scalar::mul(b, value, alpha, dtype);
            arith::select(b, above, value, scaled)
        })])
    }
}

/// The nearest number that an integer type can represent.
fn saturated(b: &mut Builder<'_>, value: f64, dtype: DType) -> Value {
    let bits = i32::from(dtype.bits());
    let (low, high) = match dtype {
        DType::Int(_) => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1) - 1.0),
        DType::UInt(_) | DType::Bool => (0.0, 2f64.powi(bits) - 1.0),
        _ => return scalar::constant(b, value, dtype),
    };
    if value.trunc() <= low {
        return scalar::least(b, dtype);
    }
    if value.trunc() >= high {
        return scalar::greatest(b, dtype);
    }
    scalar::constant(b, value, dtype)
}
