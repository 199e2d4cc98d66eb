//! How dialects have their attributes and types written: `Asm`.

use minoan_diag::SourceMap;
use minoan_ir::text::{
    Asm, AttrParser, AttrText, EnumAttrs, ParseError, ParseOptions, PrintFlags, parse_attr, parse_module,
    print_attr, print_module,
};
use minoan_ir::{AttrSyntax, Context, Dialect, DialectBuilder, Registry};
use std::sync::Arc;

/// `#paint.color<r, g, b>` becomes `#paint.color<r,g,b>` and is written under a name, as `!paint.canvas` is.
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
fn a_dialect_names_its_attributes_and_types() {
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
fn without_aliases_everything_is_written_in_its_place() {
    let text = reprinted(PICTURE, &PrintFlags { local_scope: true, ..PrintFlags::default() });
    assert!(text.starts_with('"'), "{text}");
    assert_eq!(text.matches("#paint.color<1,2,3>").count(), 2, "{text}");
}

#[test]
fn keywords_are_brought_into_one_order_and_others_are_refused() {
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
