//! The queries of `infer-shapes` to independent dialects: their order, number and arguments.

use minoan_diag::SourceMap;
use minoan_ir::constraints::TENSOR;
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{
    Context, Dialect, DialectBuilder, InsertionPoint, Loc, Module, OpRef, OpState, Registry, Type, Value, op,
};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::infer_shapes::InferShapes;
use minoan_services::{Inferred, ShapeCast, ShapeInference, refine_shape};
use std::fmt::Write;
use std::sync::{Arc, Mutex};

/// Binds a tensor with the extents of its attribute `shape`.
#[op("canon.pull", traits(PURE))]
struct Pull {
    /// The tensor.
    #[result(TENSOR)]
    result: Value,
}

/// Forwards a tensor.
#[op("canon.forward", traits(PURE))]
struct Forward {
    /// The tensor.
    #[operand(TENSOR)]
    operands: Vec<Value>,
    /// Forwards a tensor.
    #[result(TENSOR)]
    result: Value,
}

/// Casts a tensor.
#[op("canon.cast", traits(PURE))]
struct Cast {
    /// The tensor.
    #[operand(TENSOR)]
    value: Value,
    /// The tensor of another type.
    #[result(TENSOR)]
    result: Value,
}

/// An operation of one dialect whose result is always 2 by 3.
#[op("s3.node", traits(PURE))]
struct S3 {
    /// The operands.
    #[operand(TENSOR)]
    operands: Vec<Value>,
    /// The 2 by 3 tensor.
    #[result(TENSOR)]
    result: Value,
}

/// An operation of another dialect whose result is always 4 by 5.
#[op("s4.node", traits(PURE), no_function)]
struct S4 {
    /// The operands.
    #[operand(TENSOR)]
    operands: Vec<Value>,
    /// The 4 by 5 tensor.
    #[result(TENSOR)]
    result: Value,
}

/// The queries: the attribute `is`, with the number of static operand extents.
type Log = Arc<Mutex<Vec<String>>>;

/// Infers the given extents, or else those of the first operand.
struct Rule {
    extents: Option<[i64; 2]>,
    log: Log,
}

impl ShapeInference for Rule {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let ctx = op.context();
        let text = |name: &str| op.attr_named(name).and_then(|attr| attr.as_str(ctx));
        self.log.lock().expect("nobody panicked").push(text("is").unwrap_or("").to_owned());
        if text("is") == Some("refuses") {
            return None;
        }
        let own = op.result_types().next()?;
        let known = match (self.extents, operands.first()) {
            (Some(extents), _) => extents.to_vec(),
            (None, Some(first)) => first.shape(ctx)?.to_vec(),
            (None, None) => op.attr_named("shape")?.as_dense_i64(ctx)?,
        };
        let known: Vec<Option<i64>> = known.into_iter().map(Some).collect();
        Some(Inferred::in_place(operands, vec![refine_shape(ctx, own, &known)?]))
    }
}

struct Casts;

impl ShapeCast for Casts {
    fn cast(&self, ctx: &Context, value: Value, _: Type, to: Type) -> Option<OpState> {
        Some(OpState::named(ctx, "canon.cast").operands(&[value]).results(&[to]))
    }

    fn is_cast(&self, op: OpRef<'_>) -> bool {
        op.is::<Cast>()
    }
}

struct Named(&'static str, Option<[i64; 2]>, fn(&mut DialectBuilder<'_>), Log);

impl Dialect for Named {
    fn name(&self) -> &'static str {
        self.0
    }

    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        (self.2)(dialect);
        let rule = Rule { extents: self.1, log: Arc::clone(&self.3) };
        dialect.service::<dyn ShapeInference>(Arc::new(rule));
    }
}

fn context() -> (Context, Log) {
    let log = Log::default();
    let mut registry = Registry::new();
    let canon = |dialect: &mut DialectBuilder<'_>| {
        dialect.op::<Pull>().op::<Forward>().op::<Cast>().service::<dyn ShapeCast>(Arc::new(Casts));
    };
    registry.add(Named("canon", None, canon, Arc::clone(&log)));
    registry.add(Named(
        "s3",
        Some([2, 3]),
        |dialect| {
            dialect.op::<S3>();
        },
        Arc::clone(&log),
    ));
    registry.add(Named(
        "s4",
        Some([4, 5]),
        |dialect| {
            dialect.op::<S4>();
        },
        Arc::clone(&log),
    ));
    (Context::new(registry).expect("the dialects go together"), log)
}

/// The module after the pass, the queries, and the number of changed values.
fn inferred(text: &str) -> (Module, Vec<String>, u64) {
    let (ctx, log) = context();
    let sources = SourceMap::new();
    let file = sources.add("graph.mlir", text);
    let mut module = parse_module(&ctx, &sources, file, &ParseOptions::default()).expect("the text is good");
    let refined = run(&mut module);
    let queried = std::mem::take(&mut *log.lock().expect("nobody panicked"));
    (module, queried, refined)
}

fn run(module: &mut Module) -> u64 {
    let pipeline = Pipeline::new(vec![Box::new(InferShapes)]);
    let outcome = PassManager::new(&pipeline).run(module);
    outcome.statistics("infer-shapes")[0].2
}

fn text(module: &Module) -> String {
    print_module(module, &PrintFlags::default())
}

const PULL: &str = r#"%in = "canon.pull"() {is = "pull", shape = array<i64: 8, 9>} : () -> tensor<?x?xf32>"#;

#[test]
fn graph_of_three_dialects() {
    let (module, ..) = inferred(&format!(
        r#"{PULL}
        %a = "s3.node"(%in) {{is = "s3"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
        %b = "s4.node"(%a) {{is = "s4"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
        %c = "canon.forward"(%b) {{is = "forward"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>"#
    ));
    let text = text(&module);
    for line in [
        "() -> tensor<8x9xf32>",
        "(tensor<8x9xf32>) -> tensor<2x3xf32>",
        "(tensor<2x3xf32>) -> tensor<4x5xf32>",
        "(tensor<4x5xf32>) -> tensor<4x5xf32>",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(!text.contains('?'), "{text}");
}

#[test]
fn operands_are_inferred_before_users() {
    let (_, queried, _) = inferred(&format!(
        r#"{PULL}
        %a = "canon.forward"(%in) {{is = "a"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
        %b = "canon.forward"(%in) {{is = "b"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
        %c = "canon.forward"(%b, %a) {{is = "c"}} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>"#
    ));
    let first = |name: &str| queried.iter().position(|queried| queried == name).expect("it was queried");
    assert_eq!(first("pull"), 0);
    assert!(first("a") < first("c") && first("b") < first("c"), "{queried:?}");
}

/// Each level of the graph uses the previous one twice: querying along all paths would take 2^60 queries.
#[test]
fn inference_calls_per_node_are_bounded() {
    let mut graph = format!("{PULL}\n");
    let mut before = "%in".to_owned();
    for level in 0..60 {
        let types = "(tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>";
        writeln!(graph, r#"%n{level} = "canon.forward"({before}, {before}) {{is = "{level}"}} : {types}"#)
            .expect("a string takes any text");
        before = format!("%n{level}");
    }
    let (_, queried, _) = inferred(&graph);
    for level in (0..60).map(|level| level.to_string()) {
        let times = queried.iter().filter(|&queried| *queried == level).count();
        assert!((1..=8).contains(&times), "{level} was queried {times} times");
    }
}

#[test]
fn second_run_changes_nothing() {
    let (mut module, _, refined) = inferred(&format!(
        r#"{PULL}
        %a = "s3.node"(%in) {{is = "s3"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
        %known = "canon.forward"(%a) {{is = "known"}} : (tensor<?x?xf32>) -> tensor<2x3xf32>"#
    ));
    assert_eq!(refined, 2);
    let before = text(&module);
    assert_eq!((run(&mut module), text(&module)), (0, before));
}

#[test]
fn node_without_inference_keeps_its_type() {
    let (module, queried, _) = inferred(&format!(
        r#"{PULL}
        %a = "canon.forward"(%in) {{is = "refuses"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
        %b = "canon.forward"(%a) {{is = "behind"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
        %c = "s4.node"(%b) {{is = "further"}} : (tensor<?x?xf32>) -> tensor<?x?xf32>"#
    ));
    let text = text(&module);
    assert!(text.contains(r#"{is = "refuses"} : (tensor<?x?xf32>) -> tensor<?x?xf32>"#), "{text}");
    assert!(text.contains(r#"{is = "behind"} : (tensor<?x?xf32>) -> tensor<?x?xf32>"#), "{text}");
    assert!(text.contains(r#"{is = "further"} : (tensor<?x?xf32>) -> tensor<4x5xf32>"#), "{text}");
    assert!(queried.iter().any(|queried| queried == "behind"));
}

/// Inference is a function of the operation and the given types: it neither needs nor changes a graph.
#[test]
fn incomplete_graph() {
    let (ctx, _) = context();
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let open = Type::tensor(&ctx, &[minoan_ir::DYNAMIC, minoan_ir::DYNAMIC], Type::F32);
    let end = InsertionPoint::End(module.block());
    let arg = {
        let block = module.block();
        module.body_mut().add_arg(block, open, Loc::UNKNOWN)
    };
    let node = OpState::named(&ctx, "canon.forward").operands(&[arg]).results(&[open]);
    let node = module.body_mut().create(&node, end);
    let view = module.body().op(node);
    let service = ctx.service::<dyn ShapeInference>(view.kind()).expect("its dialect implements it");
    let given = Type::tensor(&ctx, &[6, 7], Type::F32);
    assert_eq!(service.infer(view, &[given]).expect("it is known").results, [given]);
    assert_eq!(service.infer(view, &[open]).expect("it is known").results, [open]);
    assert_eq!(view.result_types().next(), Some(open));
}
