//! The implications between variables.

use crate::analysis::owners::{forwarded, inputs};
use minoan_ir::{Block, Body, Context, Name, Op, OpRef, Region, ServiceTable, Traits, Value};
use minoan_services::{
    Calls, CountOps, OperandUse, Ownership, RegionExecution, RegionFlow, RegionTarget, ResultOwner, ReuseOps,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function with a body.
pub(super) struct Function {
    pub op: Op,
    pub name: Name,
    pub args: Vec<Value>,
    /// Whether all uses of the function are known calls.
    pub is_known: bool,
    /// Whether it may own arguments.
    pub can_take: bool,
}

/// The variable that a used value is, or is a part of. Values that are owners have none.
#[derive(Clone, Copy)]
struct Root {
    variable: usize,
    /// Whether the value is the variable itself.
    is_whole: bool,
}

/// The implications between the variables of all functions: an edge leads from the premise to the conclusion.
pub(super) struct Graph<'a> {
    ctx: &'a Context,
    counts: &'a dyn CountOps,
    reuse: Option<&'a dyn ReuseOps>,
    calls: Option<&'a ServiceTable<dyn Calls>>,
    functions: &'a [Function],
    by_name: FxHashMap<Name, usize>,
    numbers: FxHashMap<(usize, Value), usize>,
    /// Variables that stay borrowed.
    pinned: Vec<bool>,
    /// Edges from owners to owners.
    owners: Vec<Vec<usize>>,
    /// Edges between owners for the sake of memory.
    memory: Vec<Vec<usize>>,
    first_owners: Vec<usize>,
    first_memory: Vec<usize>,
}

/// The variables that are owners.
pub(super) struct Owners {
    numbers: FxHashMap<(usize, Value), usize>,
    owned: Vec<bool>,
}

impl Owners {
    /// Whether a value of a function is a variable that is an owner.
    pub fn contains(&self, function: usize, value: Value) -> bool {
        self.numbers.get(&(function, value)).is_some_and(|&number| self.owned[number])
    }
}

/// The body being added, with the facts about its values.
struct Scope<'b> {
    function: usize,
    body: &'b Body,
    roots: FxHashMap<Value, Root>,
}

impl<'a> Graph<'a> {
    pub fn new(
        ctx: &'a Context,
        counts: &'a dyn CountOps,
        calls: Option<&'a ServiceTable<dyn Calls>>,
        functions: &'a [Function],
    ) -> Self {
        let by_name = functions.iter().zip(0..).map(|(function, index)| (function.name, index)).collect();
        let mut graph = Self {
            ctx,
            counts,
            reuse: <dyn ReuseOps>::any(ctx),
            calls,
            functions,
            by_name,
            numbers: FxHashMap::default(),
            pinned: Vec::new(),
            owners: Vec::new(),
            memory: Vec::new(),
            first_owners: Vec::new(),
            first_memory: Vec::new(),
        };
        // Calls refer to the arguments of functions that follow.
        for (index, function) in functions.iter().enumerate() {
            for &arg in &function.args {
                graph.variable(index, arg, !function.can_take);
            }
        }
        graph
    }

    fn variable(&mut self, function: usize, value: Value, pinned: bool) -> usize {
        let number = self.pinned.len();
        self.numbers.insert((function, value), number);
        self.pinned.push(pinned);
        self.owners.push(Vec::new());
        self.memory.push(Vec::new());
        number
    }

    fn flow(&self, op: OpRef<'_>) -> Option<&'a dyn RegionFlow> {
        if op.n_regions() == 0 { None } else { self.ctx.service::<dyn RegionFlow>(op.kind()) }
    }

    fn is_counted(&self, body: &Body, value: Value) -> bool {
        self.counts.is_counted(self.ctx, body.ty(value))
    }

    /// Adds the implications of a function's body.
    pub fn add(&mut self, function: usize, body: &Body) {
        let mut scope = Scope { function, body, roots: FxHashMap::default() };
        for &arg in &self.functions[function].args {
            if self.is_counted(body, arg) {
                let variable = self.numbers[&(function, arg)];
                scope.roots.insert(arg, Root { variable, is_whole: true });
            }
        }
        let ops = body.walk();
        for &op in &ops {
            self.define(&mut scope, body.op(op));
        }
        let classes = self.created_classes(body, &ops);
        for &op in &ops {
            self.uses(&scope, body.op(op));
            if let Some((operand, class)) = self.reuse.and_then(|reuse| reuse.part(body.op(op)))
                && let Some(&created) = body.op(op).block().and_then(|block| classes.get(&block))
                && created & bit(class) != 0
                && let Some(root) = scope.roots.get(&body.op(op).operand(operand))
            {
                self.first_memory.push(root.variable);
            }
        }
    }

    /// Finds the roots of the results and region arguments of an operation.
    fn define(&mut self, scope: &mut Scope<'_>, op: OpRef<'_>) {
        let body = scope.body;
        if self.flow(op).is_some() {
            for input in inputs(op) {
                if self.is_counted(body, input) {
                    let variable = self.variable(scope.function, input, false);
                    scope.roots.insert(input, Root { variable, is_whole: true });
                }
            }
            return;
        }
        for (index, result) in op.results().enumerate() {
            if self.is_counted(body, result)
                && let ResultOwner::Operand(operand) = self.counts.owner(op, index)
                && let Some(&Root { variable, .. }) = scope.roots.get(&op.operand(operand))
            {
                scope.roots.insert(result, Root { variable, is_whole: false });
            }
        }
    }

    /// For each block, the size classes of the objects that are created in it and in nested blocks.
    fn created_classes(&self, body: &Body, ops: &[Op]) -> FxHashMap<Block, u64> {
        let mut classes: FxHashMap<Block, u64> = FxHashMap::default();
        // Nested operations follow the one around them.
        for op in ops.iter().rev().map(|&op| body.op(op)) {
            let mut created = self.reuse.and_then(|reuse| reuse.creates(op)).map_or(0, bit);
            for region in op.own_regions() {
                for block in body.region(region).blocks() {
                    created |= classes.get(&block).copied().unwrap_or_default();
                }
            }
            if let Some(block) = op.block().filter(|_| created != 0) {
                *classes.entry(block).or_default() |= created;
            }
        }
        classes
    }

    fn uses(&mut self, scope: &Scope<'_>, op: OpRef<'_>) {
        let body = scope.body;
        let callee =
            self.calls.and_then(|table| Some((table.get(op.kind())?, table.get(op.kind())?.callee(op)?)));
        if let Some((service, symbol)) = callee {
            let callee = symbol.as_flat_symbol(self.ctx).and_then(|name| self.by_name.get(&name).copied());
            if let Some(callee) = callee {
                self.call(scope, op, service.args(op).start, callee);
            }
            return;
        }
        if let Some(flow) = self.flow(op) {
            self.regions(scope, op, flow);
        }
        let ownership = self.ctx.service::<dyn Ownership>(op.kind());
        let returns = op.has_trait(Traits::TERMINATOR)
            && op.parent().is_none_or(|parent| self.flow(body.op(parent)).is_none());
        for (index, operand) in op.operands().enumerate() {
            let taken = returns
                || !op.has_trait(Traits::TERMINATOR)
                    && ownership.is_some_and(|service| service.operand(op, index) == OperandUse::Consume);
            if taken && let Some(root) = scope.roots.get(&operand).filter(|root| root.is_whole) {
                self.first_owners.push(root.variable);
            }
        }
    }

    fn call(&mut self, scope: &Scope<'_>, op: OpRef<'_>, first: usize, callee: usize) {
        let functions = self.functions;
        let last = op.next().map(|next| scope.body.op(next));
        let is_tail = last.is_some_and(|last| {
            last.has_trait(Traits::TERMINATOR) && (op.n_results() == 0 || last.operands().eq(op.results()))
        });
        for (&arg, operand) in functions[callee].args.iter().zip(op.operands().skip(first)) {
            if !self.is_counted(scope.body, operand) {
                continue;
            }
            let param = self.numbers[&(callee, arg)];
            match scope.roots.get(&operand) {
                Some(root) => {
                    self.forward(param, root);
                    if is_tail {
                        self.owners[root.variable].push(param);
                    }
                }
                None if is_tail => self.first_owners.push(param),
                None => {}
            }
        }
    }

    /// The consequence of passing a value to an owner.
    fn forward(&mut self, to: usize, root: &Root) {
        self.memory[to].push(root.variable);
        if root.is_whole {
            self.owners[to].push(root.variable);
        }
    }

    fn regions(&mut self, scope: &Scope<'_>, op: OpRef<'_>, flow: &dyn RegionFlow) {
        let body = scope.body;
        let repeats = flow.execution(op) != RegionExecution::ExactlyOne;
        let mut edges: Vec<(OpRef<'_>, usize, Value, bool)> = Vec::new();
        let nothing = vec![None; op.n_operands()];
        for successor in flow.entry_successors(op, &nothing) {
            let enters = repeats && successor.target != RegionTarget::Parent;
            edges.extend(forwarded(op, &successor).into_iter().map(|(at, input)| (op, at, input, enters)));
        }
        let blocks = |region: Region| body.region(region).blocks();
        for (number, region) in op.own_regions().enumerate() {
            for last in blocks(region).filter_map(|block| body.block(block).last()).map(|last| body.op(last))
            {
                let nothing = vec![None; last.n_operands()];
                for successor in flow.terminator_successors(op, number, last, &nothing) {
                    edges.extend(forwarded(op, &successor).into_iter().map(|(at, to)| (last, at, to, false)));
                }
            }
        }
        let counted = edges.into_iter().filter(|&(_, _, input, _)| self.is_counted(body, input));
        let counted: Vec<_> = counted.collect();
        let mut receivers: FxHashMap<(Op, usize), usize> = FxHashMap::default();
        let mut first_values: Vec<Value> = Vec::new();
        for &(from, at, input, enters) in &counted {
            let (value, to) = (from.operand(at), self.numbers[&(scope.function, input)]);
            let root = scope.roots.get(&value).copied();
            if let Some(root) = root {
                self.forward(to, &root);
            }
            // A value that is used after the loop is borrowed by it.
            let dies = !enters || body.only_use(value).is_some();
            if enters {
                first_values.push(value);
            }
            match root {
                Some(root) if dies => self.owners[root.variable].push(to),
                None if dies => self.first_owners.push(to),
                _ => {}
            }
            // An operand with several receivers is owned by all of them or by none.
            if let Some(other) = receivers.insert((from.id(), at), to) {
                self.owners[other].push(to);
                self.owners[to].push(other);
                self.memory[other].push(to);
                self.memory[to].push(other);
            }
        }
        if repeats {
            let used = |result: &Value| self.is_counted(body, *result) && body.is_used(*result);
            for result in op.results().filter(used).collect::<Vec<Value>>() {
                let to = self.numbers[&(scope.function, result)];
                for value in &first_values {
                    match scope.roots.get(value) {
                        Some(root) => self.owners[root.variable].push(to),
                        None => self.first_owners.push(to),
                    }
                }
            }
        }
    }

    /// The least set of owners.
    pub fn solve(self) -> Owners {
        let Graph { numbers, pinned, owners, memory, first_owners, first_memory, .. } = self;
        let mut wanted: FxHashSet<usize> = FxHashSet::default();
        let mut pending: Vec<usize> =
            first_memory.into_iter().filter(|&at| !pinned[at] && wanted.insert(at)).collect();
        while let Some(at) = pending.pop() {
            pending.extend(memory[at].iter().copied().filter(|&next| !pinned[next] && wanted.insert(next)));
        }
        let mut owned = vec![false; pinned.len()];
        let mut add = |at: usize| !pinned[at] && !std::mem::replace(&mut owned[at], true);
        let mut pending: Vec<usize> = wanted.into_iter().chain(first_owners).filter(|&at| add(at)).collect();
        while let Some(at) = pending.pop() {
            pending.extend(owners[at].iter().copied().filter(|&next| add(next)));
        }
        Owners { numbers, owned }
    }
}

fn bit(class: u32) -> u64 {
    1u64.checked_shl(class).unwrap_or_default()
}
