//! Parsing and type inference of generated modules; the throughput is in bytes of text.

#![allow(missing_docs, reason = "the macros of criterion generate public functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use minoan_diag::SourceMap;
use minoan_relay::{check, parse};
use std::fmt::Write;

/// A module with `count` graph bindings.
fn graph_bindings(count: usize) -> String {
    let mut text = "def @main(%x: Tensor[(16, 16), float32]) {\n  %0 = add(%x, %x);\n".to_owned();
    for index in 1..count {
        let _ = writeln!(text, "  %{index} = multiply(%{}, %x);", index - 1);
    }
    let _ = writeln!(text, "  %{}\n}}", count - 1);
    text
}

/// A module with `count` nested `let`s.
fn lets(count: usize) -> String {
    let mut text = "def @main(%x: Tensor[(16, 16), float32]) {\n  let %v0 = %x;\n".to_owned();
    for index in 1..count {
        let _ = writeln!(text, "  let %v{index} = add(%v{}, %x);", index - 1);
    }
    let _ = writeln!(text, "  %v{}\n}}", count - 1);
    text
}

fn inference(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse_and_infer");
    group.sample_size(20);
    for (name, make) in [("graph_bindings", graph_bindings as fn(usize) -> String), ("lets", lets)] {
        for count in [10_000, 50_000, 200_000] {
            let text = make(count);
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function(format!("{name}/{count}"), |bencher| {
                bencher.iter(|| {
                    let sources = SourceMap::new();
                    let file = sources.add("generated.relay", text.clone());
                    let (module, syntax) = parse(&sources, file);
                    let (typed, types) = check(module);
                    assert!(syntax.is_empty() && types.is_empty());
                    typed
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, inference);
criterion_main!(benches);
