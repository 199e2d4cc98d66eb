//! A small dialect for the tests.

use minoan_diag::{SourceMap, render};
use minoan_ir::constraints::{ANY, TYPED_ATTR};
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{Attr, Context, Dialect, DialectBuilder, Module, OpState, Registry, Type, op};
use minoan_services::{ConstantMaterializer, EffectSet, Effects, Evaluate, IntBits as _, int_binary};
use std::sync::Arc;

/// A constant.
#[op("toy.constant", traits(PURE, CONSTANT_LIKE), assembly = "attr-dict $value")]
pub struct Constant {
    #[attr(TYPED_ATTR)]
    value: Attr,
    #[result(ANY)]
    result: Value,
}

/// An addition.
#[op(
    "toy.add",
    traits(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT),
    assembly = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct Add {
    #[operand(ANY)]
    lhs: Value,
    #[operand(ANY)]
    rhs: Value,
    #[result(ANY)]
    result: Value,
}

/// A negation.
#[op(
    "toy.neg",
    traits(PURE, INVOLUTION, SAME_OPERANDS_AND_RESULT),
    assembly = "$operand attr-dict `:` type($result)"
)]
pub struct Neg {
    #[operand(ANY)]
    operand: Value,
    #[result(ANY)]
    result: Value,
}

/// Rounds a number; idempotent.
#[op(
    "toy.round",
    traits(PURE, IDEMPOTENT, SAME_OPERANDS_AND_RESULT),
    assembly = "$operand attr-dict `:` type($result)"
)]
pub struct Round {
    #[operand(ANY)]
    operand: Value,
    #[result(ANY)]
    result: Value,
}

/// The sum of a number and any others.
#[op(
    "toy.sum",
    traits(PURE, SAME_OPERANDS_AND_RESULT),
    assembly = "$base `(` $terms `)` attr-dict `:` type($result)"
)]
pub struct Sum {
    #[operand(ANY)]
    base: Value,
    #[operand(ANY)]
    terms: Vec<Value>,
    #[result(ANY)]
    result: Value,
}

/// A number, or the smaller of it and a limit.
#[op(
    "toy.clamp",
    traits(PURE, SAME_OPERANDS_AND_RESULT),
    assembly = "$operand (`to` $limit^)? attr-dict `:` type($result)"
)]
pub struct Clamp {
    #[operand(ANY)]
    operand: Value,
    #[operand(ANY)]
    limit: Option<Value>,
    #[result(ANY)]
    result: Value,
}

/// Prints values.
#[op("toy.show", assembly = "$values attr-dict `:` type($values)")]
pub struct Show {
    #[operand(ANY)]
    values: Vec<Value>,
}

/// Executes its region.
#[op("toy.scope", traits(RECURSIVE_EFFECTS, NO_TERMINATOR, SINGLE_BLOCK), assembly = "$content attr-dict")]
pub struct Scope {
    #[region]
    content: Region,
}

pub struct Toy;

struct Constants;

impl ConstantMaterializer for Constants {
    fn materialize(&self, ctx: &Context, value: Attr, ty: Type) -> Option<OpState> {
        let props = Attr::dictionary(ctx, &[(ctx.names().value, value)]);
        Some(OpState::new(ctx.kind_of::<Constant>()).props(props).results(&[ty]))
    }
}

impl Dialect for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect
            .op::<Constant>()
            .op::<Add>()
            .op::<Neg>()
            .op::<Round>()
            .op::<Sum>()
            .op::<Clamp>()
            .op::<Show>()
            .op::<Scope>();
        dialect.service::<dyn ConstantMaterializer>(Arc::new(Constants));
        dialect.op_service::<Add, dyn Evaluate>(Arc::new(int_binary!(|a, b| Ok(a.signed() + b.signed()))));
        dialect.op_service::<Show, dyn Effects>(Arc::new(EffectSet::OUTSIDE));
    }
}

/// Parses a valid module.
pub fn parse(text: &str) -> Module {
    let mut registry = Registry::new();
    registry.add(Toy);
    let ctx = Context::new(registry).expect("one dialect");
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    parse_module(&ctx, &sources, file, &options).unwrap_or_else(|errors| {
        panic!("{}", errors.iter().map(|error| render(error, &sources)).collect::<String>())
    })
}

/// Prints a module.
pub fn print(module: &Module) -> String {
    print_module(module, &PrintFlags::default())
}
