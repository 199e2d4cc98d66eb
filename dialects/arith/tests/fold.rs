//! Folding by evaluation: what is folded, and what must not be.

use minoan_arith::*;
use minoan_ir::{Attr, AttrData, Builder, Context, FloatKind, Loc, Module, OpDef, Registry, Type, Value};
use minoan_services::{Change, FoldResult, Folded, Folder, Operands, constant_of};

fn fold(build: impl FnOnce(&mut Builder<'_>) -> Value) -> (Context, Folded) {
    let mut registry = Registry::new();
    registry.add(ArithDialect);
    let ctx = Context::new(registry).expect("one dialect");
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let value = build(&mut b);
    let body = b.body();
    let op = body.op(body.defining_op(value).expect("an operation defines it"));
    let known: Operands = op.operands().map(|operand| constant_of(body, operand)).collect();
    let folded = Folder::new(&ctx).fold(op, &known);
    (ctx, folded)
}

fn constant_of_fold(build: impl FnOnce(&mut Builder<'_>) -> Value) -> Option<(Context, Attr)> {
    match fold(build) {
        (ctx, Folded::Results(results)) => match results[..] {
            [FoldResult::Constant(attr)] => Some((ctx, attr)),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn integers_wrap() {
    let (ctx, sum) = constant_of_fold(|b| {
        let (a, c) = (constant_int(b, 127, Type::integer(&b.context(), 8)), 1);
        let c = constant_int(b, c, Type::integer(&b.context(), 8));
        addi(b, a, c)
    })
    .expect("both are known");
    assert_eq!(sum.as_i64(&ctx), Some(-128));
}

#[test]
fn trapping_operations_are_not_folded() {
    let divided = |by: i64| {
        fold(|b| {
            let (a, c) = (constant_int(b, i64::MIN, Type::I64), constant_int(b, by, Type::I64));
            divsi(b, a, c)
        })
        .1
    };
    assert_eq!(divided(0), Folded::Unchanged);
    assert_eq!(divided(-1), Folded::Unchanged);
    assert_ne!(divided(2), Folded::Unchanged);
    let shifted = fold(|b| {
        let (a, c) = (constant_int(b, 1, Type::I32), constant_int(b, 32, Type::I32));
        shli(b, a, c)
    });
    assert_eq!(shifted.1, Folded::Unchanged);
}

#[test]
fn new_nan_is_canonical() {
    let (ctx, nan) = constant_of_fold(|b| {
        let zero = constant_float(b, 0.0, Type::F32);
        divf(b, zero, zero)
    })
    .expect("both are known");
    assert_eq!(*nan.data(&ctx), AttrData::Float { bits: 0x7fc0_0000, ty: Type::F32 });
}

#[test]
fn negation_preserves_nan_payload() {
    let (ctx, nan) = constant_of_fold(|b| {
        let value = Attr::float_bits(&b.context(), 0x7fc0_1234, Type::F32);
        let nan = constant(b, value);
        negf(b, nan)
    })
    .expect("it is known");
    assert_eq!(*nan.data(&ctx), AttrData::Float { bits: 0xffc0_1234, ty: Type::F32 });
}

#[test]
fn signaling_nan_is_not_folded() {
    let folded = fold(|b| {
        let value = Attr::float_bits(&b.context(), 0x7d01, Type::F16);
        let nan = constant(b, value);
        extf(b, nan, Type::F32)
    });
    assert_eq!(folded.1, Folded::Unchanged);
    assert_eq!(Type::F16.float_kind(&folded.0), Some(FloatKind::F16));
}

#[test]
fn equal_elements_are_computed_once() {
    let (ctx, sum) = constant_of_fold(|b| {
        let ty = Type::tensor(&b.context(), &[1 << 40], Type::I32);
        let (a, c) = (constant_int(b, 2, ty), constant_int(b, 3, ty));
        addi(b, a, c)
    })
    .expect("both are known");
    assert!(
        matches!(sum.data(&ctx), AttrData::DenseElements { splat: true, data, .. } if **data == [5, 0, 0, 0])
    );
}

#[test]
fn large_constants_are_not_folded() {
    let folded = fold(|b| {
        let ctx = b.context();
        let ty = Type::tensor(&ctx, &[100_000], Type::I1);
        let data = (0..100_000).map(|at| u8::from(at % 3 == 0)).collect();
        let value = ctx.intern_attr(AttrData::DenseElements { ty, data, splat: false });
        let value = constant(b, value);
        addi(b, value, value)
    });
    assert_eq!(folded.1, Folded::Unchanged);
}

#[test]
fn constants_move_to_the_right() {
    let mut operands = (None, None);
    let (_, folded) = fold(|b| {
        let block = match b.insertion_point() {
            minoan_ir::InsertionPoint::End(block) => block,
            point => panic!("{point:?}"),
        };
        let x = b.body_mut().add_arg(block, Type::I32, Loc::UNKNOWN);
        let three = constant_int(b, 3, Type::I32);
        operands = (Some(x), Some(three));
        AddI::build(b, three, x).result(b.body())
    });
    assert_eq!(
        folded,
        Folded::Changed(Change::new().operands([operands.0, operands.1].into_iter().flatten()))
    );
}

#[test]
fn involutions_cancel() {
    let mut arg = None;
    let (_, folded) = fold(|b| {
        let block = match b.insertion_point() {
            minoan_ir::InsertionPoint::End(block) => block,
            point => panic!("{point:?}"),
        };
        let x = b.body_mut().add_arg(block, Type::F32, Loc::UNKNOWN);
        arg = Some(x);
        let negative = negf(b, x);
        let op = negf(b, negative);
        assert!(NegF::cast(b.body(), b.body().defining_op(op).expect("a negf")).is_some());
        op
    });
    assert_eq!(folded, Folded::from(arg));
}
