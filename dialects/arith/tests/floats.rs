//! Tests the evaluation of floating-point operations.

#[allow(dead_code, reason = "not every test file uses all of it")]
mod run;

use minoan_arith::constraints::RoundingMode;
use minoan_arith::{self as arith, CmpFPredicate, TruncF};
use minoan_ir::{AttrEnum, Builder, OpDef, Type, Value};
use minoan_services::{Datum, Tensor, TensorData};
use proptest::prelude::*;
use run::{all_results, binary, context, unary};

type Build = fn(&mut Builder<'_>, Value, Value) -> Value;

#[test]
fn min_and_max_follow_ieee() {
    let ctx = context();
    let run = |build: Build, a: f32, b: f32| match binary(&ctx, build, Type::F32, &a.into(), &b.into()) {
        Ok(Datum::F32(value)) => value,
        other => panic!("{other:?}"),
    };
    for build in [arith::maximumf as Build, arith::minimumf] {
        assert!(run(build, f32::NAN, 1.0).is_nan());
        assert!(run(build, 1.0, f32::NAN).is_nan());
    }
    for build in [arith::maxnumf as Build, arith::minnumf] {
        assert_eq!(run(build, f32::NAN, 1.0), 1.0);
        assert_eq!(run(build, 1.0, f32::NAN), 1.0);
        assert!(run(build, f32::NAN, f32::NAN).is_nan());
    }
    assert!(run(arith::maximumf, -0.0, 0.0).is_sign_positive());
    assert!(run(arith::maximumf, 0.0, -0.0).is_sign_positive());
    assert!(run(arith::minimumf, -0.0, 0.0).is_sign_negative());
    assert!(run(arith::minimumf, 0.0, -0.0).is_sign_negative());
    assert_eq!(run(arith::maximumf, 1.0, 2.0), 2.0);
    assert_eq!(run(arith::minnumf, 1.0, 2.0), 1.0);
    assert_eq!(run(arith::remf, -5.5, 2.0), -1.5);
}

#[test]
fn rounding_modes() {
    let ctx = context();
    let run = |mode: Option<i64>, value: f64| {
        let build = |b: &mut Builder<'_>, operand| {
            let mode = mode.and_then(RoundingMode::from_value);
            let op = TruncF::build(b, operand, mode, None, Type::F32);
            op.out(b.body())
        };
        match unary(&ctx, build, Type::F64, &value.into()) {
            Ok(Datum::F32(value)) => value,
            other => panic!("{other:?}"),
        }
    };
    let above = 1.0 + f32::EPSILON;
    let third = 1.0 + f64::from(f32::EPSILON) / 3.0;
    let half = 1.0 + f64::from(f32::EPSILON) / 2.0;
    assert_eq!(run(None, third), 1.0);
    assert_eq!(run(Some(0), half), 1.0);
    assert_eq!(run(Some(1), third), 1.0);
    assert_eq!(run(Some(2), third), above);
    assert_eq!(run(Some(2), -third), -1.0);
    assert_eq!(run(Some(1), -third), -above);
    assert_eq!(run(Some(3), -third), -1.0);
    assert_eq!(run(Some(4), half), above);
    assert_eq!(run(Some(4), -half), -above);
    assert_eq!(run(Some(4), third), 1.0);
    assert_eq!(run(Some(3), 1e300), f32::MAX);
    assert_eq!(run(None, 1e300), f32::INFINITY);
}

#[test]
fn narrow_floats_round_after_each_operation() {
    let ctx = context();
    let sum = binary(&ctx, arith::addf, Type::F16, &Datum::F32(2048.0), &Datum::F32(1.0));
    assert_eq!(sum, Ok(Datum::F32(2048.0)));
    let sum = binary(&ctx, arith::addf, Type::BF16, &Datum::F32(256.0), &Datum::F32(1.0));
    assert_eq!(sum, Ok(Datum::F32(256.0)));
}

#[test]
fn tensors_are_computed_element_by_element() {
    let ctx = context();
    let ty = Type::tensor(&ctx, &[2, 2], Type::F32);
    let tensor = |data: [f32; 4]| Tensor { shape: vec![2, 2], data: TensorData::F32(data.into()) }.into();
    let (a, b): (Datum, Datum) = (tensor([1.0, 2.0, 3.0, 4.0]), tensor([0.5; 4]));
    assert_eq!(binary(&ctx, arith::mulf, ty, &a, &b), Ok(tensor([0.5, 1.0, 1.5, 2.0])));
    let less =
        binary(&ctx, |b, lhs, rhs| arith::cmpf(b, CmpFPredicate::Olt, lhs, rhs), ty, &a, &tensor([2.5; 4]));
    let truth = Tensor { shape: vec![2, 2], data: TensorData::Int(vec![1, 1, 0, 0]) };
    assert_eq!(less, Ok(truth.into()));
    let empty: Datum = Tensor { shape: vec![0, 2], data: TensorData::F32(vec![]) }.into();
    let dynamic = Type::tensor(&ctx, &[minoan_ir::DYNAMIC, 2], Type::F32);
    assert_eq!(binary(&ctx, arith::addf, dynamic, &empty, &empty), Ok(empty));
}

#[test]
fn mismatched_extents_trap() {
    let ctx = context();
    let ty = Type::tensor(&ctx, &[minoan_ir::DYNAMIC], Type::F64);
    let tensor = |count| Tensor { shape: vec![count], data: TensorData::F64(vec![0.0; count]) }.into();
    let trap = binary(&ctx, arith::addf, ty, &tensor(2), &tensor(3)).expect_err("they do not fit");
    assert_eq!(trap.message, "operands of extents [2] and [3]");
}

proptest! {
    #[test]
    fn bitcast_preserves_bits(value in any::<i32>()) {
        let ctx = context();
        let float = unary(&ctx, |b, value| arith::bitcast(b, value, Type::F32), Type::I32, &Datum::Int(value.into()));
        let float = float.expect("any bits are a float");
        prop_assert!(float.same(&Datum::F32(f32::from_bits(value as u32))));
        let back = unary(&ctx, |b, value| arith::bitcast(b, value, Type::I32), Type::F32, &float);
        if !f32::from_bits(value as u32).is_nan() {
            prop_assert_eq!(back, Ok(Datum::Int(value.into())));
        }
    }

    #[test]
    fn float_to_integer_conversion(value in any::<f64>()) {
        let ctx = context();
        let got = unary(&ctx, |b, value| arith::fptosi(b, value, Type::I64), Type::F64, &value.into());
        // -2^63 is a float, 2^63 - 1 is not.
        if value > -9.3e18 && value.trunc() >= i64::MIN as f64 && value.trunc() < -(i64::MIN as f64) {
            prop_assert_eq!(got, Ok(Datum::Int(value as i64)));
        } else {
            prop_assert_eq!(got, Ok(Datum::Poison));
        }
    }
}

#[test]
fn scales_are_powers_of_two() {
    let ctx = context();
    let run = |wide: bool, value: f32, scale: f32| {
        let mut types = [Type::F16, Type::F32];
        types.rotate_left(usize::from(!wide));
        let result = all_results(
            &ctx,
            |b, [value, scale]: [Value; 2]| {
                if wide {
                    arith::ScalingExtF::build(b, value, scale, None, types[1]).op()
                } else {
                    arith::ScalingTruncF::build(b, value, scale, None, None, types[1]).op()
                }
            },
            types[0],
            &[Datum::F32(value), Datum::F32(scale)],
        );
        match &result.expect("it is evaluated")[..] {
            [Datum::F32(value)] => *value,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(run(true, 1.5, 3.0), 3.0, "the scale 3 is 2");
    assert_eq!(run(true, -1.5, 0.25), -0.375);
    assert!(run(true, 1.0, f32::NAN).is_nan());
    assert_eq!(run(false, 3.0, 4.0), 0.75);
    assert_eq!(run(false, 2049.0, 1.0), 2048.0, "ties go to the even one");
}
