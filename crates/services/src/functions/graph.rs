//! The inputs and outputs of a graph, independent of the dialect.
//!
//! This module does not depend on `func.return`. Dialects declare which of their operations bind an input or an output, and
//! [`graph_inputs`] and [`graph_outputs`] collect and sort them:
//!
//! * A graph is an operation for which [`GraphBoundary::arity`] is defined, such as a function; a module without such
//!   an operation is itself a graph, whose numbers of inputs and outputs are those of the bindings.
//! * An index that is bound twice, out of range or unbound is an error. No binding is dropped.
//! * Ports are ordered by index, not by text order.
//! * The time is linear in the number of operations, plus sorting the ports.

use crate::{Symbols, Visibility};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Attr, Body, Module, Name, Op, OpRef, ServiceTable, Traits, Type, Value, service};

/// The number of inputs and outputs of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arity {
    /// Inputs.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
}

/// The values that operations bind to inputs and outputs of the enclosing graph. Queried by dead code elimination, for
/// its roots, and by callers and exporters of graphs. Default: the operation has no bindings.
pub trait GraphBoundary: Send + Sync {
    /// The declared arity, if the operation is a graph as a whole. A declaration without a body is not.
    fn arity(&self, _op: OpRef<'_>) -> Option<Arity> {
        None
    }

    /// Input values with their indices: results of an operation in the graph, or entry arguments of an operation that
    /// is a graph.
    fn inputs(&self, _op: OpRef<'_>) -> Vec<(i64, Value)> {
        Vec::new()
    }

    /// Output operands with their indices.
    fn outputs(&self, _op: OpRef<'_>) -> Vec<(i64, Value)> {
        Vec::new()
    }

    /// Removes inputs without uses from an operation that is a graph as a whole: its entry arguments, and their parts of the
    /// attributes that describe the inputs. `kept` has an element for each input. Default: unchanged.
    fn retain_inputs(&self, _body: &mut Body, _op: Op, _kept: &[bool]) {}
}
service!(dyn GraphBoundary, "GraphBoundary", Optional);

/// Implements the service for operations with the trait `FUNCTION_LIKE`: the inputs are the entry arguments.
pub struct FunctionBoundary;

impl GraphBoundary for FunctionBoundary {
    fn arity(&self, op: OpRef<'_>) -> Option<Arity> {
        op.nested()?.region(op.nested()?.regions().next()?).entry()?;
        let ctx = op.context();
        let (inputs, results) = op.attr(ctx.names().function_type)?.as_type(ctx)?.as_function(ctx)?;
        Some(Arity { inputs: inputs.len(), outputs: results.len() })
    }

    fn inputs(&self, op: OpRef<'_>) -> Vec<(i64, Value)> {
        let Some(body) = op.nested() else { return Vec::new() };
        let entry = body.regions().next().and_then(|region| body.region(region).entry());
        entry.map_or(Vec::new(), |entry| (0..).zip(body.block(entry).args()).collect())
    }

    /// Updates the function type and `arg_attrs`.
    fn retain_inputs(&self, body: &mut Body, op: Op, kept: &[bool]) {
        let Some(inside) = body.nested_mut(op) else { return };
        let Some(entry) = inside.regions().next().and_then(|region| inside.region(region).entry()) else {
            return;
        };
        for at in (0..kept.len()).rev().filter(|&at| !kept[at]) {
            inside.erase_arg(entry, at);
        }
        let ctx = body.context().clone();
        let names = ctx.names();
        let ty = body.op(op).attr(names.function_type).and_then(|ty| ty.as_type(&ctx)?.as_function(&ctx));
        if let Some((inputs, results)) = ty {
            let inputs: Vec<Type> = kept_of(inputs, kept).collect();
            let ty = Type::function(&ctx, &inputs, results);
            body.set_attr(op, names.function_type, Some(Attr::ty(&ctx, ty)));
        }
        retain_elements(body, op, names.arg_attrs, kept);
    }
}

/// Removes elements from an attribute of an operation that is an array with an element for each input of the graph; any other
/// attribute is unchanged.
pub fn retain_elements(body: &mut Body, op: Op, name: Name, kept: &[bool]) {
    let ctx = body.context().clone();
    let elements = body.op(op).attr(name).and_then(|attr| attr.as_array(&ctx));
    if let Some(elements) = elements.filter(|elements| elements.len() == kept.len()) {
        let rest: Vec<Attr> = kept_of(elements, kept).collect();
        body.set_attr(op, name, Some(Attr::array(&ctx, &rest)));
    }
}

fn kept_of<T: Copy>(elements: &[T], kept: &[bool]) -> impl Iterator<Item = T> {
    elements.iter().zip(kept).filter(|(_, kept)| **kept).map(|(&element, _)| element)
}

/// Implements the service for returns: the operands are the outputs, in order.
pub struct ReturnBoundary;

impl GraphBoundary for ReturnBoundary {
    fn outputs(&self, op: OpRef<'_>) -> Vec<(i64, Value)> {
        (0..).zip(op.operands()).collect()
    }
}

/// A value bound to an input or output.
#[derive(Clone, Copy)]
pub struct PortBinding<'m> {
    /// The binding operation.
    pub op: OpRef<'m>,
    /// The value, in [`Port::body`].
    pub value: Value,
}

/// An input or output of a graph.
pub struct Port<'m> {
    /// The index.
    pub index: usize,
    /// The body that contains the values.
    pub body: &'m Body,
    /// The bindings. There are several only if several blocks terminate the graph.
    pub bound: Vec<PortBinding<'m>>,
}

/// The inputs of a module's graph, ordered by index.
///
/// The graph of a module: its only graph operation; if there are several, the one with the symbol `main`, or else the only one
/// that is not private; the module itself if there are none.
///
/// # Errors
/// The graph is ambiguous, an index is bound twice or out of range, or an input is not bound.
pub fn graph_inputs(module: &Module) -> Result<Vec<Port<'_>>, Diagnostics> {
    ports(module, Side::Input)
}

/// The outputs of a module's graph, ordered by index. The graph is selected as for [`graph_inputs`].
///
/// # Errors
/// The graph is ambiguous, an index is bound twice or out of range, or an output is not bound.
pub fn graph_outputs(module: &Module) -> Result<Vec<Port<'_>>, Diagnostics> {
    ports(module, Side::Output)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Side::Input => "input",
            Side::Output => "output",
        }
    }

    fn of(self, service: &dyn GraphBoundary, op: OpRef<'_>) -> Vec<(i64, Value)> {
        match self {
            Side::Input => service.inputs(op),
            Side::Output => service.outputs(op),
        }
    }

    fn count(self, arity: Arity) -> usize {
        match self {
            Side::Input => arity.inputs,
            Side::Output => arity.outputs,
        }
    }
}

type Table = ServiceTable<dyn GraphBoundary>;

fn ports(module: &Module, side: Side) -> Result<Vec<Port<'_>>, Diagnostics> {
    let Some(table) = module.context().service_table::<dyn GraphBoundary>() else { return Ok(Vec::new()) };
    let (graph, arity) = choose(module, table)?;
    let mut bound = collect(graph, arity.is_some(), table, side);
    // A stable sort: bindings of one index stay in text order.
    bound.sort_by_key(|&(index, _)| index);
    let body = graph.inside().0;
    group(graph, body, bound, arity.map(|arity| side.count(arity)), side)
}

/// The graph of a module, and its arity.
fn choose<'m>(module: &'m Module, table: &Table) -> Result<(OpRef<'m>, Option<Arity>), Diagnostics> {
    let arity = |op: OpRef<'_>| table.get(op.kind())?.arity(op);
    let top = module.holder().op(module.op());
    if let Some(arity) = arity(top) {
        return Ok((top, Some(arity)));
    }
    let body = module.body();
    let graphs: Vec<(OpRef<'_>, Arity)> = body
        .walk()
        .into_iter()
        .map(|op| body.op(op))
        .filter_map(|op| arity(op).map(|arity| (op, arity)))
        .collect();
    let (op, arity) = match graphs[..] {
        [] => return Ok((top, None)),
        [only] => only,
        _ => {
            let main = graphs.iter().find(|(op, _)| op.symbol_name() == Some("main"));
            let mut public = graphs.iter().filter(|(op, _)| !is_private(*op));
            let only_public = public.next().filter(|_| public.next().is_none());
            *main.or(only_public).ok_or_else(|| several(&graphs))?
        }
    };
    Ok((op, Some(arity)))
}

fn is_private(op: OpRef<'_>) -> bool {
    <dyn Symbols>::of(op).visibility(op) == Visibility::Private
}

fn several(graphs: &[(OpRef<'_>, Arity)]) -> Diagnostics {
    const SHOWN: usize = 8;
    let place = |op: OpRef<'_>| op.loc().place(op.context());
    let mut error = Diagnostic::error(format!(
        "the module has {} graphs, and none of them is '@main' or the only one that is not private",
        graphs.len()
    ))
    .at(place(graphs[0].0));
    for (op, _) in graphs.iter().take(SHOWN) {
        let symbol = op.symbol_name().map_or(String::new(), |name| format!(" @{name}"));
        error = error.note_at(place(*op), format!("'{}'{symbol} is a graph", op.name()));
    }
    one(error)
}

fn one(error: Diagnostic) -> Diagnostics {
    let mut list = Diagnostics::new();
    list.push(error);
    list
}

/// The bindings of the graph and the operations in it, in text order. Nested graphs have their own boundaries.
fn collect<'m>(graph: OpRef<'m>, declared: bool, table: &Table, side: Side) -> Vec<(i64, PortBinding<'m>)> {
    let mut found = Vec::new();
    let mut query = |op: OpRef<'m>| {
        if let Some(service) = table.get(op.kind()) {
            found.extend(
                side.of(service, op).into_iter().map(|(index, value)| (index, PortBinding { op, value })),
            );
        }
    };
    if declared {
        query(graph);
    }
    let mut pending: Vec<OpRef<'m>> = Vec::new();
    push_inside(&mut pending, graph);
    while let Some(op) = pending.pop() {
        if table.get(op.kind()).is_some_and(|service| service.arity(op).is_some()) {
            continue;
        }
        query(op);
        if op.nested().is_none() && op.n_regions() > 0 {
            push_inside(&mut pending, op);
        }
    }
    found
}

fn push_inside<'m>(pending: &mut Vec<OpRef<'m>>, op: OpRef<'m>) {
    let (body, regions) = op.inside();
    let from = pending.len();
    let blocks = regions.into_iter().flat_map(|region| body.region(region).blocks());
    pending.extend(blocks.flat_map(|block| body.block(block).ops()).map(|op: Op| body.op(op)));
    pending[from..].reverse();
}

/// Groups bindings sorted by index into ports, or returns all errors.
fn group<'m>(
    graph: OpRef<'m>,
    body: &'m Body,
    bound: Vec<(i64, PortBinding<'m>)>,
    declared: Option<usize>,
    side: Side,
) -> Result<Vec<Port<'m>>, Diagnostics> {
    let mut errors = Diagnostics::new();
    let mut ports: Vec<Port<'m>> = Vec::new();
    // The first index not seen yet.
    let mut next = 0;
    for (number, binding) in bound {
        let index = usize::try_from(number).ok().filter(|&index| declared.is_none_or(|count| index < count));
        let Some(index) = index else {
            errors.push(out_of_range(binding.op, number, declared, side));
            continue;
        };
        match ports.last_mut().filter(|port| port.index == index) {
            Some(port) if alternatives(port.bound[0].op, binding.op) => port.bound.push(binding),
            Some(port) => errors.push(twice(port.bound[0].op, binding.op, index, side)),
            None => {
                if next < index {
                    errors.push(missing(graph, next, index - 1, side));
                }
                next = index + 1;
                ports.push(Port { index, body, bound: vec![binding] });
            }
        }
    }
    if let Some(count) = declared.filter(|&count| next < count) {
        errors.push(missing(graph, next, count - 1, side));
    }
    if errors.is_empty() { Ok(ports) } else { Err(errors) }
}

/// Whether the two bindings are mutually exclusive: terminators of different blocks.
fn alternatives(first: OpRef<'_>, second: OpRef<'_>) -> bool {
    first.has_trait(Traits::TERMINATOR)
        && second.has_trait(Traits::TERMINATOR)
        && first.block() != second.block()
}

fn twice(first: OpRef<'_>, second: OpRef<'_>, index: usize, side: Side) -> Diagnostic {
    let (side, ctx) = (side.name(), second.context());
    let message =
        format!("'{}' op binds graph {side} {index}, which '{}' binds already", second.name(), first.name());
    Diagnostic::error(message)
        .at(second.loc().place(ctx))
        .note_at(first.loc().place(ctx), format!("'{}' op binds it here", first.name()))
}

fn out_of_range(op: OpRef<'_>, index: i64, declared: Option<usize>, side: Side) -> Diagnostic {
    let (name, side) = (op.name(), side.name());
    let message = match declared {
        Some(1) => format!("'{name}' op binds graph {side} {index}, but the graph has 1 {side}"),
        Some(count) => format!("'{name}' op binds graph {side} {index}, but the graph has {count} {side}s"),
        None => format!("'{name}' op binds graph {side} {index}, which is not a valid index"),
    };
    Diagnostic::error(message).at(op.loc().place(op.context()))
}

fn missing(graph: OpRef<'_>, first: usize, last: usize, side: Side) -> Diagnostic {
    let side = side.name();
    let message = if first == last {
        format!("no operation binds graph {side} {first}")
    } else {
        format!("no operation binds graph {side}s {first} to {last}")
    };
    Diagnostic::error(message).at(graph.loc().place(graph.context()))
}
