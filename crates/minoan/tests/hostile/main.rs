//! Input that wants to do harm: deep nesting, cut and flipped text, numbers beyond every bound.
//!
//! Nothing here may panic, overflow the stack or take memory out of proportion to the text.

mod nesting;
mod width;

use minoan::ir::text::{ParseOptions, PrintFlags, parse_attr, parse_module, parse_type, print_module};
use minoan::ir::verify::verify;
use minoan::ir::{Context, Module};
use minoan::{Session, diag::SourceMap, diag::render};
use peak_alloc::PeakAlloc;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

const OPEN: ParseOptions =
    ParseOptions { allow_unregistered: true, no_implicit_module: false, unverified: false, compiled: false };

/// Reads and verifies a text.
fn read(ctx: &Context, text: &str) -> Result<Module, String> {
    let sources = SourceMap::new();
    let file = sources.add("test.mlir", text);
    let module = parse_module(ctx, &sources, file, &OPEN);
    let module = module.and_then(|module| verify(&module).map(|()| module));
    module.map_err(|errors| errors.iter().map(|error| render(error, &sources)).collect())
}

/// Tests run one after another: what they take is measured, and the heap is that of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes on the heap at once, at most, while something is done, beyond those before.
fn peak<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let result = run();
    (result, HEAP.peak_usage().saturating_sub(before))
}

/// Every file of the tests.
fn corpus() -> Vec<(PathBuf, String)> {
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test")];
    let mut files = Vec::new();
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).expect("the directory is there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "mlir") {
                let text = std::fs::read_to_string(&path).expect("a text");
                files.push((path, text));
            }
        }
    }
    files.sort();
    assert!(files.len() > 20, "the tests are where they were");
    files
}

/// Below the budget of 100,000.
const DEEP: usize = 99_000;

fn nest(depth: usize, open: &str, middle: &str, close: &str) -> String {
    [&open.repeat(depth), middle, &close.repeat(depth)].concat()
}

/// Reads, verifies, copies, prints and drops a module; what is printed is read again.
fn all_ways(ctx: &Context, text: &str) {
    let module = read(ctx, text).unwrap_or_else(|error| panic!("{}", error.lines().next().unwrap_or("")));
    let copy = module.clone();
    for generic in [false, true] {
        let flags = PrintFlags { generic, ..PrintFlags::default() };
        let printed = print_module(&module, &flags);
        drop(read(ctx, &printed).expect("what is printed is read"));
        assert!(print_module(&copy, &flags) == printed, "a copy prints the same");
    }
}

#[test]
fn numbers_beyond_every_bound() {
    let _alone = alone();
    let session = Session::new();
    let ctx = session.context();
    let nines = "9".repeat(1_000_000);
    let (_, bytes) = peak(|| {
        for text in [
            format!("{nines} : i32"),
            format!("0x{nines} : f128"),
            format!("[i{nines}]"),
            format!("tensor<{nines}xi32>"),
            format!("dense<1> : tensor<{nines}xi1>"),
            format!("affine_map<(d0) -> ({nines})>"),
            format!("strided<[{nines}]>"),
            format!("distinct[{nines}]<unit>"),
            format!("loc(\"a\":{nines}:1)"),
            format!("array<i64: {nines}>"),
        ] {
            assert!(parse_attr(ctx, &text).is_err(), "{}", &text[..20]);
        }
        assert!(parse_attr(ctx, &format!("{nines}.0e{nines} : f32")).is_ok(), "infinity, as in MLIR");
        for text in ["dense<1> : tensor<1000000000000xi8>", "dense<1> : tensor<1000000x1000000xi64>"] {
            let attr = parse_attr(ctx, text).expect("a splat takes no more room for a large shape");
            assert_eq!(minoan::ir::text::print_attr(ctx, attr), text);
        }
        for text in [
            "dense<[1, 2]> : tensor<1000000000000xi8>",
            "dense<\"0x0102\"> : tensor<1000000000000xi8>",
            "dense<\"0xFF00\"> : tensor<1000000000000xi1>",
            "dense<1> : tensor<9223372036854775807x9223372036854775807xi8>",
            "sparse<[[0]], [1, 2]> : tensor<1000000000000x1000000000000xi8>",
            "dense<> : vector<4294967296x4294967296xi8>",
        ] {
            assert!(parse_attr(ctx, text).is_err(), "{text}");
        }
        for text in
            ["tensor<1000000000000x1000000000000xi8>", "memref<9223372036854775807x9223372036854775807xi8>"]
        {
            assert!(parse_type(ctx, text).is_ok(), "{text}");
        }
    });
    assert!(bytes < 400 << 20, "{bytes} bytes for numbers");
}

#[test]
fn every_prefix_of_a_file() {
    let _alone = alone();
    let session = Session::new();
    let files = corpus();
    let named = |name: &str| files.iter().find(|(path, _)| path.ends_with(name)).map(|(_, text)| text);
    for name in ["IR/attributes.mlir", "IR/locations.mlir", "Dialect/SCF/ops.mlir", "Dialect/Linalg/ops.mlir"]
    {
        let text = named(name).expect("the file is there");
        for end in (0..text.len()).step_by(if name.starts_with("IR") { 3 } else { 1 }) {
            if text.is_char_boundary(end) {
                let _ = read(session.context(), &text[..end]);
            }
        }
    }
}

#[test]
fn flipped_bits() {
    let _alone = alone();
    let session = Session::new();
    for (_, text) in corpus() {
        let mut bytes = text.into_bytes();
        // A hundred places in a long file, which is read once for each.
        for at in (0..bytes.len()).step_by(37.max(bytes.len() / 100)) {
            let bit = 1 << (at % 7);
            bytes[at] ^= bit;
            if let Ok(text) = std::str::from_utf8(&bytes) {
                let _ = read(session.context(), text);
            }
            bytes[at] ^= bit;
        }
    }
}
