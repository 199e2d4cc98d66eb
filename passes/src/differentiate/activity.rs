//! Activity: the values that depend on given ones through values with a tangent space.

use super::Engine;
use minoan_ir::{Body, OpRef, Traits, Value};
use minoan_services::{Branches, RegionExecution, RegionSuccessors};
use rustc_hash::FxHashSet;

impl Engine<'_> {
    /// The values that depend on `seeds`. Takes time linear in the number of their uses.
    pub(super) fn active_values(&self, body: &Body, seeds: &[Value]) -> FxHashSet<Value> {
        let mut active: FxHashSet<Value> = FxHashSet::default();
        let mut pending: Vec<Value> = Vec::new();
        let mut mark = |value: Value, pending: &mut Vec<Value>| {
            if self.is_active_type(body.ty(value)) && active.insert(value) {
                pending.push(value);
            }
        };
        seeds.iter().for_each(|&seed| mark(seed, &mut pending));
        while let Some(value) = pending.pop() {
            for user in body.uses(value) {
                let op = body.op(user.op);
                for reached in self.reached(body, op, user.index) {
                    mark(reached, &mut pending);
                }
            }
        }
        active
    }

    /// The values that an operand flows to directly.
    pub(super) fn reached(&self, body: &Body, op: OpRef<'_>, operand: usize) -> Vec<Value> {
        if op.n_successors() > 0 {
            return branched(body, op, operand);
        }
        if op.has_trait(Traits::TERMINATOR) {
            let Some(parent) = op.parent().map(|parent| body.op(parent)) else { return Vec::new() };
            let block = op.block().and_then(|block| body.block(block).region());
            let region = parent.own_regions().position(|region| Some(region) == block).unwrap_or(0);
            return match self.sequential(parent) {
                Some(flow) => {
                    let unknown = vec![None; op.n_operands()];
                    let next = flow.terminator_successors(parent, region, op, &unknown);
                    forwarded(parent, &next, operand)
                }
                None => parent.results().collect(),
            };
        }
        if op.n_regions() == 0 {
            return op.results().collect();
        }
        match self.sequential(op) {
            Some(flow) => {
                let next = flow.entry_successors(op, &vec![None; op.n_operands()]);
                forwarded(op, &next, operand)
            }
            None => {
                let entries = op.own_regions().filter_map(|region| body.region(region).entry());
                op.results().chain(entries.flat_map(|entry| body.block(entry).args())).collect()
            }
        }
    }

    /// The control flow of an operation whose regions are executed one after another.
    pub(super) fn sequential(&self, op: OpRef<'_>) -> Option<&dyn minoan_services::RegionFlow> {
        let flow = self.flow?.get(op.kind())?;
        (flow.execution(op) != RegionExecution::Parallel).then_some(flow)
    }
}

/// The block arguments that a branch passes an operand to; all of them if that is unknown.
fn branched(body: &Body, op: OpRef<'_>, operand: usize) -> Vec<Value> {
    let service = body.context().service::<dyn Branches>(op.kind());
    let mut reached = Vec::new();
    let all = service.map_or_else(Vec::new, |service| service.all_forwarded_operands(op));
    for (successor, block) in op.successors().enumerate() {
        let mut args = body.block(block).args();
        match all.get(successor) {
            None => reached.extend(args),
            Some(forwarded) if forwarded.operands.contains(&operand) => {
                reached.extend(args.nth(forwarded.produced + operand - forwarded.operands.start));
            }
            Some(_) => {}
        }
    }
    reached
}

/// The inputs of region successors that receive an operand.
fn forwarded(op: OpRef<'_>, successors: &RegionSuccessors, operand: usize) -> Vec<Value> {
    let receives = |successor: &minoan_services::RegionSuccessor| {
        let inputs = successor.inputs(op);
        let at = (0..inputs.len()).find(|&input| successor.operand(input) == Some(operand))?;
        Some(inputs[at])
    };
    successors.iter().filter_map(receives).collect()
}
