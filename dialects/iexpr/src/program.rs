//! Programs: an expression with its stages as a graph, the loops that each of them shares, and the corrections of
//! reductions that are read before they are complete.
//!
//! The parts of a stage that are fused with a loop of its consumer are *fixed* by that loop, which may be fixed by a loop of
//! the next consumer in turn. A stage is computed, at its *host*, in the innermost loop that its site names. Equal stages with
//! the same fixed parts at the same host are one node.
//!
//! A reduction is *online* if a part of a reduced axis is fixed: its consumers read a reference value before the result is known.
//! The accumulators that were computed from it are corrected by the change, which is carried along the expressions between
//! them:
//!
//! * a sum or product changes by a factor, a maximum or minimum by a summand;
//! * a summand becomes a factor in the exponential function, and is negated on the right of a difference;
//! * a factor is inverted on the right of a quotient;
//! * sums distribute over factors, maxima and minima over summands.
//!
//! The reference value of a sum or product is 1, and there is one correction, by the result. The reference value of a maximum or
//! minimum is the last finite partial result, and there is a correction whenever it changes, so that the exponential function
//! does not overflow.

use crate::operator::Operator;
use crate::plan::{PartId, Plan};
use crate::stages::{StageProblem, Stages, fused};
use minoan_ir::Op;
use rustc_hash::{FxHashMap, FxHashSet};

/// A loop: the node that it belongs to, and the part.
pub(crate) type LoopId = (usize, PartId);

/// Upper bound on the paths from a partial result to the accumulators that depend on it.
const MAX_PATHS: usize = 1000;

/// An expression in a program.
pub(crate) struct Node {
    pub(crate) op: Op,
    /// For each input, the node of its stage.
    pub(crate) inputs: Vec<Option<usize>>,
    /// The loop that fixes a part.
    pub(crate) fixed: FxHashMap<PartId, LoopId>,
    /// The node and the depth of its own loops at which this one is computed; those of the root are meaningless.
    host: (usize, usize),
    /// The number of hosts around it.
    level: usize,
    /// The first consumer, and the number of its input.
    edge: (Op, usize),
}

/// The change of a partial result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// A summand.
    Plus,
    /// A factor.
    Times,
}

/// The effect of an expression on a correction that passes through it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Carry {
    /// The value is not changed.
    Same,
    /// The negated summand.
    Negated,
    /// The inverse factor.
    Inverse,
    /// The exponential function of a summand is a factor.
    Exp,
}

/// A reduction that is read before it is complete.
#[derive(Clone, Debug)]
pub(crate) struct Online {
    /// The change of its reference value.
    pub(crate) change: Change,
    pub(crate) corrections: Vec<Correction>,
}

/// The correction of an accumulator after a reference value has changed.
#[derive(Clone, Debug)]
pub(crate) struct Correction {
    /// The node of the reduction that is corrected.
    pub(crate) accumulator: usize,
    /// The axis of the accumulator for each dimension of the online reduction.
    pub(crate) axes: Vec<usize>,
    /// The effects of the expressions between the two, from the first to the last.
    pub(crate) carries: Vec<Carry>,
    /// The change of the accumulator.
    pub(crate) last: Change,
}

/// An expression with its stages; node 0 is the root.
#[derive(Default)]
pub(crate) struct Program {
    pub(crate) nodes: Vec<Node>,
    /// The nodes that are computed at a depth of the own loops of a node, in order.
    pub(crate) hosted: FxHashMap<(usize, usize), Vec<usize>>,
    /// The online reductions whose outermost reduction loop this is; each before those whose accumulators it corrects.
    pub(crate) begins: FxHashMap<LoopId, Vec<usize>>,
    pub(crate) online: FxHashMap<usize, Online>,
}

impl Program {
    /// The program of an expression.
    ///
    /// # Errors
    /// A reduction that is read before it is complete, in a way that cannot be corrected.
    pub(crate) fn of(stages: &Stages, root: Op) -> Result<Program, StageProblem> {
        let mut program = Program::default();
        let mut builder = Graph { stages, program: &mut program, known: FxHashMap::default() };
        builder.node(root, Vec::new(), (0, 0), (root, 0));
        for node in 0..program.nodes.len() {
            if program.online_loops(stages, node).is_empty() {
                continue;
            }
            let found = program.outermost(stages, node).and_then(|begin| {
                program.begins.entry(begin).or_default().push(node);
                program.find_corrections(stages, node, begin)
            });
            let online = found.map_err(|message| {
                let (op, input) = program.nodes[node].edge;
                let plan = &stages.plans[&program.nodes[node].op];
                let semantics = plan.expr.semantics();
                let message =
                    format!("stage {input} is read before `{semantics}` is complete, and {message}");
                StageProblem { op, step: stages.plans[&op].step_of_stage(input), message }
            })?;
            program.online.insert(node, online);
        }
        let Program { begins, online, .. } = &mut program;
        begins.values_mut().for_each(|nodes| *nodes = before_their_accumulators(nodes, online));
        Ok(program)
    }

    /// Whether the accumulator of a node is kept across loops: it is read before it is complete, or corrected.
    pub(crate) fn is_kept(&self, node: usize) -> bool {
        let mut corrections = self.online.values().flat_map(|online| &online.corrections);
        self.online.contains_key(&node) || corrections.any(|correction| correction.accumulator == node)
    }

    /// The loop over a part of a node.
    pub(crate) fn loop_of(&self, node: usize, part: PartId) -> LoopId {
        self.nodes[node].fixed.get(&part).copied().unwrap_or((node, part))
    }

    /// The own loops of a node, outermost first.
    fn own_loops(&self, stages: &Stages, node: usize) -> impl Iterator<Item = PartId> {
        let plan = &stages.plans[&self.nodes[node].op];
        plan.loops.iter().copied().filter(move |part| !self.nodes[node].fixed.contains_key(part))
    }

    /// The position of a loop: loops inside of it have greater ones.
    fn position(&self, stages: &Stages, (node, part): LoopId) -> (usize, usize) {
        let index = self.own_loops(stages, node).position(|other| other == part).unwrap_or(0);
        (self.nodes[node].level, index)
    }

    /// The loops that fix reduced axes.
    fn online_loops(&self, stages: &Stages, node: usize) -> Vec<LoopId> {
        let plan = &stages.plans[&self.nodes[node].op];
        let fixed = self.nodes[node].fixed.iter();
        fixed.filter(|(part, _)| plan.is_reduced(part.axis)).map(|(_, &around)| around).collect()
    }

    /// The outermost reduction loop of an online reduction.
    fn outermost(&self, stages: &Stages, node: usize) -> Result<LoopId, String> {
        let loops = self.online_loops(stages, node);
        let begin = loops.into_iter().min_by_key(|&around| self.position(stages, around));
        let begin = begin.ok_or("it has no loop")?;
        // Each element is accumulated once in each iteration of the loops of this node.
        let own: FxHashSet<LoopId> = self.nodes[node].fixed.values().copied().collect();
        let first = self.position(stages, begin);
        let mut at = self.nodes[node].host;
        loop {
            let (host, depth) = at;
            for part in self.own_loops(stages, host).take(depth) {
                let around = (host, part);
                if self.position(stages, around) >= first && !own.contains(&around) {
                    let plan = &stages.plans[&self.nodes[host].op];
                    return Err(format!("would be accumulated again in the loop `{}`", plan.part_name(part)));
                }
            }
            if host == 0 {
                return Ok(begin);
            }
            at = self.nodes[host].host;
        }
    }

    /// The accumulators that depend on the partial results of a node, along all paths.
    fn find_corrections(&self, stages: &Stages, online: usize, begin: LoopId) -> Result<Online, String> {
        let mut consumers: FxHashMap<usize, Vec<(usize, usize)>> = FxHashMap::default();
        for (number, node) in self.nodes.iter().enumerate() {
            for (input, producer) in node.inputs.iter().enumerate() {
                consumers.entry(producer.unwrap_or(usize::MAX)).or_default().push((number, input));
            }
        }
        let from = &stages.plans[&self.nodes[online].op];
        let first = match from.expr.operator {
            Some(Operator::Add | Operator::Mul) => Change::Times,
            Some(Operator::Max | Operator::Min) => Change::Plus,
            _ => return Err("truth values cannot be corrected".to_owned()),
        };
        let loops = self.online_loops(stages, online);
        let mut corrections = Vec::new();
        let mut pending = vec![(online, (0..from.rank()).collect::<Vec<usize>>(), Vec::new(), first)];
        while let Some((node, axes, carries, change)) = pending.pop() {
            let users = consumers.get(&node).map_or(&[][..], Vec::as_slice);
            if users.is_empty() {
                return Err(
                    "its partial results reach the result without a reduction that could be corrected"
                        .to_owned(),
                );
            }
            for &(user, input) in users {
                let plan = &stages.plans[&self.nodes[user].op];
                let of = plan.expr.semantics();
                let axes: Vec<usize> = axes.iter().map(|&axis| plan.inputs[input][axis]).collect();
                let (carry, change) = carried(plan, input, change)
                    .ok_or_else(|| format!("its partial results cannot be corrected in `{of}`"))?;
                let mut carries: Vec<Carry> = carries.clone();
                carries.extend(Some(carry).filter(|&carry| carry != Carry::Same));
                let same = |(dim, &axis): (usize, &usize)| from.factors[dim] == plan.factors[axis];
                if !axes.iter().enumerate().all(same) {
                    return Err(format!("its axes are split in another way than those of `{of}`"));
                }
                if plan.expr.is_reduction() {
                    if axes.iter().any(|&axis| plan.is_reduced(axis)) || !distributes(plan, change) {
                        return Err(format!("its partial results cannot be corrected in `{of}`"));
                    }
                    let reduced = plan.loops.iter().filter(|part| plan.is_reduced(part.axis));
                    let reduced: FxHashSet<LoopId> = reduced.map(|&part| self.loop_of(user, part)).collect();
                    let shared = loops.iter().filter(|&around| reduced.contains(around)).count();
                    let begin = self.position(stages, begin);
                    if reduced.iter().any(|&around| self.position(stages, around) < begin) {
                        return Err(format!("`{of}` also accumulates in a loop around it"));
                    }
                    if shared == loops.len() {
                        let last = change;
                        corrections.push(Correction { accumulator: user, axes, carries, last });
                        continue;
                    }
                    if shared > 0 {
                        return Err(format!("`{of}` keeps elements of earlier partial results"));
                    }
                }
                if pending.len() + corrections.len() >= MAX_PATHS {
                    return Err(format!("its partial results are used in more than {MAX_PATHS} ways"));
                }
                pending.push((user, axes, carries, change));
            }
        }
        Ok(Online { change: first, corrections })
    }
}

/// Sorts online reductions so that each precedes those whose accumulators it corrects.
fn before_their_accumulators(nodes: &[usize], online: &FxHashMap<usize, Online>) -> Vec<usize> {
    let mut producers: FxHashMap<usize, usize> = nodes.iter().map(|&node| (node, 0)).collect();
    let corrected = |node: usize| online[&node].corrections.iter().map(|correction| correction.accumulator);
    for accumulator in nodes.iter().flat_map(|&node| corrected(node)) {
        producers.entry(accumulator).and_modify(|count| *count += 1);
    }
    let mut sorted: Vec<usize> = nodes.iter().copied().filter(|node| producers[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = sorted.get(next) {
        next += 1;
        for accumulator in corrected(node) {
            let Some(count) = producers.get_mut(&accumulator) else { continue };
            *count -= 1;
            if *count == 0 {
                sorted.push(accumulator);
            }
        }
    }
    sorted
}

/// The effect of an expression on a correction of one of its inputs, and the correction of its result. The input of a reduction
/// is corrected element by element.
fn carried(plan: &Plan, input: usize, change: Change) -> Option<(Carry, Change)> {
    use Change::{Plus, Times};
    let Some(operator) = plan.expr.operator else { return Some((Carry::Same, change)) };
    if plan.expr.is_reduction() {
        return Some((Carry::Same, change));
    }
    match (operator, plan.inputs.len(), input, change) {
        (Operator::Add | Operator::Mul, 1, ..) => Some((Carry::Same, change)),
        (Operator::Sub, 1, _, Times) => Some((Carry::Same, Times)),
        (Operator::Sub, 1, _, Plus) | (Operator::Sub, 2, 1, Plus) => Some((Carry::Negated, Plus)),
        (Operator::Add, 2, _, Plus) | (Operator::Sub, 2, 0, Plus) => Some((Carry::Same, Plus)),
        (Operator::Mul, 2, _, Times) | (Operator::Div, 2, 0, Times) => Some((Carry::Same, Times)),
        (Operator::Div, 1, _, Times) | (Operator::Div, 2, 1, Times) => Some((Carry::Inverse, Times)),
        (Operator::Pow, 1, _, Plus) => Some((Carry::Exp, Times)),
        _ => None,
    }
}

/// Whether a reduction of elements that change alike changes in the same way.
fn distributes(plan: &Plan, change: Change) -> bool {
    match change {
        Change::Plus => matches!(plan.expr.operator, Some(Operator::Max | Operator::Min)),
        Change::Times => plan.expr.operator == Some(Operator::Add),
    }
}

/// A node by its expression, the loops that fix its parts, and its host.
type Key = (Op, Vec<(PartId, LoopId)>, (usize, usize));

struct Graph<'a> {
    stages: &'a Stages,
    program: &'a mut Program,
    known: FxHashMap<Key, usize>,
}

impl Graph<'_> {
    fn node(
        &mut self,
        op: Op,
        mut fixed: Vec<(PartId, LoopId)>,
        host: (usize, usize),
        edge: (Op, usize),
    ) -> usize {
        fixed.sort_unstable();
        let key = (op, fixed.clone(), host);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let number = self.program.nodes.len();
        let plan = &self.stages.plans[&op];
        let level = self.program.nodes.get(host.0).map_or(0, |host| host.level + 1);
        let inputs = vec![None; plan.inputs.len()];
        let fixed = fixed.into_iter().collect();
        self.program.nodes.push(Node { op, inputs, fixed, host, level, edge });
        for input in 0..plan.inputs.len() {
            let Some(producer) = self.stages.producer(op, input) else { continue };
            let mut parts = fused(&self.stages.plans[&producer], plan, input);
            parts.extend(self.stages.online.get(&(op, input)).into_iter().flatten());
            let program = &*self.program;
            let parts = parts.into_iter().map(|(own, theirs)| (own, program.loop_of(number, theirs)));
            let parts: Vec<(PartId, LoopId)> = parts.collect();
            let around = plan.loops_around(input);
            let own = around.iter().filter(|part| !program.nodes[number].fixed.contains_key(part)).count();
            let host = if own > 0 {
                (number, own)
            } else {
                let loops = around.iter().map(|&part| program.loop_of(number, part));
                let deepest = loops.max_by_key(|&around| program.position(self.stages, around));
                deepest.map_or((0, 0), |around| (around.0, program.position(self.stages, around).1 + 1))
            };
            let staged = minoan_ir::with_stack(|| self.node(producer, parts, host, (op, input)));
            self.program.nodes[number].inputs[input] = Some(staged);
        }
        if number > 0 {
            self.program.hosted.entry(host).or_default().push(number);
        }
        self.known.insert(key, number);
        number
    }
}
