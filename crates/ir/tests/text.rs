//! MLIR's text: round trips, messages, and inputs that are no text at all.

use expect_test::{Expect, expect};
use minoan_diag::{SourceMap, render};
use minoan_ir::text::{
    OpParser, OpPrinter, ParseError, ParseOptions, PrintFlags, parse_attr, parse_module, parse_type,
    print_attr, print_module, print_type,
};
use minoan_ir::*;
use proptest::prelude::*;

static FASTMATH: AttrConstraint = AttrConstraint {
    description: "fast-math flags",
    check: |_, _| true,
    syntax: AttrSyntax::EnumOpaque {
        dialect: "t",
        mnemonic: "fastmath",
        cases: &["none", "nnan", "ninf"],
        flags: Some(","),
        all: None,
    },
};
static PREDICATE: AttrConstraint = AttrConstraint {
    description: "a predicate",
    check: |_, _| true,
    syntax: AttrSyntax::EnumInteger(Type::I64, &[("eq", 0), ("ne", 1)]),
};

const fn one(name: &'static str, constraint: &'static TypeConstraint) -> ValueSpec {
    ValueSpec { name, arity: Arity::One, constraint }
}

const fn many(name: &'static str) -> ValueSpec {
    ValueSpec { name, arity: Arity::Variadic, constraint: &constraints::ANY }
}

const fn attr(
    name: &'static str,
    constraint: &'static AttrConstraint,
    optional: bool,
    default: Option<&'static str>,
) -> AttrSpec {
    AttrSpec { name, constraint, optional, default }
}

const EMPTY: OpSpec = OpSpec {
    name: "",
    summary: "",
    description: "",
    operands: &[],
    results: &[],
    attrs: &[],
    regions: &[],
    successors: &[],
    traits: Traits::NONE,
    same_types: &[],
    derived: &[],
    parents: &[],
    assembly: Assembly::Generic,
    verify: None,
    infer: None,
    terminator: None,
};
const REGION: RegionSpec = RegionSpec { name: "body", variadic: false, non_empty: false };

static ADD: OpSpec = OpSpec {
    name: "t.add",
    operands: &[one("lhs", &constraints::ANY), one("rhs", &constraints::ANY)],
    results: &[one("result", &constraints::ANY)],
    attrs: &[attr("fastmath", &FASTMATH, false, Some("#t.fastmath<none>"))],
    traits: Traits::SAME_OPERANDS_AND_RESULT,
    assembly: Assembly::Format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"),
    ..EMPTY
};
static CMP: OpSpec = OpSpec {
    name: "t.cmp",
    operands: &[one("lhs", &constraints::ANY), one("rhs", &constraints::ANY)],
    results: &[one("result", &constraints::I1)],
    attrs: &[attr("predicate", &PREDICATE, false, None)],
    traits: Traits::SAME_OPERANDS,
    assembly: Assembly::Format("$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)"),
    ..EMPTY
};
static CONST: OpSpec = OpSpec {
    name: "t.const",
    results: &[one("result", &constraints::ANY)],
    attrs: &[attr("value", &constraints::TYPED_ATTR, false, None)],
    traits: Traits::CONSTANT_LIKE,
    assembly: Assembly::Format("attr-dict $value"),
    infer: Some(|input| {
        let value = input.props.get(input.ctx, input.ctx.names().value);
        value.and_then(|value| value.value_type(input.ctx)).map(|ty| vec![ty]).ok_or("no type".to_owned())
    }),
    ..EMPTY
};
static CALL: OpSpec = OpSpec {
    name: "t.call",
    operands: &[many("args")],
    results: &[many("results")],
    attrs: &[attr("callee", &constraints::FLAT_SYMBOL_REF, false, None)],
    assembly: Assembly::Format("$callee `(` $args `)` attr-dict `:` functional-type($args, $results)"),
    ..EMPTY
};
static BR: OpSpec = OpSpec {
    name: "t.cond_br",
    operands: &[one("condition", &constraints::I1), many("a"), many("b")],
    successors: &[
        SuccessorSpec { name: "yes", variadic: false },
        SuccessorSpec { name: "no", variadic: false },
    ],
    traits: Traits::TERMINATOR.and(Traits::OPERAND_SEGMENTS),
    assembly: Assembly::Format(
        "$condition `,` $yes (`(` $a^ `:` type($a) `)`)? `,` $no (`(` $b^ `:` type($b) `)`)? attr-dict",
    ),
    ..EMPTY
};
static RETURN: OpSpec = OpSpec {
    name: "t.return",
    operands: &[many("values")],
    traits: Traits::TERMINATOR,
    assembly: Assembly::Format("attr-dict ($values^ `:` type($values))?"),
    ..EMPTY
};
static IF: OpSpec = OpSpec {
    name: "t.if",
    operands: &[one("condition", &constraints::I1)],
    attrs: &[attr("flag", &constraints::UNIT_ATTR, true, None)],
    regions: &[REGION],
    traits: Traits::IMPLICIT_TERMINATOR.and(Traits::SINGLE_BLOCK),
    terminator: Some("t.return"),
    assembly: Assembly::Format("(`flag` $flag^) : (`plain`)? $condition $body attr-dict"),
    ..EMPTY
};
static FUNC: OpSpec = OpSpec {
    name: "t.func",
    attrs: &[
        attr("sym_name", &constraints::SYMBOL_NAME, false, None),
        attr("function_type", &constraints::FUNCTION_TYPE_ATTR, false, None),
    ],
    regions: &[REGION],
    traits: Traits::FUNCTION_LIKE.and(Traits::ISOLATED).and(Traits::SYMBOL),
    assembly: Assembly::Custom { parse: parse_func, print: print_func },
    ..EMPTY
};

fn parse_func(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let name = p.symbol_name()?;
    p.set_attr("sym_name", name);
    p.punct("(")?;
    let mut args = Vec::new();
    while !p.optional_punct(")") {
        args.push(p.region_arg()?);
        if !p.optional_punct(",") {
            p.punct(")")?;
            break;
        }
    }
    let results = p.optional_arrow_types()?;
    let inputs: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    let ty = Type::function(p.ctx(), &inputs, &results);
    p.set_attr("function_type", Attr::ty(p.ctx(), ty));
    p.attr_dict_with_keyword()?;
    p.region(&args)
}

fn print_func(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.symbol(op.symbol_name().unwrap_or(""));
    p.text("(");
    let body = op.nested().expect("a function is isolated");
    let entry = body.region(body.root(0)).entry();
    for (at, arg) in entry.into_iter().flat_map(|block| body.block(block).args()).enumerate() {
        if at > 0 {
            p.text(", ");
        }
        p.region_arg(arg);
    }
    p.text(")");
    let ty = op.attr_named("function_type").and_then(|attr| attr.as_type(p.ctx()));
    p.arrow_types(ty.and_then(|ty| ty.as_function(p.ctx())).map_or(&[], |(_, results)| results));
    p.attr_dict_with_keyword(&["sym_name", "function_type"]);
    p.text(" ");
    p.region(0, false, true);
}

struct T;
impl Dialect for T {
    fn name(&self) -> &'static str {
        "t"
    }
    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        for spec in [&ADD, &CMP, &CONST, &CALL, &BR, &RETURN, &IF, &FUNC] {
            dialect.spec(spec);
        }
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(T);
    Context::new(registry).expect("nothing is declared twice")
}

const OPEN: ParseOptions =
    ParseOptions { allow_unregistered: true, no_implicit_module: false, unverified: false };

fn read(ctx: &Context, text: &str, options: &ParseOptions) -> Result<Module, String> {
    let sources = SourceMap::new();
    let file = sources.add("a.mlir", text);
    parse_module(ctx, &sources, file, options).map_err(|list| {
        let texts: Vec<String> = list.iter().map(|diagnostic| render(diagnostic, &sources, false)).collect();
        texts.concat()
    })
}

fn print(module: &Module, generic: bool, debuginfo: bool) -> String {
    print_module(module, &PrintFlags { generic, debuginfo, ..PrintFlags::default() })
}

/// Checks that what is printed reads back to the same text, in every form.
fn check_round_trip(ctx: &Context, module: &Module) {
    for generic in [false, true] {
        for debuginfo in [false, true] {
            let first = print(module, generic, debuginfo);
            let again = read(ctx, &first, &OPEN).unwrap_or_else(|error| panic!("{error}\n{first}"));
            assert_eq!(print(&again, generic, debuginfo && first.contains("loc(")), first);
            assert_eq!(print(&again, false, false), print(module, false, false));
        }
    }
    // Flags that change names, aliases and literals, but not what is read.
    let plain = PrintFlags::default();
    for flags in [
        PrintFlags { local_scope: true, ..plain.clone() },
        PrintFlags { local_scope: true, generic: true, debuginfo: true, ..plain.clone() },
        PrintFlags { unique_ssa_ids: true, ..plain.clone() },
        PrintFlags { name_locs: true, ..plain.clone() },
        PrintFlags { name_locs: true, unique_ssa_ids: true, generic: true, ..plain.clone() },
        PrintFlags { hex_elements: Some(0), ..plain.clone() },
        PrintFlags { hex_elements: Some(-1), ..plain },
    ] {
        let text = print_module(module, &flags);
        let again = read(ctx, &text, &OPEN).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(print(&again, true, false), print(module, true, false), "{flags:?}");
    }
}

fn round_trip(text: &str, expected: &Expect, generic: bool, debuginfo: bool) {
    let ctx = context();
    let module = read(&ctx, text, &OPEN).unwrap_or_else(|error| panic!("{error}"));
    expected.assert_eq(&print(&module, generic, debuginfo));
    check_round_trip(&ctx, &module);
}

fn fails(text: &str, expected: &Expect) {
    let error = read(&context(), text, &ParseOptions::default()).err().expect("an error");
    expected.assert_eq(&error);
}

const PROGRAM: &str = r#"
t.func @f(%a: f32, %b : i1) -> f32 attributes {t.x = 1 : i32} {
  %s = t.add %a, %a fastmath<nnan,ninf> : f32
  %u = t.add %s, %a {t.y} : f32
  %c = t.const 4 : i64
  %c2 = t.const 4 : i64
  %d = t.const true
  %e:2 = t.call @g(%c, %c2) : (i64, i64) -> (i64, i64)
  %k = t.cmp ne, %e#0, %e#1 : i64
  t.if flag %k {
    %n = t.add %c, %c : i64
  }
  t.if plain %k {
    "t.return"(%k) : (i1) -> ()
  }
  cond_br %b, ^yes(%s : f32), ^no
^yes(%p: f32):
  return %p : f32
^no:
  return %u : f32
}
"#;

#[test]
fn custom_forms() {
    round_trip(
        PROGRAM,
        &expect![[r#"
        "builtin.module"() ({
          t.func @f(%arg0: f32, %arg1: i1) -> f32 attributes {t.x = 1 : i32} {
            %0 = add %arg0, %arg0 fastmath<nnan,ninf> : f32
            %1 = add %0, %arg0 {t.y} : f32
            %c4_i64 = const 4 : i64
            %c4_i64_0 = const 4 : i64
            %true = const true
            %2:2 = call @g(%c4_i64, %c4_i64_0) : (i64, i64) -> (i64, i64)
            %3 = cmp ne, %2#0, %2#1 : i64
            if flag %3 {
              %5 = t.add %c4_i64, %c4_i64 : i64
            }
            if plain %3 {
              t.return %3 : i1
            }
            cond_br %arg1, ^bb1(%0 : f32), ^bb2
          ^bb1(%4: f32):  // pred: ^bb0
            return %4 : f32
          ^bb2:  // pred: ^bb0
            return %1 : f32
          }
        }) : () -> ()
    "#]],
        false,
        false,
    );
}

#[test]
fn generic_forms() {
    round_trip(
        PROGRAM,
        &expect![[r##"
        #loc2 = loc("a.mlir":2:11)
        #loc3 = loc("a.mlir":2:20)
        #loc16 = loc("a.mlir":17:6)
        "builtin.module"() ({
          "t.func"() <{function_type = (f32, i1) -> f32, sym_name = "f"}> ({
          ^bb0(%arg0: f32 loc("a.mlir":2:11), %arg1: i1 loc("a.mlir":2:20)):
            %0 = "t.add"(%arg0, %arg0) <{fastmath = #t.fastmath<nnan,ninf>}> : (f32, f32) -> f32 loc(#loc4)
            %1 = "t.add"(%0, %arg0) <{fastmath = #t.fastmath<none>}> {t.y} : (f32, f32) -> f32 loc(#loc5)
            %2 = "t.const"() <{value = 4 : i64}> : () -> i64 loc(#loc6)
            %3 = "t.const"() <{value = 4 : i64}> : () -> i64 loc(#loc7)
            %4 = "t.const"() <{value = true}> : () -> i1 loc(#loc8)
            %5:2 = "t.call"(%2, %3) <{callee = @g}> : (i64, i64) -> (i64, i64) loc(#loc9)
            %6 = "t.cmp"(%5#0, %5#1) <{predicate = 1 : i64}> : (i64, i64) -> i1 loc(#loc10)
            "t.if"(%6) <{flag}> ({
              %8 = "t.add"(%2, %2) <{fastmath = #t.fastmath<none>}> : (i64, i64) -> i64 loc(#loc12)
              "t.return"() : () -> () loc(#loc11)
            }) : (i1) -> () loc(#loc11)
            "t.if"(%6) ({
              "t.return"(%6) : (i1) -> () loc(#loc14)
            }) : (i1) -> () loc(#loc13)
            "t.cond_br"(%arg1, %0)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, f32) -> () loc(#loc15)
          ^bb1(%7: f32 loc("a.mlir":17:6)):  // pred: ^bb0
            "t.return"(%7) : (f32) -> () loc(#loc17)
          ^bb2:  // pred: ^bb0
            "t.return"(%1) : (f32) -> () loc(#loc18)
          }) {t.x = 1 : i32} : () -> () loc(#loc1)
        }) : () -> () loc(#loc)
        #loc = loc("a.mlir":0:0)
        #loc1 = loc("a.mlir":2:1)
        #loc4 = loc("a.mlir":3:8)
        #loc5 = loc("a.mlir":4:8)
        #loc6 = loc("a.mlir":5:8)
        #loc7 = loc("a.mlir":6:9)
        #loc8 = loc("a.mlir":7:8)
        #loc9 = loc("a.mlir":8:10)
        #loc10 = loc("a.mlir":9:8)
        #loc11 = loc("a.mlir":10:3)
        #loc12 = loc("a.mlir":11:10)
        #loc13 = loc("a.mlir":13:3)
        #loc14 = loc("a.mlir":14:5)
        #loc15 = loc("a.mlir":16:3)
        #loc17 = loc("a.mlir":18:3)
        #loc18 = loc("a.mlir":20:3)
    "##]],
        true,
        true,
    );
}

#[test]
fn mistakes_are_all_reported() {
    fails(
        r#"
t.func @f(%a: f32, %count : i1) -> f32 {
  %x = t.add %a, %a : i64
  %y = t.ad %a, %a : f32
  %z = t.add %cuont, %y : i1
  %a = t.const 1 : i32
  t.cmp le, %a, %a : f32
  t.add %a %a : f32
  "t.odd"() : () -> ()
  "u.odd"() : () -> ()
  v.odd
  t.cond_br %count, ^bb, ^bb1
^bb1:
  "t.return"(%a : (f32) -> ()
}
t.return %a : vector<4xf33>
"#,
        &expect![[r#"
            error: use of value '%a' expects different type than prior uses: 'i64' vs 'f32'
             --> a.mlir:3:14
              |
            3 |   %x = t.add %a, %a : i64
              |              ^^       --- this type
              |
            note: prior use here
             --> a.mlir:2:11
              |
            2 | t.func @f(%a: f32, %count : i1) -> f32 {
              |           ^^
            error: custom op 't.ad' is unknown
             --> a.mlir:4:8
              |
            4 |   %y = t.ad %a, %a : f32
              |        ^^^^
              |
              = help: did you mean 't.add'?
            error: redefinition of SSA value '%a'
             --> a.mlir:6:3
              |
            6 |   %a = t.const 1 : i32
              |   ^^
              |
            note: previously defined here
             --> a.mlir:2:11
              |
            2 | t.func @f(%a: f32, %count : i1) -> f32 {
              |           ^^
            error: custom op 't.cmp' expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne]
             --> a.mlir:7:9
              |
            7 |   t.cmp le, %a, %a : f32
              |         ^^
              |
              = help: did you mean 'ne'?
            error: expected ','
             --> a.mlir:8:11
              |
            8 |   t.add %a %a : f32
              |           ^
            error: unregistered operation 't.odd' found in dialect ('t') that does not allow unknown operations
             --> a.mlir:9:3
              |
            9 |   "t.odd"() : () -> ()
              |   ^^^^^^^
              |
              = help: did you mean 't.add'?
            error: operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used
              --> a.mlir:10:3
               |
            10 |   "u.odd"() : () -> ()
               |   ^^^^^^^
            error: Dialect `v' not found for custom op 'v.odd'
              --> a.mlir:11:3
               |
            11 |   v.odd
               |   ^^^^^
               |
               = note: Available dialects: t
               = help: did you mean 't'?
            error: expected ')' to end operand list
              --> a.mlir:14:16
               |
            14 |   "t.return"(%a : (f32) -> ()
               |                ^
            error: expected non-function type
              --> a.mlir:16:24
               |
            16 | t.return %a : vector<4xf33>
               |                        ^^^
               |
               = help: did you mean 'f32'?
            error: expected '}'
              --> a.mlir:16:28
               |
            16 | t.return %a : vector<4xf33>
               |                            ^
               |
              ::: a.mlir:2:40
               |
             2 | t.func @f(%a: f32, %count : i1) -> f32 {
               |                                        - opened here
            error: reference to an undefined block '^bb'
              --> a.mlir:12:21
               |
            12 |   t.cond_br %count, ^bb, ^bb1
               |                     ^^^
               |
               = help: did you mean '^bb1'?
            error: use of undeclared SSA value name '%cuont'
             --> a.mlir:5:14
              |
            5 |   %z = t.add %cuont, %y : i1
              |              ^^^^^^
              |
              = help: did you mean '%count'?
        "#]],
    );
}

#[test]
fn deep_nesting_is_no_crash() {
    let ctx = Context::bare();
    for depth in [50_000, 200_000] {
        let nest = |open: &str, middle: &str, close: &str| {
            [&open.repeat(depth), middle, &close.repeat(depth)].concat()
        };
        let regions = nest("\"a.b\"() ({\n", "", "}) : () -> ()\n");
        let read = read(&ctx, &regions, &OPEN);
        assert_eq!(read.is_ok(), depth < 100_000);
        let types = parse_type(&ctx, &nest("tuple<", "i32", ">"));
        assert_eq!(types.is_ok(), depth < 100_000);
        let attrs = parse_attr(&ctx, &nest("[", "1", "]"));
        assert_eq!(attrs.is_ok(), depth < 100_000);
        let locs = parse_attr(&ctx, &format!("loc({})", nest("\"a\"(", "unknown", ")")));
        assert_eq!(locs.is_ok(), depth < 100_000);
        let _ = parse_attr(&ctx, &format!("affine_map<(d0) -> ({})>", nest("(", "d0", ")")));
        let _ = parse_attr(&ctx, &format!("affine_map<(d0) -> ({})>", nest("", "d0", " + d0 * 2 mod 3")));
        if let (Ok(ty), Ok(attr), Ok(loc)) = (types, attrs, locs) {
            assert_eq!(print_type(&ctx, ty), nest("tuple<", "i32", ">"));
            assert_eq!(print_attr(&ctx, attr), nest("[", "1", "]"));
            assert!(print_attr(&ctx, loc).len() > depth);
        }
        if let Ok(module) = read {
            assert!(print(&module, true, false).len() > depth);
        }
    }
}

fn ty() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("i32".to_owned()),
        Just("f32".to_owned()),
        Just("index".to_owned()),
        Just("ui7".to_owned()),
        Just("bf16".to_owned()),
        Just("!foo.bar<1>".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner
                .clone()
                .prop_map(|ty| format!("tensor<4x?x{ty}>").replace("x(", "xtuple<(").replace("tuple<(", "(")),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|list| format!("tuple<{}>", list.join(", "))),
            (prop::collection::vec(inner.clone(), 0..3), inner)
                .prop_map(|(list, ty)| format!("({}) -> ({ty})", list.join(", "))),
        ]
    })
}

fn attribute() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(|value| format!("{value} : i32")),
        any::<f32>().prop_map(|value| format!("0x{:08X} : f32", value.to_bits())),
        any::<f64>().prop_map(|value| format!("0x{:016X} : f64", value.to_bits())),
        any::<u16>().prop_map(|value| format!("0x{value:04X} : f16")),
        any::<u16>().prop_map(|value| format!("0x{value:04X} : bf16")),
        prop::collection::vec(any::<i8>(), 3).prop_map(|list| format!("dense<{list:?}> : tensor<3xi8>")),
        prop::collection::vec(any::<i64>(), 0..3).prop_map(|list| format!(
            "array<i64{}{}>",
            if list.is_empty() { "" } else { ": " },
            format!("{list:?}").trim_matches(['[', ']'])
        )),
        "[a-z\\\\\"\n]{0,5}".prop_map(|text| format!(
            "\"{}\"",
            text.replace('\\', "\\\\").replace('"', "\\22").replace('\n', "\\0A")
        )),
        ty(),
        Just("affine_map<(d0)[s0] -> (d0 * 2 + s0, d0 floordiv 3)>".to_owned()),
        Just("@a::@\"b c\"".to_owned()),
        Just("loc(\"a\"(\"b\":1:2))".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|list| format!("[{}]", list.join(", "))),
            inner.prop_map(|attr| format!("{{k, \"k k\" = {attr}}}")),
        ]
    })
}

/// A line like one that was read before is read no second time, but an operation may go on behind it.
#[test]
fn an_operation_may_go_on_behind_a_line_that_was_read_before() {
    let ctx = context();
    let text = "
t.func @f(%a: i64) {
  %0 = t.const 1 : i64
  %1 = t.const 1 : i64
    loc(\"elsewhere\":1:2)
  %2 = t.const 1 : i64
  t.return
}
t.func @g(%a: i64) {
  t.return
    %a : i64
}
";
    let module = read(&ctx, text, &OPEN).expect("a right text");
    expect![[r##"
        #loc2 = loc("a.mlir":2:11)
        #loc8 = loc("a.mlir":9:11)
        "builtin.module"() ({
          t.func @f(%arg0: i64 loc("a.mlir":2:11)) {
            %c1_i64 = const 1 : i64 loc(#loc3)
            %c1_i64_0 = const 1 : i64 loc(#loc4)
            %c1_i64_1 = const 1 : i64 loc(#loc5)
            return loc(#loc6)
          } loc(#loc1)
          t.func @g(%arg0: i64 loc("a.mlir":9:11)) {
            return %arg0 : i64 loc(#loc9)
          } loc(#loc7)
        }) : () -> () loc(#loc)
        #loc = loc("a.mlir":0:0)
        #loc1 = loc("a.mlir":2:1)
        #loc3 = loc("a.mlir":3:8)
        #loc4 = loc("elsewhere":1:2)
        #loc5 = loc("a.mlir":6:8)
        #loc6 = loc("a.mlir":7:3)
        #loc7 = loc("a.mlir":9:1)
        #loc9 = loc("a.mlir":10:3)
    "##]]
    .assert_eq(&print(&module, false, true));
}

/// To look at the rest of the line from each of them would take hours.
#[test]
fn many_operations_on_one_line_are_read_in_linear_time() {
    let ctx = context();
    let calls = "t.call @f() : () -> () ".repeat(200_000);
    let module = read(&ctx, &calls, &OPEN).expect("a right text");
    assert_eq!(module.body().block(module.block()).len(), 200_000);
}

/// An operation on one line, rarely a wrong one.
fn line() -> impl Strategy<Value = String> {
    let kinds = [("i64", ["%a", "%b"]), ("i64", ["%b", "%c"]), ("i1", ["%d", "%d"]), ("f32", ["%e", "%f"])];
    let operands = prop::sample::select(kinds.to_vec()).prop_map(|(ty, [x, y])| (ty, x, y));
    let wrong =
        prop::sample::select(vec!["t.add %a, %d : i64", "t.add %a, %g : i64", "t.cmp eq, %a %b : i64"]);
    prop_oneof![
        6 => (0..3, 1..4).prop_map(|(number, width)| format!("t.const {number} : i{width}")),
        6 => operands.clone().prop_map(|(ty, x, y)| format!("t.add {x}, {y} : {ty}")),
        3 => operands.clone().prop_map(|(ty, x, y)| format!("t.add {y}, {x} fastmath<nnan> : {ty}")),
        3 => operands.clone().prop_map(|(ty, x, y)| format!("t.add {y}, {x} {{k = 1 : i8}} : {ty}")),
        6 => operands.clone().prop_map(|(ty, x, y)| format!("t.cmp eq, {x}, {y} : {ty}")),
        6 => operands.clone().prop_map(|(ty, x, y)| format!("t.call @f({x}, {y}) : ({ty}, {ty}) -> {ty}")),
        3 => operands.prop_map(|(ty, x, _)| format!("t.call @f({x}) : ({ty}) -> i1")),
        1 => wrong.prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// A comment keeps a line from being found again: every operation of the second text is read by itself.
    #[test]
    fn lines_that_were_read_before_mean_the_same(lines in prop::collection::vec(line(), 1..30)) {
        let ctx = context();
        let text = |end: &str| {
            let ops = lines.iter().enumerate().map(|(at, line)| format!("  %x{at} = {line}{end}\n"));
            let args = "%a: i64, %b: i64, %c: i64, %d: i1, %e: f32, %f: f32";
            format!("t.func @f({args}) {{\n{}  t.return\n}}\n", ops.collect::<String>())
        };
        let (found, each) = (read(&ctx, &text(""), &OPEN), read(&ctx, &text(" // by itself"), &OPEN));
        match (found, each) {
            (Ok(found), Ok(each)) => prop_assert_eq!(print(&found, true, false), print(&each, true, false)),
            (found, each) => prop_assert_eq!(found.is_ok(), each.is_ok()),
        }
    }

    #[test]
    fn types_and_attributes_round_trip(attr in attribute()) {
        let ctx = Context::bare();
        if let Ok(first) = parse_attr(&ctx, &attr) {
            let text = print_attr(&ctx, first);
            prop_assert_eq!(parse_attr(&ctx, &text), Ok(first), "{}", text);
        }
    }

    #[test]
    fn bodies_round_trip(attrs in prop::collection::vec(attribute(), 1..6), shape in prop::collection::vec(0u8..6, 1..20)) {
        let ctx = context();
        let (mut text, mut open) = (String::new(), 0);
        for (at, kind) in shape.iter().enumerate() {
            match kind {
                0 => text.push_str(&format!("%v{at} = t.const {at} : i64\n\"u.use\"(%v{at}) : (i64) -> ()\n")),
                1 => {
                    text.push_str("\"u.open\"() ({\n");
                    open += 1;
                }
                2 if open > 0 => {
                    text.push_str("}) : () -> ()\n");
                    open -= 1;
                }
                3 => text.push_str(&format!("%v{at}:2 = \"u.two\"(%v{at}#1) : (f32) -> (i1, f32)\n")),
                4 => text.push_str("t.func @f(%a: i32) {\n^bb0: }\n"),
                _ => {
                    let attr = &attrs[at % attrs.len()];
                    text.push_str(&format!("\"u.attr\"() {{a = {attr}}} : () -> ()\n"));
                }
            }
        }
        text.push_str(&"}) : () -> ()\n".repeat(open));
        if let Ok(module) = read(&ctx, &text, &OPEN) {
            check_round_trip(&ctx, &module);
        }
    }

    #[test]
    fn random_text_is_no_crash(text in "\\PC{0,80}") {
        let ctx = context();
        let _ = read(&ctx, &text, &OPEN);
        let _ = parse_attr(&ctx, &text);
        let _ = parse_type(&ctx, &text);
    }

    #[test]
    fn cut_and_changed_text_is_no_crash(at in 0..PROGRAM.len(), skip in 0..10usize, put in "[\\PC\n]{0,3}") {
        let ctx = context();
        let end = (at + skip).min(PROGRAM.len());
        let _ = read(&ctx, &PROGRAM[..at], &OPEN);
        let _ = read(&ctx, &[&PROGRAM[..at], &put, &PROGRAM[end..]].concat(), &OPEN);
    }

    #[test]
    fn tokens_in_any_order_are_no_crash(tokens in prop::collection::vec(
        prop::sample::select(vec!["t.func", "@f", "(", ")", "{", "}", "%a", "^bb", ":", "i32", "\"a.b\"", "=", "<", ">",
            "dense", "[", "]", "1", "-", "0x1F", "1.5", "tensor", "x", "?", "loc", "#m", "!t", ",", "->", "affine_map",
            "sparse", "array", "fused", "d0", "t.if", "t.add", "*", "memref", "\"", "{-#", "\n"]), 0..60)) {
        let _ = read(&context(), &tokens.concat(), &OPEN);
        let _ = read(&context(), &tokens.join(" "), &OPEN);
        let _ = parse_attr(&context(), &tokens.join(" "));
    }
}
