//! Scalar arithmetic in Relay's types. `bool` is an unsigned one-bit integer, whose sum is xor.

use crate::ty::DType;
use minoan_arith::{self as arith, CmpFPredicate, CmpIPredicate};
use minoan_ir::{Builder, Context, Type, Value};
use minoan_math as math;

/// The lowered element type.
pub(super) fn element(ctx: &Context, dtype: DType) -> Type {
    match dtype {
        DType::Int(bits) | DType::UInt(bits) => Type::integer(ctx, u32::from(bits)),
        DType::Float(16) => Type::F16,
        DType::Float(64) => Type::F64,
        DType::BFloat(_) => Type::BF16,
        DType::Float(_) => Type::F32,
        DType::Bool | DType::Void => Type::I1,
    }
}

pub(super) fn is_signed(dtype: DType) -> bool {
    matches!(dtype, DType::Int(_))
}

/// A constant; truncated for integer types.
pub(super) fn constant(b: &mut Builder<'_>, value: f64, dtype: DType) -> Value {
    let ty = element(&b.context(), dtype);
    if dtype.is_float() {
        arith::constant_float(b, value, ty)
    } else {
        arith::constant_int(b, value as i64, ty)
    }
}

pub(super) fn zero(b: &mut Builder<'_>, dtype: DType) -> Value {
    constant(b, 0.0, dtype)
}

pub(super) fn one(b: &mut Builder<'_>, dtype: DType) -> Value {
    integer(b, 1, dtype)
}

/// An integer constant, modulo the range of an integer type.
pub(super) fn integer(b: &mut Builder<'_>, value: i64, dtype: DType) -> Value {
    if dtype.is_float() {
        return constant(b, value as f64, dtype);
    }
    let ty = element(&b.context(), dtype);
    let value = minoan_services::wrap(i128::from(value), u32::from(dtype.bits()));
    arith::constant_int(b, value, ty)
}

/// The minimum of a type.
pub(super) fn least(b: &mut Builder<'_>, dtype: DType) -> Value {
    match dtype {
        DType::Int(bits) => integer(b, i64::MIN >> (64 - bits), dtype),
        _ if dtype.is_float() => constant(b, f64::NEG_INFINITY, dtype),
        _ => zero(b, dtype),
    }
}

/// The maximum of a type.
pub(super) fn greatest(b: &mut Builder<'_>, dtype: DType) -> Value {
    match dtype {
        DType::Int(bits) => integer(b, i64::MAX >> (64 - bits), dtype),
        _ if dtype.is_float() => constant(b, f64::INFINITY, dtype),
        _ => integer(b, -1, dtype),
    }
}

macro_rules! arithmetic {
    ($($name:ident $float:ident $signed:ident $unsigned:ident;)*) => {$(
        pub(super) fn $name(b: &mut Builder<'_>, lhs: Value, rhs: Value, dtype: DType) -> Value {
            match dtype {
                _ if dtype.is_float() => arith::$float(b, lhs, rhs),
                DType::Int(_) => arith::$signed(b, lhs, rhs),
                _ => arith::$unsigned(b, lhs, rhs),
            }
        }
    )*};
}

arithmetic! {
    add addf addi addi;
    sub subf subi subi;
    mul mulf muli muli;
    max maximumf maxsi maxui;
    min minimumf minsi minui;
}

/// Combines a sum with another element. Sums of floats may be reordered and contracted: the operators that call this
/// leave the order of their elements open.
pub(super) fn accumulate(b: &mut Builder<'_>, sum: Value, element: Value, dtype: DType) -> Value {
    let sum = add(b, sum, element, dtype);
    let flags = [arith::FastMath::Reassoc, arith::FastMath::Contract];
    if dtype.is_float() { arith::with_fastmath(b, sum, flags) } else { sum }
}

/// Combines a maximum with another element. The operators that call this leave the sign of a zero open that is the maximum of
/// zeros of both signs.
pub(super) fn largest(b: &mut Builder<'_>, largest: Value, element: Value, dtype: DType) -> Value {
    let value = max(b, largest, element, dtype);
    if dtype.is_float() { arith::with_fastmath(b, value, [arith::FastMath::NoSignedZero]) } else { value }
}

/// Multiplies a product by another element, in any order.
pub(super) fn accumulate_product(b: &mut Builder<'_>, product: Value, element: Value, dtype: DType) -> Value {
    let value = mul(b, product, element, dtype);
    if dtype.is_float() { arith::with_fastmath(b, value, [arith::FastMath::Reassoc]) } else { value }
}

/// The product of two factors whose products are accumulated.
pub(super) fn factor(b: &mut Builder<'_>, lhs: Value, rhs: Value, dtype: DType) -> Value {
    let product = mul(b, lhs, rhs, dtype);
    if dtype.is_float() { arith::with_fastmath(b, product, [arith::FastMath::Contract]) } else { product }
}

/// A divisor for which division is defined, and the correction of the quotient by it.
///
/// As in NumPy and on AArch64, the quotient and the remainder of an integer by zero are zero; the least integer divided by -1 is
/// itself, with remainder 0. Dividing by 1 instead has the right remainder in all these cases.
struct Divisor {
    value: Value,
    is_zero: Value,
    is_minus_one: Option<Value>,
}

impl Divisor {
    fn of(b: &mut Builder<'_>, value: Value, dtype: DType) -> Divisor {
        let (zero, one) = (zero(b, dtype), one(b, dtype));
        let is_zero = arith::cmpi(b, CmpIPredicate::Eq, value, zero);
        let defined = arith::select(b, is_zero, one, value);
        if !is_signed(dtype) {
            return Divisor { value: defined, is_zero, is_minus_one: None };
        }
        let minus_one = integer(b, -1, dtype);
        let is_minus_one = arith::cmpi(b, CmpIPredicate::Eq, value, minus_one);
        let defined = arith::select(b, is_minus_one, one, defined);
        Divisor { value: defined, is_zero, is_minus_one: Some(is_minus_one) }
    }

    /// The quotient by the original divisor, from that by the defined one.
    fn mend(&self, b: &mut Builder<'_>, quotient: Value, dtype: DType) -> Value {
        let zero = zero(b, dtype);
        let negated = self.is_minus_one.map_or(quotient, |is_minus_one| {
            let opposite = arith::subi(b, zero, quotient);
            arith::select(b, is_minus_one, opposite, quotient)
        });
        arith::select(b, self.is_zero, zero, negated)
    }
}

/// The quotient; of integers rounded towards zero, and defined for every divisor.
pub(super) fn div(b: &mut Builder<'_>, lhs: Value, rhs: Value, dtype: DType) -> Value {
    if dtype.is_float() {
        return arith::divf(b, lhs, rhs);
    }
    let divisor = Divisor::of(b, rhs, dtype);
    let quotient = match dtype {
        DType::Int(_) => arith::divsi(b, lhs, divisor.value),
        _ => arith::divui(b, lhs, divisor.value),
    };
    divisor.mend(b, quotient, dtype)
}

/// The remainder of [`div`], with the sign of the dividend.
pub(super) fn rem(b: &mut Builder<'_>, lhs: Value, rhs: Value, dtype: DType) -> Value {
    if dtype.is_float() {
        return arith::remf(b, lhs, rhs);
    }
    let divisor = Divisor::of(b, rhs, dtype);
    match dtype {
        DType::Int(_) => arith::remsi(b, lhs, divisor.value),
        _ => arith::remui(b, lhs, divisor.value),
    }
}

/// A power of integers, modulo 2^width. One with a negative exponent is rounded towards zero: zero to a negative power is
/// zero too.
pub(super) fn integer_power(b: &mut Builder<'_>, base: Value, exponent: Value, dtype: DType) -> Value {
    let (zero, two) = (zero(b, dtype), integer(b, 2, dtype));
    let is_zero = arith::cmpi(b, CmpIPredicate::Eq, base, zero);
    let is_negative = arith::cmpi(b, CmpIPredicate::Slt, exponent, zero);
    let is_undefined = arith::andi(b, is_zero, is_negative);
    let defined = arith::select(b, is_undefined, two, base);
    math::ipowi(b, defined, exponent)
}

/// Shifted to the left; zero where the distance, read as unsigned, is the width or more.
pub(super) fn left_shift(b: &mut Builder<'_>, lhs: Value, rhs: Value, dtype: DType) -> Value {
    let (is_far, distance) = distance(b, rhs, dtype);
    let shifted = arith::shli(b, lhs, distance);
    let zero = zero(b, dtype);
    arith::select(b, is_far, zero, shifted)
}

/// Shifts to the right. If the distance, read as unsigned, is the width or more, the result consists of copies of the sign, or is
/// zero for an unsigned integer.
pub(super) fn right_shift(b: &mut Builder<'_>, lhs: Value, rhs: Value, dtype: DType) -> Value {
    let (is_far, distance) = distance(b, rhs, dtype);
    if is_signed(dtype) {
        return arith::shrsi(b, lhs, distance);
    }
    let shifted = arith::shrui(b, lhs, distance);
    let zero = zero(b, dtype);
    arith::select(b, is_far, zero, shifted)
}

/// Whether a distance is the width or more, and the distance capped below the width.
fn distance(b: &mut Builder<'_>, by: Value, dtype: DType) -> (Value, Value) {
    let most = integer(b, i64::from(dtype.bits()) - 1, dtype);
    (arith::cmpi(b, CmpIPredicate::Ugt, by, most), arith::minui(b, by, most))
}

/// A comparison predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

pub(super) fn compare(b: &mut Builder<'_>, how: Compare, lhs: Value, rhs: Value, dtype: DType) -> Value {
    if dtype.is_float() {
        let how = match how {
            Compare::Eq => CmpFPredicate::Oeq,
            Compare::Ne => CmpFPredicate::Une,
            Compare::Lt => CmpFPredicate::Olt,
            Compare::Le => CmpFPredicate::Ole,
            Compare::Gt => CmpFPredicate::Ogt,
            Compare::Ge => CmpFPredicate::Oge,
        };
        return arith::cmpf(b, how, lhs, rhs);
    }
    let how = match (how, is_signed(dtype)) {
        (Compare::Eq, _) => CmpIPredicate::Eq,
        (Compare::Ne, _) => CmpIPredicate::Ne,
        (Compare::Lt, true) => CmpIPredicate::Slt,
        (Compare::Le, true) => CmpIPredicate::Sle,
        (Compare::Gt, true) => CmpIPredicate::Sgt,
        (Compare::Ge, true) => CmpIPredicate::Sge,
        (Compare::Lt, false) => CmpIPredicate::Ult,
        (Compare::Le, false) => CmpIPredicate::Ule,
        (Compare::Gt, false) => CmpIPredicate::Ugt,
        (Compare::Ge, false) => CmpIPredicate::Uge,
    };
    arith::cmpi(b, how, lhs, rhs)
}

/// Whether a number is nonzero; false for NaN.
pub(super) fn truth(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    if dtype == DType::Bool {
        return value;
    }
    let zero = zero(b, dtype);
    compare(b, Compare::Ne, value, zero, dtype)
}

pub(super) fn not(b: &mut Builder<'_>, value: Value) -> Value {
    let yes = arith::constant_bool(b, true);
    arith::xori(b, value, yes)
}

/// Converts a number: to integers, truncates and reduces modulo the range.
pub(super) fn cast(b: &mut Builder<'_>, value: Value, from: DType, to: DType) -> Value {
    let ty = element(&b.context(), to);
    match (from, to) {
        _ if from == to => value,
        (_, DType::Bool) => truth(b, value, from),
        _ if from.is_float() && to.is_float() => {
            if from.bits() < to.bits() {
                return arith::extf(b, value, ty);
            }
            if from.bits() > to.bits() {
                return arith::truncf(b, value, ty);
            }
            // Two 16-bit formats.
            let wide = arith::extf(b, value, Type::F32);
            arith::truncf(b, wide, ty)
        }
        _ if from.is_float() => float_to_integer(b, value, from, to),
        _ if to.is_float() => match from {
            DType::Int(_) => arith::sitofp(b, value, ty),
            _ => arith::uitofp(b, value, ty),
        },
        _ if from.bits() > to.bits() => arith::trunci(b, value, ty),
        _ if from.bits() == to.bits() => value,
        (DType::Int(_), _) => arith::extsi(b, value, ty),
        _ => arith::extui(b, value, ty),
    }
}

/// Converts a 64-bit integer to an integer type; a number outside its range becomes the nearest one inside.
pub(super) fn saturated(b: &mut Builder<'_>, value: Value, to: DType) -> Value {
    let bits = u32::from(to.bits());
    if bits >= 64 {
        return value;
    }
    let (low, high) = match to {
        DType::Int(_) => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        _ => (0, (1i64 << bits) - 1),
    };
    let (low, high) = (integer(b, low, DType::I64), integer(b, high, DType::I64));
    let value = arith::maxsi(b, value, low);
    let value = arith::minsi(b, value, high);
    cast(b, value, DType::I64, to)
}

/// Numbers outside the range of 64-bit integers, and NaN, become 0.
fn float_to_integer(b: &mut Builder<'_>, value: Value, from: DType, to: DType) -> Value {
    // 2^63 and 2^64 are infinite in `f16`.
    let wide = if from.bits() < 32 { DType::F32 } else { from };
    let value = cast(b, value, from, wide);
    let unsigned = to == DType::UInt(64);
    let (low, high) = if unsigned { (-1.0, 2f64.powi(64)) } else { (-(2f64.powi(63)), 2f64.powi(63)) };
    let (low, high, zero) = (constant(b, low, wide), constant(b, high, wide), zero(b, wide));
    let above = compare(b, if unsigned { Compare::Gt } else { Compare::Ge }, value, low, wide);
    let below = compare(b, Compare::Lt, value, high, wide);
    let fits = arith::andi(b, above, below);
    let value = arith::select(b, fits, value, zero);
    if unsigned {
        return arith::fptoui(b, value, Type::I64);
    }
    let whole = arith::fptosi(b, value, Type::I64);
    cast(b, whole, DType::I64, to)
}

/// Converts an integer to `index`.
pub(super) fn to_index(b: &mut Builder<'_>, value: Value, dtype: DType) -> Value {
    match dtype {
        DType::Int(_) => arith::index_cast(b, value, Type::INDEX),
        _ if dtype.is_float() => {
            let whole = cast(b, value, dtype, DType::I64);
            arith::index_cast(b, whole, Type::INDEX)
        }
        _ => arith::index_castui(b, value, Type::INDEX),
    }
}

/// Converts an `index` to a number.
pub(super) fn from_index(b: &mut Builder<'_>, index: Value, dtype: DType) -> Value {
    let whole = arith::index_cast(b, index, Type::I64);
    cast(b, whole, DType::I64, dtype)
}

/// The quotient, rounded down.
pub(super) fn floor_div(b: &mut Builder<'_>, lhs: Value, rhs: Value, dtype: DType) -> Value {
    match dtype {
        DType::Int(_) => {
            let divisor = Divisor::of(b, rhs, dtype);
            let quotient = arith::floordivsi(b, lhs, divisor.value);
            divisor.mend(b, quotient, dtype)
        }
        _ => {
            let quotient = div(b, lhs, rhs, dtype);
            if dtype.is_float() { math::floor(b, quotient) } else { quotient }
        }
    }
}

/// The remainder of the quotient rounded down.
pub(super) fn floor_mod(b: &mut Builder<'_>, lhs: Value, rhs: Value, dtype: DType) -> Value {
    if dtype.is_float() {
        let quotient = floor_div(b, lhs, rhs, dtype);
        let whole = mul(b, quotient, rhs, dtype);
        return sub(b, lhs, whole, dtype);
    }
    let rest = rem(b, lhs, rhs, dtype);
    if !is_signed(dtype) {
        return rest;
    }
    let zero = zero(b, dtype);
    let some = compare(b, Compare::Ne, rest, zero, dtype);
    let signs = arith::xori(b, rest, rhs);
    let differ = compare(b, Compare::Lt, signs, zero, dtype);
    let off = arith::andi(b, some, differ);
    let moved = arith::addi(b, rest, rhs);
    arith::select(b, off, moved, rest)
}
