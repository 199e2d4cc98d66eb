//! Matching of patterns.

use super::{Rule, effects};
use minoan_ir::{Block, Body, Op, OpRef, Value};
use minoan_services::EffectSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// The bindings of a successful match.
#[derive(Default)]
pub(super) struct Found {
    /// The value of each variable, and of the arguments of regions.
    pub values: FxHashMap<Value, Value>,
    /// The matched operations outside of regions, users before operands.
    pub ops: Vec<Op>,
}

/// The variables that a pattern contains.
pub(super) fn matched_variables(body: &Body, root: Op) -> FxHashSet<Value> {
    let (mut seen, mut variables) = (FxHashSet::default(), FxHashSet::default());
    let mut pending = vec![root];
    while let Some(op) = pending.pop() {
        if !seen.insert(op) {
            continue;
        }
        let view = body.op(op);
        for value in view.operands() {
            match body.defining_op(value) {
                Some(op) => pending.push(op),
                None => _ = variables.insert(value),
            }
        }
        let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.filter_map(|block| body.block(block).last()));
    }
    variables
}

/// The match of a rule at an operation.
pub(super) fn find(rule: &Rule, body: &Body, op: Op) -> Option<Found> {
    let mut matching = Matching { rule, body, found: Found::default(), regions: 0 };
    matching.op(rule.root, op)?;
    let found = matching.found;
    // Values that the replacement uses must be available at the operation.
    let around: FxHashSet<Block> = {
        let view = body.op(op);
        view.block().into_iter().chain(view.ancestors().filter_map(|op| body.op(op.id()).block())).collect()
    };
    let usable = rule.params[0].iter().zip(&rule.params[1]).all(|(from, &to)| {
        rule.body.uses(to).next().is_none()
            || found
                .values
                .get(from)
                .is_some_and(|&value| body.block_of(value).is_none_or(|block| around.contains(&block)))
    });
    usable.then_some(found)
}

struct Matching<'m> {
    rule: &'m Rule,
    body: &'m Body,
    found: Found,
    /// The number of regions around the current operation, inside of the root.
    regions: u32,
}

impl Matching<'_> {
    fn value(&mut self, pattern: Value, value: Value) -> Option<()> {
        if let Some(&known) = self.found.values.get(&pattern) {
            return equal(self.body, known, value).then_some(());
        }
        match self.rule.body.defining_op(pattern) {
            None => {
                let is_variable = self.rule.params[0].contains(&pattern);
                if !is_variable || self.rule.body.ty(pattern) != self.body.ty(value) {
                    return None;
                }
                self.found.values.insert(pattern, value);
                Some(())
            }
            Some(op) => {
                let target = self.body.defining_op(value)?;
                let index = |body: &Body, op: Op, value: Value| {
                    body.op(op).results().position(|result| result == value)
                };
                if index(&self.rule.body, op, pattern) != index(self.body, target, value) {
                    return None;
                }
                self.op(op, target)?;
                self.found.values.insert(pattern, value);
                Some(())
            }
        }
    }

    fn op(&mut self, pattern: Op, op: Op) -> Option<()> {
        let (from, to) = (self.rule.body.op(pattern), self.body.op(op));
        if !similar(from, to) {
            return None;
        }
        if self.regions == 0 {
            self.found.ops.push(op);
        }
        for (pattern, value) in from.operands().zip(to.operands()) {
            self.value(pattern, value)?;
        }
        let regions: Vec<_> = from.own_regions().zip(to.own_regions()).collect();
        for (pattern, region) in regions {
            let single = |body: &Body, region| {
                let mut blocks = body.region(region).blocks();
                blocks.next().filter(|_| blocks.next().is_none())
            };
            self.block(single(&self.rule.body, pattern)?, single(self.body, region)?)?;
        }
        Some(())
    }

    fn block(&mut self, pattern: Block, block: Block) -> Option<()> {
        let (from, to) = (self.rule.body.block(pattern), self.body.block(block));
        let types =
            |body: &Body, block: Block| body.block(block).args().map(|arg| body.ty(arg)).collect::<Vec<_>>();
        if types(&self.rule.body, pattern) != types(self.body, block) {
            return None;
        }
        self.found.values.extend(from.args().zip(to.args()));
        let (last, yielded) = (from.last()?, to.last()?);
        // Operations other than the terminator would be lost.
        let effects = effects(self.body);
        if to.ops().any(|op| effects.all(self.body.op(op)) != EffectSet::NONE) {
            return None;
        }
        let (from, to) = (self.rule.body.op(last), self.body.op(yielded));
        if !similar(from, to) {
            return None;
        }
        self.regions += 1;
        for (pattern, value) in from.operands().zip(to.operands()) {
            self.value(pattern, value)?;
        }
        self.regions -= 1;
        Some(())
    }
}

/// Whether two operations are equal apart from operands and contents of regions.
fn similar(a: OpRef<'_>, b: OpRef<'_>) -> bool {
    a.kind() == b.kind()
        && a.props() == b.props()
        && a.n_operands() == b.n_operands()
        && a.n_regions() == b.n_regions()
        && a.result_types().eq(b.result_types())
}

/// Whether two values are the same, or results of equal operations without effects and regions on equal values.
fn equal(body: &Body, a: Value, b: Value) -> bool {
    const MAX_COMPARED: usize = 1000;
    let (mut pending, mut seen, effects) = (vec![(a, b)], FxHashSet::default(), effects(body));
    while let Some((a, b)) = pending.pop() {
        if a == b || !seen.insert((a, b)) {
            continue;
        }
        let (Some(one), Some(other)) = (body.defining_op(a), body.defining_op(b)) else { return false };
        let (one, other) = (body.op(one), body.op(other));
        let index = |op: OpRef<'_>, value: Value| op.results().position(|result| result == value);
        let same = similar(one, other) && one.n_regions() == 0 && effects.own(one) == EffectSet::NONE;
        if !same || index(one, a) != index(other, b) || seen.len() > MAX_COMPARED {
            return false;
        }
        pending.extend(one.operands().zip(other.operands()));
    }
    true
}
