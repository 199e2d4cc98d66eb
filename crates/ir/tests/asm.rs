//! Custom syntax of dialect attributes and types: `Asm`.

use minoan_diag::SourceMap;
use minoan_ir::text::{
    Asm, AttrParser, AttrText, EnumAttrs, ParseError, ParseOptions, PrintFlags, parse_attr, parse_module,
    parse_type, print_attr, print_module, print_type,
};
use minoan_ir::verify::verify;
use minoan_ir::{AttrSyntax, Context, Dialect, DialectBuilder, Registry, TypeConstraint, op};
use std::sync::Arc;

/// `#paint.color<r, g, b>` is normalized to `#paint.color<r,g,b>` and has an alias, as has `!paint.canvas`.
struct PaintText;

impl Asm for PaintText {
    fn has_attr(&self, mnemonic: &str) -> bool {
        mnemonic == "color"
    }

    fn read_attr(&self, p: &mut AttrParser<'_, '_>, _: &str) -> Result<AttrText, ParseError> {
        p.punct("<")?;
        let mut parts = Vec::new();
        for at in 0..3 {
            if at > 0 {
                p.punct(",")?;
            }
            let span = p.span();
            match p.integer()? {
                part @ 0..256 => parts.push(part.to_string()),
                _ => return Err(p.error_at(span, "expected a number below 256")),
            }
        }
        p.punct(">")?;
        Ok(format!("<{}>", parts.join(",")).into())
    }

    fn attr_alias(&self, text: &str) -> Option<&'static str> {
        text.starts_with(".color").then_some("color")
    }

    fn type_alias(&self, text: &str) -> Option<&'static str> {
        text.starts_with(".canvas").then_some("canvas2")
    }
}

struct Named(&'static str, fn() -> Arc<dyn Asm>);

impl Dialect for Named {
    fn name(&self) -> &'static str {
        self.0
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.service::<dyn Asm>((self.1)());
    }
}

const BRUSH: &[AttrSyntax] = &[
    AttrSyntax::EnumOpaque {
        dialect: "brush",
        mnemonic: "hair",
        cases: &["soft", "hard"],
        flags: None,
        all: None,
    },
    AttrSyntax::EnumOpaque {
        dialect: "brush",
        mnemonic: "marks",
        cases: &["dry", "wide", "long"],
        flags: Some(","),
        all: None,
    },
];

fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(Named("paint", || Arc::new(PaintText)))
        .add(Named("brush", || Arc::new(EnumAttrs::new(BRUSH))));
    Context::new(registry).expect("two dialects")
}

fn reprinted(text: &str, flags: &PrintFlags) -> String {
    let (ctx, sources) = (context(), SourceMap::new());
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let read = |text: &str| {
        let file = sources.add("paint.mlir", text);
        parse_module(&ctx, &sources, file, &options).expect("the text is good")
    };
    let printed = print_module(&read(text), flags);
    assert_eq!(print_module(&read(&printed), flags), printed, "it is read back");
    printed
}

const PICTURE: &str = r#"
    %c = "x.make"() {of = #paint.color<1, 2, 3>} : () -> !paint.canvas<4>
    "x.use"(%c) {a = [#paint.color< 1,2,3 >, #paint.other< 1 >], b = #paint.color<4,5,6>} : (!paint.canvas<4>) -> ()
    %d = "x.make"() : () -> tensor<2x!paint.canvas<8>>"#;

#[test]
fn custom_attribute_and_type_aliases() {
    let text = reprinted(PICTURE, &PrintFlags::default());
    let definitions: Vec<&str> = text.lines().take_while(|line| line.starts_with(['!', '#'])).collect();
    assert_eq!(
        definitions,
        [
            "!canvas2 = !paint.canvas<4>",
            "!canvas2_1 = !paint.canvas<8>",
            "#color = #paint.color<1,2,3>",
            "#color1 = #paint.color<4,5,6>",
        ]
    );
    for part in [
        "{of = #color}",
        "{a = [#color, #paint.other< 1 >], b = #color1}",
        "(!canvas2)",
        "tensor<2x!canvas2_1>",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn without_aliases() {
    let text = reprinted(PICTURE, &PrintFlags { local_scope: true, ..PrintFlags::default() });
    assert!(text.starts_with('"'), "{text}");
    assert_eq!(text.matches("#paint.color<1,2,3>").count(), 2, "{text}");
}

#[test]
fn keywords_are_ordered_and_checked() {
    let ctx = context();
    let one = |text: &str| parse_attr(&ctx, text).map(|attr| print_attr(&ctx, attr));
    assert_eq!(one("#brush.marks< long , dry,long >").expect("keywords"), "#brush.marks<dry,long>");
    assert_eq!(parse_attr(&ctx, "#brush.hair<soft>"), parse_attr(&ctx, "#brush.hair< soft >"));
    assert_eq!(one("#brush.unknown<a  b>").expect("no form"), "#brush.unknown<a  b>");
    let message = |text: &str| parse_attr(&ctx, text).expect_err("it is refused");
    assert!(message("#brush.hair<sofft>").starts_with("expected one of: soft, hard"));
    assert!(message("#brush.hair<soft, hard>").starts_with("expected '>'"));
    assert!(message("#paint.color<1, 256, 3>").starts_with("expected a number below 256"));
}

static CANVAS: TypeConstraint = TypeConstraint::of("sheet", ".plain", "a plain sheet");

/// Stacks sheets.
#[op("sheet.stack", assembly = "$below $above attr-dict")]
pub struct Stack {
    #[operand(CANVAS)]
    below: Value,
    #[operand(CANVAS)]
    above: Value,
    #[result(CANVAS, fixed)]
    result: Value,
}

/// `!sheet.plain` and `!sheet.grid<4, !t>`.
struct Sheet;

impl Dialect for Sheet {
    fn name(&self) -> &'static str {
        "sheet"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Stack>().service::<dyn Asm>(Arc::new(Sheet));
    }
}

impl Asm for Sheet {
    fn all_types(&self) -> Option<&[&'static str]> {
        Some(&["grid", "plain"])
    }

    fn has_type(&self, mnemonic: &str) -> bool {
        mnemonic == "grid"
    }

    fn read_type(&self, p: &mut AttrParser<'_, '_>, _: &str) -> Result<String, ParseError> {
        p.punct("<")?;
        let span = p.span();
        let size = p.integer()?;
        if size < 1 {
            return Err(p.error_at(span, format!("a grid has cells, not {size}")));
        }
        p.punct(",")?;
        let cell = p.ty()?;
        p.punct(">")?;
        Ok(format!("<{size}, {}>", print_type(p.ctx(), cell)))
    }
}

fn sheets() -> Context {
    let mut registry = Registry::new();
    registry.add(Sheet);
    Context::new(registry).expect("one dialect")
}

#[test]
fn dialect_parses_its_types() {
    let ctx = sheets();
    let ty = parse_type(&ctx, "!sheet.grid< 4,!sheet.grid<2,  i32> >").expect("a type");
    assert_eq!(print_type(&ctx, ty), "!sheet.grid<4, !sheet.grid<2, i32>>");
    assert_eq!(ty.parameters(&ctx, "sheet", "grid"), Some("4, !sheet.grid<2, i32>"));
    assert_eq!(ty.parameters(&ctx, "sheet", "gri"), None);
    for (text, message) in [
        ("!sheet.grid<0, i32>", "a grid has cells, not 0"),
        ("!sheet.grid", "expected '<'"),
        ("!sheet.gird<1, i32>", "unknown type `gird` in dialect `sheet`"),
    ] {
        let error = parse_type(&ctx, text).expect_err("no type");
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

#[test]
fn implied_type_is_elided_and_checked() {
    let ctx = sheets();
    let sources = SourceMap::new();
    let text = "%0 = \"sheet.stack\"(%0, %0) : (!sheet.plain, !sheet.plain) -> !sheet.plain\n\
                %1 = sheet.stack %0 %0\n";
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let module = parse_module(&ctx, &sources, sources.add("m", text), &options).expect("it is well formed");
    let printed = print_module(&module, &PrintFlags::default());
    assert!(printed.contains("%1 = sheet.stack %0 %0\n"), "{printed}");

    let wrong = "%0 = \"t.other\"() : () -> i32\n%1 = \"sheet.stack\"(%0, %0) : (i32, i32) -> !sheet.plain\n";
    let module = parse_module(&ctx, &sources, sources.add("w", wrong), &options).expect("it is well formed");
    let errors = verify(&module).expect_err("the types are wrong");
    let error = errors.iter().next().expect("it is reported");
    assert_eq!(error.message, "'sheet.stack' op operand #0 must be a plain sheet, but got 'i32'");
}
