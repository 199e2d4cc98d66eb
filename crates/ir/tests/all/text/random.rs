//! Property tests with random texts.

use super::dialect::context;
use super::{OPEN, PROGRAM, check_round_trip, print, read};
use minoan_diag::{Place, SourceMap};
use minoan_ir::Context;
use minoan_ir::text::{parse_attr, parse_module, parse_type, print_attr, print_type};
use proptest::prelude::*;

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

/// An operation on one line, rarely an invalid one.
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

    /// Comments prevent cache hits: every operation of the second text is parsed.
    #[test]
    fn cached_lines_parse_the_same(lines in prop::collection::vec(line(), 1..30)) {
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
    fn random_text_is_rejected_or_round_trips(text in "\\PC{0,80}") {
        let ctx = context();
        check_any(&ctx, &text);
        check_any_attr(&ctx, &text);
        if let Ok(ty) = parse_type(&ctx, &text) {
            prop_assert_eq!(parse_type(&ctx, &print_type(&ctx, ty)), Ok(ty));
        }
    }

    #[test]
    fn mutated_text_is_rejected_or_round_trips(at in 0..PROGRAM.len(), skip in 0..10usize, put in "[\\PC\n]{0,3}") {
        let ctx = context();
        let end = (at + skip).min(PROGRAM.len());
        check_any(&ctx, &PROGRAM[..at]);
        check_any(&ctx, &[&PROGRAM[..at], &put, &PROGRAM[end..]].concat());
    }

    #[test]
    fn random_tokens_are_rejected_or_round_trip(tokens in prop::collection::vec(
        prop::sample::select(vec!["t.func", "@f", "(", ")", "{", "}", "%a", "^bb", ":", "i32", "\"a.b\"", "=", "<", ">",
            "dense", "[", "]", "1", "-", "0x1F", "1.5", "tensor", "x", "?", "loc", "#m", "!t", ",", "->", "affine_map",
            "sparse", "array", "fused", "d0", "t.if", "t.add", "*", "memref", "\"", "{-#", "\n"]), 0..60)) {
        let ctx = context();
        check_any(&ctx, &tokens.concat());
        check_any(&ctx, &tokens.join(" "));
        check_any_attr(&ctx, &tokens.join(" "));
    }
}

/// Any text is a module that round-trips, or has errors whose positions are in the text.
fn check_any(ctx: &Context, text: &str) {
    let sources = SourceMap::new();
    let file = sources.add("test", text);
    match parse_module(ctx, &sources, file, &OPEN) {
        Ok(module) => check_round_trip(ctx, &module),
        Err(diagnostics) => {
            assert!(diagnostics.has_errors());
            for diagnostic in diagnostics.iter() {
                if let Place::Span(span) = diagnostic.place {
                    assert!(span.start <= span.end && span.end as usize <= text.len(), "{diagnostic:?}");
                }
            }
        }
    }
}

fn check_any_attr(ctx: &Context, text: &str) {
    if let Ok(attr) = parse_attr(ctx, text) {
        assert_eq!(parse_attr(ctx, &print_attr(ctx, attr)), Ok(attr), "{text}");
    }
}
