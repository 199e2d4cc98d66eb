//! `print-graph`: prints the control flow, data flow or call graph.
//!
//! `graph=cfg` prints the blocks of each function and the control flow between them, `graph=data-flow` the operations
//! and their operands, `graph=calls` the functions and their calls. `format=dot` is for Graphviz, `format=svg` for a
//! browser. The graph is written to a file or to standard error.
//!
//! Values are numbered in each function: arguments of blocks `%arg0`, results `%0`. An edge of data flow is labeled by
//! its value; an edge of control flow by the condition of a branch, or the number of the successor, and by the values that
//! are forwarded to the arguments of the block.

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::print_type;
use minoan_ir::{Block, Body, Def, Op, OpRef, Traits, Type, Value};
use minoan_pass::{
    OptionValue, Pass, PassRegistry, PassRun, PipelineAlias, own_options, pass_options, queries,
};
use minoan_services::{Branches, Calls};
use rustc_hash::FxHashMap;
use std::fmt::Write;

pass_options! {
    /// The options of the pass.
    pub struct PrintGraphOptions {
        /// Graph to print: cfg, data-flow or calls
        "graph" graph: Kind = Kind::Cfg,
        /// Output format: dot or svg
        "format" format: Format = Format::Dot,
        /// Output file; - for standard error
        "output" output: String = "-".to_owned(),
    }
}

macro_rules! choice {
    ($(#[$meta:meta])* $name:ident, $kind:literal: $($(#[$doc:meta])* $variant:ident $text:literal),*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl OptionValue for $name {
            const KIND: &'static str = $kind;
            fn parse(text: &str) -> Option<Self> {
                [$(($text, Self::$variant)),*].into_iter().find(|(name, _)| *name == text).map(|(_, value)| value)
            }
            fn print(&self) -> String {
                match self {
                    $(Self::$variant => $text.to_owned(),)*
                }
            }
        }
    };
}

choice! {
    /// The kind of graph.
    Kind, "cfg, data-flow or calls":
    /// Blocks and branches.
    Cfg "cfg",
    /// Operations and values.
    DataFlow "data-flow",
    /// Functions and calls.
    Calls "calls"
}

choice! {
    /// The output format.
    Format, "dot or svg":
    /// Graphviz's DOT language.
    Dot "dot",
    /// SVG.
    Svg "svg"
}

/// Registers the name that `mlir-opt` has for the graph of operations and values.
pub(crate) fn register(registry: &mut PassRegistry) {
    registry.add_pipeline(PipelineAlias {
        name: "view-op-graph",
        description: "print the graph of operations and values, as DOT, to standard error",
        text: "print-graph{graph=data-flow}",
    });
}

/// Prints a graph of its operation.
#[derive(Default)]
pub struct PrintGraph {
    /// The options of this pass.
    pub options: PrintGraphOptions,
}

impl Pass for PrintGraph {
    fn name(&self) -> &'static str {
        "print-graph"
    }

    fn description(&self) -> &'static str {
        "print the control flow, data flow or call graph, as DOT or SVG"
    }

    own_options!();

    queries!(Branches, Calls);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let mut graph = Graph::default();
        match self.options.graph {
            Kind::Cfg => each_function(run, |name, body| control_flow(&mut graph, name, body)),
            Kind::DataFlow => each_function(run, |name, body| data_flow(&mut graph, name, body)),
            Kind::Calls => calls(&mut graph, run.body()),
        }
        let dot = graph.dot();
        let text = match self.options.format {
            Format::Dot => dot,
            Format::Svg => svg(&dot).map_err(|error| Diagnostics::from(Diagnostic::error(error)))?,
        };
        if self.options.output == "-" {
            eprint!("{text}");
            return Ok(());
        }
        std::fs::write(&self.options.output, text).map_err(|error| {
            Diagnostic::error(format!("cannot write '{}': {error}", self.options.output)).into()
        })
    }
}

/// Calls `draw` for the body of the pass and all nested bodies, with the symbol of the owner.
fn each_function(run: &PassRun<'_>, mut draw: impl FnMut(&str, &Body)) {
    let ctx = run.context();
    let name = run.op().symbol(&ctx).unwrap_or("").to_owned();
    let mut pending = vec![(name, run.body())];
    while let Some((name, body)) = pending.pop() {
        draw(&name, body);
        let inside = body.walk().into_iter().rev().filter_map(|op| Some((body.op(op), body.nested(op)?)));
        pending.extend(inside.map(|(op, inside)| (op.symbol_name().unwrap_or("").to_owned(), inside)));
    }
}

/// Nodes and edges, in order of creation.
#[derive(Default)]
struct Graph {
    nodes: Vec<(String, &'static str)>,
    edges: Vec<(usize, usize, String)>,
}

impl Graph {
    fn node(&mut self, label: String, shape: &'static str) -> usize {
        self.nodes.push((label, shape));
        self.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize, label: impl Into<String>) {
        self.edges.push((from, to, label.into()));
    }

    fn dot(&self) -> String {
        let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let mut text = String::from("digraph G {\n  node [fontname=\"Courier\"];\n");
        for (number, (label, shape)) in self.nodes.iter().enumerate() {
            writeln!(text, "  n{number} [label=\"{}\", shape={shape}];", escaped(label))
                .expect("a string takes it");
        }
        for (from, to, label) in &self.edges {
            let label =
                if label.is_empty() { String::new() } else { format!(" [label=\"{}\"]", escaped(label)) };
            writeln!(text, "  n{from} -> n{to}{label};").expect("a string takes it");
        }
        text.push_str("}\n");
        text
    }
}

fn svg(dot: &str) -> Result<String, String> {
    let mut parser = layout::gv::DotParser::new(dot);
    let graph = parser.process().map_err(|error| format!("the graph cannot be laid out: {error}"))?;
    let mut builder = layout::gv::GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut writer = layout::backends::svg::SVGWriter::new();
    let mut visual = builder.get();
    if visual.num_nodes() > 0 {
        visual.do_it(false, false, false, &mut writer);
    }
    Ok(writer.finalize())
}

/// The blocks of all regions with several blocks, and of the body's own regions.
fn control_flow(graph: &mut Graph, name: &str, body: &Body) {
    let mut regions: Vec<_> = body.regions().collect();
    let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions().collect::<Vec<_>>());
    regions.extend(inner.filter(|&region| body.region(region).blocks().len() > 1));
    let names = Names::of(body);
    for region in regions {
        let blocks: Vec<Block> = body.region(region).blocks().collect();
        if blocks.iter().all(|&block| body.block(block).ops().any(|op| body.nested(op).is_some())) {
            // Skips regions of functions: only the functions have control flow.
            continue;
        }
        let mut numbers: FxHashMap<Block, usize> = FxHashMap::default();
        for (number, &block) in blocks.iter().enumerate() {
            let mut label =
                if number == 0 && !name.is_empty() { format!("@{name}\n") } else { String::new() };
            write!(label, "^bb{number}").expect("a string takes it");
            let args: Vec<String> = body.block(block).args().map(|arg| names.typed(body, arg)).collect();
            if !args.is_empty() {
                write!(label, "({})", args.join(", ")).expect("a string takes it");
            }
            body.block(block).ops().for_each(|op| {
                write!(label, "\n{}", names.line(body.op(op))).expect("a string takes it");
            });
            numbers.insert(block, graph.node(label, "box"));
        }
        for &block in &blocks {
            let Some(branch) = body.block(block).last().map(|op| body.op(op)) else { continue };
            for (number, successor) in branch.successors().enumerate() {
                if let Some(&to) = numbers.get(&successor) {
                    graph.edge(numbers[&block], to, names.branch(branch, number));
                }
            }
        }
    }
}

/// The names of the values of a body.
struct Names(FxHashMap<Value, String>);

impl Names {
    fn of(body: &Body) -> Self {
        let mut names = FxHashMap::default();
        let mut n_args = 0;
        let ops = body.walk();
        let regions = body.regions().chain(ops.iter().flat_map(|&op| body.op(op).own_regions()));
        for block in regions.flat_map(|region| body.region(region).blocks()) {
            for arg in body.block(block).args() {
                names.insert(arg, format!("%arg{n_args}"));
                n_args += 1;
            }
        }
        let results = ops.iter().map(|&op| body.op(op)).filter(|op| op.n_results() > 0);
        for (number, op) in results.enumerate() {
            for (index, result) in op.results().enumerate() {
                let part = if op.n_results() > 1 { format!("#{index}") } else { String::new() };
                names.insert(result, format!("%{number}{part}"));
            }
        }
        Self(names)
    }

    fn name(&self, value: Value) -> &str {
        self.0.get(&value).map_or("", String::as_str)
    }

    fn typed(&self, body: &Body, value: Value) -> String {
        format!("{} : {}", self.name(value), print_type(body.context(), body.ty(value)))
    }

    fn list(&self, values: impl Iterator<Item = Value>) -> String {
        values.map(|value| self.name(value)).collect::<Vec<_>>().join(", ")
    }

    /// An operation in one line: results, name, operands that are not forwarded to blocks, and result types.
    fn line(&self, op: OpRef<'_>) -> String {
        let forwarded = (0..op.n_successors()).map(|number| forwarded(op, number).len()).sum::<usize>();
        let own = op.n_operands() - forwarded.min(op.n_operands());
        let mut text =
            if op.n_results() > 0 { format!("{} = ", self.list(op.results())) } else { String::new() };
        text.push_str(op.name());
        if own > 0 {
            text.push_str(&format!(" {}", self.list(op.operands().take(own))));
        }
        let types: Vec<String> = op.result_types().map(|ty| print_type(op.context(), ty)).collect();
        if types.is_empty() { text } else { format!("{text} : {}", types.join(", ")) }
    }

    /// The label of the edge to a successor: the condition, and the forwarded values.
    fn branch(&self, op: OpRef<'_>, number: usize) -> String {
        let is_condition =
            op.n_successors() == 2 && op.n_operands() > 0 && op.body().ty(op.operand(0)) == Type::I1;
        let which = match op.n_successors() {
            1 => String::new(),
            _ if is_condition => (number == 0).to_string(),
            _ => number.to_string(),
        };
        let values = forwarded(op, number);
        if values.is_empty() { which } else { format!("{which}({})", self.list(values.into_iter())) }
    }
}

/// The values that a branch forwards to a successor.
fn forwarded(op: OpRef<'_>, successor: usize) -> Vec<Value> {
    let service = op.context().service::<dyn Branches>(op.kind());
    service.map_or_else(Vec::new, |branches| branches.operands(op, successor))
}

fn data_flow(graph: &mut Graph, name: &str, body: &Body) {
    let ops = body.walk();
    if ops.iter().any(|&op| body.nested(op).is_some()) {
        return;
    }
    let names = Names::of(body);
    let mut of_ops: FxHashMap<Op, usize> = FxHashMap::default();
    let mut of_args: FxHashMap<Value, usize> = FxHashMap::default();
    for &op in &ops {
        of_ops.insert(op, graph.node(names.line(body.op(op)), "box"));
    }
    for &op in &ops {
        for operand in body.op(op).operands() {
            let from = match body.def(operand) {
                Def::Result(definition, _) => of_ops.get(&definition).copied(),
                Def::Arg(_, number) => Some(*of_args.entry(operand).or_insert_with(|| {
                    let around = if name.is_empty() { String::new() } else { format!("@{name} ") };
                    graph.node(format!("{around}arg {number}: {}", names.typed(body, operand)), "ellipse")
                })),
            };
            if let Some(from) = from {
                graph.edge(from, of_ops[&op], names.typed(body, operand));
            }
        }
    }
}

fn calls(graph: &mut Graph, body: &Body) {
    let ctx = body.context();
    let functions: Vec<Op> =
        body.walk().into_iter().filter(|&op| body.op(op).has_trait(Traits::FUNCTION_LIKE)).collect();
    let mut by_name: FxHashMap<&str, usize> = FxHashMap::default();
    for &op in &functions {
        let name = body.op(op).symbol_name().unwrap_or("");
        by_name.insert(name, graph.node(format!("@{name}"), "box"));
    }
    for &op in &functions {
        let Some(inside) = body.nested(op) else { continue };
        let from = by_name[body.op(op).symbol_name().unwrap_or("")];
        let mut sites: Vec<(usize, u32)> = Vec::new();
        for call in inside.walk() {
            let call = inside.op(call);
            let callee = ctx.service::<dyn Calls>(call.kind()).and_then(|calls| calls.callee(call));
            let name = callee.and_then(|symbol| symbol.as_flat_symbol(ctx));
            let Some(&to) = name.and_then(|name| by_name.get(name.as_str(ctx))) else { continue };
            match sites.iter_mut().find(|(known, _)| *known == to) {
                Some((_, count)) => *count += 1,
                None => sites.push((to, 1)),
            }
        }
        for (to, count) in sites {
            graph.edge(from, to, if count > 1 { format!("{count} times") } else { String::new() });
        }
    }
}
