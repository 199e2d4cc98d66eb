//! What holds of any bytes that a front end or the reader of MLIR's text is given, or that a program is made of.
//!
//! The fuzz targets and `crates/minoan/tests/corpus` check the same: nothing panics, what is said about an input can
//! be shown, and what is accepted prints to a text that reads back to the same.

pub mod modules;

use minoan::diag::{Diagnostics, SourceMap, render};
use minoan::generate::{self, Case, Choices, Fault, Limits, Plan};
use minoan::ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan::ir::verify::verify;
use minoan::ir::{Context, Module};
use minoan::{frontend, iexpr, knossos, relay};
use std::cell::RefCell;

/// Unregistered operations are allowed, so that more is read.
const OPEN: ParseOptions =
    ParseOptions { allow_unregistered: true, no_implicit_module: false, unverified: false };

/// Inputs after which a context is replaced: it keeps every name, type and attribute that it has seen.
const INPUTS_PER_CONTEXT: usize = 2000;

/// A context with every dialect, fresh at times.
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

/// Shows what was said, whatever the places are.
fn shown(errors: &Diagnostics, sources: &SourceMap) -> String {
    errors.iter().map(|error| render(error, sources, false)).collect()
}

/// Reads a text that was printed.
fn reread(ctx: &Context, text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("printed.mlir", text);
    let module = parse_module(ctx, &sources, file, &OPEN);
    let module = module.and_then(|module| verify(&module).map(|()| module));
    module.unwrap_or_else(|errors| panic!("{}\n{text}", shown(&errors, &sources)))
}

/// The ways to print of which the text can be read back.
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

/// The ways to print that leave something out.
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

/// Prints a valid module with every flag; each text that can be read gives the module again. A copy
/// prints the same.
///
/// # Panics
/// When it does not.
pub fn round_trip(module: &Module) {
    let ctx = module.context();
    let form = |debuginfo| PrintFlags { generic: true, debuginfo, ..PrintFlags::default() };
    let mut plain = print_module(module, &form(false));
    // Affine expressions are simplified while they are read, as in MLIR, and what comes out may be simplified further.
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
        // An operation that is read by itself has no resources behind it.
        let kept = if flags.local_scope { plain.split("\n{-#").next().unwrap_or_default() } else { &plain };
        assert_eq!(print_module(&again, &form(false)), kept, "{flags:?}\n{text}");
        if flags.debuginfo && kept == plain {
            // The places of what a custom form leaves out are those of the text that is read, as in MLIR.
            if flags.generic {
                assert_eq!(print_module(&again, &form(true)), located, "{flags:?}\n{text}");
            }
            // What stands in a mask is written without its place, which has an alias nevertheless, as in MLIR.
            if flags.generic || !text.contains("vector.mask") {
                assert_eq!(print_module(&again, &flags), text, "{flags:?}");
            }
        }
    }
    for flags in lossy() {
        assert!(!print_module(module, &flags).is_empty(), "{flags:?}");
    }
}

/// Bytes as MLIR's text.
///
/// # Panics
/// When something is wrong with the library.
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
                    // What is wrong can be looked at, in the form that asks nothing of operations.
                    let generic = PrintFlags { generic: true, ..PrintFlags::default() };
                    assert!(!print_module(&module, &generic).is_empty());
                }
            },
        }
    });
}

/// Bytes as choices that make a module, right or wrong.
///
/// # Panics
/// When something is wrong with the library.
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

/// Prints a module, which may break rules, in the form that asks nothing of operations: the reader, which does not know
/// the rules, makes the same of it. It asks no more than that properties are of the kind that is declared, as in MLIR, where
/// no others can be.
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

/// Bytes as a Knossos program.
///
/// # Panics
/// When something is wrong with the library.
pub fn knossos(bytes: &[u8]) {
    let sources = SourceMap::new();
    let file = match frontend::load(&sources, "input.ks", bytes.to_vec()) {
        Ok(file) => file,
        Err(error) => return assert!(!render(&error, &sources, false).is_empty()),
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

/// Bytes as a Relay module, without the prelude and with it.
///
/// # Panics
/// When something is wrong with the library.
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

/// Bytes as a file of i-expressions.
///
/// # Panics
/// When something is wrong with the library.
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

/// Bytes as the choices of a module and a pipeline over it.
///
/// # Panics
/// When a pass panics, leaves the module invalid, or changes what it computes; the message is the case, made small.
pub fn passes(bytes: &[u8]) {
    let registry = minoan::pass_registry();
    // These print, write files, or hide the functions that are compared.
    let apart = ["print-graph", "print-op-stats", "symbol-privatize"];
    let names: Vec<&str> =
        registry.all().map(|pass| pass.name()).filter(|name| !apart.contains(name)).collect();
    with_context(|ctx| {
        let mut choices = Choices::bytes(bytes);
        let module = generate::module(ctx, &mut choices, Limits::default()).expect("the dialects generate");
        let plan = Plan::random(&module, &registry, &names, &mut choices);
        let case = Case { module, plan };
        match case.check(&registry) {
            Ok(_) => round_trip(&case.module),
            // Too much work: bytes that say nothing else soon make many loops.
            Err(Fault::Unfit(message)) if message.starts_with("step limit of") => {}
            Err(fault) => panic!("{fault}\n{}", case.shrink(&fault, &registry).text()),
        }
    });
}
