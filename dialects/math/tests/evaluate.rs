//! Tests the evaluation of the math operations.

use minoan_arith::ArithDialect;
use minoan_ir::{Builder, Context, Type, Value};
use minoan_math::{self as math, MathDialect};
use minoan_services::{Datum, Evaluate, Trap};
use minoan_testing::evaluate;

fn context() -> Context {
    minoan_testing::context(|registry| {
        registry.add(ArithDialect).add(MathDialect);
    })
}

fn run<const N: usize>(
    ty: Type,
    operands: [Datum; N],
    build: impl Fn(&mut Builder<'_>, [Value; N]) -> Value,
) -> Result<Datum, Trap> {
    let results = evaluate(&context(), ty, &operands, |b, values| {
        let result = build(b, values);
        b.body().defining_op(result).expect("a result")
    });
    Ok(results?.into_iter().next().expect("one result"))
}

fn f32_of(value: f32, build: fn(&mut Builder<'_>, Value) -> Value) -> f32 {
    match run(Type::F32, [value.into()], |b, [value]| build(b, value)) {
        Ok(Datum::F32(value)) => value,
        other => panic!("{other:?}"),
    }
}

fn int_of(value: i64, ty: Type, build: fn(&mut Builder<'_>, Value) -> Value) -> i64 {
    run(ty, [value.into()], |b, [value]| build(b, value)).and_then(|value| value.int()).expect("an integer")
}

#[test]
fn every_operation_is_evaluated() {
    let ctx = context();
    for kind in ctx.registered_kinds() {
        assert!(ctx.service::<dyn Evaluate>(kind).is_some(), "{}", ctx.kind_name(kind));
    }
}

#[test]
fn f32_is_computed_in_f32() {
    assert_eq!(f32_of(0.3, math::sin), 0.3f32.sin());
    assert_eq!(f32_of(0.3, math::exp), 0.3f32.exp());
    assert_eq!(f32_of(0.3, math::erf), libm::erff(0.3));
    assert_eq!(f32_of(2.0, math::rsqrt), 1.0 / 2.0f32.sqrt());
    assert!(f32_of(-1.0, math::log).is_nan());
}

#[test]
fn round_half_modes() {
    assert_eq!([f32_of(2.5, math::round), f32_of(2.5, math::roundeven)], [3.0, 2.0]);
    assert_eq!([f32_of(-2.5, math::round), f32_of(-2.5, math::roundeven)], [-3.0, -2.0]);
    assert_eq!(
        [f32_of(-1.5, math::trunc), f32_of(-1.5, math::floor), f32_of(-1.5, math::ceil)],
        [-1.0, -2.0, -1.0]
    );
}

#[test]
fn bit_counts_respect_width() {
    assert_eq!(int_of(1, Type::I8, math::ctlz), 7);
    assert_eq!(int_of(0, Type::I8, math::ctlz), 8);
    assert_eq!(int_of(0, Type::I32, math::cttz), 32);
    assert_eq!(int_of(-8, Type::I16, math::cttz), 3);
    assert_eq!(int_of(-1, Type::INDEX, math::ctpop), 64);
    assert_eq!(int_of(-128, Type::I8, math::absi), -128);
}

#[test]
fn fma_rounds_once() {
    let (a, c) = (1.0 + f32::EPSILON, -1.0 - 2.0 * f32::EPSILON);
    let fused = run(Type::F32, [a.into(), a.into(), c.into()], |b, [x, y, z]| math::fma(b, x, y, z));
    assert_eq!(fused, Ok(Datum::F32(f32::EPSILON * f32::EPSILON)));
}

#[test]
fn clamp_propagates_nan() {
    let clamp = |value: f32, low: f32, high: f32| match run(
        Type::F32,
        [value.into(), low.into(), high.into()],
        |b, [x, y, z]| math::clampf(b, x, y, z),
    ) {
        Ok(Datum::F32(value)) => value,
        other => panic!("{other:?}"),
    };
    assert_eq!([clamp(3.0, 0.0, 1.0), clamp(-3.0, 0.0, 1.0), clamp(0.5, 0.0, 1.0)], [1.0, 0.0, 0.5]);
    assert!(clamp(f32::NAN, 0.0, 1.0).is_nan());
}
