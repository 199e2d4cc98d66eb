//! Operations that `dce` keeps because of the declarations of their dialect, on graphs like those of a neural network compiler:
//! inputs and outputs are pure operations, and an operation has one result.

use minoan_diag::SourceMap;
use minoan_ir::constraints::ANY;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{
    Attr, Context, Dialect, DialectBuilder, InsertionPoint, Loc, Module, Op, OpRef, OpState, Registry, Type,
    Value, op,
};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::dce::Dce;
use minoan_services::{GraphBoundary, Liveness, graph_outputs};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Binds an input.
#[op("circle.input", traits(PURE))]
struct Input {
    /// The input.
    #[result(ANY)]
    result: Value,
}

/// Binds an output.
#[op("circle.output", traits(PURE))]
struct Output {
    /// The output.
    #[operand(ANY)]
    value: Value,
}

/// A computation.
#[op("circle.node", traits(PURE))]
struct Node {
    /// The operands.
    #[operand(ANY)]
    operands: Vec<Value>,
    /// The result.
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

/// Resembles an input, in another dialect.
#[op("mute.input", traits(PURE), no_function)]
struct MuteInput {
    /// The input.
    #[result(ANY)]
    result: Value,
}

/// An operation with unknown effects.
#[op("mute.write")]
struct MuteWrite {}

/// Resembles a part of its operand.
#[op("mute.unique_out", traits(PURE))]
struct UniqueOut {
    /// The whole.
    #[operand(ANY)]
    whole: Value,
    /// The part.
    #[result(ANY)]
    result: Value,
}

/// A dialect without services.
struct Mute;

impl Dialect for Mute {
    fn name(&self) -> &'static str {
        "mute"
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<MuteInput>().op::<MuteWrite>().op::<UniqueOut>();
    }
}

fn context() -> Context {
    let mut registry = Registry::new();
    registry.add(minoan_builtin::BuiltinDialect).add(Circle);
    Context::new(registry).expect("the dialects go together")
}

/// Runs `dce` on a module of circle operations.
fn swept(text: &str) -> Module {
    swept_in(&context(), text)
}

fn swept_in(ctx: &Context, text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("circle.mlir", text);
    let mut module = parse_module(ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    let pipeline = Pipeline::new(vec![Box::new(Dce)]);
    PassManager::new(&pipeline).run(&mut module).into_result().expect("the module stays valid");
    module
}

/// The values of attribute `is` of the remaining operations.
fn left(module: &Module) -> Vec<String> {
    let body = module.body();
    let name = |op: OpRef<'_>| {
        let attr = op.attr_named("is").and_then(|attr| attr.as_str(op.context()));
        attr.unwrap_or("nameless").to_owned()
    };
    body.walk().into_iter().map(|op| name(body.op(op))).collect()
}

#[test]
fn dangling_ports_are_kept_and_dead_nodes_erased() {
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
fn split_with_one_used_half_is_kept() {
    let module =
        swept(&format!("{SPLIT}\n\"circle.output\"(%relu) {{is = \"out\", index = 0 : i64}} : (i32) -> ()"));
    assert_eq!(left(&module), ["in", "split", "left", "right", "relu", "out"]);
    assert_eq!(graph_outputs(&module).expect("one output").len(), 1);
}

#[test]
fn unused_split_is_erased() {
    assert_eq!(left(&swept(SPLIT)), ["in"]);
}

#[test]
fn empty_graph() {
    assert!(left(&swept("")).is_empty());
}

/// The services of one dialect have no meaning for another: pure operations are removed by default, and unknown ones
/// kept.
#[test]
fn dialect_without_services_loses_only_pure_operations() {
    let mut registry = Registry::new();
    registry.add(minoan_builtin::BuiltinDialect).add(Circle).add(Mute);
    let ctx = Context::new(registry).expect("the dialects go together");
    let module = swept_in(
        &ctx,
        r#"
        %a = "circle.input"() {is = "a", index = 0 : i64} : () -> i32
        %b = "mute.input"() {is = "b", index = 0 : i64} : () -> i32
        "mute.write"() {is = "write"} : () -> ()"#,
    );
    assert_eq!(left(&module), ["a", "write"]);
}

/// The list of operations that are parts of others was maintained by hand and incomplete.
#[test]
fn externally_declared_component() {
    let text = r#"
        %in = "circle.input"() {is = "in", index = 0 : i64} : () -> i32
        %split = "circle.node"(%in) {is = "unique"} : (i32) -> i32
        %left = "mute.unique_out"(%split) {is = "left"} : (i32) -> i32
        %right = "mute.unique_out"(%split) {is = "right"} : (i32) -> i32
        "circle.output"(%left) {is = "out", index = 0 : i64} : (i32) -> ()"#;
    let context = |more: fn(&mut Registry)| {
        let mut registry = Registry::new();
        registry.add(minoan_builtin::BuiltinDialect).add(Circle).add(Mute);
        more(&mut registry);
        Context::new(registry).expect("the dialects go together")
    };
    assert_eq!(left(&swept_in(&context(|_| {}), text)), ["in", "unique", "left", "out"]);
    let extended = context(|registry| {
        registry.extend_op::<dyn Liveness>("mute.unique_out", Arc::new(Circle));
    });
    assert_eq!(left(&swept_in(&extended, text)), ["in", "unique", "left", "right", "out"]);
}

/// Counts how often an operation is examined.
struct Counting(AtomicUsize);

impl Liveness for Counting {
    fn part_of(&self, _: OpRef<'_>) -> Option<Op> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }
}

impl GraphBoundary for Counting {
    fn inputs(&self, _: OpRef<'_>) -> Vec<(i64, Value)> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Vec::new()
    }

    fn outputs(&self, _: OpRef<'_>) -> Vec<(i64, Value)> {
        Vec::new()
    }
}

/// Each candidate was compared with all active ones.
#[test]
fn examines_each_operation_a_constant_number_of_times() {
    let examined = |count: usize| {
        let counting = Arc::new(Counting(AtomicUsize::new(0)));
        let mut registry = Registry::new();
        registry.add(minoan_builtin::BuiltinDialect).add(Circle);
        registry.extend_op::<dyn Liveness>("circle.node", counting.clone());
        registry.extend_op::<dyn GraphBoundary>("circle.node", counting.clone());
        let ctx = Context::new(registry).expect("the dialects go together");
        let mut module = chains(&ctx, count);
        let pipeline = Pipeline::new(vec![Box::new(Dce)]);
        let mut manager = PassManager::new(&pipeline).verify_each(false);
        manager.run(&mut module).into_result().expect("the module stays valid");
        assert_eq!(module.body().walk().len(), count / 2 + 2);
        counting.0.load(Ordering::Relaxed)
    };
    let (small, large) = (examined(1_000), examined(2_000));
    // Once as an input, and the live half as users, with one unused node.
    assert_eq!((small, large), (1_501, 3_001));
}

/// Two chains from one input: one ends in an output, the other is unused.
fn chains(ctx: &Context, count: usize) -> Module {
    let mut module = Module::new(ctx, Loc::UNKNOWN);
    let (end, zero) = (InsertionPoint::End(module.block()), Attr::i64(ctx, 0));
    let index = Attr::dictionary(ctx, &[(ctx.name("index"), zero)]);
    let body = module.body_mut();
    let input = body.create(&OpState::named(ctx, "circle.input").results(&[Type::I32]).attrs(index), end);
    let mut ends = [body.op(input).result(0); 2];
    for at in 0..count {
        let value = &mut ends[at % 2];
        let node = OpState::named(ctx, "circle.node").operands(&[*value]).results(&[Type::I32]);
        let node = body.create(&node, end);
        *value = body.op(node).result(0);
    }
    body.create(&OpState::named(ctx, "circle.output").operands(&[ends[0]]).attrs(index), end);
    module
}
