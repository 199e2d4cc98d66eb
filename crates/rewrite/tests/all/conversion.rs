//! Dialect conversion of unregistered operations, with casts of a test dialect.

use minoan_diag::{Diagnostics, SourceMap, render};
use minoan_ir::constraints::ANY;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{Context, Dialect, DialectBuilder, Module, Op, OpState, Registry, Type, Value, op};
use minoan_rewrite::{
    Conversion, ConversionMode, ConversionTarget, Converted, Matched, NoMatch, Pattern, PatternFilter,
    PatternSet, Rewriter, Root, TypeConversion, TypeConverter, Values,
};
use minoan_services::UnrealizedCast;
use std::sync::Arc;

/// A cast between arbitrary types.
#[op("toy.cast", traits(PURE), assembly = "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict")]
pub struct Cast {
    #[operand(ANY)]
    inputs: Vec<Value>,
    #[result(ANY)]
    outputs: Vec<Value>,
}

struct Toy;

struct Casts;

impl UnrealizedCast for Casts {
    fn cast(&self, ctx: &Context, values: &[Value], types: &[Type]) -> OpState {
        OpState::new(ctx.kind_of::<Cast>()).operands(values).results(types)
    }
}

impl Dialect for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Cast>().op_service::<Cast, dyn UnrealizedCast>(Arc::new(Casts));
    }
}

/// Converts i64 to i32 and f64 to two f32; f16 has no conversion; other types are legal.
fn converter() -> TypeConverter {
    let mut converter = TypeConverter::new();
    converter.add(|_, ty| match ty {
        Type::F16 => None,
        Type::I64 => Some(Converted::from_elem(Type::I32, 1)),
        Type::F64 => Some(Converted::from_slice(&[Type::F32, Type::F32])),
        other => Some(Converted::from_elem(other, 1)),
    });
    converter
}

/// Converts `old.x` to `new.x`, with operands, results and regions.
struct Renew(Arc<TypeConverter>);

impl Pattern for Renew {
    fn name(&self) -> &'static str {
        "renew"
    }

    fn root(&self) -> Root {
        Root::Any
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        let view = rewriter.op(op);
        let Some(rest) = view.name().strip_prefix("old.") else {
            return Err(NoMatch::because("it is not old"));
        };
        if rest == "stubborn" {
            return Err(NoMatch::because("it is stubborn"));
        }
        let name = format!("new.{rest}");
        let types: Vec<Type> = view.result_types().collect();
        let regions: Vec<_> = view.own_regions().collect();
        let ctx = rewriter.context().clone();
        let mut see = TypeConversion::new(&self.0, rewriter);
        let results = types.iter().map(|&ty| see.convert_types(&[ty])).collect::<Result<Vec<_>, _>>()?;
        let operands: Vec<Value> = see.operands(op)?.into_iter().flatten().collect();
        for &region in &regions {
            see.convert_region(region)?;
        }
        let state = OpState::named(&ctx, &name).operands(&operands).results(&results.concat());
        let new = see.rewriter.create(state.regions(regions.len()));
        let inside: Vec<_> = see.rewriter.op(new).own_regions().collect();
        for (from, to) in regions.into_iter().zip(inside) {
            see.rewriter.move_blocks(from, to);
        }
        let mut made = see.rewriter.op(new).results();
        let with: Vec<Values> =
            results.iter().map(|types| made.by_ref().take(types.len()).collect()).collect();
        drop(made);
        see.replace(op, &with)?;
        Ok(Matched)
    }
}

fn convert(text: &str, mode: ConversionMode, converter: TypeConverter) -> (String, String) {
    let mut registry = Registry::new();
    registry.add(Toy);
    let ctx = Context::new(registry).expect("one dialect");
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let show = |errors: &Diagnostics| errors.iter().map(|error| render(error, &sources)).collect::<String>();
    let mut module: Module =
        parse_module(&ctx, &sources, file, &options).unwrap_or_else(|errors| panic!("{}", show(&errors)));
    let converter = Arc::new(converter);
    let mut patterns = PatternSet::new();
    patterns.add(Renew(converter.clone()));
    let patterns = patterns.freeze(&ctx, &PatternFilter::default()).expect("no pattern is wrong");
    let mut target = ConversionTarget::new();
    target.illegal_dialect("old").legal_dialect("new").legal_dialect("builtin").legal_within("new.closed");
    target.legal_op_if("old.maybe", |op| op.attr_named("fine").is_some());
    let conversion = Conversion::new(&ctx, &target, &patterns, mode).with_types(&converter);
    let errors = conversion.run_nested(module.holder_mut()).err().unwrap_or_default();
    minoan_ir::verify::verify(&module).unwrap_or_else(|errors| panic!("not valid: {}", show(&errors)));
    (print_module(&module, &PrintFlags::default()), show(&errors))
}

#[test]
fn one_to_many_conversion_without_casts() {
    let text = r#"
%0:2 = "old.def"() : () -> (i64, f64)
"old.use"(%0#0, %0#1, %0#1) : (i64, f64, f64) -> ()
"#;
    let (text, errors) = convert(text, ConversionMode::Partial, converter());
    assert_eq!(errors, "");
    assert!(text.contains(r#"%0:3 = "new.def"() : () -> (i32, f32, f32)"#), "{text}");
    let user = r#""new.use"(%0#0, %0#1, %0#2, %0#1, %0#2) : (i32, f32, f32, f32, f32) -> ()"#;
    assert!(text.contains(user) && !text.contains("cast"), "{text}");
}

#[test]
fn block_arguments_and_nested_regions_are_converted() {
    let text = r#"
"old.loop"() ({
^bb0(%a: i64, %b: f64, %c: i1):
  "old.scope"() ({
    "old.use"(%a, %b, %c) : (i64, f64, i1) -> ()
  }) : () -> ()
}) : () -> ()
"#;
    let (text, errors) = convert(text, ConversionMode::Partial, converter());
    assert_eq!(errors, "");
    let user = r#""new.use"(%arg0, %arg1, %arg2, %arg3) : (i32, f32, f32, i1) -> ()"#;
    assert!(text.contains(user) && !text.contains("cast") && !text.contains("old"), "{text}");
}

#[test]
fn remaining_operations_are_reported_with_reasons() {
    let text = r#"
"old.stubborn"() : () -> ()
%0 = "old.def"() : () -> f16
"old.fine"() : () -> ()
"old.maybe"() {fine} : () -> ()
"new.closed"() ({
  "old.stubborn"() : () -> ()
}) : () -> ()
"#;
    let (text, errors) = convert(text, ConversionMode::Partial, converter());
    assert_eq!(errors.matches("error").count(), 2, "{errors}");
    assert!(
        errors.contains("failed to legalize operation 'old.stubborn' that was explicitly marked illegal")
    );
    assert!(errors.contains("pattern 'renew': it is stubborn"), "{errors}");
    assert!(errors.contains("test.mlir:3") && errors.contains("no conversion for type 'f16'"), "{errors}");
    assert!(text.contains("new.fine") && text.contains("old.maybe"), "{text}");
}

#[test]
fn full_conversion_rejects_unknown_operations() {
    let text = "\"other.op\"() : () -> ()\n\"old.fine\"() : () -> ()\n";
    assert_eq!(convert(text, ConversionMode::Partial, converter()).1, "");
    let errors = convert(text, ConversionMode::Full, converter()).1;
    assert!(errors.contains("failed to legalize operation 'other.op'\n"), "{errors}");
    assert!(errors.contains("pattern 'renew': it is not old"), "{errors}");
}

#[test]
fn remaining_cast_needs_materialization() {
    let text = "%0 = \"old.def\"() : () -> i64\n\"other.use\"(%0) : (i64) -> ()\n";
    let (text_after, errors) = convert(text, ConversionMode::Partial, converter());
    assert!(errors.contains("unresolved materialization from ('i32') to ('i64')"), "{errors}");
    assert!(errors.contains("see existing live user here: 'other.use'"), "{errors}");
    assert!(text_after.contains("toy.cast"), "{text_after}");

    let mut real = converter();
    real.materialize_source(|b, values, types| {
        let ctx = b.context();
        let op = b.create(OpState::named(&ctx, "new.extend").operands(values).results(types));
        Some(b.body().op(op).results().collect())
    });
    let (text_after, errors) = convert(text, ConversionMode::Partial, real);
    assert_eq!(errors, "");
    assert!(text_after.contains("new.extend") && !text_after.contains("toy.cast"), "{text_after}");

    let mut kept = converter();
    kept.keep_casts();
    assert_eq!(convert(text, ConversionMode::Partial, kept).1, "");
}

#[test]
fn remaining_cast_names_its_cause() {
    let text = "%0 = \"old.def\"() : () -> i64\n\"other.use\"(%0) : (i64) -> ()\n";
    let errors = convert(text, ConversionMode::Partial, converter()).1;
    let expected = "\
error: failed to legalize unresolved materialization from ('i32') to ('i64') that remained live after conversion
 --> test.mlir:1:6
  |
1 | %0 = \"old.def\"() : () -> i64
  |      ^
  |
note: the cast was created when pattern 'renew' converted 'old.def'
 --> test.mlir:1:6
  |
1 | %0 = \"old.def\"() : () -> i64
  |      ^
note: see existing live user here: 'other.use'
 --> test.mlir:2:1
  |
2 | \"other.use\"(%0) : (i64) -> ()
  | ^
";
    assert_eq!(errors, expected);

    // An operand is cast for the operation that uses it.
    let text = "%0 = \"other.def\"() : () -> i64\n\"old.use\"(%0) : (i64) -> ()\n";
    let errors = convert(text, ConversionMode::Partial, converter()).1;
    assert!(errors.contains("from ('i64') to ('i32')"), "{errors}");
    assert!(
        errors.contains(
            "note: the cast was created when pattern 'renew' converted 'old.use'\n --> test.mlir:2:1"
        ),
        "{errors}"
    );
    assert!(errors.contains("note: the value was made here: 'other.def'\n --> test.mlir:1:6"), "{errors}");

    // So is an argument of a block.
    let text = "\"old.loop\"() ({\n^bb0(%a: i64):\n  \"other.use\"(%a) : (i64) -> ()\n}) : () -> ()\n";
    let errors = convert(text, ConversionMode::Partial, converter()).1;
    assert!(errors.contains("when pattern 'renew' converted 'old.loop'\n --> test.mlir:1:1"), "{errors}");
}

#[test]
fn many_operations_are_converted() {
    let mut text = String::from("%0 = \"old.def\"() : () -> i64\n");
    for at in 0..100_000 {
        text += &format!("%{} = \"old.next\"(%{at}) : (i64) -> i64\n", at + 1);
    }
    let (text, errors) = convert(&text, ConversionMode::Full, converter());
    assert_eq!(errors, "");
    assert_eq!(text.matches("\"new.next\"").count(), 100_000);
    assert!(!text.contains("cast"));
}
