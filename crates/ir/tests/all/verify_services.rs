//! The verifier's rules implemented by services, one case for each number (33 and 34).

use crate::toy::harness::{program, report};
use crate::toy::{self, Call, Func, Label, Toy};
use minoan_ir::verify::AttrRules;
use minoan_ir::{Attr, Builder, Context, Name, OpRef, OpState, Registry, SymbolUser, Type, Violation};
use std::sync::Arc;

/// A call must name a function with the same number of arguments.
struct Fits;

impl SymbolUser for Fits {
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation> {
        let ctx = op.context();
        let callee = op.attr_named("callee").expect("the call is valid").as_flat_symbol(ctx);
        let callee = callee.expect("the call is valid");
        let Some(function) = declared(callee) else {
            return Some(format!("'{}' is not declared", callee.as_str(ctx)).into());
        };
        let ty = function.attr_named("function_type")?.as_type(ctx)?;
        let (inputs, _) = ty.as_function(ctx)?;
        (inputs.len() != op.n_operands()).then(|| format!("takes {} arguments", inputs.len()).into())
    }
}

/// `toy.size` must be an integer.
struct Sizes;

impl AttrRules for Sizes {
    fn check(&self, op: OpRef<'_>, name: &str, attr: Attr) -> Option<String> {
        let wrong = name == "toy.size" && attr.as_i64(op.context()).is_none();
        wrong.then(|| format!("the size of '{}' is no integer", op.name()))
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(Toy);
    registry.extend_op::<dyn SymbolUser>("toy.call", Arc::new(Fits));
    registry.extend_dialect::<dyn AttrRules>("toy", Arc::new(Sizes));
    Context::new(registry).expect("one dialect without mistakes")
}

#[test]
fn rule_33_referenced_symbols() {
    let ctx = context();
    let mut module = program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let ty = Attr::ty(&ctx, Type::function(&ctx, &[Type::F32], &[]));
    let func = Func::build(&mut b, Attr::string(&ctx, "f"), ty);
    let inside = func.inside_mut(b.body_mut());
    let root = inside.root(0);
    let entry = inside.add_block(root, &[Type::F32]);
    let value = inside.block(entry).arg(0);
    let mut b = Builder::at_end(inside, entry);
    for (callee, args) in [("f", &[value][..]), ("g", &[value]), ("f", &[])] {
        Call::build(&mut b, args, Attr::symbol_ref(&ctx, callee), &[]);
    }
    toy::Return::build(&mut b, &[]);
    assert_eq!(report(&module), "'toy.call' op 'g' is not declared\n'toy.call' op takes 1 arguments");
}

#[test]
fn symbol_uses_of_an_invalid_operation_were_verified() {
    let ctx = context();
    let mut module = program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let callee = Attr::dictionary(&ctx, &[(ctx.name("callee"), Attr::i64(&ctx, 1))]);
    b.create(OpState::new(ctx.kind_of::<Call>()).props(callee));
    assert_eq!(
        report(&module),
        "'toy.call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute"
    );
}

#[test]
fn rule_34_discardable_dialect_attributes() {
    let ctx = context();
    let mut module = program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let attrs = |entries: &[(&str, Attr)]| {
        let entries: Vec<_> = entries.iter().map(|&(name, attr)| (ctx.name(name), attr)).collect();
        Attr::dictionary(&ctx, &entries)
    };
    let name = ("sym_name", Attr::string(&ctx, "a"));
    let label = OpState::new(ctx.kind_of::<Label>());
    b.create(label.clone().attrs(attrs(&[name, ("toy.size", Attr::i64(&ctx, 4))])));
    let name = ("sym_name", Attr::string(&ctx, "b"));
    b.create(label.clone().attrs(attrs(&[name, ("toy.size", Attr::UNIT)])));
    let name = ("sym_name", Attr::string(&ctx, "c"));
    b.create(label.attrs(attrs(&[name, ("size", Attr::UNIT), ("other.size", Attr::UNIT)])));
    assert_eq!(report(&module), "the size of 'toy.label' is no integer");
}
