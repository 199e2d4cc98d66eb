//! No pass panics on a valid module or leaves it invalid: each runs by itself on every file of the lit tests.

use crate::common;
use minoan_diag::SourceMap;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::verify::verify;
use minoan_pass::{PassManager, PassRegistry, Pipeline};
use std::path::{Path, PathBuf};

const SPLIT: &str = "// -----";

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "mlir") {
            found.push(path);
        }
    }
}

#[test]
fn no_pass_panics_on_verified_input() {
    let mut registry = PassRegistry::new();
    minoan_passes::register(&mut registry);
    let ctx = common::context();
    let mut paths = Vec::new();
    files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../test")), &mut paths);
    let names = registry.names();
    assert!(names.contains(&"cse"), "the passes are there: {names:?}");
    let (mut runs, mut wrong) = (0, Vec::new());
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        for (part, text) in text.split(SPLIT).enumerate() {
            let sources = SourceMap::new();
            let file = sources.add("part.mlir", text);
            let parse = || parse_module(&ctx, &sources, file, &ParseOptions::default());
            if !parse().is_ok_and(|module| verify(&module).is_ok()) {
                continue;
            }
            for name in &names {
                let mut module = parse().expect("it was parsed before");
                let line = format!("builtin.module({name})");
                let pipeline = Pipeline::parse(&line, &registry, &SourceMap::new()).expect("a pass");
                let outcome = PassManager::new(&pipeline).run(&mut module);
                runs += 1;
                // A pass may reject a module; the pass manager reports panics and invalid results.
                let place = format!("{name} on part {part} of {}", path.display());
                for found in &outcome.diagnostics {
                    let broken = found.notes.iter().any(|note| note.message.starts_with("after pass"));
                    if broken || found.message.contains("panicked") {
                        wrong.push(format!("{place}: {}", found.message));
                    }
                }
            }
        }
    }
    assert!(runs > 1000, "only {runs} runs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
