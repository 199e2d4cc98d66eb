//! The sine, the cosine and the tangent.
//!
//! `x = n π + r` with `|r| <= π/2`: π has three parts. The difference from the multiple of the first is exact, and so far from
//! zero that the other two have a small relative error also near multiples of π. An odd polynomial computes the sine of `r`.
//! The tangent subtracts multiples of π/2 in the same way, and has `r` in two parts. Arguments above [`LIMIT`] are computed lane by
//! lane by the C library.

use super::arithmetic::{Arithmetic, LibraryFunction, polynomial};

/// The largest absolute value that is reduced by three parts of π.
pub const LIMIT: f64 = 1e5;

/// `x - n π`.
#[inline(always)]
fn reduce<A: Arithmetic>(a: &A, x: A::Float, n: A::Float) -> A::Float {
    let [high, middle, low] = a.format().pi.map(|part| a.float(-part));
    a.fma(n, low, a.fma(n, middle, a.fma(n, high, x)))
}

/// The sine, for `|r| <= π/2 + 0.006`.
#[inline(always)]
fn sin_reduced<A: Arithmetic>(a: &A, r: A::Float) -> A::Float {
    let square = a.mul(r, r);
    let sine = a.fma(polynomial(a, square, a.format().sin_poly), a.mul(square, r), r);
    // Makes the cosine of zero exactly one; the polynomial is slightly below.
    let one = a.xor(a.to_bits(a.float(1.0)), sign(a, r));
    let distance = a.abs(a.sub(a.abs(r), a.float(std::f64::consts::FRAC_PI_2)));
    a.select(a.less(distance, a.float(a.format().sin_one)), a.of_bits(one), sine)
}

/// The bit of the sign.
#[inline(always)]
fn sign<A: Arithmetic>(a: &A, x: A::Float) -> A::Int {
    a.and_int(a.to_bits(x), a.int(-1 << (a.format().width - 1)))
}

/// The bit of the sign where the integer is odd.
#[inline(always)]
fn sign_if_odd<A: Arithmetic>(a: &A, integer: A::Int) -> A::Int {
    a.shift_left(integer, a.format().width - 1)
}

/// The result for small arguments, and the result of the library for others.
#[inline(always)]
fn with_library<A: Arithmetic>(
    a: &A,
    function: LibraryFunction,
    x: A::Float,
    magnitude: A::Float,
    result: A::Float,
) -> A::Float {
    let is_large = a.less(a.float(LIMIT), magnitude);
    a.by_library(is_large, function, x, result)
}

/// The sine.
#[inline(always)]
pub fn sin<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (magic, magnitude) = (a.float(a.format().magic), a.abs(x));
    let shifted = a.fma(magnitude, a.float(std::f64::consts::FRAC_1_PI), magic);
    let n = a.sub(shifted, magic);
    let result = a.to_bits(sin_reduced(a, reduce(a, magnitude, n)));
    let result = a.xor(result, sign_if_odd(a, a.to_bits(shifted)));
    // The sine is odd: the sign of `x` is the sign of the result even for zero.
    let result = a.of_bits(a.xor(result, sign(a, x)));
    with_library(a, LibraryFunction::Sin, x, magnitude, result)
}

/// The cosine: `|x| = (n + 1/2) π + r`.
#[inline(always)]
pub fn cos<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let magic = a.float(a.format().magic);
    let (magnitude, half) = (a.abs(x), a.float(0.5));
    let turns = a.fma(magnitude, a.float(std::f64::consts::FRAC_1_PI), a.neg(half));
    let shifted = a.add(turns, magic);
    let n = a.add(a.sub(shifted, magic), half);
    let odd = a.add_int(a.to_bits(shifted), a.int(1));
    let result = a.to_bits(sin_reduced(a, reduce(a, magnitude, n)));
    let result = a.of_bits(a.xor(result, sign_if_odd(a, odd)));
    with_library(a, LibraryFunction::Cos, x, magnitude, result)
}

/// The tangent: `|x| = n π/2 + r`, and `-1 / tan(r)` for odd `n`.
#[inline(always)]
pub fn tan<A: Arithmetic>(a: &A, x: A::Float) -> A::Float {
    let (one, magnitude) = (a.float(1.0), a.abs(x));
    let magic = a.float(a.format().magic);
    let shifted = a.fma(magnitude, a.float(std::f64::consts::FRAC_2_PI), magic);
    let n = a.sub(shifted, magic);
    let [high, middle, low] = a.format().pi.map(|part| a.float(-part / 2.0));
    let exact = a.fma(n, high, magnitude);
    // Near a multiple of π/2, the difference from this product is exact, and its error and the last part are not small.
    let product = a.mul(n, middle);
    let product_low = a.fma(n, middle, a.neg(product));
    let r = a.add(exact, product);
    let error = a.sub(product, a.sub(r, exact));
    let r_low = a.fma(n, low, a.add(error, product_low));
    // The low part counts by the derivative, which is one plus the square of the tangent.
    let square = a.mul(r, r);
    let rest = a.mul(a.mul(r, square), polynomial(a, square, a.format().tan_poly));
    let first = a.add(r, rest);
    let rest = a.fma(r_low, a.fma(first, first, one), rest);
    let tangent = a.add(r, rest);
    let error = a.add(a.sub(r, tangent), rest);
    let inverse = a.div(a.float(-1.0), tangent);
    let inverse_error = a.fma(inverse, error, a.fma(inverse, tangent, one));
    let cotangent = a.fma(inverse, inverse_error, inverse);
    let is_odd = a.is_negative(sign_if_odd(a, a.to_bits(shifted)));
    let result = a.to_bits(a.select(is_odd, cotangent, tangent));
    let result = a.of_bits(a.xor(result, sign(a, x)));
    with_library(a, LibraryFunction::Tan, x, magnitude, result)
}
