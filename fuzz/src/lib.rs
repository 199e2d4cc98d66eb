//! Properties of the front ends, the MLIR parser and the passes that hold for arbitrary input.
//!
//! The fuzz targets and `crates/minoan/tests/all/corpus.rs` check the same properties: nothing panics, diagnostics can be
//! rendered, and accepted input round-trips through its printed form.

pub mod modules;

use minoan::diag::{Diagnostics, SourceMap, render};
use minoan::generate::{self, Case, Choices, Fault, Limits, Plan};
use minoan::ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan::ir::verify::verify;
use minoan::ir::{Context, Module};
use minoan::{frontend, iexpr, knossos, relay};
use std::cell::RefCell;

/// Allows unregistered operations, so that more input is accepted.
const OPEN: ParseOptions =
    ParseOptions { allow_unregistered: true, no_implicit_module: false, unverified: false, compiled: false };

/// The number of inputs after which the context is replaced: it keeps all names, types and attributes.
const INPUTS_PER_CONTEXT: usize = 2000;

/// A context with all dialects, recreated from time to time.
fn with_context<R>(run: impl FnOnce(&Context) -> R) -> R {
    thread_local! {
        static CONTEXT: RefCell<Option<(Context, usize)>> = const { RefCell::new(None) };
    }
    let kept = CONTEXT.take().filter(|(_, inputs)| *inputs < INPUTS_PER_CONTEXT);
    let (ctx, inputs) = kept.unwrap_or_else(|| (minoan::context(), 0));
    let result = run(&ctx);
    CONTEXT.set(Some((ctx, inputs + 1)));
    result
}

/// Renders diagnostics with arbitrary positions.
fn shown(errors: &Diagnostics, sources: &SourceMap) -> String {
    errors.iter().map(|error| render(error, sources)).collect()
}

/// Parses printed text.
fn reread(ctx: &Context, text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("printed.mlir", text);
    let module = parse_module(ctx, &sources, file, &OPEN);
    let module = module.and_then(|module| verify(&module).map(|()| module));
    module.unwrap_or_else(|errors| panic!("{}\n{text}", shown(&errors, &sources)))
}

/// The print flags whose output can be parsed.
fn readable() -> Vec<PrintFlags> {
    let mut flags = Vec::new();
    for bits in 0..8 {
        let (generic, debuginfo, local_scope) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
        flags.push(PrintFlags { generic, debuginfo, local_scope, ..PrintFlags::default() });
    }
    let plain = PrintFlags::default();
    flags.push(PrintFlags { unique_ssa_ids: true, ..plain.clone() });
    flags.push(PrintFlags { name_locs: true, ..plain.clone() });
    flags.push(PrintFlags { name_locs: true, unique_ssa_ids: true, generic: true, ..plain.clone() });
    flags.extend([0, 1, -1].map(|most| PrintFlags { hex_elements: Some(most), ..plain.clone() }));
    flags
}

/// The print flags that omit information.
fn lossy() -> [PrintFlags; 5] {
    let plain = PrintFlags::default;
    [
        PrintFlags { pretty_debuginfo: true, debuginfo: true, ..plain() },
        PrintFlags { elide_elements: Some(1), ..plain() },
        PrintFlags { elide_resources: Some(1), ..plain() },
        PrintFlags { skip_regions: true, ..plain() },
        PrintFlags { skip_regions: true, generic: true, ..plain() },
    ]
}

/// Prints a valid module with all flags, and checks that parsable output gives the same module, and that a copy
/// prints the same.
///
/// # Panics
/// If the module does not round-trip.
pub fn round_trip(module: &Module) {
    let ctx = module.context();
    let form = |debuginfo| PrintFlags { generic: true, debuginfo, ..PrintFlags::default() };
    let mut plain = print_module(module, &form(false));
    // Affine expressions are simplified while they are parsed, as in MLIR, and the result may be simplified further.
    let (mut module, mut rounds) = (module.clone(), 0);
    while plain.contains("affine_") {
        let again = reread(ctx, &print_module(&module, &form(true)));
        let text = print_module(&again, &form(false));
        if text == plain {
            break;
        }
        rounds += 1;
        assert!(rounds < 10, "{plain}\n{text}");
        (module, plain) = (again, text);
    }
    let module = &module;
    let located = print_module(module, &form(true));
    assert_eq!(print_module(&module.clone(), &form(true)), located, "a copy");
    for flags in readable() {
        let text = print_module(module, &flags);
        let again = reread(ctx, &text);
        // A single operation is parsed without resources.
        let kept = if flags.local_scope { plain.split("\n{-#").next().unwrap_or_default() } else { &plain };
        assert_eq!(print_module(&again, &form(false)), kept, "{flags:?}\n{text}");
        if flags.debuginfo && kept == plain {
            // Locations of what a custom form elides are those of the parsed text, as in MLIR.
            if flags.generic {
                assert_eq!(print_module(&again, &form(true)), located, "{flags:?}\n{text}");
            }
            // A masked operation is printed without its location, which nevertheless has an alias, as in MLIR.
            if flags.generic || !text.contains("vector.mask") {
                assert_eq!(print_module(&again, &flags), text, "{flags:?}");
            }
        }
    }
    for flags in lossy() {
        assert!(!print_module(module, &flags).is_empty(), "{flags:?}");
    }
}

/// Checks arbitrary bytes as MLIR text.
///
/// # Panics
/// On a bug in the library.
pub fn text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    with_context(|ctx| {
        let sources = SourceMap::new();
        let file = sources.add("input.mlir", text);
        match parse_module(ctx, &sources, file, &OPEN) {
            Err(errors) => assert!(!shown(&errors, &sources).is_empty(), "a refusal without a reason"),
            Ok(module) => match verify(&module) {
                Ok(()) => round_trip(&module),
                Err(errors) => {
                    assert!(!shown(&errors, &sources).is_empty(), "a refusal without a reason");
                    // An invalid module can be printed in the generic form.
                    let generic = PrintFlags { generic: true, ..PrintFlags::default() };
                    assert!(!print_module(&module, &generic).is_empty());
                }
            },
        }
    });
}

/// Checks a valid or invalid module that is built from bytes.
///
/// # Panics
/// On a bug in the library.
pub fn module(bytes: &[u8]) {
    with_context(|ctx| {
        let module = modules::module(ctx, bytes);
        match verify(&module) {
            Ok(()) => round_trip(&module),
            Err(errors) => {
                assert!(!shown(&errors, &SourceMap::new()).is_empty(), "a refusal without a reason");
                round_trip_generic(&module);
            }
        }
    });
}

/// Prints a possibly invalid module in the generic form, and checks that it round-trips: the parser does not check
/// the rules of operations, except that properties have the declared kind, since MLIR cannot represent others.
fn round_trip_generic(module: &Module) {
    let generic = PrintFlags { generic: true, debuginfo: true, ..PrintFlags::default() };
    let text = print_module(module, &generic);
    let sources = SourceMap::new();
    let file = sources.add("printed.mlir", text.clone());
    match parse_module(module.context(), &sources, file, &OPEN) {
        Ok(again) => assert_eq!(print_module(&again, &generic), text),
        Err(errors) if errors.iter().all(|error| error.message.starts_with("invalid properties ")) => {}
        Err(errors) => panic!("{}\n{text}", shown(&errors, &sources)),
    }
}

/// Checks arbitrary bytes as a Knossos program.
///
/// # Panics
/// On a bug in the library.
pub fn knossos(bytes: &[u8]) {
    let sources = SourceMap::new();
    let file = match frontend::load(&sources, "input.ks", bytes.to_vec()) {
        Ok(file) => file,
        Err(error) => return assert!(!render(&error, &sources).is_empty()),
    };
    let (program, syntax) = knossos::parse(&sources, file);
    let (_, types) = knossos::check(&program);
    shown(&syntax, &sources);
    shown(&types, &sources);
    if !syntax.has_errors() {
        let text = knossos::print(&program);
        let file = sources.add("printed.ks", text.clone());
        let (again, errors) = knossos::parse(&sources, file);
        assert!(!errors.has_errors(), "{}\n{text}", shown(&errors, &sources));
        assert!(program.same_structure(&again), "{text}");
        assert_eq!(knossos::check(&again).1.error_count(), types.error_count(), "{text}");
    }
}

/// Checks arbitrary bytes as a Relay module, with and without the prelude.
///
/// # Panics
/// On a bug in the library.
pub fn relay(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let sources = SourceMap::new();
    let file = sources.add("input.relay", text);
    let (module, syntax) = relay::parse(&sources, file);
    shown(&syntax, &sources);
    if !syntax.has_errors() {
        let text = relay::print(&module);
        let file = sources.add("printed.relay", text.clone());
        let (again, errors) = relay::parse(&sources, file);
        assert!(!errors.has_errors(), "{}\n{text}", shown(&errors, &sources));
        assert!(module.same_structure(&again), "{text}");
    }
    shown(&relay::check(module).1, &sources);
    let (module, syntax) = relay::parse_with_prelude(&sources, file);
    shown(&syntax, &sources);
    shown(&relay::check(module).1, &sources);
}

/// Checks arbitrary bytes as a file of i-expressions.
///
/// # Panics
/// On a bug in the library.
pub fn iexpr(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let sources = SourceMap::new();
    let file = sources.add("input.iexpr", text);
    let (parsed, syntax) = iexpr::parse(&sources, file);
    let (checked, errors) = iexpr::check(&parsed);
    shown(&syntax, &sources);
    shown(&errors, &sources);
    if !syntax.has_errors() && !errors.has_errors() {
        for entry in checked.entries() {
            assert!(checked.signature(entry).is_some(), "'{entry}' takes and gives nothing");
        }
    }
    if !syntax.has_errors() {
        let text = iexpr::print(&parsed);
        let file = sources.add("printed.iexpr", text.clone());
        let (again, wrong) = iexpr::parse(&sources, file);
        assert!(!wrong.has_errors(), "{}\n{text}", shown(&wrong, &sources));
        assert!(parsed.same_structure(&again), "{text}");
        assert_eq!(iexpr::check(&again).1.error_count(), errors.error_count(), "{text}");
    }
}

/// Builds a module and a pipeline from bytes, and checks the pipeline.
///
/// # Panics
/// If a pass panics, invalidates the module, or changes its semantics; the message contains the reduced case.
pub fn passes(bytes: &[u8]) {
    let registry = minoan::pass_registry();
    // These print, write files, or hide the functions to compare.
    let apart = ["count-memory", "print-graph", "print-op-stats", "symbol-privatize"];
    let names: Vec<&str> =
        registry.all().map(|pass| pass.name()).filter(|name| !apart.contains(name)).collect();
    with_context(|ctx| {
        let mut choices = Choices::bytes(bytes);
        let module = generate::module(ctx, &mut choices, Limits::default()).expect("the dialects generate");
        let plan = Plan::random(&module, &registry, &names, &mut choices);
        let case = Case { module, plan };
        match case.check(&registry) {
            Ok(_) => round_trip(&case.module),
            // Too much work: uniform bytes easily create many loops.
            Err(Fault::Unfit(message)) if message.starts_with("step limit of") => {}
            Err(fault) => panic!("{fault}\n{}", case.shrink(&fault, &registry).text()),
        }
    });
}
