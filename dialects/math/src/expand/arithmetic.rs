//! The operations that the expansions are made of, and their evaluation on single numbers.
//!
//! An algorithm is a function over [`Arithmetic`]. It is instantiated twice: to create operations on vectors, and to
//! compute one number with the same rounding steps, which tests and the exhaustive check of `cargo xtask bench math`
//! execute.

use super::constants::{DOUBLE, Format, SINGLE};

/// A function that the C library computes for single lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LibraryFunction {
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The tangent.
    Tan,
}

/// Floating-point and integer arithmetic on numbers or on vectors of them. Integers have the width of the floats and
/// wrap around. All operations are defined for all operands.
pub trait Arithmetic {
    /// A float or a vector of floats.
    type Float: Copy;
    /// The integers of the same width.
    type Int: Copy;
    /// A truth value or a vector of them.
    type Mask: Copy;

    /// The floating-point format, with the coefficients for it.
    fn format(&self) -> &'static Format;
    /// A constant, rounded to the format.
    fn float(&self, value: f64) -> Self::Float;
    /// A constant.
    fn int(&self, value: i64) -> Self::Int;
    /// `x + y`.
    fn add(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x - y`.
    fn sub(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y`.
    fn mul(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x / y`.
    fn div(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x * y + z`, rounded once.
    fn fma(&self, x: Self::Float, y: Self::Float, z: Self::Float) -> Self::Float;
    /// `-x`.
    fn neg(&self, x: Self::Float) -> Self::Float;
    /// The absolute value.
    fn abs(&self, x: Self::Float) -> Self::Float;
    /// The square root.
    fn sqrt(&self, x: Self::Float) -> Self::Float;
    /// Rounding toward zero.
    fn trunc(&self, x: Self::Float) -> Self::Float;
    /// The magnitude of `x` with the sign of `y`.
    fn copysign(&self, x: Self::Float, y: Self::Float) -> Self::Float;
    /// `x < y`; false if one is NaN.
    fn less(&self, x: Self::Float, y: Self::Float) -> Self::Mask;
    /// `x == y`; false if one is NaN.
    fn equal(&self, x: Self::Float, y: Self::Float) -> Self::Mask;
    /// Whether `x` is NaN.
    fn is_nan(&self, x: Self::Float) -> Self::Mask;
    /// Whether an integer is negative.
    fn is_negative(&self, x: Self::Int) -> Self::Mask;
    /// Conjunction.
    fn and(&self, x: Self::Mask, y: Self::Mask) -> Self::Mask;
    /// Disjunction.
    fn or(&self, x: Self::Mask, y: Self::Mask) -> Self::Mask;
    /// Negation.
    fn not(&self, x: Self::Mask) -> Self::Mask;
    /// `mask ? x : y`.
    fn select(&self, mask: Self::Mask, x: Self::Float, y: Self::Float) -> Self::Float;
    /// The bits of a float.
    fn to_bits(&self, x: Self::Float) -> Self::Int;
    /// The float with these bits.
    fn of_bits(&self, x: Self::Int) -> Self::Float;
    /// The float nearest to an integer.
    fn of_int(&self, x: Self::Int) -> Self::Float;
    /// `x + y`.
    fn add_int(&self, x: Self::Int, y: Self::Int) -> Self::Int;
    /// `x - y`.
    fn sub_int(&self, x: Self::Int, y: Self::Int) -> Self::Int;
    /// Bitwise and.
    fn and_int(&self, x: Self::Int, y: Self::Int) -> Self::Int;
    /// Bitwise exclusive or.
    fn xor(&self, x: Self::Int, y: Self::Int) -> Self::Int;
    /// `x << by`.
    fn shift_left(&self, x: Self::Int, by: u32) -> Self::Int;
    /// `x >> by`, with copies of the sign.
    fn shift_right(&self, x: Self::Int, by: u32) -> Self::Int;
    /// Whether [`ldexp`](Self::ldexp) is an operation of the machine.
    fn has_ldexp(&self) -> bool;
    /// `x * 2^n`, rounded once, for `n` within 32 bits.
    fn ldexp(&self, x: Self::Float, n: Self::Int) -> Self::Float;
    /// `fast`, but the result of the C library for `x` where `mask` is set, which is rare.
    fn by_library(
        &self,
        mask: Self::Mask,
        function: LibraryFunction,
        x: Self::Float,
        fast: Self::Float,
    ) -> Self::Float;
}

/// Single numbers of type `f32`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Single;

/// Single numbers of type `f64`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Double;

macro_rules! evaluate {
    ($($name:ident $float:ident $int:ident $unsigned:ident $format:ident;)*) => {$(
        impl Arithmetic for $name {
            type Float = $float;
            type Int = $int;
            type Mask = bool;

            #[inline(always)]
            fn format(&self) -> &'static Format {
                &$format
            }
            #[inline(always)]
            fn float(&self, value: f64) -> $float {
                value as $float
            }
            #[inline(always)]
            fn int(&self, value: i64) -> $int {
                value as $int
            }
            #[inline(always)]
            fn add(&self, x: $float, y: $float) -> $float {
                x + y
            }
            #[inline(always)]
            fn sub(&self, x: $float, y: $float) -> $float {
                x - y
            }
            #[inline(always)]
            fn mul(&self, x: $float, y: $float) -> $float {
                x * y
            }
            #[inline(always)]
            fn div(&self, x: $float, y: $float) -> $float {
                x / y
            }
            #[inline(always)]
            fn fma(&self, x: $float, y: $float, z: $float) -> $float {
                x.mul_add(y, z)
            }
            #[inline(always)]
            fn neg(&self, x: $float) -> $float {
                -x
            }
            #[inline(always)]
            fn abs(&self, x: $float) -> $float {
                x.abs()
            }
            #[inline(always)]
            fn sqrt(&self, x: $float) -> $float {
                x.sqrt()
            }
            #[inline(always)]
            fn trunc(&self, x: $float) -> $float {
                x.trunc()
            }
            #[inline(always)]
            fn copysign(&self, x: $float, y: $float) -> $float {
                x.copysign(y)
            }
            #[inline(always)]
            fn less(&self, x: $float, y: $float) -> bool {
                x < y
            }
            #[inline(always)]
            fn equal(&self, x: $float, y: $float) -> bool {
                x == y
            }
            #[inline(always)]
            fn is_nan(&self, x: $float) -> bool {
                x.is_nan()
            }
            #[inline(always)]
            fn is_negative(&self, x: $int) -> bool {
                x < 0
            }
            #[inline(always)]
            fn and(&self, x: bool, y: bool) -> bool {
                x & y
            }
            #[inline(always)]
            fn or(&self, x: bool, y: bool) -> bool {
                x | y
            }
            #[inline(always)]
            fn not(&self, x: bool) -> bool {
                !x
            }
            #[inline(always)]
            fn select(&self, mask: bool, x: $float, y: $float) -> $float {
                if mask { x } else { y }
            }
            #[inline(always)]
            fn to_bits(&self, x: $float) -> $int {
                x.to_bits() as $int
            }
            #[inline(always)]
            fn of_bits(&self, x: $int) -> $float {
                $float::from_bits(x as $unsigned)
            }
            #[inline(always)]
            fn of_int(&self, x: $int) -> $float {
                x as $float
            }
            #[inline(always)]
            fn add_int(&self, x: $int, y: $int) -> $int {
                x.wrapping_add(y)
            }
            #[inline(always)]
            fn sub_int(&self, x: $int, y: $int) -> $int {
                x.wrapping_sub(y)
            }
            #[inline(always)]
            fn and_int(&self, x: $int, y: $int) -> $int {
                x & y
            }
            #[inline(always)]
            fn xor(&self, x: $int, y: $int) -> $int {
                x ^ y
            }
            #[inline(always)]
            fn shift_left(&self, x: $int, by: u32) -> $int {
                x << by
            }
            #[inline(always)]
            fn shift_right(&self, x: $int, by: u32) -> $int {
                x >> by
            }
            #[inline(always)]
            fn has_ldexp(&self) -> bool {
                false
            }
            #[inline(always)]
            fn ldexp(&self, x: $float, n: $int) -> $float {
                libm::Libm::<$float>::ldexp(x, n as i32)
            }
            #[inline(always)]
            fn by_library(&self, mask: bool, function: LibraryFunction, x: $float, fast: $float) -> $float {
                match (mask, function) {
                    (false, _) => fast,
                    (true, LibraryFunction::Sin) => x.sin(),
                    (true, LibraryFunction::Cos) => x.cos(),
                    (true, LibraryFunction::Tan) => x.tan(),
                }
            }
        }
    )*};
}

evaluate! {
    Single f32 i32 u32 SINGLE;
    Double f64 i64 u64 DOUBLE;
}

/// The polynomial with these coefficients, from the constant one, by Horner's rule.
#[inline(always)]
pub(super) fn polynomial<A: Arithmetic>(a: &A, x: A::Float, coefficients: &[f64]) -> A::Float {
    let (&last, rest) = coefficients.split_last().expect("a polynomial has a coefficient");
    let last = a.float(last);
    rest.iter().rev().fold(last, |sum, &coefficient| {
        let coefficient = a.float(coefficient);
        a.fma(sum, x, coefficient)
    })
}

/// `base + t + t z P(z)`, for a base in two parts, the first of which is zero or greater than `t`.
#[inline(always)]
pub(super) fn plus_odd<A: Arithmetic>(
    a: &A,
    [base, low]: [A::Float; 2],
    t: A::Float,
    z: A::Float,
    coefficients: &[f64],
) -> A::Float {
    let sum = a.add(base, t);
    let error = a.sub(t, a.sub(sum, base));
    let rest = a.fma(a.mul(t, z), polynomial(a, z, coefficients), a.add(low, error));
    a.add(sum, rest)
}

/// `2^exponent`, for exponents of normal numbers.
#[inline(always)]
pub(super) fn power_of_two<A: Arithmetic>(a: &A, exponent: A::Int) -> A::Float {
    let Format { mantissa, bias, .. } = *a.format();
    let biased = a.add_int(exponent, a.int(bias));
    a.of_bits(a.shift_left(biased, mantissa))
}

/// `x`, but `bound` where `x` is greater. NaN stays.
#[inline(always)]
pub(super) fn at_most<A: Arithmetic>(a: &A, x: A::Float, bound: f64) -> A::Float {
    let bound = a.float(bound);
    a.select(a.less(bound, x), bound, x)
}

/// `x`, but `bound` where `x` is less. NaN stays.
#[inline(always)]
pub(super) fn at_least<A: Arithmetic>(a: &A, x: A::Float, bound: f64) -> A::Float {
    let bound = a.float(bound);
    a.select(a.less(x, bound), bound, x)
}

/// A magnitude, whose sign bit is zero, with the sign of `x`.
#[inline(always)]
pub(super) fn with_sign<A: Arithmetic>(a: &A, magnitude: A::Float, x: A::Float) -> A::Float {
    let sign = a.and_int(a.to_bits(x), a.int((-1_i64) << (a.format().width - 1)));
    a.of_bits(a.xor(a.to_bits(magnitude), sign))
}
