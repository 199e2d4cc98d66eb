//! `graph_inputs` and `graph_outputs` with independent dialects.

use minoan_diag::{Diagnostics, SourceMap};
use minoan_ir::constraints::ANY;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{
    Context, Dialect, DialectBuilder, InsertionPoint, Loc, Module, OpRef, OpState, Registry, Type, Value, op,
};
use minoan_services::{Arity, GraphBoundary, Port, graph_inputs, graph_outputs};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Declares a graph.
#[op("canon.graph")]
struct Graph {
    /// The graph's operations.
    #[region]
    body: Region,
}

/// Binds an input.
#[op("canon.pull")]
struct Pull {
    /// The input.
    #[result(ANY)]
    result: Value,
}

/// Binds an output.
#[op("canon.push")]
struct Push {
    /// The output.
    #[operand(ANY)]
    value: Value,
}

/// Binds an output, in another dialect.
#[op("tf.push")]
struct TfPush {
    /// The output.
    #[operand(ANY)]
    value: Value,
}

/// Binds an input, in another dialect.
#[op("tf.pull", no_function)]
struct TfPull {
    /// The input.
    #[result(ANY)]
    result: Value,
}

/// Resembles an output, but its dialect does not implement the service.
#[op("mute.push")]
struct MutePush {
    /// The value.
    #[operand(ANY)]
    value: Value,
}

/// Binds by the attribute `index`: results are inputs, operands are outputs.
struct ByIndex;

impl ByIndex {
    fn attr(op: OpRef<'_>, name: &str) -> Option<i64> {
        op.attr_named(name).and_then(|attr| attr.as_i64(op.context()))
    }
}

impl GraphBoundary for ByIndex {
    fn arity(&self, op: OpRef<'_>) -> Option<Arity> {
        let count = |name| Self::attr(op, name).and_then(|count| usize::try_from(count).ok());
        Some(Arity { inputs: count("inputs")?, outputs: count("outputs")? })
    }

    fn inputs(&self, op: OpRef<'_>) -> Vec<(i64, Value)> {
        let index = Self::attr(op, "index");
        index.into_iter().flat_map(|index| op.results().map(move |value| (index, value))).collect()
    }

    fn outputs(&self, op: OpRef<'_>) -> Vec<(i64, Value)> {
        let index = Self::attr(op, "index");
        index.into_iter().flat_map(|index| op.operands().map(move |value| (index, value))).collect()
    }
}

struct Named(&'static str, fn(&mut DialectBuilder<'_>));

impl Dialect for Named {
    fn name(&self) -> &'static str {
        self.0
    }
    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        (self.1)(dialect);
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(Named("canon", |dialect| {
        dialect.op::<Graph>().op::<Pull>().op::<Push>().service::<dyn GraphBoundary>(Arc::new(ByIndex));
    }));
    registry.add(Named("tf", |dialect| {
        dialect.op::<TfPull>().op::<TfPush>().service::<dyn GraphBoundary>(Arc::new(ByIndex));
    }));
    registry.add(Named("mute", |dialect| {
        dialect.op::<MutePush>();
    }));
    Context::new(registry).expect("the dialects go together")
}

fn parse(text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("graph.mlir", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    parse_module(&context(), &sources, file, &options).expect("the text is good")
}

/// A graph with two declared inputs and outputs around operations.
fn graph(inside: &str) -> Module {
    parse(&format!("\"canon.graph\"() ({{\n{inside}\n}}) {{inputs = 2 : i64, outputs = 2 : i64}} : () -> ()"))
}

const PULLS: &str = r#"
    %a = "canon.pull"() {index = 0 : i64} : () -> i32
    %b = "canon.pull"() {index = 1 : i64} : () -> i64"#;

/// The types of ports; in these tests each value has its own type.
fn types(ports: Result<Vec<Port<'_>>, Diagnostics>) -> Vec<(usize, Type)> {
    let ports = ports.expect("the boundary is good");
    ports.iter().map(|port| (port.index, port.body.ty(port.bound[0].value))).collect()
}

fn errors(ports: Result<Vec<Port<'_>>, Diagnostics>) -> Vec<String> {
    let list = ports.err().expect("the boundary is not good");
    list.iter().map(|error| error.message.clone()).collect()
}

const I32_I64: [(usize, Type); 2] = [(0, Type::I32), (1, Type::I64)];

#[test]
fn single_dialect() {
    for (pull, push) in [("canon", "canon"), ("tf", "tf"), ("tf", "canon"), ("canon", "tf")] {
        let inside = format!(
            r#"%a = "{pull}.pull"() {{index = 0 : i64}} : () -> i32
            %b = "canon.pull"() {{index = 1 : i64}} : () -> i64
            "{push}.push"(%a) {{index = 0 : i64}} : (i32) -> ()
            "tf.push"(%b) {{index = 1 : i64}} : (i64) -> ()"#
        );
        let module = graph(&inside);
        assert_eq!(types(graph_inputs(&module)), I32_I64);
        assert_eq!(types(graph_outputs(&module)), I32_I64);
    }
}

#[test]
fn foreign_dialect_without_graph_operation() {
    let module = parse(
        r#"%a = "tf.pull"() {index = 0 : i64} : () -> i32
        "tf.push"(%a) {index = 0 : i64} : (i32) -> ()"#,
    );
    assert_eq!(types(graph_inputs(&module)), [(0, Type::I32)]);
    assert_eq!(types(graph_outputs(&module)), [(0, Type::I32)]);
}

#[test]
fn ports_are_ordered_by_index() {
    let module = graph(
        r#"%b = "canon.pull"() {index = 1 : i64} : () -> i64
        %a = "canon.pull"() {index = 0 : i64} : () -> i32
        "canon.push"(%b) {index = 1 : i64} : (i64) -> ()
        "canon.push"(%b) : (i64) -> ()
        "tf.push"(%a) {index = 0 : i64} : (i32) -> ()"#,
    );
    assert_eq!(types(graph_inputs(&module)), I32_I64);
    assert_eq!(types(graph_outputs(&module)), I32_I64);
}

/// The traversal started at the last output, and the export followed the traversal order.
#[test]
fn only_linked_ports_count() {
    let module = graph(
        r#"%p0 = "canon.pull"() : () -> i8
        %p1 = "canon.pull"() {index = 1 : i64} : () -> i64
        %p2 = "canon.pull"() {index = 0 : i64} : () -> i32
        "canon.push"(%p1) {index = 1 : i64} : (i64) -> ()
        "canon.push"(%p0) : (i8) -> ()
        "canon.push"(%p2) {index = 0 : i64} : (i32) -> ()"#,
    );
    assert_eq!(types(graph_inputs(&module)), I32_I64);
    assert_eq!(types(graph_outputs(&module)), I32_I64);
    let places: Vec<&str> = graph_inputs(&module)
        .expect("the boundary is good")
        .iter()
        .map(|port| port.bound[0].op.name())
        .collect();
    assert_eq!(places, ["canon.pull"; 2]);
}

#[test]
fn dialects_without_service_bind_nothing() {
    let module = graph(&format!(
        r#"{PULLS}
        "mute.push"(%a) {{index = 0 : i64}} : (i32) -> ()
        "other.push"(%a) {{index = 1 : i64}} : (i32) -> ()"#
    ));
    assert_eq!(errors(graph_outputs(&module)), ["no operation binds graph outputs 0 to 1"]);
    assert_eq!(types(graph_inputs(&module)), I32_I64);
}

#[test]
fn missing_output_is_an_error() {
    let module = graph(&format!("{PULLS}\n\"canon.push\"(%b) {{index = 1 : i64}} : (i64) -> ()"));
    assert_eq!(errors(graph_outputs(&module)), ["no operation binds graph output 0"]);
}

#[test]
fn undeclared_gap_is_an_error() {
    let module = parse(
        r#"%a = "tf.pull"() {index = 0 : i64} : () -> i32
        "tf.push"(%a) {index = 9000000000000000000 : i64} : (i32) -> ()"#,
    );
    assert_eq!(errors(graph_outputs(&module)), ["no operation binds graph outputs 0 to 8999999999999999999"]);
}

#[test]
fn duplicate_index_names_both_operations() {
    let module = graph(&format!(
        r#"{PULLS}
        "canon.push"(%a) {{index = 0 : i64}} : (i32) -> ()
        "tf.push"(%b) {{index = 0 : i64}} : (i64) -> ()
        "tf.push"(%b) {{index = 1 : i64}} : (i64) -> ()"#
    ));
    let list = graph_outputs(&module).err().expect("bound twice");
    let error = list.iter().next().expect("an error");
    assert_eq!(list.error_count(), 1);
    assert_eq!(error.message, "'tf.push' op binds graph output 0, which 'canon.push' binds already");
    assert_eq!(error.notes[0].message, "'canon.push' op binds it here");
    assert_ne!(format!("{:?}", error.place), format!("{:?}", error.notes[0].place));
}

#[test]
fn index_out_of_range_is_an_error() {
    let module = graph(&format!(
        r#"{PULLS}
        "canon.push"(%a) {{index = -1 : i64}} : (i32) -> ()
        "canon.push"(%a) {{index = 0 : i64}} : (i32) -> ()
        "canon.push"(%a) {{index = 1 : i64}} : (i32) -> ()
        "tf.push"(%b) {{index = 2 : i64}} : (i64) -> ()"#
    ));
    assert_eq!(
        errors(graph_outputs(&module)),
        [
            "'canon.push' op binds graph output -1, but the graph has 2 outputs",
            "'tf.push' op binds graph output 2, but the graph has 2 outputs"
        ]
    );
}

#[test]
fn several_graphs_need_a_main() {
    let one = r#""canon.graph"() ({ }) {inputs = 0 : i64, outputs = 0 : i64, "#;
    let public = parse(&format!("{one}sym_name = \"a\"}} : () -> ()\n{one}sym_name = \"b\"}} : () -> ()"));
    assert_eq!(
        errors(graph_outputs(&public)),
        ["the module has 2 graphs, and none of them is '@main' or the only one that is not private"]
    );
    let private =
        parse(&format!("{one}sym_visibility = \"private\"}} : () -> ()\n{one}sym_name = \"b\"}} : () -> ()"));
    assert!(types(graph_outputs(&private)).is_empty());
}

#[test]
fn nested_graph_has_its_own_boundary() {
    let inner = r#""canon.graph"() ({
        %x = "canon.pull"() {index = 0 : i64} : () -> i8
        "canon.push"(%x) {index = 0 : i64} : (i8) -> ()
    }) {inputs = 1 : i64, outputs = 1 : i64, sym_name = "inner"} : () -> ()"#;
    let module = parse(&format!(
        "\"canon.graph\"() ({{ {PULLS}\n{inner} }}) {{inputs = 2 : i64, outputs = 0 : i64, sym_name = \"main\"}} : () -> ()"
    ));
    assert_eq!(types(graph_inputs(&module)), I32_I64);
    assert!(types(graph_outputs(&module)).is_empty());
}

/// A chain of `count` nodes between an input and an output.
fn chain(count: usize) -> Module {
    let ctx = context();
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let (end, zero) = (InsertionPoint::End(module.block()), minoan_ir::Attr::i64(&ctx, 0));
    let index = minoan_ir::Attr::dictionary(&ctx, &[(ctx.name("index"), zero)]);
    let body = module.body_mut();
    let pull = body.create(&OpState::named(&ctx, "tf.pull").results(&[Type::I32]).attrs(index), end);
    let mut value = body.op(pull).result(0);
    for _ in 0..count {
        let node = OpState::named(&ctx, "other.node").operands(&[value]).results(&[Type::I32]);
        let node = body.create(&node, end);
        value = body.op(node).result(0);
    }
    body.create(&OpState::named(&ctx, "tf.push").operands(&[value]).attrs(index), end);
    module
}

#[test]
fn takes_linear_time() {
    let best = |count| {
        let module = chain(count);
        let run = || {
            let start = Instant::now();
            assert_eq!(types(graph_outputs(&module)), [(0, Type::I32)]);
            start.elapsed()
        };
        (0..20).map(|_| run()).min().expect("some runs")
    };
    let (small, large) = (best(10_000), best(100_000));
    // Quadratic time would be 100 times as much.
    assert!(
        large < small.max(Duration::from_micros(100)) * 40,
        "{small:?} for 10,000 nodes, {large:?} for 100,000"
    );
}
