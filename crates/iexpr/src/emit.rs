//! Emission of components as functions of the iexpr dialect.
//!
//! Only components reachable from a root are emitted, once for each use of their name. Every operation has the file,
//! line and column of its expression.

use crate::ast::{Combinator, Literal, NodeId, NodeKind};
use crate::check::Checked;
use crate::summary::{Kind, Port, Signature};
use minoan_diag::{Diagnostic, Diagnostics, SourceMap, Span};
use minoan_diff::Rev;
use minoan_func::{Func, Return, Visibility};
use minoan_iexpr_dialect::{Expr, ExprOp, check_stages};
use minoan_ir::{Array, Attr, Builder, Context, DYNAMIC, Loc, Module, Op, OpDef, SymbolTable, Type, Value};
use minoan_services::{INDEX_PATH, index_path_attr};
use minoan_sip::Key;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

pub use minoan_frontend::FloatWidth;

/// The options of the emission.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EmitOptions {
    /// The width of numbers.
    pub float: FloatWidth,
    /// The ranks of those inputs of a root that only an identity reads, in order; their rank cannot be inferred.
    pub free_ranks: Vec<usize>,
}

/// Emits a module with a public function for each root, under its name.
///
/// A function takes a `tensor<?x..xf32>` of the input's rank for each input, with `f64` or `i1` in place of `f32`,
/// and returns the same for each output. Several outputs form a sequence. Functions belong to the func dialect, which
/// must be loaded in addition to iexpr, and derivatives are requests of the dialect diff. A component to differentiate is a
/// private function.
///
/// # Errors
/// The root does not exist or has errors, the rank of an input is unknown, or a stage is impossible (reported at the
/// schedule that requests it).
pub fn emit(
    ctx: &Context,
    sources: &SourceMap,
    checked: &Checked,
    roots: &[&str],
    options: &EmitOptions,
) -> Result<Module, Diagnostics> {
    let loc = Loc::file(ctx, sources.file(checked.file.id).name(), 1, 1);
    let mut module = Module::new(ctx, loc);
    let mut emitter = Emitter { ctx, sources, checked, options, errors: Diagnostics::new() };
    let mut seen = FxHashSet::default();
    for &root in roots.iter().filter(|&&root| seen.insert(root)) {
        if let Err(error) = emitter.function(&mut module, root) {
            emitter.errors.push(*error);
        }
    }
    if emitter.errors.has_errors() { Err(emitter.errors) } else { Ok(module) }
}

/// The symbol, visibility and location of a function to emit.
struct Place<'a> {
    symbol: &'a str,
    visibility: Visibility,
    span: Span,
}

struct Emitter<'a> {
    ctx: &'a Context,
    sources: &'a SourceMap,
    checked: &'a Checked,
    options: &'a EmitOptions,
    errors: Diagnostics,
}

impl Emitter<'_> {
    fn loc(&self, span: Span) -> Loc {
        let at = self.sources.line_col(span);
        Loc::in_file(self.ctx, self.ctx.file(self.sources.file(span.file).name()), at.line, at.column)
    }

    fn ty(&self, port: Port) -> Type {
        let element = match port.kind {
            Kind::Numeric => self.options.float.ty(),
            Kind::Bool => Type::I1,
        };
        Type::tensor(self.ctx, &vec![DYNAMIC; port.rank.unwrap_or(0)], element)
    }

    /// The types of a root's inputs.
    fn inputs(&self, root: &str, span: Span, signature: &Signature) -> Result<Vec<Type>, Box<Diagnostic>> {
        let mut free = self.options.free_ranks.iter();
        let mut types = Vec::with_capacity(signature.inputs.len());
        for (index, &port) in signature.inputs.iter().enumerate() {
            let Some(rank) = port.rank.or_else(|| free.next().copied()) else {
                let error = Diagnostic::error(format!(
                    "the rank of input {index} of '{root}' is not known: nothing but an identity reads it"
                ));
                let help = "an expression determines the rank without changing the values: `i(\"ij~ij\")`";
                return Err(Box::new(error.at(span).help(help)));
            };
            types.push(self.ty(Port { rank: Some(rank), ..port }));
        }
        Ok(types)
    }

    fn function(&mut self, module: &mut Module, root: &str) -> Result<(), Box<Diagnostic>> {
        let def = self.checked.find_entry(root)?;
        let span = def.name_span;
        let Some(signature) = self.checked.signature(root) else {
            return Err(Box::new(Diagnostic::error(format!("'{root}' has errors")).at(span)));
        };
        if root.starts_with("minoan_") {
            let message = format!("'{root}' cannot be run: names of the run-time library begin like this");
            return Err(Box::new(Diagnostic::error(message).at(span)));
        }
        let inputs = self.inputs(root, span, &signature)?;
        let mut differentiated = FxHashMap::default();
        // The operand of a `rev` precedes it, as do the components that it names.
        for node in self.reversals(def.body) {
            let NodeKind::Reverse { operand, at } = self.checked.file.node(node).kind else { continue };
            let Some(signature) = self.checked.differentiated.get(&node) else { continue };
            let types: Vec<Type> = signature.inputs.iter().map(|&port| self.ty(port)).collect();
            let name = SymbolTable::of(module.body()).fresh(self.ctx, &format!("{root}.primal"));
            let name = name.as_str(self.ctx).to_owned();
            let place = Place { symbol: &name, visibility: Visibility::Private, span: at };
            self.body(module, place, operand, &types, &differentiated)?;
            differentiated.insert(node, name);
        }
        let place = Place { symbol: root, visibility: Visibility::Public, span };
        self.body(module, place, def.body, &inputs, &differentiated)
    }

    /// The applications of `rev` that a component consists of, in the order of their definition.
    fn reversals(&self, body: NodeId) -> BTreeSet<NodeId> {
        let (mut found, mut seen, mut pending) = (BTreeSet::new(), FxHashSet::default(), vec![body]);
        while let Some(node) = pending.pop() {
            if !seen.insert(node) {
                continue;
            }
            match self.checked.file.node(node).kind {
                NodeKind::Reverse { operand, .. } => {
                    found.insert(node);
                    pending.push(operand);
                }
                NodeKind::Swap(operand) => pending.push(operand),
                NodeKind::Binary { left, right, .. } => pending.extend([left, right]),
                NodeKind::Name(_) => pending.extend(self.checked.named(node)),
                NodeKind::Expr(_) | NodeKind::Error => {}
            }
        }
        found
    }

    /// Emits a function that applies a component to its arguments.
    fn body(
        &mut self,
        module: &mut Module,
        place: Place<'_>,
        node: NodeId,
        inputs: &[Type],
        differentiated: &FxHashMap<NodeId, String>,
    ) -> Result<(), Box<Diagnostic>> {
        let (loc, block) = (self.loc(place.span), module.block());
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
        // The types of the outputs follow from the body.
        let (func, entry) = Func::define(&mut b, place.symbol, inputs, &[], place.visibility);
        let mut inside = b.inside(func.op(), entry);
        let args: Vec<Value> = inside.body().block(entry).args().collect();
        let mut machine = Machine { emitter: self, literals: FxHashMap::default(), differentiated };
        let outputs = machine.run(&mut inside, node, args)?;
        let literals = machine.literals;
        let results: Vec<Type> = outputs.iter().map(|&output| inside.ty(output)).collect();
        Return::build(&mut inside, &outputs);
        self.stages(inside.body(), &literals);
        let ty = Attr::ty(self.ctx, Type::function(self.ctx, inputs, &results));
        b.body_mut().set_attr(func.op(), self.ctx.names().function_type, Some(ty));
        if results.len() > 1 {
            let paths = sequence(self.ctx, results.len());
            b.body_mut().set_attr(func.op(), self.ctx.names().res_attrs, Some(paths));
        }
        Ok(())
    }

    /// Reports impossible stages, each once, at the schedule that requests it.
    fn stages(&mut self, body: &minoan_ir::Body, literals: &FxHashMap<Op, NodeId>) {
        let file = &self.checked.file;
        let mut seen = FxHashSet::default();
        for problem in check_stages(body) {
            let Some(NodeKind::Expr(literal)) = literals.get(&problem.op).map(|&node| &file.node(node).kind)
            else {
                continue;
            };
            let at = literal.places.step(problem.step);
            let (start, end) = (literal.base + at.start as u32, literal.base + at.end as u32);
            if seen.insert((start, problem.message.clone())) {
                let span = Span::new(file.id, start, end);
                self.errors.push(Diagnostic::error(problem.message).at(span));
            }
        }
    }
}

/// The index paths of a sequence of values.
fn sequence(ctx: &Context, count: usize) -> Attr {
    let name = ctx.name(INDEX_PATH);
    let path = |index: usize| index_path_attr(ctx, &[Key::Index(i32::try_from(index).unwrap_or(i32::MAX))]);
    let attrs: Vec<Attr> = (0..count).map(|index| Attr::dictionary(ctx, &[(name, path(index))])).collect();
    Attr::array(ctx, &attrs)
}

/// A step on the values at the top of the stack.
enum Task {
    /// Applies a component to its inputs.
    Apply(NodeId),
    /// The first `paired` values, followed by further ones, are the next inputs; the rest is appended to the outputs.
    Feed { node: NodeId, paired: usize, rest: Vec<Value> },
    /// Appends values to those at the top.
    Append(Vec<Value>),
    /// Pushes values.
    Then(Vec<Value>),
    /// Appends the values at the top to those below.
    Join,
    /// Exchanges the first two values.
    Swap,
}

/// Traverses a component with an explicit stack.
struct Machine<'e, 'a> {
    emitter: &'e Emitter<'a>,
    /// The expression of each operation.
    literals: FxHashMap<Op, NodeId>,
    /// The functions to differentiate, by `rev`.
    differentiated: &'e FxHashMap<NodeId, String>,
}

impl Machine<'_, '_> {
    fn run(
        &mut self,
        b: &mut Builder<'_>,
        root: NodeId,
        inputs: Vec<Value>,
    ) -> Result<Vec<Value>, Box<Diagnostic>> {
        let mut values = vec![inputs];
        let mut tasks = vec![Task::Apply(root)];
        while let Some(task) = tasks.pop() {
            let mut top = values.pop().unwrap_or_default();
            match task {
                Task::Apply(node) => self.apply(b, node, top, &mut tasks, &mut values)?,
                Task::Feed { node, paired, rest } => {
                    let left_over = top.split_off(paired.min(top.len()));
                    top.extend(rest);
                    values.push(top);
                    tasks.extend([Task::Append(left_over), Task::Apply(node)]);
                }
                Task::Append(rest) => {
                    top.extend(rest);
                    values.push(top);
                }
                Task::Then(next) => values.extend([top, next]),
                Task::Join => {
                    let mut below = values.pop().unwrap_or_default();
                    below.extend(top);
                    values.push(below);
                }
                Task::Swap => {
                    if top.len() >= 2 {
                        top.swap(0, 1);
                    }
                    values.push(top);
                }
            }
        }
        Ok(values.pop().unwrap_or_default())
    }

    fn apply(
        &mut self,
        b: &mut Builder<'_>,
        node: NodeId,
        mut inputs: Vec<Value>,
        tasks: &mut Vec<Task>,
        values: &mut Vec<Vec<Value>>,
    ) -> Result<(), Box<Diagnostic>> {
        let checked = self.emitter.checked;
        let arity = |node: NodeId| checked.arity[node.0 as usize];
        match &checked.file.node(node).kind {
            NodeKind::Error => {}
            NodeKind::Expr(literal) => values.push(vec![self.expr(b, node, literal, &inputs)?]),
            NodeKind::Name(_) => {
                values.push(inputs);
                tasks.extend(checked.named(node).map(Task::Apply));
            }
            &NodeKind::Swap(operand) => {
                values.push(inputs);
                tasks.extend([Task::Swap, Task::Apply(operand)]);
            }
            &NodeKind::Reverse { at, .. } => values.push(self.reverse(b, node, inputs, at)?),
            &NodeKind::Binary { combinator, left, right, .. } => match combinator {
                Combinator::Compose | Combinator::Chain => {
                    let (first, second) =
                        if combinator == Combinator::Chain { (left, right) } else { (right, left) };
                    let paired = arity(first).1.min(arity(second).0);
                    let rest = inputs.split_off(arity(first).0.min(inputs.len()));
                    values.push(inputs);
                    tasks.extend([Task::Feed { node: second, paired, rest }, Task::Apply(first)]);
                }
                Combinator::Fanout | Combinator::Pair => {
                    let right_inputs = match combinator {
                        Combinator::Pair => inputs.split_off(arity(left).0.min(inputs.len())),
                        _ => inputs[..arity(right).0.min(inputs.len())].to_vec(),
                    };
                    inputs.truncate(arity(left).0);
                    // The left operand is on top and emitted first, followed by the inputs of the right one.
                    values.push(inputs);
                    tasks.extend([
                        Task::Join,
                        Task::Apply(right),
                        Task::Then(right_inputs),
                        Task::Apply(left),
                    ]);
                }
            },
        }
        Ok(())
    }

    /// Requests the derivative of a component in reverse mode.
    fn reverse(
        &mut self,
        b: &mut Builder<'_>,
        node: NodeId,
        mut inputs: Vec<Value>,
        at: Span,
    ) -> Result<Vec<Value>, Box<Diagnostic>> {
        let emitter = self.emitter;
        let (Some(signature), Some(callee)) =
            (emitter.checked.differentiated.get(&node), self.differentiated.get(&node))
        else {
            return Ok(Vec::new());
        };
        let outside = b.set_loc(emitter.loc(at));
        let of_outputs = signature.outputs.iter().filter(|port| port.kind == Kind::Numeric);
        let ports: Vec<Port> = signature.inputs.iter().chain(of_outputs).copied().collect();
        for (input, &port) in inputs.iter_mut().zip(&ports) {
            // A truth value is the number 0 or 1.
            if port.kind == Kind::Numeric && b.ty(*input).element(emitter.ctx) == Some(Type::I1) {
                let made = ExprOp::with(
                    b,
                    &Expr::number(port.rank.unwrap_or(0)),
                    &[*input],
                    emitter.options.float.ty(),
                );
                *input = made.map_err(|message| Box::new(Diagnostic::error(message).at(at)))?;
            }
        }
        let seeds = inputs.split_off(signature.inputs.len().min(inputs.len()));
        let wrt: Vec<usize> =
            (0..inputs.len()).filter(|&input| signature.inputs[input].kind == Kind::Numeric).collect();
        let types: Vec<Type> = wrt.iter().map(|&input| emitter.ty(signature.inputs[input])).collect();
        let wrt: Array<i64> = wrt.into_iter().map(|input| input as i64).collect();
        let callee = emitter.ctx.name(callee);
        let made = Rev::build(b, &inputs, &seeds, callee, Some(wrt), &types);
        let cotangents = b.body().op(made.op()).results().collect();
        b.set_loc(outside);
        Ok(cotangents)
    }

    fn expr(
        &mut self,
        b: &mut Builder<'_>,
        node: NodeId,
        literal: &Literal,
        inputs: &[Value],
    ) -> Result<Value, Box<Diagnostic>> {
        let emitter = self.emitter;
        let span = Span::new(emitter.checked.file.id, literal.base, literal.base + 1);
        let outside = b.set_loc(emitter.loc(span));
        let made = ExprOp::with(b, &literal.expr, inputs, emitter.options.float.ty());
        b.set_loc(outside);
        let value = made.map_err(|message| {
            Box::new(Diagnostic::error(format!("`{}`: {message}", literal.expr)).at(span))
        })?;
        if let Some(op) = b.body().defining_op(value) {
            self.literals.insert(op, node);
        }
        Ok(value)
    }
}
