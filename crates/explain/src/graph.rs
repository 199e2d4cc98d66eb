//! Data flow graphs of functions, laid out in layers.
//!
//! A node is an operation of the function's entry block, or an argument; an operation with regions is one node, and uses
//! inside of it are its uses. Values flow downwards: a node is below all nodes that it uses. The order within a layer
//! follows the mean position of the neighbors, in a few sweeps.

use minoan_ir::text::print_type;
use minoan_ir::{Body, Module, Op, OpRef, Traits, Value};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The maximum number of nodes of a graph.
const MAX_NODES: usize = 400;

/// The maximum number of graphs of a module.
const MAX_GRAPHS: usize = 64;

/// The width of a character, in pixels.
const CHARACTER: f32 = 6.7;

/// The width of a node beside its label.
const PADDING: f32 = 18.0;

/// The height of a node.
const HEIGHT: f32 = 24.0;

/// The distance between nodes of a layer.
const GAP: f32 = 16.0;

/// The maximum number of arguments in the first layer; further ones are placed above their first uses.
const MAX_ON_TOP: usize = 12;

/// Layers wider than this are broken into several rows.
const WIDEST: f32 = 1800.0;

/// The distance between layers.
const LAYER: f32 = 58.0;

/// The graph of a function.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Graph {
    pub(crate) function: String,
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// The number of operations that are left out because there are too many.
    pub(crate) omitted: usize,
}

/// A node with its center.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Node {
    pub(crate) label: String,
    /// `op`, `region`, `kernel` (with a body), `constant`, `argument` or `return`.
    pub(crate) kind: &'static str,
    /// The line in the printed module, from 0.
    pub(crate) line: u32,
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
}

/// An edge from the definition of a value to its use.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The types of the values.
    pub(crate) label: String,
}

/// The graphs of the functions of a module. `lines` has the line of each operation.
pub(crate) fn of_module(module: &Module, lines: &FxHashMap<Op, u32>) -> Vec<Graph> {
    let body = module.body();
    let functions = body.block(module.block()).ops().filter_map(|op| {
        let view = body.op(op);
        let inside = body.nested(op).filter(|_| view.has_trait(Traits::FUNCTION_LIKE))?;
        let line = lines.get(&op).copied().unwrap_or(0);
        of_function(view.symbol_name().unwrap_or(""), inside, line, lines)
    });
    functions.take(MAX_GRAPHS).collect()
}

fn of_function(name: &str, body: &Body, line: u32, lines: &FxHashMap<Op, u32>) -> Option<Graph> {
    let entry = body.region(body.regions().next()?).entry()?;
    let ctx = body.context();
    let mut graph = Graph {
        function: name.to_owned(),
        width: 0.0,
        height: 0.0,
        nodes: Vec::new(),
        edges: Vec::new(),
        omitted: 0,
    };
    let mut of_value: FxHashMap<Value, usize> = FxHashMap::default();
    for (number, arg) in body.block(entry).args().enumerate() {
        let label = format!("arg {number} : {}", print_type(ctx, body.ty(arg)));
        of_value.insert(arg, graph.node(label, "argument", line));
    }
    for op in body.block(entry).ops() {
        if graph.nodes.len() >= MAX_NODES {
            graph.omitted += 1;
            continue;
        }
        let view = body.op(op);
        let inside = inside(view);
        let kind = match () {
            () if view.has_trait(Traits::RETURN_LIKE) => "return",
            () if view.has_trait(Traits::CONSTANT_LIKE) => "constant",
            () if view.nested().is_some() => "kernel",
            () if inside.is_empty() => "op",
            () => "region",
        };
        let at = graph.node(
            label(view, inside.len() + in_body(view)),
            kind,
            lines.get(&op).copied().unwrap_or(line),
        );
        let users = std::iter::once(op).chain(inside.iter().copied());
        let mut edges: Vec<(usize, String)> = Vec::new();
        for operand in users.flat_map(|user| body.op(user).operands()) {
            let Some(&from) = of_value.get(&operand) else { continue };
            if edges.iter().all(|&(known, _)| known != from) {
                edges.push((from, print_type(ctx, body.ty(operand))));
            }
        }
        let edges = edges.into_iter().map(|(from, label)| Edge { from, to: at, label });
        graph.edges.extend(edges);
        of_value.extend(view.results().map(|result| (result, at)));
    }
    graph.lay_out();
    Some(graph)
}

/// The operations in the regions of an operation.
fn inside(op: OpRef<'_>) -> Vec<Op> {
    let body = op.body();
    let (mut found, mut pending) = (Vec::new(), vec![op]);
    while let Some(around) = pending.pop() {
        for block in around.own_regions().flat_map(|region| body.region(region).blocks()) {
            for inner in body.block(block).ops() {
                found.push(inner);
                pending.push(body.op(inner));
            }
        }
    }
    found
}

/// The number of operations in the body that an operation owns, such as a kernel.
fn in_body(op: OpRef<'_>) -> usize {
    let Some(body) = op.nested() else { return 0 };
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    blocks.map(|block| body.block(block).ops().count()).sum()
}

fn label(op: OpRef<'_>, inside: usize) -> String {
    let ctx = op.context();
    let symbol = op.attr(ctx.name("callee")).and_then(|callee| callee.as_flat_symbol(ctx));
    let symbol = symbol.map_or(String::new(), |symbol| format!(" @{}", symbol.as_str(ctx)));
    let count = match inside {
        0 => String::new(),
        1 => " · 1 operation".to_owned(),
        _ => format!(" · {inside} operations"),
    };
    format!("{}{symbol}{count}", op.name())
}

impl Graph {
    fn node(&mut self, label: String, kind: &'static str, line: u32) -> usize {
        let width = CHARACTER * label.chars().count() as f32 + PADDING;
        self.nodes.push(Node { label, kind, line, x: 0.0, y: 0.0, width });
        self.nodes.len() - 1
    }

    /// Sets the positions of the nodes. Edges lead from earlier nodes to later ones.
    fn lay_out(&mut self) {
        let count = self.nodes.len();
        let (mut producers, mut users) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for &Edge { from, to, .. } in &self.edges {
            producers[to].push(from);
            users[from].push(to);
        }
        let mut layer = vec![0usize; count];
        for (node, producers) in producers.iter().enumerate() {
            layer[node] = producers.iter().map(|&from| layer[from] + 1).max().unwrap_or(0);
        }
        let arguments = self.nodes.iter().filter(|node| node.kind == "argument").count();
        for node in (0..count).rev() {
            // A node without operands is placed directly above its first user, and a return last; up to `MAX_ON_TOP` arguments
            // are placed in the first layer.
            let is_on_top = self.nodes[node].kind == "argument" && arguments <= MAX_ON_TOP;
            if producers[node].is_empty() && !is_on_top {
                layer[node] = users[node].iter().map(|&to| layer[to].saturating_sub(1)).min().unwrap_or(0);
            }
        }
        let mut layers = self.rows(&mut layer);
        let depth = layers.len();
        // Rows are centered at first, and stay within the widest one, so that sweeps do not pull the graph apart.
        let mut half: f32 = 0.0;
        for nodes in &layers {
            self.place(nodes, None);
            let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) else { continue };
            let middle = (self.nodes[first].x + self.nodes[last].x) / 2.0;
            nodes.iter().for_each(|&node| self.nodes[node].x -= middle);
            half = half.max(self.nodes[last].x);
        }
        for sweep in 0..6 {
            let downwards = sweep % 2 == 0;
            let order: Vec<usize> = if downwards { (0..depth).collect() } else { (0..depth).rev().collect() };
            for at in order {
                let neighbors = if downwards { &producers } else { &users };
                let mean = |&node: &usize| self.mean(node, &neighbors[node]).clamp(-half, half);
                let wanted: Vec<f32> = layers[at].iter().map(mean).collect();
                let mut pairs: Vec<(f32, usize)> =
                    wanted.into_iter().zip(layers[at].iter().copied()).collect();
                pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
                let (wanted, nodes): (Vec<f32>, Vec<usize>) = pairs.into_iter().unzip();
                self.place(&nodes, Some(&wanted));
                layers[at] = nodes;
            }
        }
        let left = self.nodes.iter().map(|node| node.x - node.width / 2.0).fold(f32::INFINITY, f32::min);
        for (node, &layer) in self.nodes.iter_mut().zip(&layer) {
            node.x = (node.x - left + GAP).round();
            node.y = GAP + HEIGHT / 2.0 + layer as f32 * LAYER;
            node.width = node.width.round();
        }
        let right = self.nodes.iter().map(|node| node.x + node.width / 2.0).fold(0.0, f32::max);
        (self.width, self.height) = (right + GAP, depth as f32 * LAYER + GAP);
    }

    /// The nodes of each row, in order: a layer is one row, or several if it is wide. Updates the rows of the nodes.
    fn rows(&self, layer: &mut [usize]) -> Vec<Vec<usize>> {
        let depth = layer.iter().max().map_or(0, |deepest| deepest + 1);
        let mut layers: Vec<Vec<usize>> = vec![Vec::new(); depth];
        (0..layer.len()).for_each(|node| layers[layer[node]].push(node));
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for nodes in layers {
            let mut width = f32::INFINITY;
            for node in nodes {
                width += self.nodes[node].width + GAP;
                if width > WIDEST {
                    width = self.nodes[node].width;
                    rows.push(Vec::new());
                }
                layer[node] = rows.len() - 1;
                rows[layer[node]].push(node);
            }
        }
        rows
    }

    fn mean(&self, node: usize, neighbors: &[usize]) -> f32 {
        if neighbors.is_empty() {
            return self.nodes[node].x;
        }
        neighbors.iter().map(|&other| self.nodes[other].x).sum::<f32>() / neighbors.len() as f32
    }

    /// Places the nodes of a layer side by side in order, each as close to its wanted position as the others permit.
    fn place(&mut self, nodes: &[usize], wanted: Option<&[f32]>) {
        let mut right = f32::NEG_INFINITY;
        let mut shift = 0.0;
        for (at, &node) in nodes.iter().enumerate() {
            let half = self.nodes[node].width / 2.0;
            let least = right + GAP + half;
            let wish = wanted.map_or(if right.is_finite() { least } else { 0.0 }, |wanted| wanted[at]);
            let x = if right.is_finite() { wish.max(least) } else { wish };
            shift += wish - x;
            self.nodes[node].x = x;
            right = x + half;
        }
        // Nodes were moved to the right only; half of that on average is to the left.
        let shift = if nodes.is_empty() { 0.0 } else { shift / nodes.len() as f32 };
        nodes.iter().for_each(|&node| self.nodes[node].x += shift);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph {
            function: String::new(),
            width: 0.0,
            height: 0.0,
            nodes: Vec::new(),
            edges: Vec::new(),
            omitted: 0,
        };
        for node in 0..nodes {
            graph.node(format!("node {node}"), "op", 0);
        }
        graph.edges = edges.iter().map(|&(from, to)| Edge { from, to, label: String::new() }).collect();
        graph.lay_out();
        graph
    }

    #[test]
    fn users_are_below_and_nodes_do_not_overlap() {
        let edges = [(0, 2), (1, 2), (2, 3), (2, 4), (2, 5), (3, 6), (4, 6), (5, 6), (0, 6)];
        let graph = graph(7, &edges);
        assert!(edges.iter().all(|&(from, to)| graph.nodes[from].y < graph.nodes[to].y));
        for (at, a) in graph.nodes.iter().enumerate() {
            for b in graph.nodes[..at].iter().filter(|b| b.y == a.y) {
                assert!((a.x - b.x).abs() >= (a.width + b.width) / 2.0, "{a:?} {b:?}");
            }
            assert!(a.x - a.width / 2.0 >= 0.0 && a.x + a.width / 2.0 <= graph.width && a.y < graph.height);
        }
    }

    #[test]
    fn a_wide_layer_has_several_rows() {
        let graph = graph(100, &[(0, 99)]);
        assert!(
            graph.width < 2.0 * WIDEST
                && graph.nodes[99].y > graph.nodes[98].y
                && graph.nodes[98].y > graph.nodes[0].y
        );
    }

    #[test]
    fn a_chain_is_straight() {
        let graph = graph(4, &[(0, 1), (1, 2), (2, 3)]);
        assert!(graph.nodes.iter().all(|node| node.x == graph.nodes[0].x));
    }
}
