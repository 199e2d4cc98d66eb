//! MLIR's textual format: round trips, messages, and invalid input.

mod dialect;
mod foreign;
mod forms;
mod large;
mod mistakes;
mod random;

use dialect::context;
use expect_test::Expect;
use minoan_diag::{SourceMap, render};
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{Context, Module};

const OPEN: ParseOptions =
    ParseOptions { allow_unregistered: true, no_implicit_module: false, unverified: false, compiled: false };

fn read(ctx: &Context, text: &str, options: &ParseOptions) -> Result<Module, String> {
    let sources = SourceMap::new();
    let file = sources.add("a.mlir", text);
    parse_module(ctx, &sources, file, options).map_err(|list| {
        let texts: Vec<String> = list.iter().map(|diagnostic| render(diagnostic, &sources)).collect();
        texts.concat()
    })
}

fn print(module: &Module, generic: bool, debuginfo: bool) -> String {
    print_module(module, &PrintFlags { generic, debuginfo, ..PrintFlags::default() })
}

/// Checks that the printed text is parsed and printed to the same text in every form.
fn check_round_trip(ctx: &Context, module: &Module) {
    for generic in [false, true] {
        for debuginfo in [false, true] {
            let first = print(module, generic, debuginfo);
            let again = read(ctx, &first, &OPEN).unwrap_or_else(|error| panic!("{error}\n{first}"));
            assert_eq!(print(&again, generic, debuginfo && first.contains("loc(")), first);
            assert_eq!(print(&again, false, false), print(module, false, false));
        }
    }
    // Flags that change names, aliases and literals, but not the meaning.
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
    let error = read(&context(), text, &ParseOptions::default()).expect_err("an error");
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
