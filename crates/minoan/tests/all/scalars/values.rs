//! Arguments at which operations differ if they are wrong, and the comparison of results.

use super::forms::Form;
use minoan::ir::{Context, Type};
use minoan::services::{Datum, Scalar, wrap};
use num_bigint::BigInt;

/// Values of a type: around zero, its ends, and special ones.
fn values(ctx: &Context, ty: Type) -> Vec<Datum> {
    let scalar = Scalar::of(ctx, ty).expect("a number");
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.5,
        -3.75,
        100.25,
        1e-3,
        6e4,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e-7,
    ];
    match scalar {
        Scalar::Int { width } if scalar.is_wide() => {
            let power = |exponent: u32| BigInt::from(1) << exponent;
            // Digits without a pattern.
            let digits =
                (0..width.div_ceil(61)).fold(BigInt::from(1), |all, _| all * 0x1e37_79b9_7f4a_7c15i64);
            let near = [0, 1, 2, 5, -1, -7, i64::from(width) - 1, i64::from(width)].map(BigInt::from);
            let far = [-power(width - 1), power(width - 1) - 1, power(64) - 1, digits.clone(), -digits / 3];
            near.into_iter().chain(far).map(|value| scalar.big_integer(value).expect("an integer")).collect()
        }
        Scalar::Int { width } => {
            let width = i128::from(width);
            let ends = [-(1i128 << (width - 1)), (1 << (width - 1)) - 1];
            let near = [0, 1, 2, 5, -1, -2, -7, width - 1, width];
            let mut all: Vec<i64> =
                near.into_iter().chain(ends).map(|value| wrap(value, width as u32)).collect();
            all.sort_unstable();
            all.dedup();
            all.into_iter().map(Datum::Int).collect()
        }
        Scalar::F64 => floats.into_iter().chain([1e300, 5e-324]).map(Datum::F64).collect(),
        _ => {
            let rounded = |value: f64| Datum::F32(scalar.round(value as f32));
            floats.into_iter().chain([3e38, 1e-40]).map(rounded).collect()
        }
    }
}

/// Arguments for operands of some types: all combinations of the values of up to two, some of those of more.
pub fn tuples(ctx: &Context, types: &[Type]) -> Vec<Vec<Datum>> {
    let step = if types.len() > 2 { 3 } else { 1 };
    types.iter().fold(vec![Vec::new()], |tuples, &ty| {
        let values: Vec<Datum> = values(ctx, ty).into_iter().step_by(step).collect();
        let longer = |tuple: &Vec<Datum>, value: &Datum| tuple.iter().chain([value]).cloned().collect();
        tuples.iter().flat_map(|tuple| values.iter().map(move |value| longer(tuple, value))).collect()
    })
}

/// Whether results agree: integers exactly, floats as far as the operation defines them.
pub fn agree(ctx: &Context, form: &Form, oracle: &[Datum], machine: &[Datum]) -> bool {
    let (name, text) = (ctx.kind_name(form.kind), form.text(ctx));
    // A quotient may be the product with a reciprocal, which overflows for small divisors. Processors with arithmetic for f16
    // do that.
    let is_by_reciprocal =
        name == "arith.divf" && ["arcp", "fastmath<fast>"].iter().any(|flag| text.contains(flag));
    let is_exact = name.starts_with("arith.") && !is_by_reciprocal;
    // Flags allow approximations whose special values differ: the reciprocal of a root at zero.
    let has_flags = text.contains("fastmath");
    let mut pairs = oracle.iter().zip(machine).zip(super::carriers(ctx, &form.results));
    oracle.len() == machine.len()
        && pairs.all(|((oracle, machine), ty)| {
            // The last place of the type, and a few more where libraries differ.
            let places = if is_exact { 0.0 } else { 4.0 };
            let tolerance = match Scalar::of(ctx, ty) {
                Ok(Scalar::F16) => places * 2f64.powi(-10),
                Ok(Scalar::BF16) => places * 2f64.powi(-7),
                Ok(Scalar::F32) => places * f64::from(f32::EPSILON),
                _ => places * f64::EPSILON,
            };
            let float = |datum: &Datum| match datum {
                Datum::F32(value) => Some(f64::from(*value)),
                Datum::F64(value) => Some(*value),
                _ => None,
            };
            match (float(oracle), float(machine)) {
                (Some(a), Some(b)) if !is_exact && has_flags && !(a.is_finite() && b.is_finite()) => true,
                (Some(a), Some(b)) => {
                    oracle.same(machine) || (a - b).abs() <= tolerance * a.abs() || (!is_exact && a == b)
                }
                _ => oracle.same(machine),
            }
        })
}
