//! Compares the evaluation of integer operations with a model in `i128`.

#[allow(dead_code, reason = "not every test file uses all of it")]
mod run;

use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{AttrEnum, Builder, Context, Flags, Type, Value};
use minoan_services::{Datum, Tensor, TensorData, wrap};
use proptest::prelude::*;
use run::{binary, context, unary};

type Build = fn(&mut Builder<'_>, Value, Value) -> Value;
/// Computes the result from the operands, signed and unsigned, and the width.
type Model = fn((i128, u128), (i128, u128), u32) -> Option<i128>;

const TOTAL: &[(&str, Build, Model)] = &[
    ("addi", arith::addi, |a, b, _| Some(a.0 + b.0)),
    ("subi", arith::subi, |a, b, _| Some(a.0 - b.0)),
    ("muli", arith::muli, |a, b, _| Some(a.0.wrapping_mul(b.0))),
    ("andi", arith::andi, |a, b, _| Some((a.1 & b.1) as i128)),
    ("ori", arith::ori, |a, b, _| Some((a.1 | b.1) as i128)),
    ("xori", arith::xori, |a, b, _| Some((a.1 ^ b.1) as i128)),
    ("maxsi", arith::maxsi, |a, b, _| Some(a.0.max(b.0))),
    ("maxui", arith::maxui, |a, b, _| Some(a.1.max(b.1) as i128)),
    ("minsi", arith::minsi, |a, b, _| Some(a.0.min(b.0))),
    ("minui", arith::minui, |a, b, _| Some(a.1.min(b.1) as i128)),
];

fn fits(value: i128, width: u32) -> Option<i128> {
    (-(1i128 << (width - 1))..1i128 << (width - 1)).contains(&value).then_some(value)
}

const PARTIAL: &[(&str, Build, Model)] = &[
    ("divsi", arith::divsi, |a, b, width| fits(a.0.checked_div(b.0)?, width)),
    ("divui", arith::divui, |a, b, _| a.1.checked_div(b.1).map(|value| value as i128)),
    ("ceildivsi", arith::ceildivsi, |a, b, width| {
        let down = a.0.checked_div_euclid(b.0)?;
        let exact = down * b.0 == a.0;
        // The Euclidean quotient is rounded down for a positive divisor, up for a negative one.
        fits(if exact || b.0 < 0 { down } else { down + 1 }, width)
    }),
    ("floordivsi", arith::floordivsi, |a, b, width| {
        let down = a.0.checked_div_euclid(b.0)?;
        let exact = down * b.0 == a.0;
        fits(if exact || b.0 > 0 { down } else { down - 1 }, width)
    }),
    ("ceildivui", arith::ceildivui, |a, b, _| (b.1 != 0).then(|| a.1.div_ceil(b.1) as i128)),
    ("remsi", arith::remsi, |a, b, width| {
        fits(a.0.checked_div(b.0)?, width)?;
        Some(a.0 % b.0)
    }),
    ("remui", arith::remui, |a, b, _| a.1.checked_rem(b.1).map(|value| value as i128)),
    ("shli", arith::shli, |a, b, width| {
        (b.1 < width.into()).then(|| ((a.1 << b.1) & u64::MAX as u128) as i128)
    }),
    ("shrsi", arith::shrsi, |a, b, width| (b.1 < width.into()).then(|| a.0 >> b.1)),
    ("shrui", arith::shrui, |a, b, width| (b.1 < width.into()).then(|| (a.1 >> b.1) as i128)),
];

/// The signed and unsigned interpretation of a value, by `i128` arithmetic alone.
fn readings(value: i64, width: u32) -> (i128, u128) {
    let modulus = 1i128 << width;
    let unsigned = i128::from(value).rem_euclid(modulus);
    let signed = if unsigned >= modulus / 2 { unsigned - modulus } else { unsigned };
    (signed, unsigned as u128)
}

/// The stored form.
fn kept(value: i128, width: u32) -> Datum {
    let (signed, unsigned) = readings(value as i64, width);
    Datum::Int(if width == 1 { unsigned as i64 } else { signed as i64 })
}

/// Random values, with many small and extreme ones.
fn values() -> impl Strategy<Value = i64> {
    prop_oneof![any::<i64>(), -3i64..70, Just(i64::MIN), Just(i64::MAX), Just(-128), Just(1 << 31)]
}

proptest! {
    #[test]
    fn operations_follow_the_model(
        a in values(), b in values(), width in prop_oneof![1u32..=64, Just(1), Just(8), Just(32), Just(64)],
    ) {
        let ctx = context();
        let ty = Type::integer(&ctx, width);
        let (left, right) = (kept(a.into(), width), kept(b.into(), width));
        let (a, b) = (readings(a, width), readings(b, width));
        for (name, build, model) in TOTAL.iter().chain(PARTIAL) {
            let got = binary(&ctx, *build, ty, &left, &right);
            match model(a, b, width) {
                Some(want) => prop_assert_eq!(got, Ok(kept(want, width)), "{} at {} bits", name, width),
                // A shift too far is poison; a division without a quotient is undefined behavior.
                None if name.starts_with("sh") => prop_assert_eq!(got, Ok(Datum::Poison), "{} at {} bits", name, width),
                None => prop_assert!(
                    got.as_ref().is_err_and(|trap| trap.is_undefined),
                    "{} at {} bits gave {:?}", name, width, got
                ),
            }
        }
    }

    #[test]
    fn comparisons_follow_the_model(a in values(), b in values(), width in 1u32..=64) {
        let ctx = context();
        let ty = Type::integer(&ctx, width);
        let (left, right) = (kept(a.into(), width), kept(b.into(), width));
        let (a, b) = (readings(a, width), readings(b, width));
        let wanted = [
            a.0 == b.0, a.0 != b.0, a.0 < b.0, a.0 <= b.0, a.0 > b.0, a.0 >= b.0,
            a.1 < b.1, a.1 <= b.1, a.1 > b.1, a.1 >= b.1,
        ];
        for (&predicate, want) in CmpIPredicate::ALL.iter().zip(wanted) {
            let got = binary(&ctx, |b, lhs, rhs| arith::cmpi(b, predicate, lhs, rhs), ty, &left, &right);
            prop_assert_eq!(got, Ok(want.into()), "{}", predicate.keyword());
        }
    }

    #[test]
    fn conversions_follow_the_model(value in values(), from in 1u32..=63, more in 1u32..=32) {
        let to = (from + more).min(64);
        let ctx = context();
        let (narrow, wide) = (Type::integer(&ctx, from), Type::integer(&ctx, to));
        let given = kept(value.into(), from);
        let (signed, unsigned) = readings(value, from);
        let run = |build: fn(&mut Builder<'_>, Value, Type) -> Value, ty, to, given: &Datum| {
            unary(&ctx, |b, value| build(b, value, to), ty, given)
        };
        prop_assert_eq!(run(arith::extsi, narrow, wide, &given), Ok(kept(signed, to)));
        prop_assert_eq!(run(arith::extui, narrow, wide, &given), Ok(kept(unsigned as i128, to)));
        prop_assert_eq!(run(arith::trunci, wide, narrow, &kept(value.into(), to)), Ok(given.clone()));
        prop_assert_eq!(run(arith::index_cast, narrow, Type::INDEX, &given), Ok(kept(signed, 64)));
        prop_assert_eq!(run(arith::index_castui, narrow, Type::INDEX, &given), Ok(kept(unsigned as i128, 64)));
        prop_assert_eq!(run(arith::sitofp, narrow, Type::F32, &given), Ok(Datum::F32(signed as f32)));
        prop_assert_eq!(run(arith::uitofp, narrow, Type::F64, &given), Ok(Datum::F64(unsigned as f64)));
    }
}

#[test]
fn extended_operations() {
    let ctx = context();
    let both = |build: fn(&mut Builder<'_>, [Value; 2]) -> minoan_ir::Op, a: i64, b: i64| {
        run::all_results(&ctx, build, Type::I8, &[Datum::Int(a), Datum::Int(b)]).expect("it is defined")
    };
    use minoan_ir::OpDef;
    let sum = both(|b, [lhs, rhs]| arith::AddUIExtended::build(b, lhs, rhs).op(), -1, 2);
    assert_eq!(sum, [Datum::Int(1), Datum::Int(1)]);
    let signed = both(|b, [lhs, rhs]| arith::MulSIExtended::build(b, lhs, rhs).op(), -1, 2);
    assert_eq!(signed, [Datum::Int(-2), Datum::Int(-1)]);
    let unsigned = both(|b, [lhs, rhs]| arith::MulUIExtended::build(b, lhs, rhs).op(), -1, 2);
    assert_eq!(unsigned, [Datum::Int(-2), Datum::Int(1)]);
}

#[test]
fn violated_flags_give_poison() {
    use arith::Overflow::{NoSignedWrap, NoUnsignedWrap};
    let ctx = context();
    let flagged = |flags: &'static [arith::Overflow]| {
        move |b: &mut Builder<'_>, lhs, rhs| {
            let op = arith::AddI::build(b, lhs, rhs);
            op.set_overflow(b.body_mut(), flags.iter().copied().collect::<Flags<_>>());
            op.result(b.body())
        }
    };
    let add = |flags, a, b| binary(&ctx, flagged(flags), Type::I8, &Datum::Int(a), &Datum::Int(b));
    assert_eq!(add(&[], 127, 1), Ok(Datum::Int(-128)));
    assert_eq!(add(&[NoSignedWrap], 127, 1), Ok(Datum::Poison));
    assert_eq!(add(&[NoUnsignedWrap], 127, 1), Ok(Datum::Int(-128)));
    assert_eq!(add(&[NoSignedWrap, NoUnsignedWrap], -1, 1), Ok(Datum::Poison));
    assert_eq!(add(&[NoSignedWrap], -1, 1), Ok(Datum::Int(0)));
}

#[test]
fn poison_is_passed_on() {
    let ctx = context();
    let run = |build: fn(&mut Builder<'_>, Value, Value) -> Value, a: Datum, b: Datum| {
        binary(&ctx, build, Type::I8, &a, &b)
    };
    assert_eq!(run(arith::addi, Datum::Poison, Datum::Int(1)), Ok(Datum::Poison));
    assert_eq!(run(arith::divui, Datum::Poison, Datum::Int(1)), Ok(Datum::Poison));
    assert_eq!(run(arith::shrui, Datum::Int(1), Datum::Int(8)), Ok(Datum::Poison));
    // The divisor may be zero.
    for divide in [arith::divsi, arith::divui, arith::remsi, arith::ceildivui] {
        assert!(run(divide, Datum::Int(1), Datum::Poison).expect_err("undefined").is_undefined);
        assert!(run(divide, Datum::Poison, Datum::Int(0)).expect_err("undefined").is_undefined);
    }
    let ty = Type::vector(&ctx, &[2], Type::I8);
    let vector = |elements| Datum::from(Tensor { shape: vec![2], data: TensorData::Int(elements) });
    let sum = binary(&ctx, arith::shli, ty, &vector(vec![1, 1]), &vector(vec![1, 9])).expect("it is defined");
    let Datum::Tensor(sum) = sum else { panic!("a vector") };
    assert_eq!((sum.data.get(0), sum.data.get(1)), (Datum::Int(2), Datum::Poison));
}

#[test]
fn the_value_that_is_not_chosen_may_be_poison() {
    let ctx = context();
    let choose = |condition: Datum| {
        let build = |b: &mut Builder<'_>, [c, yes, no]: [Value; 3]| {
            let result = arith::select(b, c, yes, no);
            b.body().defining_op(result).expect("a result")
        };
        run::all_results(&ctx, build, Type::I1, &[condition, Datum::Int(1), Datum::Poison])
    };
    assert_eq!(choose(Datum::Int(1)), Ok(vec![Datum::Int(1)]));
    assert_eq!(choose(Datum::Int(0)), Ok(vec![Datum::Poison]));
    assert_eq!(choose(Datum::Poison), Ok(vec![Datum::Poison]));
}

#[test]
fn index_has_64_bits() {
    let ctx: Context = context();
    let sum = binary(&ctx, arith::addi, Type::INDEX, &Datum::Int(i64::MAX), &Datum::Int(1));
    assert_eq!(sum, Ok(Datum::Int(wrap(1 << 63, 64))));
}
