//! Reading, checking and printing modules of different sizes, each by itself, with one thread.
//!
//! `cargo bench -p minoan --no-default-features --bench text`; beside mlir-opt: `cargo xtask bench`.

#[path = "../../../bench/text/generate.rs"]
mod generate;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use minoan::Session;
use minoan::ir::text::{ParseOptions, PrintFlags, parse_module, print_module_to};
use minoan::ir::verify::verify;

fn text(criterion: &mut Criterion) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool was made before");
    let mut group = criterion.benchmark_group("text");
    group.sample_size(10);
    for ops in [10_000, 100_000] {
        let session = Session::new();
        let (ctx, sources) = (session.context(), session.sources());
        let file = sources.add("bench.mlir", generate::module(ops));
        let parse =
            || parse_module(ctx, sources, file, &ParseOptions::default()).expect("the module is right");
        let module = parse();
        group.throughput(Throughput::Elements(ops as u64));
        group.bench_function(BenchmarkId::new("parse", ops), |bencher| {
            bencher.iter_batched(|| (), |()| parse(), BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("verify", ops), |bencher| bencher.iter(|| verify(&module)));
        group.bench_function(BenchmarkId::new("print", ops), |bencher| {
            bencher.iter(|| print_module_to(&module, &PrintFlags::default(), &mut std::io::sink()));
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    text(&mut criterion);
    criterion.final_summary();
}
