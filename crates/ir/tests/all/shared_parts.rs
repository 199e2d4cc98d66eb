//! Attributes, types and locations with shared parts: each level contains the previous one twice, so that the full
//! text would have 2^n parts.

use minoan_diag::SourceMap;
use minoan_ir::text::{
    ParseOptions, PrintFlags, parse_module, print_attr, print_loc, print_module, print_module_to, print_type,
};
use minoan_ir::{Attr, AttrData, Context, Loc, Module, Type};

const LEVELS: usize = 60;

const ELIDED: &str = "<<ELIDED>>";

fn attr(ctx: &Context, mut leaf: Attr) -> Attr {
    for _ in 0..LEVELS {
        leaf = Attr::array(ctx, &[leaf, leaf]);
    }
    leaf
}

fn ty(ctx: &Context) -> Type {
    (0..LEVELS).fold(Type::I1, |ty, _| Type::tuple(ctx, &[ty, ty]))
}

fn loc(ctx: &Context, leaf: Loc) -> Loc {
    (0..LEVELS).fold(leaf, |loc, _| Loc::call_site(ctx, loc, loc))
}

/// An empty operation in a module.
fn module_with(ctx: &Context, change: impl FnOnce(&Context, &mut Module)) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("a.mlir", "\"t.a\"() : () -> ()\n\"t.b\"() {x = [[1]]} : () -> ()\n");
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let mut module = parse_module(ctx, &sources, file, &options).expect("it is well formed");
    change(ctx, &mut module);
    module
}

fn first_op(module: &Module) -> minoan_ir::Op {
    let body = module.body();
    let op = body.walk().into_iter().find(|&op| body.op(op).name() == "t.a");
    op.expect("it was written")
}

#[test]
fn exponential_text_is_truncated() {
    let ctx = Context::bare();
    for text in [
        print_attr(&ctx, attr(&ctx, Attr::UNIT)),
        print_type(&ctx, ty(&ctx)),
        print_loc(&ctx, loc(&ctx, Loc::file(&ctx, "a.mlir", 1, 1))),
    ] {
        assert!(text.contains(ELIDED), "what is left out is marked");
    }
}

#[test]
fn truncated_module_is_reported() {
    let ctx = Context::bare();
    let module = module_with(&ctx, |ctx, module| {
        let (op, value) = (first_op(module), attr(ctx, Attr::UNIT));
        module.body_mut().set_attr(op, ctx.name("deep"), Some(value));
    });
    let mut out = Vec::new();
    let error = print_module_to(&module, &PrintFlags::default(), &mut out).expect_err("it is not whole");
    assert_eq!(
        error.to_string(),
        "an operation's attributes, types and locations have more than 1048576 parts"
    );
    let text = print_module(&module, &PrintFlags::default());
    assert!(text.contains(ELIDED));
    assert!(text.contains("{x = [[1]]}"), "what follows is printed: {}", &text[text.len() - 200..]);
}

#[test]
fn aliases_of_shared_parts_are_collected_once() {
    let ctx = Context::bare();
    let module = module_with(&ctx, |ctx, module| {
        let op = first_op(module);
        let place = ctx.intern_attr(AttrData::Location(Loc::file(ctx, "a.mlir", 1, 1)));
        let metadata = attr(ctx, place);
        let fused = Loc::fused_with(ctx, &[loc(ctx, Loc::UNKNOWN)], metadata);
        module.body_mut().set_loc(op, fused);
    });
    let flags = PrintFlags { debuginfo: true, ..PrintFlags::default() };
    let text = print_module(&module, &flags);
    assert!(text.contains("callsite(#loc"), "locations have aliases");
    assert!(text.contains(ELIDED), "the metadata has none, and is too long");
}

#[test]
fn location_of_shared_parts_is_resolved() {
    let ctx = Context::bare();
    assert_eq!(loc(&ctx, Loc::UNKNOWN).place(&ctx), minoan_diag::Place::Unknown);
}
