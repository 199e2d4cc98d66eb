//! Pages of programs that the tests run passes on.

use minoan_diag::SourceMap;
use minoan_explain::Recorder;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, Registry};
use minoan_pass::{PassManager, PassRegistry, Pipeline};

/// The page of a module of `func`, `arith` and `memref` after a pipeline.
pub fn page(name: &str, text: &str, pipeline: &str) -> String {
    let mut dialects = Registry::new();
    dialects
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_arith::ArithDialect)
        .add(minoan_memref::MemRefDialect);
    let ctx = Context::new(dialects).expect("they go together");
    let sources = SourceMap::new();
    let file = sources.add(name, text);
    let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("it is valid");
    let mut passes = PassRegistry::new();
    minoan_passes::register(&mut passes);
    let pipeline = Pipeline::parse(pipeline, &passes, &sources).expect("these passes exist");
    let recorder = Recorder::new();
    recorder.source(name, text);
    recorder.begin(name, &module);
    let outcome = PassManager::new(&pipeline).instrument(&recorder).remarks(true).run(&mut module);
    recorder.end(&outcome, &module, &sources);
    recorder.page(name)
}
