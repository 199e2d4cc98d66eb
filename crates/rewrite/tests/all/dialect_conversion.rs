//! Conversions by their parts: `DialectConversion`, `convert`, `convert_to`, `LowerBy`.

use minoan_diag::{Diagnostics, SourceMap};
use minoan_ir::constraints::ANY;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{Builder, Context, Module, Op, OpState, Registry, Type, Value, dialect, op};
use minoan_rewrite::{
    DialectConversion, Lower, LowerBy, Lowering, Matched, NoMatch, Pattern, PatternSet, Rewriter, Root,
    TypeConversion, TypeConverter, lower,
};
use minoan_services::UnrealizedCast;
use std::borrow::Cow;
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

dialect! { Old = "old": ops(OldScale, Square, Sum), services(Lower = LowerBy(contribute)) }
dialect! { New = "new": ops(NewScale, Mul, Cast) }
dialect! { Extra = "extra": services(Lower = LowerBy(contribute_squares)) }

/// A square, whose dialect lowers it by editing the module.
#[op("edited.square", no_function)]
pub struct EditedSquare {
    number: Operand<ANY>,
    result: OpResult<ANY>,
}

/// An operation that its dialect does not lower.
#[op("edited.unknown", no_function)]
pub struct Unknown {
    number: Operand<ANY>,
    result: OpResult<ANY>,
}

dialect! { Edited = "edited": ops(EditedSquare, Unknown), services(Lower = ByEdits) }

struct ByEdits;

impl Lower for ByEdits {
    fn contribute(&self, module: &mut Cow<'_, Module>, lowering: &mut Lowering) -> Result<(), Diagnostics> {
        lowering.edited("edited", |op| op.is::<EditedSquare>());
        let module = module.to_mut();
        let block = module.block();
        let body = module.body_mut();
        let is_ours = |op: &Op| body.op(*op).is::<EditedSquare>();
        for op in body.block(block).ops().filter(is_ours).collect::<Vec<_>>() {
            let (x, ty) = (body.op(op).operand(0), body.ty(body.op(op).result(0)));
            let product = mul(&mut Builder::before(body, op), x, x, ty);
            body.replace(op, &[product]);
        }
        Ok(())
    }
}

/// A pattern for operations of another dialect, which takes precedence over the pattern of that dialect.
struct SquareByScale(Arc<TypeConverter>);

impl Pattern for SquareByScale {
    fn name(&self) -> &str {
        "square-by-scale"
    }

    fn root(&self) -> Root {
        Root::of::<Square>()
    }

    fn benefit(&self) -> u16 {
        2
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        let mut see = TypeConversion::new(&self.0, rewriter);
        let [x] = see.operand_values(op)?;
        let ty = see.rewriter.ty(x);
        let ctx = see.rewriter.context().clone();
        let state = OpState::named(&ctx, "edited.square").operands(&[x]).results(&[ty]);
        let made = see.rewriter.create(state);
        let result = see.rewriter.op(made).result(0);
        see.replace_flat(op, &[result])?;
        Ok(Matched)
    }
}

fn contribute_squares(lowering: &mut Lowering) {
    lowering.patterns(|patterns, types| _ = patterns.add(SquareByScale(types.clone())));
}

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
    module_with(registry, text)
}

fn module_with(registry: Registry, text: &str) -> Module {
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

fn contribute(lowering: &mut Lowering) {
    lowering.types().one_to_one(|_, ty| (ty == Type::I64).then_some(Type::I32));
    lowering.target().illegal_dialect("old");
    lowering.patterns(patterns);
}

#[test]
fn a_dialect_is_lowered_by_its_contribution() {
    let mut module = module("%0 = \"other.source\"() : () -> i8\n%1 = \"old.square\"(%0) : (i8) -> i8\n");
    lower(&mut module).expect("there is a pattern");
    let text = print_module(&module, &PrintFlags::default());
    assert!(text.contains("new.mul") && !text.contains("old."), "{text}");
}

#[test]
fn a_module_that_cannot_be_lowered_is_unchanged() {
    let text = "%0 = \"other.source\"() : () -> i8\n%1 = \"old.square\"(%0) : (i8) -> i8\n\
        %2 = \"old.sum\"(%1, %1) : (i8, i8) -> i8\n%3 = \"old.sum\"(%2, %2) : (i8, i8) -> i8\n";
    let mut module = module(text);
    let before = print_module(&module, &PrintFlags::default());
    let errors = lower(&mut module).expect_err("the pattern of 'old.sum' does not fit");
    assert_eq!(errors.len(), 2);
    assert_eq!(print_module(&module, &PrintFlags::default()), before);
}

#[test]
fn all_dialects_contribute_to_one_conversion() {
    let mut registry = Registry::new();
    registry.add(Extra).add(Old).add(New);
    let text = "%0 = \"other.source\"() : () -> i8\n%1 = \"old.square\"(%0) : (i8) -> i8\n";
    let mut module = module_with(registry, text);
    lower(&mut module).expect("there are two patterns");
    let text = print_module(&module, &PrintFlags::default());
    assert!(text.contains("edited.square") && !text.contains("new.mul"), "{text}");
}

#[test]
fn what_patterns_create_is_lowered_by_edits() {
    let mut registry = Registry::new();
    registry.add(Edited).add(Extra).add(Old).add(New);
    let text = "%0 = \"other.source\"() : () -> i8\n%1 = \"old.square\"(%0) : (i8) -> i8\n";
    let mut module = module_with(registry, text);
    lower(&mut module).expect("a pattern and an edit");
    let text = print_module(&module, &PrintFlags::default());
    assert!(text.contains("new.mul") && !text.contains("square"), "{text}");
}

fn with_edits(text: &str) -> Module {
    let mut registry = Registry::new();
    registry.add(Edited).add(Extra).add(Old).add(New);
    module_with(registry, text)
}

#[test]
fn what_patterns_create_is_lowered_by_edits_if_the_module_has_such_operations_already() {
    let mut module = with_edits(
        "%0 = \"other.source\"() : () -> i8\n%1 = \"edited.square\"(%0) : (i8) -> i8\n\
        %2 = \"old.square\"(%1) : (i8) -> i8\n",
    );
    lower(&mut module).expect("a pattern and two edits");
    let text = print_module(&module, &PrintFlags::default());
    assert!(text.matches("new.mul").count() == 2 && !text.contains("square"), "{text}");
}

#[test]
fn operations_that_edits_leave_are_errors() {
    // In a region, where the dialect does not look for it.
    let mut module = with_edits(
        "%0 = \"other.source\"() : () -> i8\n\"other.region\"() ({\n\
        %1 = \"edited.square\"(%0) : (i8) -> i8\n%2 = \"old.square\"(%1) : (i8) -> i8\n}) : () -> ()\n",
    );
    let errors = lower(&mut module).expect_err("two squares remain");
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        ["failed to legalize operation 'edited.square' that was explicitly marked illegal"; 2]
    );
}

#[test]
fn operations_that_edits_do_not_replace_are_errors() {
    let mut module = with_edits(
        "%0 = \"other.source\"() : () -> i8\n%1 = \"edited.square\"(%0) : (i8) -> i8\n\
        %2 = \"edited.unknown\"(%1) : (i8) -> i8\n",
    );
    let errors = lower(&mut module).expect_err("there is no pattern");
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        ["failed to legalize operation 'edited.unknown' that was explicitly marked illegal"]
    );
}

/// Conversions that explain why they fail, and those of benefit 2 that replace them.
const EXPLAINED: LowerBy = LowerBy(|lowering| {
    lowering.target().illegal_dialect("edited");
    lowering.patterns(|patterns, types| {
        patterns.convert::<Unknown, 1>(types, |_, _, _| Err(NoMatch::error("unknown numbers have no form")));
        patterns.with_benefit(2, |patterns| {
            patterns.convert_named("edited.square", types, |_, [x], b| {
                let ty = b.ty(x);
                Ok(mul(b, x, x, ty))
            });
        });
        patterns.convert::<EditedSquare, 1>(types, |_, _, _| Err(NoMatch::error("squares have no form")));
    });
});

dialect! { Explained = "edited": ops(EditedSquare, Unknown), services(Lower = EXPLAINED) }

#[test]
fn a_pattern_states_the_error_and_one_of_higher_benefit_replaces_it() {
    let mut registry = Registry::new();
    registry.add(Explained).add(New);
    let square = "%0 = \"other.source\"() : () -> i8\n%1 = \"edited.square\"(%0) : (i8) -> i8\n";
    let text = format!(
        "{square}%2 = \"edited.unknown\"(%1) : (i8) -> i8\n%3 = \"edited.unknown\"(%2) : (i8) -> i8\n"
    );
    let mut module = module_with(registry, &text);
    let errors = lower(&mut module).expect_err("there is no form");
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["unknown numbers have no form"; 2]);
    let notes: usize = errors.iter().map(|error| error.notes.len()).sum();
    assert_eq!(notes, 0);
}
