//! The code that `#[op]` generates: specs, builders, accessors.

use crate::toy::{self, *};
use minoan_diag::Diagnostics;
use minoan_ir::{Arity, Attr, AttrDefault, Builder, Context, Loc, Module, Op, OpDef, Traits, Type, Value};

/// A module to build in.
fn module() -> (Context, Module) {
    let ctx = toy::context();
    let module = Module::new(&ctx, Loc::UNKNOWN);
    (ctx, module)
}

fn constant(b: &mut Builder<'_>, attr: Attr) -> Value {
    let constant = Constant::build(b, attr);
    constant.result(b.body())
}

fn expect_panic(run: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(run).expect_err("it panics");
    payload.downcast_ref::<String>().cloned().expect("a message")
}

#[test]
fn spec_matches_declaration() {
    let spec = Add::SPEC;
    assert_eq!((spec.name, spec.summary), ("toy.add", "Floating-point addition."));
    assert_eq!(spec.description, "Operands and result have equal types.");
    assert!(spec.traits.has(Traits::PURE.and(Traits::COMMUTATIVE)) && !spec.traits.has(Traits::TERMINATOR));
    let names: Vec<_> = spec.operands.iter().map(|operand| (operand.name, operand.arity)).collect();
    assert_eq!(names, [("lhs", Arity::One), ("rhs", Arity::One)]);
    assert_eq!(spec.operands[0].constraint.to_string(), "floating-point-like");
    assert!(matches!(spec.attrs[0].default, Some(AttrDefault::Text("#toy.fastmath<none>"))));
    assert!(format!("{:?}", spec.assembly).contains("fastmath"));

    let gather = Gather::SPEC;
    assert_eq!(gather.same_types, [["base", "fallback"]]);
    assert_eq!(gather.results[0].name, "type");
    let attrs: Vec<_> = gather.attrs.iter().map(|attr| (attr.name, attr.optional)).collect();
    assert_eq!(attrs, [("nontemporal", true), ("minAlign", false)]);

    let derived = &Store::SPEC.derived[0];
    assert_eq!((derived.target, derived.source), ("value", "memref"));
    assert_eq!(Yield::SPEC.parents, ["toy.if", "toy.switch"]);
    assert_eq!(If::SPEC.terminator, Some("toy.yield"));
    let regions: Vec<_> = If::SPEC.regions.iter().map(|region| (region.name, region.non_empty)).collect();
    assert_eq!(regions, [("then_region", true), ("else_region", false)]);
    assert!(Switch::SPEC.regions[1].variadic && CondBr::SPEC.successors[1].variadic);
    assert!(Func::SPEC.verify.is_some() && Constant::SPEC.infer.is_some());
}

#[test]
fn builders_infer_determined_types() {
    let (ctx, mut module) = module();
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let one = constant(&mut b, Attr::float(&ctx, 1.0, Type::F32));
    let add = Add::build(&mut b, one, one);
    let body = b.body();
    assert_eq!((add.lhs(body), add.rhs(body)), (one, one));
    assert_eq!(body.ty(add.result(body)), Type::F32);
    assert_eq!(add.fastmath(body), Attr::from(FastMathAttr::get(&ctx, minoan_ir::Flags::NONE)));
    assert_eq!(
        body.op(add.op()).props(),
        Attr::dictionary(&ctx, &[(ctx.name("fastmath"), add.fastmath(body))])
    );

    let memref = b.create(minoan_ir::OpState::named(&ctx, "toy.other").results(&[Type::memref(
        &ctx,
        &[4],
        Type::F32,
    )]));
    let memref = b.body().op(memref).result(0);
    let zero = constant(&mut b, Attr::index_value(&ctx, 0));
    let dim = Dim::build(&mut b, memref, zero);
    assert_eq!(b.ty(dim.result(b.body())), Type::INDEX);
    let store = Store::build(&mut b, one, memref, &[zero]);
    assert_eq!(store.indices(b.body()), [zero]);
    let convert = Convert::build(&mut b, one, Type::I32);
    assert_eq!(b.ty(convert.result(b.body())), Type::I32);
    assert_eq!(Op::from(convert), convert.op());
}

#[test]
fn uninferable_types_are_parameters() {
    let message = expect_panic(|| {
        let (ctx, mut module) = module();
        let block = module.block();
        Constant::build(&mut Builder::at_end(module.body_mut(), block), Attr::array(&ctx, &[]));
    });
    assert_eq!(message, "'toy.constant' op needs a typed attribute 'value'");
}

/// The messages of an operation that cannot be built.
fn refused<O: OpDef>(built: Result<O, Diagnostics>) -> String {
    let errors = built.err().expect("it is invalid");
    errors.iter().map(|error| error.message.clone()).collect::<Vec<_>>().join("; ")
}

#[test]
fn try_build_reports_what_the_verifier_would() {
    let (ctx, mut module) = module();
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let one = constant(&mut b, Attr::float(&ctx, 1.0, Type::F32));
    let wide = constant(&mut b, Attr::float(&ctx, 1.0, Type::F64));
    let index = constant(&mut b, Attr::index_value(&ctx, 0));
    let before = b.body().block(block).ops().count();

    let add = Add::try_build(&mut b, one, one).expect("equal types");
    assert_eq!(b.ty(add.result(b.body())), Type::F32);
    let built = Add::try_build(&mut b, one, wide);
    assert_eq!(refused(built), "'toy.add' op requires the same type for all operands and results");
    let built = Add::try_build(&mut b, index, index);
    assert_eq!(refused(built), "'toy.add' op operand #0 must be floating-point-like, but got 'index'");
    // `build` panics.
    let built = Constant::try_build(&mut b, Attr::array(&ctx, &[]));
    assert_eq!(refused(built), "'toy.constant' op needs a typed attribute 'value'");
    let gather = Gather::builder(one, index, Attr::i64(&ctx, 8), Type::F32);
    let built = gather.clone().try_build(&mut b);
    assert_eq!(
        refused(built),
        "'toy.gather' op failed to verify that all of {base, fallback} have same type"
    );
    let fine = Gather::builder(one, one, Attr::i64(&ctx, 8), Type::F32).offsets(&[index]).try_build(&mut b);
    assert_eq!(fine.expect("equal types").offsets(b.body()), [index]);
    // Its regions are still empty.
    let choice = If::try_build(&mut b, one, &[]);
    assert_eq!(refused(choice), "'toy.if' op operand #0 must be 1-bit signless integer, but got 'f32'");
    let yes = constant(&mut b, Attr::TRUE);
    If::try_build(&mut b, yes, &[]).expect("the region is filled later");

    let ops: Vec<&str> = b.body().block(block).ops().skip(before).map(|op| b.body().op(op).name()).collect();
    assert_eq!(ops, ["toy.add", "toy.gather", "toy.constant", "toy.if"], "nothing else was created");
}

#[test]
fn try_build_refuses_ids_of_elsewhere() {
    let (ctx, mut module) = module();
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let erased = Constant::build(&mut b, Attr::float(&ctx, 1.0, Type::F32));
    let stale = erased.result(b.body());
    b.body_mut().erase(erased.op());
    let built = refused(Add::try_build(&mut b, stale, stale));
    assert!(built.starts_with("'toy.add' op value 0 of body #") && built.ends_with(" was erased"), "{built}");
    let built = refused(Pack::try_build(&mut b, &[stale], None));
    assert!(built.starts_with("'toy.pack' op value 0") && built.ends_with(" was erased"), "{built}");
    b.set_insertion_point(minoan_ir::InsertionPoint::After(erased.op()));
    let built = refused(Constant::try_build(&mut b, Attr::TRUE));
    assert!(built.contains("op operation ") && built.ends_with(" was erased"), "{built}");

    let bare = Context::bare();
    let mut module = Module::new(&bare, Loc::UNKNOWN);
    let block = module.block();
    let built = Constant::try_build(&mut Builder::at_end(module.body_mut(), block), Attr::TRUE);
    let expected = "'toy.constant' is not declared in this context: add its dialect to the registry, and the operation in the dialect's `register`";
    assert_eq!(refused(built), expected);
}

#[test]
fn try_build_restores_the_insertion_point() {
    let (ctx, mut module) = module();
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let index = constant(&mut b, Attr::index_value(&ctx, 0));
    let last = constant(&mut b, Attr::TRUE);
    let first = b.body().defining_op(index).expect("a constant");
    b.set_insertion_point(minoan_ir::InsertionPoint::After(first));
    refused(Add::try_build(&mut b, index, index));
    let middle = Constant::build(&mut b, Attr::FALSE);
    let order: Vec<Op> = b.body().block(block).ops().collect();
    assert_eq!(order, [first, middle.op(), b.body().defining_op(last).expect("a constant")]);
}

#[test]
fn segment_sizes_are_derived() {
    let (ctx, mut module) = module();
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let base = constant(&mut b, Attr::float(&ctx, 1.0, Type::F64));
    let at = constant(&mut b, Attr::index_value(&ctx, 2));
    let align = Attr::i64(&ctx, 8);
    let gather = Gather::build(&mut b, base, &[at, at], None, base, None, align, Type::F64);
    let body = b.body();
    assert_eq!((gather.base(body), gather.fallback(body)), (base, base));
    assert_eq!((gather.offsets(body), gather.mask(body)), (vec![at, at], None));
    assert_eq!((gather.nontemporal(body), gather.alignment(body)), (None, align));
    let segments =
        body.op(gather.op()).attr_named("operandSegmentSizes").and_then(|attr| attr.as_dense_i32(&ctx));
    assert_eq!(segments, Some(vec![1, 2, 0, 1]));
    assert_eq!(b.ty(gather.r#type(b.body())), Type::F64);

    b.body_mut().set_operand_group(gather.op(), 1, &[]);
    b.body_mut().set_operand_group(gather.op(), 2, &[at]);
    let body = b.body();
    assert_eq!((gather.base(body), gather.fallback(body)), (base, base));
    assert_eq!((gather.offsets(body), gather.mask(body)), (vec![], Some(at)));
    assert_eq!(body.uses(at).count(), 1);

    gather.set_nontemporal(b.body_mut(), Some(Attr::UNIT));
    gather.set_alignment(b.body_mut(), Attr::i64(&ctx, 16));
    assert_eq!(gather.nontemporal(b.body()), Some(Attr::UNIT));
    assert_eq!(gather.alignment(b.body()).as_i64(&ctx), Some(16));
    assert_eq!(b.body().op(gather.op()).attrs(), Attr::EMPTY);

    let split = Split::build(&mut b, base, Some(Type::F64), &[Type::I1, Type::I8]);
    let body = b.body();
    assert!(split.head(body).is_some_and(|head| body.ty(head) == Type::F64));
    assert_eq!(split.tail(body).len(), 2);
}

#[test]
fn regions_and_successors_have_accessors() {
    let (ctx, mut module) = module();
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let ty = Type::function(&ctx, &[], &[]);
    let func = Func::build(&mut b, Attr::string(&ctx, "f"), Attr::ty(&ctx, ty));
    assert_eq!(func.sym_name(b.body()).as_str(&ctx), Some("f"));

    let inside = func.inside_mut(b.body_mut());
    let root = inside.root(0);
    let (entry, exit) = (inside.add_block(root, &[]), inside.add_block(root, &[]));
    let mut b = Builder::at_end(inside, entry);
    let yes = constant(&mut b, Attr::TRUE);
    let choice = If::build(&mut b, yes, &[Type::I1]);
    let regions = (choice.then_region(b.body()), choice.else_region(b.body()));
    assert_ne!(regions.0, regions.1);
    assert_eq!(choice.results(b.body()).len(), 1);
    let (_, back) = b.enter(choice.op(), 0, &[]);
    Yield::build(&mut b, &[yes]);
    b.set_insertion_point(back);
    let at = constant(&mut b, Attr::index_value(&ctx, 0));
    let switch = Switch::build(&mut b, at, 3);
    assert_eq!(switch.cases(b.body()).len(), 3);
    assert!(!switch.cases(b.body()).contains(&switch.default(b.body())));
    let br = CondBr::build(&mut b, yes, exit, &[entry, exit]);
    assert_eq!((br.dest(b.body()), br.others(b.body())), (exit, vec![entry, exit]));
    b.set_insertion_point(minoan_ir::InsertionPoint::End(exit));
    Return::build(&mut b, &[]);
    assert_eq!(func.inside(module.body()).region(func.inside(module.body()).root(0)).blocks().len(), 2);
}

#[test]
fn handles_are_cast_from_operations() {
    let (ctx, mut module) = module();
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let value = constant(&mut b, Attr::TRUE);
    let op = b.body().defining_op(value).expect("a result");
    assert!(Constant::cast(b.body(), op).is_some() && Add::cast(b.body(), op).is_none());
    assert_eq!(ctx.kind_of::<Constant>(), b.body().op(op).kind());
    assert_eq!(Constant::cast(b.body(), op).map(|op| op.value(b.body())), Some(Attr::TRUE));
}

#[test]
fn missing_attribute_has_default() {
    let (ctx, mut module) = module();
    let block = module.block();
    let body = module.body_mut();
    let op =
        body.create(&minoan_ir::OpState::new(ctx.kind_of::<Add>()), minoan_ir::InsertionPoint::End(block));
    let add = Add::cast(body, op).expect("its kind");
    assert_eq!(add.fastmath(body), Attr::from(FastMathAttr::get(&ctx, minoan_ir::Flags::NONE)));
    add.set_fastmath(body, FastMathAttr::get(&ctx, FastMath::Fast.into()).into());
    assert_eq!(add.fastmath(body), FastMathAttr::get(&ctx, FastMath::Fast.into()).into());
}
