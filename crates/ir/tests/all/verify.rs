//! The verifier's rules about single operations, one case for each number (1 to 15, 31, 35).

use crate::toy::harness::check;
use crate::toy::{self, *};
use expect_test::{Expect, expect};
use minoan_ir::{Attr, Builder, Context, OpDef, OpState, Type, Value};

/// The arguments of the function in which the cases are built.
struct Args {
    f: Value,
    i: Value,
    b: Value,
}

fn case(want: Expect, build: impl FnOnce(&Context, &mut Builder<'_>, Args)) {
    want.assert_eq(&check(&[Type::F32, Type::I32, Type::I1], |ctx, b, args| {
        build(ctx, b, Args { f: args[0], i: args[1], b: args[2] });
    }));
}

fn state<O: OpDef>(ctx: &Context, operands: &[Value], results: &[Type]) -> OpState {
    OpState::new(ctx.kind_of::<O>()).operands(operands).results(results)
}

fn other(ctx: &Context, b: &mut Builder<'_>, types: &[Type]) -> Vec<Value> {
    let op = b.create(OpState::named(ctx, "other.value").results(types));
    b.body().op(op).results().collect()
}

fn dictionary(ctx: &Context, entries: &[(&str, Attr)]) -> Attr {
    let entries: Vec<_> = entries.iter().map(|&(name, attr)| (ctx.name(name), attr)).collect();
    Attr::dictionary(ctx, &entries)
}

#[test]
fn valid_code_is_accepted() {
    case(expect![""], |ctx, b, Args { f, b: flag, .. }| {
        let sum = Add::build(b, f, f);
        let sum = sum.result(b.body());
        let choice = If::build(b, flag, &[]);
        let (_, back) = b.enter(choice.op(), 0, &[]);
        Add::build(b, sum, f);
        Yield::build(b, &[]);
        b.set_insertion_point(back);
        let memref = other(ctx, b, &[Type::memref(ctx, &[8], Type::F32)]);
        let at = Constant::build(b, Attr::index_value(ctx, 1));
        let at = at.result(b.body());
        Store::build(b, sum, memref[0], &[at]);
        Gather::build(b, f, &[at], Some(flag), f, None, Attr::i64(ctx, 8), Type::F32);
        Split::build(b, f, None, &[Type::I1]);
    });
}

#[test]
fn rule_1_operations_of_loaded_dialects_are_declared() {
    case(
        expect![
            "unregistered operation 'toy.ad' found in dialect ('toy') that does not allow unknown operations"
        ],
        |ctx, b, _| {
            b.create(OpState::named(ctx, "toy.ad"));
            b.create(OpState::named(ctx, "unknown.ad"));
            b.create(OpState::named(ctx, "nodialect"));
        },
    );
}

#[test]
fn rule_2_number_of_operands() {
    case(
        expect![[r#"
            'toy.add' op expected 2 operands, but found 1
            'toy.convert' op requires a single operand
            'toy.constant' op requires zero operands
            'toy.store' op expected 2 or more operands, but found 1
            'toy.maybe' op operand group starting at #0 requires 0 or 1 element, but found 2"#]],
        |ctx, b, Args { f, .. }| {
            b.create(state::<Add>(ctx, &[f], &[Type::F32]));
            b.create(state::<Convert>(ctx, &[], &[Type::I32]));
            b.create(
                state::<Constant>(ctx, &[f], &[Type::I1]).props(dictionary(ctx, &[("value", Attr::TRUE)])),
            );
            b.create(state::<Store>(ctx, &[f], &[]));
            b.create(state::<Maybe>(ctx, &[f, f], &[]));
        },
    );
}

#[test]
fn rule_3_number_of_results() {
    case(
        expect![[r#"
            'toy.add' op requires one result
            'toy.store' op expected 2 or more operands, but found 1
            'toy.store' op requires zero results
            'toy.maybe' op result group starting at #0 requires 0 or 1 element, but found 2"#]],
        |ctx, b, Args { f, .. }| {
            b.create(state::<Add>(ctx, &[f, f], &[]));
            b.create(state::<Store>(ctx, &[f], &[Type::I1]));
            b.create(state::<Maybe>(ctx, &[], &[Type::I1, Type::I1]));
        },
    );
}

#[test]
fn rule_4_number_of_regions() {
    case(
        expect![[r#"
            'toy.add' op requires zero regions
            'toy.if' op expected 2 regions
            'toy.if' op region #0 ('then_region') failed to verify constraint: region with 1 blocks
            'toy.inline' op requires one region
            'toy.switch' op expected 1 or more regions"#]],
        |ctx, b, Args { f, b: flag, .. }| {
            b.create(state::<Add>(ctx, &[f, f], &[Type::F32]).regions(1));
            b.create(state::<If>(ctx, &[flag], &[]).regions(1));
            b.create(state::<Inline>(ctx, &[], &[]));
            let at = other(ctx, b, &[Type::INDEX]);
            b.create(state::<Switch>(ctx, &at, &[]));
        },
    );
}

#[test]
fn rule_5_number_of_successors() {
    case(
        expect![[r#"
        'toy.br' op requires 1 successor but found 0
        'toy.cond_br' op requires at least 1 successors but found 0"#]],
        |ctx, b, Args { b: flag, .. }| {
            let region = b.create(state::<Inline>(ctx, &[], &[]).regions(1));
            let (_, _) = b.enter(region, 0, &[]);
            b.create(state::<Br>(ctx, &[], &[]));
            b.enter(region, 0, &[]);
            b.create(state::<CondBr>(ctx, &[flag], &[]));
        },
    );
}

#[test]
fn rule_6_segment_sizes() {
    case(
        expect![[r#"
        'toy.gather' op operand count (2) does not match with the total size (0) specified in attribute 'operandSegmentSizes'
        'toy.gather' op operand count (2) does not match with the total size (1) specified in attribute 'operandSegmentSizes'
        'toy.gather' op 'operandSegmentSizes' attribute cannot have negative elements
        'toy.gather' op operand count (2) does not match with the total size (4) specified in attribute 'operandSegmentSizes'
        'toy.gather' op operand group starting at #0 requires 1 element, but found 0
        'toy.gather' op operand group starting at #1 requires 0 or 1 element, but found 2
        'toy.gather' op expected 2 or more operands, but found 1
        'toy.gather' op requires dense i32 array attribute 'operandSegmentSizes'
        'toy.split' op result count (0) does not match with the total size (2) specified in attribute 'resultSegmentSizes'"#]],
        |ctx, b, Args { f, b: flag, .. }| {
            let align = ("minAlign", Attr::i64(ctx, 1));
            for sizes in [&[][..], &[1, 0, 0], &[1, -1, 1, 1], &[1, 0, 0, 3], &[0, 0, 1, 1], &[1, 0, 0, 1]] {
                let sizes = ("operandSegmentSizes", Attr::dense_i32(ctx, sizes));
                b.create(state::<Gather>(ctx, &[f, f], &[Type::F32]).props(dictionary(ctx, &[align, sizes])));
            }
            let sizes = ("operandSegmentSizes", Attr::dense_i32(ctx, &[1, 0, 2, 1]));
            b.create(
                state::<Gather>(ctx, &[f, flag, flag, f], &[Type::F32])
                    .props(dictionary(ctx, &[align, sizes])),
            );
            for operands in [&[f][..], &[f, f]] {
                b.create(state::<Gather>(ctx, operands, &[Type::F32]).props(dictionary(ctx, &[align])));
            }
            let sizes = ("resultSegmentSizes", Attr::dense_i32(ctx, &[1, 1]));
            b.create(state::<Split>(ctx, &[f], &[]).props(dictionary(ctx, &[sizes])));
        },
    );
}

#[test]
fn rule_7_types_satisfy_their_constraints() {
    case(
        expect![[r#"
            'toy.add' op operand #0 must be floating-point-like, but got 'i32'
            'toy.add' op result #0 must be floating-point-like, but got 'tensor<2x?xi8>'
            'toy.store' op operand #2 must be variadic of index, but got 'f32'"#]],
        |ctx, b, Args { f, i, .. }| {
            b.create(state::<Add>(ctx, &[i, i], &[Type::I32]).props(dictionary(ctx, &[])));
            b.create(state::<Add>(ctx, &[f, f], &[Type::tensor(ctx, &[2, minoan_ir::DYNAMIC], Type::I8)]));
            let memref = other(ctx, b, &[Type::memref(ctx, &[], Type::F32)]);
            b.create(state::<Store>(ctx, &[f, memref[0], f], &[]));
        },
    );
}

#[test]
fn rule_8_same_types() {
    case(
        expect!["'toy.gather' op failed to verify that all of {base, fallback} have same type"],
        |ctx, b, Args { f, i, .. }| {
            Gather::build(b, f, &[], None, i, None, Attr::i64(ctx, 1), Type::F32);
        },
    );
}

#[test]
fn rule_9_derived_types() {
    case(
        expect!["'toy.store' op failed to verify that type of 'value' matches element type of 'memref'"],
        |ctx, b, Args { i, .. }| {
            let memref = other(ctx, b, &[Type::memref(ctx, &[], Type::F32)]);
            Store::build(b, i, memref[0], &[]);
        },
    );
}

#[test]
fn rule_10_same_operands() {
    case(expect!["'toy.pack' op requires all operands to have the same type"], |_, b, Args { f, i, .. }| {
        Pack::build(b, &[f, i], Some(Type::I1));
        Pack::build(b, &[f, f], Some(Type::I1));
    });
}

#[test]
fn rule_11_same_operands_and_result() {
    case(
        expect![[r#"
            'toy.add' op requires the same type for all operands and results
            'toy.add' op requires the same type for all operands and results"#]],
        |ctx, b, Args { f, .. }| {
            let tensor = |extent, element| Type::tensor(ctx, &[extent], element);
            let types = [
                tensor(2, Type::F32),
                tensor(3, Type::F32),
                tensor(minoan_ir::DYNAMIC, Type::F32),
                Type::F64,
            ];
            let values = other(ctx, b, &types);
            b.create(state::<Add>(ctx, &[f, values[3]], &[Type::F32]));
            b.create(state::<Add>(ctx, &[values[0], values[0]], &[types[1]]));
            // Dynamic extents are compatible.
            b.create(state::<Add>(ctx, &[values[0], values[2]], &[types[0]]));
        },
    );
}

#[test]
fn rule_12_same_shape() {
    case(
        expect![[r#"
        'toy.convert' op requires the same shape for all operands and results
        'toy.convert' op requires the same shape for all operands and results"#]],
        |ctx, b, Args { f, .. }| {
            let tensor = other(ctx, b, &[Type::tensor(ctx, &[2], Type::F32)]);
            Convert::build(b, tensor[0], Type::I32);
            Convert::build(b, tensor[0], Type::tensor(ctx, &[3], Type::I32));
            Convert::build(b, tensor[0], Type::tensor(ctx, &[2], Type::I32));
            Convert::build(b, f, Type::I32);
        },
    );
}

#[test]
fn rule_13_elementwise() {
    case(
        expect![[r#"
        'toy.compare' op if a result is non-scalar, then at least one operand must be non-scalar
        'toy.compare' op if an operand is non-scalar, then there must be at least one non-scalar result
        'toy.compare' op if an operand is non-scalar, then all results must be non-scalar
        'toy.compare' op all non-scalar operands/results must have the same shape and base type"#]],
        |ctx, b, Args { f, .. }| {
            let (tensor, vector) = (Type::tensor(ctx, &[2], Type::F32), Type::vector(ctx, &[2], Type::F32));
            let values = other(ctx, b, &[tensor, vector]);
            Compare::build(b, f, f, &[tensor]);
            Compare::build(b, values[0], f, &[Type::I1]);
            Compare::build(b, values[0], f, &[tensor, Type::I1]);
            Compare::build(b, values[0], values[1], &[tensor]);
            Compare::build(b, values[0], f, &[tensor]);
        },
    );
}

#[test]
fn rule_14_required_attributes() {
    case(
        expect![[r#"
        'toy.constant' op requires attribute 'value'
        'toy.call' op requires attribute 'callee'"#]],
        |ctx, b, _| {
            b.create(state::<Constant>(ctx, &[], &[Type::I1]));
            b.create(state::<Call>(ctx, &[], &[]));
        },
    );
}

#[test]
fn rule_15_attributes_satisfy_their_constraints() {
    case(
        expect![[r#"
        'toy.add' op attribute 'fastmath' failed to satisfy constraint: toy fast math flags
        'toy.call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute
        'toy.call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute"#]],
        |ctx, b, Args { f, .. }| {
            b.create(
                state::<Add>(ctx, &[f, f], &[Type::F32]).props(dictionary(ctx, &[("fastmath", Attr::UNIT)])),
            );
            b.create(state::<Call>(ctx, &[], &[]).props(dictionary(ctx, &[("callee", Attr::i64(ctx, 3))])));
            // An inherent attribute among the discardable ones counts, too.
            b.create(state::<Call>(ctx, &[], &[]).attrs(dictionary(ctx, &[("callee", Attr::UNIT)])));
        },
    );
}

#[test]
fn rule_31_operation_verifiers() {
    let ctx = toy::context();
    let mut module = harness::program(&ctx);
    for (name, ty) in [("bad", Attr::ty(&ctx, Type::function(&ctx, &[], &[]))), ("worse", Attr::UNIT)] {
        let block = module.block();
        let mut b = Builder::at_end(module.body_mut(), block);
        Func::build(&mut b, Attr::string(&ctx, name), ty);
    }
    // The operation's own rule is not checked if its declaration is violated.
    expect![[r#"
        'toy.func' op has a bad name
        'toy.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type"#]].assert_eq(&harness::report(&module));
}

#[test]
fn rule_35_inferred_result_types() {
    case(
        expect![[r#"
            'toy.add' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'
            'toy.add' op failed to infer returned types
            'toy.add' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'
            'toy.add' op failed to infer returned types
            'toy.constant' op inferred type(s) 'i1' are incompatible with return type(s) of operation 'i32'
            'toy.constant' op failed to infer returned types"#]],
        |ctx, b, _| {
            let types = [2, minoan_ir::DYNAMIC].map(|extent| Type::tensor(ctx, &[extent], Type::F32));
            let values = other(ctx, b, &types);
            // An equal operation is not considered valid by the cache.
            for _ in 0..2 {
                b.create(state::<Add>(ctx, &values, &[types[1]]));
            }
            b.create(state::<Add>(ctx, &values, &[types[0]]));
            let value = dictionary(ctx, &[("value", Attr::TRUE)]);
            b.create(state::<Constant>(ctx, &[], &[Type::I32]).props(value));
        },
    );
}

#[test]
fn violations_name_their_subject() {
    let ctx = toy::context();
    let mut module = harness::program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let values = other(&ctx, &mut b, &[Type::F32, Type::I32]);
    b.create(state::<Add>(&ctx, &values, &[Type::F32]));
    let errors = minoan_ir::verify::verify(&module).expect_err("an operand has another type");
    let subject =
        errors.iter().next().and_then(|error| error.subject.clone()).expect("it is about an operand");
    assert_eq!((subject.operation.as_str(), subject.text.as_str()), ("toy.add", "i32"));
    assert_eq!(subject.part, minoan_diag::Part::Operand(1));
}

#[test]
fn single_operation_is_verified_without_regions() {
    let ctx = toy::context();
    let mut module = harness::program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let outer = Inline::build(&mut b, &[]);
    b.enter(outer.op(), 0, &[]);
    let inner = b.create(OpState::new(ctx.kind_of::<Constant>()));
    Return::build(&mut b, &[]);
    let body = module.body();
    assert!(minoan_ir::verify::verify_op(body, outer.op()).is_ok());
    let wrong = minoan_ir::verify::verify_op(body, inner).expect_err("it has no result and no value");
    assert_eq!(wrong.error_count(), 2);
}

#[test]
fn messages_point_at_the_location() {
    let ctx = toy::context();
    let mut module = harness::program(&ctx);
    let block = module.block();
    let loc = minoan_ir::Loc::file(&ctx, "a.mlir", 3, 7);
    let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
    b.create(OpState::new(ctx.kind_of::<Constant>()).results(&[Type::I1]));
    let wrong = minoan_ir::verify::verify(&module).expect_err("no value");
    let places: Vec<_> = wrong.iter().map(|diagnostic| diagnostic.place.clone()).collect();
    assert_eq!(places, [loc.place(&ctx)]);
}
