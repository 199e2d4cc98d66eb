//! Random values, for constants and for arguments of functions.

use crate::Choices;
use minoan_ir::{Context, DYNAMIC, Type};
use minoan_services::{Datum, OPEN_EXTENT, Scalar, Tensor};
use num_bigint::BigInt;

/// A random scalar, often a corner case.
fn scalar(of: Scalar, choices: &mut Choices<'_>) -> Option<Datum> {
    match of {
        Scalar::Int { width } => {
            let power = |exponent: u32| BigInt::from(1) << exponent;
            let small = choices.below(20) as i64 - 4;
            match choices.pick(&[0, 0, 0, 1, 2, 3, 4, 5, 6]) {
                0 => of.integer(small.into()),
                1 => of.integer(0),
                2 => of.integer(1),
                3 => of.integer(-1),
                4 => of.big_integer(-power(width - 1)),
                5 => of.big_integer(power(width - 1) - 1),
                _ => of.big_integer(power(width / 2)),
            }
            .ok()
        }
        Scalar::Complex(part) => {
            let [re, im] = [(); 2].map(|()| scalar(part.scalar(), choices));
            match (re?, im?) {
                (Datum::F32(re), Datum::F32(im)) => Some(Datum::Complex32([re, im])),
                (Datum::F64(re), Datum::F64(im)) => Some(Datum::Complex64([re, im])),
                _ => None,
            }
        }
        _ => {
            let quarters = choices.below(200) as f64 / 4.0 - 10.0;
            let special = [0.0, -0.0, 1.0, -1.0, 0.1, 1e-30, 65504.0, f64::INFINITY, f64::NAN];
            let number = if choices.below(3) == 0 { choices.pick(&special) } else { quarters };
            of.float(number).ok()
        }
    }
}

/// A random value of a type: a scalar, or a tensor, vector or buffer with random elements; `None` for types that
/// programs cannot be called with.
pub(crate) fn datum(ctx: &Context, ty: Type, choices: &mut Choices<'_>) -> Option<Datum> {
    let kind = Scalar::of(ctx, ty).ok()?;
    if ty.element(ctx).is_none() {
        return scalar(kind, choices);
    }
    let extent = |&extent: &i64| usize::try_from(if extent == DYNAMIC { OPEN_EXTENT } else { extent }).ok();
    let shape: Vec<usize> = ty.shape(ctx)?.iter().map(extent).collect::<Option<_>>()?;
    if choices.below(4) == 0 {
        return Tensor::splat(&shape, &scalar(kind, choices)?).map(Datum::from).ok();
    }
    let count = shape.iter().product();
    let mut data = kind.with_capacity(count);
    for _ in 0..count {
        data.push(&scalar(kind, choices)?).ok()?;
    }
    Some(Tensor { shape, data }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_types() {
        let ctx = Context::bare();
        let mut choices = Choices::seeded(7);
        let tensor = Type::tensor(&ctx, &[2, DYNAMIC], Type::I8);
        for _ in 0..100 {
            assert!(matches!(datum(&ctx, Type::I1, &mut choices), Some(Datum::Int(0 | 1))));
            assert!(matches!(datum(&ctx, Type::F64, &mut choices), Some(Datum::F64(_))));
            let Some(Datum::Tensor(elements)) = datum(&ctx, tensor, &mut choices) else { panic!("a tensor") };
            assert_eq!(elements.shape, [2, OPEN_EXTENT as usize]);
            assert!((0..6).all(|at| matches!(elements.data.get(at), Datum::Int(-128..=127))));
        }
        assert_eq!(datum(&ctx, Type::NONE, &mut choices), None);
    }
}
