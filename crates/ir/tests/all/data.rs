//! Declared types and attributes: `#[ty]`, `#[attr]` and `#[derive(AttrEnum)]`.

#![allow(missing_docs, reason = "the names say what they are")]

use minoan_diag::SourceMap;
use minoan_ir::affine::AffineMap;
use minoan_ir::text::{
    AttrParser, AttrPrinter, ParseError, ParseOptions, PrintFlags, parse_attr, parse_module, parse_type,
    print_attr, print_module, print_type,
};
use minoan_ir::verify::verify;
use minoan_ir::{
    Attr, AttrEnum, Body, Builder, Context, Dialect, DialectBuilder, Flags, Loc, Module, OpDef, OpRef,
    OpState, OpTrait, Param, Registry, RegistryError, Replacer, SymbolRef, Type, TypeOrAttr, Violation,
    Violations, attr, op, service, ty,
};

/// The weave of a canvas.
#[derive(Clone, Copy, PartialEq, Eq, Debug, AttrEnum)]
pub enum Weave {
    Plain,
    #[keyword("twill")]
    Diagonal = 5,
}

/// A property of a brush.
#[derive(Clone, Copy, PartialEq, Eq, Debug, AttrEnum)]
#[attr_enum(separator = ",", all = "every")]
pub enum Mark {
    Dry = 1,
    Wide = 2,
    VeryLong = 4,
}

/// Marks.
#[attr("paint.marks")]
pub struct MarksAttr {
    marks: Flags<Mark>,
}

/// A color.
#[attr("paint.color", assembly = custom(ColorAttr::parse, ColorAttr::print), alias = "color")]
pub struct ColorAttr {
    red: u8,
    green: u8,
    blue: u8,
}

impl ColorAttr {
    fn parse(p: &mut AttrParser<'_, '_>) -> Result<Self, ParseError> {
        p.punct("<")?;
        let mut parts = [0; 3];
        for (at, part) in parts.iter_mut().enumerate() {
            if at > 0 {
                p.punct(",")?;
            }
            let span = p.span();
            let number = p.integer()?;
            *part = u8::try_from(number).map_err(|_| p.error_at(span, "expected a number below 256"))?;
        }
        p.punct(">")?;
        let [red, green, blue] = parts;
        p.checked(Self::checked(p.ctx(), red, green, blue))
    }

    fn print(self, p: &mut AttrPrinter<'_, '_>) {
        let ctx = p.ctx();
        p.text(&format!("<{},{},{}>", self.red(ctx), self.green(ctx), self.blue(ctx)));
    }
}

/// A canvas.
#[ty(
    "paint.canvas",
    assembly = "`<` $width `x` $height (`of` $weave^)? (`,` $ground^)? `>`",
    verify = verify_canvas,
    alias = "canvas2"
)]
pub struct Canvas {
    /// The width.
    width: u32,
    /// The height.
    height: u32,
    /// The weave.
    #[param(default = Weave::Plain)]
    weave: Weave,
    /// The ground color.
    ground: Option<ColorAttr>,
}

fn verify_canvas(_: &Context, width: u32, height: u32, _: Weave, _: Option<ColorAttr>) -> Result<(), String> {
    if width == 0 || height == 0 {
        Err(format!("a canvas has an area, not {width} x {height}"))
    } else {
        Ok(())
    }
}

/// Parameters of every kind.
#[attr("paint.all", assembly = "`<` struct(params) `>`")]
pub struct AllAttr {
    flag: bool,
    small: i8,
    big: u64,
    number: f64,
    name: String,
    element: Type,
    value: Attr,
    symbol: SymbolRef,
    map: AffineMap,
    weave: Weave,
    marks: Flags<Mark>,
    canvas: Canvas,
    many: Vec<i64>,
    maybe: Option<Type>,
    colors: Vec<ColorAttr>,
}

/// A typed attribute.
#[attr("paint.phase", assembly = "`<` $turns `>`")]
pub struct PhaseAttr {
    turns: f64,
    #[param(self_type)]
    of: Type,
}

/// A predicate whose text is not in brackets.
#[attr("paint.compare", assembly = "$weave")]
pub struct CompareAttr {
    weave: Weave,
}

/// A plain sheet.
#[ty("paint.sheet")]
pub struct Sheet {}

/// A list of sheets.
#[ty("paint.list", describe = "any list")]
pub struct List {
    element: Type,
    sizes: Vec<i64>,
}

/// Stacks sheets.
#[op("paint.stack", assembly = "$below $above (`marked` $marks^)? attr-dict")]
pub struct Stack {
    #[operand(Sheet)]
    below: Value,
    #[operand(Sheet)]
    above: Value,
    #[attr(MarksAttr)]
    marks: Option<Attr>,
    #[result(Sheet, fixed)]
    result: Value,
}

/// Requires that a frame holds something.
pub struct Filled;

impl OpTrait for Filled {
    fn verify(op: OpRef<'_>, errors: &mut Violations) {
        if op.n_operands() == 0 {
            errors.push("is empty");
        }
    }
}

trait Price: Send + Sync {
    fn price(&self) -> u32;
}
service!(dyn Price, "Price", Optional);

impl Price for u32 {
    fn price(&self) -> u32 {
        *self
    }
}

/// Frames sheets.
#[op(
    "paint.frame",
    traits(PURE, Filled),
    assembly = "$width $weave ($sheets^ `:` type($sheets))? (`labeled` $label^)? attr-dict",
    verify = verify_frame,
    services(Price = 7u32)
)]
pub struct Frame {
    #[operand(Sheet)]
    sheets: Vec<Value>,
    #[attr]
    width: i64,
    #[attr]
    weave: Weave,
    #[attr]
    label: Option<String>,
    #[attr(default = true)]
    glossy: bool,
    #[attr]
    marks: Option<MarksAttr>,
    #[attr]
    sizes: Option<Vec<i64>>,
}

fn verify_frame(frame: Frame, body: &Body) -> Result<(), Violation> {
    if frame.width(body) > 0 { Ok(()) } else { Err("has no width".into()) }
}

struct Paint;

impl Dialect for Paint {
    fn name(&self) -> &'static str {
        "paint"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Stack>().op::<Frame>().ty::<Canvas>().ty::<Sheet>().ty::<List>();
        dialect
            .attr::<MarksAttr>()
            .attr::<ColorAttr>()
            .attr::<AllAttr>()
            .attr::<PhaseAttr>()
            .attr::<CompareAttr>();
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(Paint);
    Context::new(registry).expect("one dialect")
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
    %c = "x.make"() {of = #paint.color<1, 2, 3>} : () -> !paint.canvas<4 x 2>
    "x.use"(%c) {a = [#paint.color< 1,2,3 >, #paint.marks< dry >], b = #paint.color<4,5,6>} : (!paint.canvas<4 x 2>) -> ()
    %d = "x.make"() : () -> tensor<2x!paint.canvas<8 x 1 of twill, <1,2,3>>>"#;

#[test]
fn aliases_in_types_and_attributes() {
    let text = reprinted(PICTURE, &PrintFlags::default());
    let definitions: Vec<&str> = text.lines().take_while(|line| line.starts_with(['!', '#'])).collect();
    assert_eq!(
        definitions,
        [
            "!canvas2 = !paint.canvas<4 x 2>",
            "#color = #paint.color<1,2,3>",
            "#color1 = #paint.color<4,5,6>",
            "!canvas2_1 = !paint.canvas<8 x 1 of twill, #color>",
        ]
    );
    for part in [
        "{of = #color}",
        "{a = [#color, #paint.marks<dry>], b = #color1}",
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
    assert!(text.contains("!paint.canvas<8 x 1 of twill, <1,2,3>>"), "{text}");
}

#[test]
fn parameters_are_data() {
    let ctx = context();
    let canvas = Canvas::get(&ctx, 4, 2, Weave::Diagonal, ColorAttr::get(&ctx, 1, 2, 3));
    assert_eq!(parse_type(&ctx, "!paint.canvas< 4 x 2 of twill, #paint.color<1,2,3>>"), Ok(canvas.into()));
    assert_eq!((canvas.width(&ctx), canvas.weave(&ctx)), (4, Weave::Diagonal));
    assert_eq!(canvas.ground(&ctx).map(|color| color.blue(&ctx)), Some(3));
    assert_eq!(Canvas::cast(&ctx, canvas.into()), Some(canvas));
    assert_eq!(Canvas::cast(&ctx, Type::I64), None);
    let declared = Type::from(canvas).declared(&ctx).expect("it is declared");
    assert_eq!((declared.spec().mnemonic, &declared.params()[0]), ("canvas", &Param::Int(4)));
    let error = Canvas::checked(&ctx, 0, 1, Weave::Plain, None).expect_err("it has no area");
    assert_eq!(error.to_string(), "a canvas has an area, not 0 x 1");
}

#[test]
fn every_kind_of_parameter() {
    let ctx = context();
    let canvas = Canvas::get(&ctx, 1, 1, Weave::Plain, None);
    let all = AllAttr::get(
        &ctx,
        true,
        -128,
        u64::MAX,
        0.5,
        "a \"name\"",
        Type::F32,
        Attr::UNIT,
        SymbolRef::flat(&ctx, "f"),
        AffineMap::identity(1),
        Weave::Plain,
        Flags::from(Mark::Dry).with(Mark::VeryLong),
        canvas,
        [1, -2],
        None,
        vec![ColorAttr::get(&ctx, 0, 0, 0)],
    );
    let text = "#paint.all<flag = true, small = -128, big = 18446744073709551615, number = 5.000000e-01, \
                name = \"a \\22name\\22\", element = f32, value = unit, symbol = @f, map = affine_map<(d0) -> (d0)>, \
                weave = plain, marks = dry,very_long, canvas = <1 x 1>, many = 1, -2, colors = <0,0,0>>";
    assert_eq!(print_attr(&ctx, all.into()), text);
    assert_eq!(parse_attr(&ctx, text), Ok(all.into()));
    assert_eq!((all.big(&ctx), all.name(&ctx), all.many(&ctx)), (u64::MAX, "a \"name\"", vec![1, -2]));
    assert_eq!(all.map(&ctx), &AffineMap::identity(1));
}

#[test]
fn keywords_are_ordered_and_checked() {
    let ctx = context();
    let one = |text: &str| parse_attr(&ctx, text).map(|attr| print_attr(&ctx, attr));
    assert_eq!(
        one("#paint.marks< very_long , dry,very_long >").as_deref(),
        Ok("#paint.marks<dry,very_long>")
    );
    assert_eq!(one("#paint.marks<dry,wide,very_long>").as_deref(), Ok("#paint.marks<every>"));
    assert_eq!(one("#paint.marks<none>").as_deref(), Ok("#paint.marks<none>"));
    assert_eq!(one("#paint<compare twill>").as_deref(), Ok("#paint<compare twill>"));
    assert_eq!(one("#paint<marks<dry>>").as_deref(), Ok("#paint.marks<dry>"));
    assert_eq!(one("#paint.phase<0.5> : f32").as_deref(), Ok("#paint.phase<5.000000e-01> : f32"));
    assert_eq!(one("#paint.phase<0.5>").as_deref(), Ok("#paint.phase<5.000000e-01>"));
    for (text, message) in [
        ("#paint.marks<wied>", "expected one of: none, dry, wide, very_long, every"),
        ("#paint.marks<dry", "expected '>'"),
        ("#paint.compare twill", "expected '#paint<compare ..>'"),
        ("#paint.color<1, 256, 3>", "expected a number below 256"),
        ("#paint.colour<1>", "unknown attribute `colour` in dialect `paint`"),
        ("#paint.all<flag = true, flag = false>", "duplicate parameter 'flag'"),
        ("#paint.all<flag = true, smal = 1>", "expected one of the parameters: flag, small"),
        ("#paint.all<flag = true>", "'paint.all' misses its parameter 'small'"),
        ("#paint.all<small = 128>", "integer value out of range: expected a signed 8-bit integer"),
    ] {
        let error = one(text).expect_err("it is refused");
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

#[test]
fn types_are_parsed_and_checked() {
    let ctx = context();
    let ty = parse_type(&ctx, "!paint.list< !paint.list<i32 , 2>,  4,5 >").expect("a type");
    assert_eq!(print_type(&ctx, ty), "!paint.list<!paint.list<i32, 2>, 4, 5>");
    assert_eq!(print_type(&ctx, List::get(&ctx, Type::I1, []).into()), "!paint.list<i1>");
    for (text, message) in [
        ("!paint.canvas<0 x 2>", "a canvas has an area, not 0 x 2"),
        ("!paint.canvas", "expected '<'"),
        ("!paint.canvas<-1 x 2>", "integer value out of range: expected an unsigned 32-bit integer"),
        ("!paint.canvsa<1 x 2>", "unknown type `canvsa` in dialect `paint`"),
    ] {
        let error = parse_type(&ctx, text).expect_err("no type");
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

#[test]
fn implied_type_is_elided_and_checked() {
    let ctx = context();
    let sources = SourceMap::new();
    let text = "#m = #paint.marks<wide>\n\
                %0 = \"paint.stack\"(%0, %0) : (!paint.sheet, !paint.sheet) -> !paint.sheet\n\
                %1 = paint.stack %0 %0 marked #m\n";
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let module = parse_module(&ctx, &sources, sources.add("m", text), &options).expect("it is well formed");
    let printed = print_module(&module, &PrintFlags::default());
    assert!(printed.contains("%1 = paint.stack %0 %0 marked <wide>\n"), "{printed}");

    let wrong = "%0 = \"t.other\"() : () -> i32\n%1 = \"paint.stack\"(%0, %0) : (i32, i32) -> !paint.sheet\n";
    let module = parse_module(&ctx, &sources, sources.add("w", wrong), &options).expect("it is well formed");
    let errors = verify(&module).expect_err("the types are wrong");
    let error = errors.iter().next().expect("it is reported");
    assert_eq!(error.message, "'paint.stack' op operand #0 must be a plain sheet, but got 'i32'");
}

#[test]
fn sub_elements_are_replaced_everywhere() {
    let ctx = context();
    let list = List::get(&ctx, Type::tensor(&ctx, &[2], Type::F32), [1]);
    let nested = Attr::array(&ctx, &[Attr::ty(&ctx, List::get(&ctx, list.into(), []).into()), Attr::UNIT]);
    let mut replacer = Replacer::new(&ctx, |element| {
        (element == TypeOrAttr::Type(Type::F32)).then_some(TypeOrAttr::Type(Type::F64))
    });
    let new = replacer.attr(nested);
    assert_eq!(print_attr(&ctx, new), "[!paint.list<!paint.list<tensor<2xf64>, 1>>, unit]");
}

#[test]
fn declarations_are_unique_and_of_the_dialect() {
    struct Twice(&'static str);
    impl Dialect for Twice {
        fn name(&self) -> &'static str {
            self.0
        }
        fn register(&self, dialect: &mut DialectBuilder<'_>) {
            dialect.ty::<Sheet>().ty::<Sheet>();
        }
    }
    let error = |name| {
        let mut registry = Registry::new();
        registry.add(Twice(name));
        Context::new(registry).expect_err("the declarations are wrong")
    };
    assert_eq!(error("paint"), RegistryError::DuplicateName("!paint.sheet".to_owned()));
    assert_eq!(
        error("other"),
        RegistryError::ForeignData { dialect: "other", name: "paint.sheet".to_owned() }
    );
}

#[test]
fn attributes_are_rust_values_and_builders_have_names() {
    let ctx = context();
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let sheet = b.create(OpState::named(&ctx, "x.sheet").results(&[Sheet::get(&ctx).into()]));
    let sheet = b.body().op(sheet).result(0);
    let marks = MarksAttr::get(&ctx, Mark::Wide.into());
    let frame = Frame::builder(4, Weave::Diagonal)
        .sheets(&[sheet, sheet])
        .label("an \"old\" one".to_owned())
        .glossy(false)
        .marks(marks)
        .sizes(vec![1, -2])
        .build(&mut b);
    let bare = Frame::build(&mut b, &[], 0, Weave::Plain, None, None, None);
    let body = b.body();
    assert_eq!((frame.width(body), frame.weave(body), frame.glossy(body)), (4, Weave::Diagonal, false));
    assert_eq!((frame.label(body), frame.marks(body)), (Some("an \"old\" one"), Some(marks)));
    assert_eq!((frame.sizes(body).map(Vec::from), bare.sizes(body)), (Some(vec![1, -2]), None));
    assert_eq!((bare.label(body), bare.glossy(body)), (None, true));
    assert_eq!(body.op(frame.op()).attr_named("weave"), Some(Attr::i64(&ctx, 5)));
    assert!(body.op(frame.op()).has_op_trait::<Filled>());
    let price = ctx.service::<dyn Price>(ctx.kind_of::<Frame>()).expect("the declaration registers it");
    assert_eq!(price.price(), 7);

    let body = module.body_mut();
    frame.set_width(body, -1);
    frame.set_label(body, None);
    assert_eq!((frame.width(body), frame.label(body)), (-1, None));
    let errors = verify(&module).expect_err("both frames are wrong");
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["'paint.frame' op has no width", "'paint.frame' op has no width"]);
    frame.set_width(module.body_mut(), 1);
    bare.set_width(module.body_mut(), 1);
    let errors = verify(&module).expect_err("one frame is empty");
    assert_eq!(errors.iter().next().map(|error| error.message.as_str()), Some("'paint.frame' op is empty"));
}
