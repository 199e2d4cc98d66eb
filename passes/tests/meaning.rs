//! Passes keep what programs compute: random programs give the same values before and after.

use minoan_diag::SourceMap;
use minoan_interp::Interpreter;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Registry};
use minoan_pass::{PassManager, PassRegistry, Pipeline};
use minoan_services::Datum;
use std::fmt::Write;

fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect);
    Context::new(registry).expect("no duplicates")
}

fn parse(text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("random.mlir", text);
    parse_module(&context(), &sources, file, &ParseOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// A random program over `i64`, with memory, structured control flow, and blocks.
struct Writer {
    state: u64,
    text: String,
    names: usize,
    /// Storage for one value that can be seen here.
    slots: Vec<String>,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % bound as u64) as usize
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }

    fn pick(&mut self, values: &[String]) -> String {
        let recent = values.len().min(6);
        values[values.len() - 1 - self.below(recent)].clone()
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "  {line}").expect("a string grows");
    }

    fn condition(&mut self, values: &[String]) -> String {
        let (a, b, c) = (self.pick(values), self.pick(values), self.fresh());
        match self.below(4) {
            0 => self.line(&format!("{c} = arith.constant true")),
            1 => self.line(&format!("{c} = arith.cmpi eq, {a}, {a} : i64")),
            _ => self.line(&format!("{c} = arith.cmpi slt, {a}, {b} : i64")),
        }
        c
    }

    /// Some operations; the values that are known after them.
    fn ops(&mut self, values: &mut Vec<String>, depth: usize) {
        let outer = self.slots.len();
        if self.below(2) == 0 {
            let slot = self.fresh();
            self.line(&format!("{slot} = memref.alloca() : memref<i64>"));
            self.slots.push(slot);
        }
        for _ in 0..2 + self.below(6) {
            if self.below(4) == 0 {
                self.slot_access(values);
                continue;
            }
            let (a, b, r) = (self.pick(values), self.pick(values), self.fresh());
            match self.below(if depth < 3 { 14 } else { 9 }) {
                0 => {
                    let constant = self.below(4);
                    self.line(&format!("{r} = arith.constant {constant} : i64"));
                }
                1 => self.line(&format!("{r} = memref.load %m[%at] : memref<2xi64>")),
                2 => {
                    self.line(&format!("memref.store {a}, %m[%at] : memref<2xi64>"));
                    continue;
                }
                3 => self.line(&format!("{r} = func.call @helper({a}, {b}) : (i64, i64) -> i64")),
                13 => {
                    self.line(&format!("{r} = func.call @count({a}, {b}) : (i64, i64) -> i64"));
                }
                12 => {
                    self.line(&format!("{r}:2 = func.call @partly({a}, {b}) : (i64, i64) -> (i64, i64)"));
                    let number = self.below(2);
                    values.push(format!("{r}#{number}"));
                    continue;
                }
                9 => {
                    let c = self.condition(values);
                    self.line(&format!("{r} = scf.if {c} -> (i64) {{"));
                    for end in ["} else {", "}"] {
                        let mut inner = values.clone();
                        self.ops(&mut inner, depth + 1);
                        let last = self.pick(&inner);
                        self.line(&format!("scf.yield {last} : i64"));
                        self.line(end);
                    }
                }
                10 | 11 => {
                    let (i, acc) = (self.fresh(), self.fresh());
                    self.line(&format!(
                        "{r} = scf.for {i} = %c0 to %c3 step %c1 iter_args({acc} = {a}) -> (i64) {{"
                    ));
                    let mut inner = values.clone();
                    inner.push(acc);
                    let count = self.fresh();
                    self.line(&format!("{count} = arith.index_cast {i} : index to i64"));
                    inner.push(count);
                    self.ops(&mut inner, depth + 1);
                    let last = self.pick(&inner);
                    self.line(&format!("scf.yield {last} : i64"));
                    self.line("}");
                }
                other => {
                    let name = ["addi", "subi", "muli", "xori", "addi"][other - 4];
                    self.line(&format!("{r} = arith.{name} {a}, {b} : i64"));
                }
            }
            values.push(r);
        }
        self.slots.truncate(outer);
    }

    fn slot_access(&mut self, values: &mut Vec<String>) {
        let at = self.below(self.slots.len());
        let slot = self.slots[at].clone();
        if self.below(2) == 0 {
            let value = self.pick(values);
            self.line(&format!("memref.store {value}, {slot}[] : memref<i64>"));
        } else {
            let value = self.fresh();
            self.line(&format!("{value} = memref.load {slot}[] : memref<i64>"));
            values.push(value);
        }
    }

    /// Blocks each of which goes only to later ones, so that every program ends.
    fn program(seed: u64) -> String {
        let mut w = Writer { state: seed * 2 + 1, text: String::new(), names: 0, slots: Vec::new() };
        (0..8).for_each(|_| {
            w.below(2);
        });
        w.text.push_str(
            "func.func private @helper(%a: i64, %b: i64) -> i64 {\n  %0 = arith.muli %a, %b : i64\n  return %0 : i64\n}\nfunc.func private @partly(%a: i64, %b: i64) -> (i64, i64) {\n  %0 = arith.xori %a, %a : i64\n  return %0, %a : i64, i64\n}\nfunc.func private @count(%n: i64, %a: i64) -> i64 {\n  %0 = arith.constant 7 : i64\n  %1 = arith.andi %n, %0 : i64\n  %2 = arith.constant 0 : i64\n  %3 = arith.cmpi eq, %1, %2 : i64\n  %4 = scf.if %3 -> (i64) {\n    scf.yield %a : i64\n  } else {\n    %5 = arith.constant 1 : i64\n    %6 = arith.subi %1, %5 : i64\n    %7 = arith.muli %a, %n : i64\n    %8 = func.call @count(%6, %7) : (i64, i64) -> i64\n    scf.yield %8 : i64\n  }\n  return %4 : i64\n}\nfunc.func private @unused() {\n  return\n}\nfunc.func @main(%a: i64, %b: i64) -> (i64, i64) {\n",
        );
        for constant in 0..=3 {
            w.line(&format!("%c{constant} = arith.constant {constant} : index"));
        }
        w.line("%at = arith.constant 1 : index");
        w.line("%m = memref.alloc() : memref<2xi64>");
        w.line("memref.store %a, %m[%at] : memref<2xi64>");
        w.line("%slot = memref.alloca() : memref<i64>");
        w.slots.push("%slot".to_owned());
        let mut values = vec!["%a".to_owned(), "%b".to_owned()];
        w.ops(&mut values, 0);
        let blocks = 1 + w.below(5);
        for block in 0..=blocks {
            let mut inner = values.clone();
            if block > 0 {
                w.line(&format!("^bb{block}(%x{block}: i64, %y{block}: i64):"));
                inner.extend([format!("%x{block}"), format!("%y{block}")]);
                w.ops(&mut inner, 1);
            }
            if block == blocks {
                let last = w.pick(&inner);
                w.line("%end = memref.load %m[%at] : memref<2xi64>");
                w.line("memref.dealloc %m : memref<2xi64>");
                w.line(&format!("return {last}, %end : i64, i64"));
                break;
            }
            let way = |w: &mut Writer| {
                let to = block + 1 + w.below(blocks - block);
                let (x, y) = (w.pick(&inner), w.pick(&inner));
                format!("^bb{to}({x}, {y} : i64, i64)")
            };
            let ways = [way(&mut w), way(&mut w)];
            if w.below(3) == 0 {
                w.line(&format!("cf.br {}", ways[0]));
            } else {
                let c = w.condition(&inner);
                w.line(&format!("cf.cond_br {c}, {}, {}", ways[0], ways[1]));
            }
        }
        w.text.push_str("}\n");
        w.text
    }
}

fn results(module: &Module, args: (i64, i64)) -> Vec<Datum> {
    let args = [Datum::Int(args.0), Datum::Int(args.1)];
    Interpreter::new(module).call("main", &args).expect("the program ends")
}

const PASSES: [&str; 20] = [
    "canonicalize",
    "canonicalize{region-simplify=aggressive}",
    "control-flow-sink",
    "cse",
    "dce",
    "hoist-from-if",
    "infer-shapes",
    "inline",
    "loop-invariant-code-motion",
    "loop-unroll{unroll-factor=2}",
    "loop-unroll{unroll-full}",
    "mem2reg",
    "outline{min-operations=3}",
    "remove-dead-values",
    "sccp",
    "simplify-cfg",
    "simplify-cfg{merge-identical-blocks}",
    "strip-debuginfo",
    "symbol-dce",
    "tail-recursion-to-loop",
];

fn check(seed: u64, names: &[&str]) {
    let mut registry = PassRegistry::new();
    minoan_passes::register(&mut registry);
    let text = Writer::program(seed);
    let mut module = parse(&text);
    let inputs = [(0, 0), (1, 2), (-7, 5), (i64::MAX, 3)];
    let before: Vec<_> = inputs.map(|args| results(&module, args)).into();
    for name in names {
        let pipeline = Pipeline::parse(&format!("builtin.module({name})"), &registry, &SourceMap::new())
            .expect("a pass");
        let outcome = PassManager::new(&pipeline).run(&mut module);
        assert!(!outcome.failed, "{name} fails on seed {seed}: {:?}", outcome.diagnostics);
        if let Err(found) = verify(&module) {
            panic!("{name} leaves seed {seed} invalid: {found:?}\n{text}");
        }
        let after: Vec<_> = inputs.map(|args| results(&module, args)).into();
        assert_eq!(before, after, "{name} changes what seed {seed} computes\n{text}");
    }
}

#[test]
fn each_pass_keeps_the_meaning() {
    for seed in 0..150 {
        PASSES.iter().for_each(|&pass| check(seed, &[pass]));
    }
}

#[test]
fn passes_after_passes_keep_the_meaning() {
    for seed in 0..150 {
        let mut names = PASSES.to_vec();
        names.rotate_left(seed as usize % PASSES.len());
        names.extend(["simplify-cfg", "cse", "dce"]);
        check(seed, &names);
    }
}

#[test]
fn random_pipelines_keep_the_meaning() {
    for seed in 0..100 {
        let mut w = Writer { state: seed * 2 + 12345, text: String::new(), names: 0, slots: Vec::new() };
        let names: Vec<&str> = (0..3 + w.below(8)).map(|_| PASSES[w.below(PASSES.len())]).collect();
        check(seed + 1000, &names);
    }
}

#[test]
fn no_dialect_is_a_dependency() {
    let manifest = include_str!("../Cargo.toml");
    let (_, rest) = manifest.split_once("\n[dependencies]\n").expect("a section");
    let (section, _) = rest.split_once("\n[").expect("another section");
    let names: Vec<&str> = section.lines().filter_map(|line| line.split(['.', ' ', '=']).next()).collect();
    assert!(names.contains(&"minoan-services"), "the section is read: {names:?}");
    let dialects = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../dialects")).expect("a folder");
    for dialect in dialects {
        let dialect = dialect.expect("an entry").file_name().into_string().expect("a name");
        assert!(!names.contains(&&*format!("minoan-{dialect}")), "{dialect} is a dependency");
    }
}
