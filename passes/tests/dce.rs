//! What `dce` keeps because a dialect says so. The graphs are those that a compiler for neural networks has: inputs and
//! outputs are pure operations, and an operation has one result.

use minoan_diag::SourceMap;
use minoan_ir::constraints::ANY;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, Dialect, DialectBuilder, Module, Op, OpRef, Registry, Value, op};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::dce::Dce;
use minoan_services::{GraphBoundary, Liveness, graph_outputs};
use std::sync::Arc;

/// Brings an input.
#[op("circle.input", traits(PURE))]
struct Input {
    /// The input.
    #[result(ANY)]
    result: Value,
}

/// Gives an output.
#[op("circle.output", traits(PURE))]
struct Output {
    /// The output.
    #[operand(ANY)]
    value: Value,
}

/// Computes.
#[op("circle.node", traits(PURE))]
struct Node {
    /// What from.
    #[operand(ANY)]
    operands: Vec<Value>,
    /// What.
    #[result(ANY)]
    result: Value,
}

/// One half of a split.
#[op("circle.split_out", traits(PURE))]
struct SplitOut {
    /// The split.
    #[operand(ANY)]
    split: Value,
    /// The half.
    #[result(ANY)]
    result: Value,
}

struct Circle;

impl Circle {
    fn index(op: OpRef<'_>) -> Option<i64> {
        op.attr_named("index").and_then(|attr| attr.as_i64(op.context()))
    }
}

impl GraphBoundary for Circle {
    fn inputs(&self, op: OpRef<'_>) -> Vec<(i64, Value)> {
        let index = Self::index(op).filter(|_| op.is::<Input>());
        index.map(|index| (index, op.result(0))).into_iter().collect()
    }

    fn outputs(&self, op: OpRef<'_>) -> Vec<(i64, Value)> {
        let index = Self::index(op).filter(|_| op.is::<Output>());
        index.map(|index| (index, op.operand(0))).into_iter().collect()
    }
}

impl Liveness for Circle {
    fn part_of(&self, op: OpRef<'_>) -> Option<Op> {
        op.body().defining_op(op.operand(0))
    }
}

impl Dialect for Circle {
    fn name(&self) -> &'static str {
        "circle"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Input>().op::<Output>().op::<Node>().op::<SplitOut>();
        dialect.service::<dyn GraphBoundary>(Arc::new(Circle));
        dialect.op_service::<SplitOut, dyn Liveness>(Arc::new(Circle));
    }
}

/// A module of circle operations only, after `dce`.
fn swept(text: &str) -> Module {
    let mut registry = Registry::new();
    registry.add(minoan_builtin::BuiltinDialect).add(Circle);
    let ctx = Context::new(registry).expect("the dialects go together");
    let sources = SourceMap::new();
    let file = sources.add("circle.mlir", text);
    let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    let pipeline = Pipeline::new(vec![Box::new(Dce)]);
    PassManager::new(&pipeline).run(&mut module).into_result().expect("the module stays valid");
    module
}

/// The values of attribute `is` of what is left.
fn left(module: &Module) -> Vec<String> {
    let body = module.body();
    let name = |op: OpRef<'_>| {
        let attr = op.attr_named("is").and_then(|attr| attr.as_str(op.context()));
        attr.unwrap_or("nameless").to_owned()
    };
    body.walk().into_iter().map(|op| name(body.op(op))).collect()
}

#[test]
fn dangling_inputs_and_outputs_stay_and_dangling_work_goes() {
    let module = swept(
        r#"
        %a = "circle.input"() {is = "a", index = 0 : i64} : () -> i32
        %b = "circle.input"() {is = "b", index = 1 : i64} : () -> i32
        %unused = "circle.input"() {is = "unused", index = 2 : i64} : () -> i32
        %sum = "circle.node"(%a, %b) {is = "add"} : (i32, i32) -> i32
        "circle.output"(%sum) {is = "sum", index = 0 : i64} : (i32) -> ()
        "circle.output"(%a) {is = "dangling", index = 1 : i64} : (i32) -> ()
        %matmul = "circle.node"(%a, %b) {is = "matmul"} : (i32, i32) -> i32"#,
    );
    assert_eq!(left(&module), ["a", "b", "unused", "add", "sum", "dangling"]);
}

#[test]
fn boundary_operations_without_an_index_are_not_roots() {
    let module = swept(
        r#"
        %a = "circle.input"() {is = "a"} : () -> i32
        "circle.output"(%a) {is = "out"} : (i32) -> ()"#,
    );
    assert!(left(&module).is_empty());
}

const SPLIT: &str = r#"
    %in = "circle.input"() {is = "in", index = 0 : i64} : () -> i32
    %split = "circle.node"(%in) {is = "split"} : (i32) -> i32
    %left = "circle.split_out"(%split) {is = "left"} : (i32) -> i32
    %right = "circle.split_out"(%split) {is = "right"} : (i32) -> i32
    %relu = "circle.node"(%left) {is = "relu"} : (i32) -> i32
    %dead = "circle.node"(%right) {is = "dead"} : (i32) -> i32
    %deader = "circle.node"(%dead) {is = "deader"} : (i32) -> i32"#;

#[test]
fn the_unused_half_of_a_split_stays_with_the_used_half() {
    let module =
        swept(&format!("{SPLIT}\n\"circle.output\"(%relu) {{is = \"out\", index = 0 : i64}} : (i32) -> ()"));
    assert_eq!(left(&module), ["in", "split", "left", "right", "relu", "out"]);
    assert_eq!(graph_outputs(&module).expect("one output").len(), 1);
}

#[test]
fn a_split_without_a_used_half_goes_with_both_halves() {
    assert_eq!(left(&swept(SPLIT)), ["in"]);
}
