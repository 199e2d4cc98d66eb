//! Liveness of values through branches, regions and calls.
//!
//! An operation is live as in `dce`. An operand that is forwarded to a block, region, result, callee or caller is
//! live only if the value that receives it is. Inputs that receive the same operand are live together.

use crate::analysis::call_sites::{known_functions, levels};
use minoan_ir::{Block, Body, Context, Def, Name, Op, OpRef, ServiceTable, Traits, Value};
use minoan_rewrite::{BranchTable, Edge, is_live_root};
use minoan_services::{
    Branches, Calls, EffectsTable, Liveness, RegionFlow, RegionSuccessor, RegionTarget, function_types,
};
use rustc_hash::FxHashMap;

/// The liveness in a body.
pub(crate) struct Scope<'m> {
    pub(crate) owner: Option<Op>,
    pub(crate) body: &'m Body,
    pub(crate) order: Vec<Op>,
    pub(crate) branches: BranchTable,
    /// The live operations, by index.
    pub(crate) ops: Vec<bool>,
    pub(crate) values: Vec<bool>,
    /// For a function with known callers: its calls.
    pub(crate) calls: Option<Vec<(usize, Op)>>,
    /// For such a function: whether each of its results is live.
    pub(crate) results: Vec<bool>,
}

/// The liveness in a body and all nested bodies.
pub(crate) struct ValueLiveness<'m> {
    ctx: &'m Context,
    pub(crate) scopes: Vec<Scope<'m>>,
    by_name: FxHashMap<Name, usize>,
    flow: Option<&'m ServiceTable<dyn RegionFlow>>,
    calls: Option<&'m ServiceTable<dyn Calls>>,
    pending: Vec<(usize, Item)>,
}

#[derive(Clone, Copy)]
enum Item {
    Op(Op),
    Value(Value),
}

/// Whether a terminator forwards its operands to the caller.
fn returns(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::RETURN_LIKE) && op.parent().is_none()
}

/// The terminators that leave the regions of an operation, with the index of the region.
pub(crate) fn exits(op: OpRef<'_>) -> impl Iterator<Item = (usize, OpRef<'_>)> {
    let body = op.body();
    op.own_regions().enumerate().flat_map(move |(number, region)| {
        let ends = body.region(region).blocks().filter_map(|block| body.block(block).last());
        ends.map(move |end| (number, body.op(end)))
            .filter(|(_, end)| end.has_trait(Traits::TERMINATOR) && end.n_successors() == 0)
    })
}

/// The operands that an operation or a terminator of its regions forwards.
pub(crate) fn successors(
    flow: &dyn RegionFlow,
    op: OpRef<'_>,
    end: Option<(usize, OpRef<'_>)>,
) -> Vec<RegionSuccessor> {
    let successors = match end {
        None => flow.entry_successors(op, &vec![None; op.n_operands()]),
        Some((region, end)) => flow.terminator_successors(op, region, end, &vec![None; end.n_operands()]),
    };
    successors.into_vec()
}

impl<'m> ValueLiveness<'m> {
    /// For `hidden` see [`is_hidden`](crate::symbol_dce::is_hidden).
    pub(crate) fn of(ctx: &'m Context, top: &'m Body, hidden: bool) -> Self {
        let levels = levels(top);
        let calls: Option<&ServiceTable<dyn Calls>> = ctx.service_table();
        let known = known_functions(ctx, top, hidden, &levels, calls);
        let known: FxHashMap<Op, Name> = known
            .into_iter()
            .filter(|&(_, op)| can_change(top.op(op)))
            .map(|(name, op)| (op, name))
            .collect();
        let mut live = Self {
            ctx,
            scopes: Vec::with_capacity(levels.len()),
            by_name: FxHashMap::default(),
            flow: ctx.service_table(),
            calls,
            pending: Vec::new(),
        };
        for (number, (owner, body)) in levels.into_iter().enumerate() {
            let name = owner.filter(|&op| top.contains(op)).and_then(|owner| known.get(&owner));
            live.by_name.extend(name.map(|&name| (name, number)));
            let order = body.walk();
            let types = owner.filter(|_| name.is_some()).and_then(|owner| function_types(top.op(owner)));
            let outputs = types.map_or(0, |(_, outputs)| outputs.len());
            live.scopes.push(Scope {
                owner,
                body,
                branches: BranchTable::of(body, &order),
                order,
                ops: vec![false; body.op_capacity()],
                values: vec![false; body.value_capacity()],
                calls: name.map(|_| Vec::new()),
                results: vec![false; outputs],
            });
        }
        live.begin();
        while let Some((scope, item)) = live.pending.pop() {
            match item {
                Item::Op(op) => live.spread(scope, op),
                Item::Value(value) => live.spread_value(scope, value),
            }
        }
        live
    }

    /// Marks the roots, and collects the calls of functions with known callers.
    fn begin(&mut self) {
        let effects = EffectsTable::new(self.ctx);
        for scope in 0..self.scopes.len() {
            let body = self.scopes[scope].body;
            for op in self.scopes[scope].order.clone() {
                let view = body.op(op);
                if let Some(callee) = self.callee(view) {
                    self.scopes[callee].calls.get_or_insert_default().push((scope, op));
                }
                if is_live_root(view, effects) {
                    self.mark(scope, op);
                }
            }
            // Arguments that branches produce themselves, and those of targets of unknown branches, are live.
            for at in 0..self.scopes[scope].branches.all().len() {
                let Edge { op, successor, forwarded } = &self.scopes[scope].branches.all()[at];
                let Some(block) = body.op(*op).successors().nth(*successor as usize) else { continue };
                let made = forwarded.as_ref().map_or(usize::MAX, |forwarded| forwarded.produced);
                body.block(block).args().take(made).for_each(|arg| self.mark_value(scope, arg));
            }
        }
    }

    /// The scope of the callee, if it is a function with known callers.
    pub(crate) fn callee(&self, op: OpRef<'_>) -> Option<usize> {
        let symbol = self.calls?.get(op.kind())?.callee(op)?;
        self.by_name.get(&symbol.as_flat_symbol(self.ctx)?).copied()
    }

    /// The operands of a call that become arguments.
    pub(crate) fn call_args(&self, op: OpRef<'_>) -> std::ops::Range<usize> {
        self.calls.and_then(|table| table.get(op.kind())).map_or(0..0, |calls| calls.args(op))
    }

    /// The region control flow of an operation, if values can be removed from it.
    pub(crate) fn flow(&self, op: OpRef<'_>) -> Option<&'m dyn RegionFlow> {
        let fixed =
            |op: OpRef<'_>| op.has_trait(Traits::OPERAND_SEGMENTS) || op.has_trait(Traits::RESULT_SEGMENTS);
        let service = self.flow?.get(op.kind()).filter(|_| !fixed(op) && !op.has_trait(Traits::ISOLATED))?;
        (!exits(op).any(|(_, end)| fixed(end))).then_some(service)
    }

    fn mark(&mut self, scope: usize, op: Op) {
        if !std::mem::replace(&mut self.scopes[scope].ops[op.index()], true) {
            self.pending.push((scope, Item::Op(op)));
        }
    }

    fn mark_value(&mut self, scope: usize, value: Value) {
        if !std::mem::replace(&mut self.scopes[scope].values[value.index()], true) {
            self.pending.push((scope, Item::Value(value)));
        }
    }

    /// Marks everything that is live because an operation is.
    fn spread(&mut self, scope: usize, op: Op) {
        let body = self.scopes[scope].body;
        let view = body.op(op);
        if let Some(parent) = view.parent() {
            self.mark(scope, parent);
        }
        for (_, end) in exits(view) {
            self.mark(scope, end.id());
        }
        if view.has_trait(Traits::TERMINATOR) {
            let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
            let inside = blocks.flat_map(|block| body.block(block).ops());
            let parts = inside.filter(|&op| <dyn Liveness>::is_part_of_terminator(body.op(op)));
            parts.for_each(|op| self.mark(scope, op));
        }
        for user in view.results().flat_map(|result| body.uses(result)).map(|user| user.op) {
            let parts = self.ctx.service::<dyn Liveness>(body.op(user).kind());
            if parts.is_some_and(|service| service.part_of(body.op(user)) == Some(op)) {
                self.mark(scope, user);
            }
        }
        let passed_on = self.passed_on(scope, view);
        for (operand, _) in view.operands().zip(passed_on).filter(|(_, passed)| !passed) {
            self.mark_value(scope, operand);
        }
    }

    /// For each operand: whether it is live only if the value that receives it is.
    fn passed_on(&self, scope: usize, op: OpRef<'m>) -> Vec<bool> {
        let mut passed = vec![false; op.n_operands()];
        if let Some(branches) = self.ctx.service::<dyn Branches>(op.kind()) {
            for forwarded in branches.all_forwarded_operands(op) {
                passed[forwarded.operands].fill(true);
            }
        } else if returns(op) {
            passed.fill(self.scopes[scope].calls.is_some());
        } else if let Some(callee) = self.callee(op) {
            let inputs = args_of(self.scopes[callee].body).len();
            passed[self.call_args(op)].iter_mut().take(inputs).for_each(|passed| *passed = true);
        }
        let around = op.parent().map(|parent| op.body().op(parent));
        let own = self.flow(op).map(|flow| (flow, op, None));
        let outer = around.filter(|_| op.has_trait(Traits::TERMINATOR) && op.n_successors() == 0);
        let outer = outer.and_then(|around| {
            let region = op.body().block(op.block()?).region();
            let number = around.own_regions().position(|own| Some(own) == region)?;
            Some((self.flow(around)?, around, Some((number, op))))
        });
        for (flow, around, end) in own.into_iter().chain(outer) {
            for successor in successors(flow, around, end) {
                passed[successor.operands].fill(true);
            }
        }
        passed
    }

    /// Marks everything that is live because a value is.
    fn spread_value(&mut self, scope: usize, value: Value) {
        let body = self.scopes[scope].body;
        let (block, number) = match body.def(value) {
            Def::Result(op, number) => {
                self.mark(scope, op);
                let view = body.op(op);
                if let Some(callee) = self.callee(view) {
                    return self.need_result(callee, number);
                }
                return self.need_target(scope, view, RegionTarget::Parent, number);
            }
            Def::Arg(block, number) => (block, number),
        };
        let region = body.block(block).region();
        if region.and_then(|region| body.region(region).entry()) != Some(block) {
            return self.need_passed(scope, block, number);
        }
        if let Some(parent) = body.block(block).parent() {
            self.mark(scope, parent);
            let around = body.op(parent);
            let number_of = around.own_regions().position(|own| Some(own) == region);
            return number_of.into_iter().for_each(|at| {
                self.need_target(scope, around, RegionTarget::Region(at), number);
            });
        }
        for (caller, call) in self.scopes[scope].calls.clone().unwrap_or_default() {
            let view = self.scopes[caller].body.op(call);
            if let Some(at) = self.call_args(view).nth(number) {
                self.mark_value(caller, view.operand(at));
            }
        }
    }

    /// Marks a result of a function with known callers as live.
    fn need_result(&mut self, callee: usize, number: usize) {
        match self.scopes[callee].results.get_mut(number) {
            Some(needed) if !*needed => *needed = true,
            _ => return,
        }
        let body = self.scopes[callee].body;
        let ends = body.region(body.root(0)).blocks().filter_map(|block| body.block(block).last());
        for end in ends.map(|end| body.op(end)).filter(|&end| returns(end)) {
            end.operands().nth(number).into_iter().for_each(|value| self.mark_value(callee, value));
        }
    }

    /// Marks an argument of a block that is not an entry block as live.
    fn need_passed(&mut self, scope: usize, block: Block, number: usize) {
        let body = self.scopes[scope].body;
        if let Some(parent) = body.block(block).parent() {
            self.mark(scope, parent);
        }
        for at in 0..self.scopes[scope].branches.to(block).len() {
            let Edge { op, forwarded, .. } = &self.scopes[scope].branches.to(block)[at];
            let operand = forwarded.as_ref().and_then(|forwarded| forwarded.operand(number));
            let operand = operand.map(|at| body.op(*op).operand(at));
            operand.into_iter().for_each(|value| self.mark_value(scope, value));
        }
    }

    /// Marks a result or region argument as live, with its sources and the other inputs that they are forwarded to.
    fn need_target(&mut self, scope: usize, op: OpRef<'m>, next: RegionTarget, number: usize) {
        let Some(flow) = self.flow(op) else { return };
        let sources = std::iter::once(None).chain(exits(op).map(Some));
        for end in sources {
            let successors = successors(flow, op, end);
            let view = end.map_or(op, |(_, end)| end);
            let ours = successors
                .iter()
                .filter(|successor| successor.target == next)
                .filter_map(|successor| successor.operand(number));
            for operand in ours {
                self.mark_value(scope, view.operand(operand));
                for successor in successors.iter().filter(|successor| successor.operands.contains(&operand)) {
                    let at = successor.first_input + operand - successor.operands.start;
                    successor.inputs(op).get(at).into_iter().for_each(|&other| self.mark_value(scope, other));
                }
            }
        }
    }
}

/// The arguments of a function.
fn args_of(body: &Body) -> Vec<Value> {
    let entry = body.region(body.root(0)).entry();
    entry.map_or_else(Vec::new, |entry| body.block(entry).args().collect())
}

/// Whether the type of a function can be changed: no other attribute depends on its arguments.
fn can_change(op: OpRef<'_>) -> bool {
    let ctx = op.context();
    let typed = op.attr(ctx.names().function_type).and_then(|attr| attr.as_type(ctx));
    typed.is_some() && op.attr_named("sip").is_none() && op.attr_named("f").is_none()
}
