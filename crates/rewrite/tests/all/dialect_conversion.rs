//! Conversions by their parts: `DialectConversion`, `convert`, `convert_to`, `LowerBy`.

use minoan_diag::SourceMap;
use minoan_ir::constraints::ANY;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{Context, Module, OpState, Registry, Type, Value, dialect, op};
use minoan_rewrite::{DialectConversion, LowerBy, PatternSet, TypeConverter};
use minoan_services::{Lower, UnrealizedCast};
use std::sync::Arc;

/// A cast between arbitrary types.
#[op("new.cast", traits(PURE), services(UnrealizedCast = Casts))]
pub struct Cast {
    inputs: Vec<Operand<ANY>>,
    outputs: Vec<OpResult<ANY>>,
}

struct Casts;

impl UnrealizedCast for Casts {
    fn cast(&self, ctx: &Context, values: &[Value], types: &[Type]) -> OpState {
        OpState::new(ctx.kind_of::<Cast>()).operands(values).results(types)
    }
}

/// A multiple.
#[op("old.scale", no_function)]
pub struct OldScale {
    number: Operand<ANY>,
    factor: i64,
    reason: Option<String>,
    result: OpResult<ANY>,
}

/// A multiple.
#[op("new.scale", no_function)]
pub struct NewScale {
    number: Operand<ANY>,
    factor: i64,
    #[attr(unit)]
    exact: bool,
    result: OpResult<ANY>,
}

/// A square.
#[op("old.square")]
pub struct Square {
    number: Operand<ANY>,
    result: OpResult<ANY>,
}

/// A product.
#[op("new.mul")]
pub struct Mul {
    lhs: Operand<ANY>,
    rhs: Operand<ANY>,
    result: OpResult<ANY>,
}

/// A sum, for which there is no pattern that fits.
#[op("old.sum")]
pub struct Sum {
    lhs: Operand<ANY>,
    rhs: Operand<ANY>,
    result: OpResult<ANY>,
}

dialect! { Old = "old": ops(OldScale, Square, Sum), services(Lower = LowerBy("old", conversion)) }
dialect! { New = "new": ops(NewScale, Mul, Cast) }

/// Of `i64` to `i32`.
fn types() -> TypeConverter {
    TypeConverter::partial(|_, ty| (ty == Type::I64).then_some(Type::I32))
}

fn patterns(patterns: &mut PatternSet, types: &Arc<TypeConverter>) {
    patterns.convert_to::<OldScale, NewScale>(types);
    patterns.convert(types, |_: Square, [x], b| {
        let ty = b.ty(x);
        Ok(mul(b, x, x, ty))
    });
    patterns.convert(types, |_: Sum, [x], _| Ok(x));
}

fn conversion() -> DialectConversion {
    DialectConversion::full(types(), patterns).illegal_dialect("old")
}

fn module(text: &str) -> Module {
    let mut registry = Registry::new();
    registry.add(Old).add(New);
    let ctx = Context::new(registry).expect("every name is declared once");
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    parse_module(&ctx, &sources, file, &options).expect("it is well formed")
}

const SCALED: &str = r#"
%0 = "other.source"() : () -> i64
%1 = "old.scale"(%0) <{factor = 3 : i64, reason = "none"}> {kept} : (i64) -> i64
%2 = "old.square"(%1) : (i64) -> i64
"other.sink"(%2) : (i64) -> ()
"#;

#[test]
fn operations_with_the_same_parts_are_replaced() {
    let mut module = module(SCALED);
    let target = conversion().target(|target| target.legal_op("other.source").legal_op("other.sink"));
    // Casts to what is legal remain.
    let errors = target.run(&mut module).expect_err("two casts remain");
    assert_eq!(errors.len(), 2);
    let text = print_module(&module, &PrintFlags::default());
    assert!(text.contains(r#""new.scale"(%1) <{factor = 3 : i64}> {kept} : (i32) -> i32"#), "{text}");
    assert!(text.contains(r#""new.mul"(%2, %2) : (i32, i32) -> i32"#), "{text}");
    assert!(!text.contains("old."), "{text}");
}

#[test]
fn another_number_of_operands_is_a_reason() {
    let mut module =
        module("%0 = \"other.source\"() : () -> i8\n%1 = \"old.sum\"(%0, %0) : (i8, i8) -> i8\n");
    let errors = conversion().run(&mut module).expect_err("the pattern does not fit");
    let error = errors.iter().next().expect("there is an error");
    assert!(error.message.contains("'old.sum'"), "{}", error.message);
    let notes = format!("{error:?}");
    assert!(notes.contains("the operation has 2 operands, not 1"), "{notes}");
}

#[test]
fn a_dialect_is_lowered_by_a_conversion() {
    let module = module("%0 = \"other.source\"() : () -> i8\n%1 = \"old.square\"(%0) : (i8) -> i8\n");
    let service = module.context().dialect("old").and_then(|dialect| dialect.service::<dyn Lower>());
    let service = service.expect("the dialect declares it");
    assert!(service.applies(&module));
    let lowered = service.lower(&module).expect("there is a pattern");
    assert!(print_module(&lowered, &PrintFlags::default()).contains("new.mul"));
    assert!(!service.applies(&lowered));
}
