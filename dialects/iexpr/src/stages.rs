//! Stages: expressions computed inside the loops of their consumer, and their legality.

use crate::ops::ExprOp;
use crate::plan::{PartId, Plan};
use crate::program::Program;
use minoan_ir::{Body, Op, Value};
use rustc_hash::FxHashMap;

/// Upper bound on the expressions computed inside the loops of one, including copies.
pub const MAX_COPIES: usize = 1000;

/// The maximum depth of loops nested by staging.
pub const MAX_LOOP_DEPTH: usize = 200;

/// An illegal stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageProblem {
    /// The expression whose schedule requests it.
    pub op: Op,
    /// The index of the schedule's step.
    pub step: usize,
    /// The reason.
    pub message: String,
}

/// The illegal stages of a body; expressions that violate other rules are skipped.
pub fn check_stages(body: &Body) -> Vec<StageProblem> {
    Stages::of(body).1
}

/// The expressions of a body in order, and their stages.
#[derive(Default)]
pub(crate) struct Stages {
    pub(crate) order: Vec<Op>,
    pub(crate) plans: FxHashMap<Op, Plan>,
    /// For each expression and input, the producer computed inside its loops.
    pub(crate) producers: FxHashMap<Op, Vec<Option<Op>>>,
    /// For an expression and a staged input, the parts of reduced axes of the producer that are fused with loops of the
    /// expression: partial results are read.
    pub(crate) online: FxHashMap<(Op, usize), Vec<(PartId, PartId)>>,
}

impl Stages {
    pub(crate) fn of(body: &Body) -> (Stages, Vec<StageProblem>) {
        let mut stages = Stages::default();
        for op in body.walk() {
            if body.op(op).is::<ExprOp>()
                && let Ok((expr, places)) = ExprOp::expr(body.op(op))
                && crate::check(&expr, &places).is_empty()
            {
                stages.order.push(op);
                stages.plans.insert(op, Plan::of(&expr));
            }
        }
        let mut checker = Checker { body, classes: None, costs: FxHashMap::default(), problems: Vec::new() };
        for op in stages.order.clone() {
            let producers = checker.producers(&mut stages, op);
            stages.producers.insert(op, producers);
        }
        let mut problems = checker.problems;
        if problems.is_empty() && !stages.online.is_empty() {
            let roots = stages.order.iter().filter(|&&op| stages.is_root(body, op));
            problems.extend(roots.filter_map(|&op| Program::of(&stages, op).err()));
        }
        (stages, problems)
    }

    /// Whether an expression is computed on its own, and not only inside the loops of others.
    pub(crate) fn is_root(&self, body: &Body, op: Op) -> bool {
        let result = body.op(op).result(0);
        let is_staged = |(user, index): (Op, usize)| self.producer(user, index) == Some(op);
        let mut uses = body.uses(result).map(|used| (used.op, used.index)).peekable();
        uses.peek().is_none() || uses.any(|used| !is_staged(used))
    }

    /// The producer of an input that is computed inside the expression's loops.
    pub(crate) fn producer(&self, op: Op, input: usize) -> Option<Op> {
        self.producers.get(&op)?.get(input).copied().flatten()
    }
}

/// The fused loops of a producer, as pairs (the producer's, the consumer's) in the producer's order.
pub(crate) fn fused(producer: &Plan, consumer: &Plan, input: usize) -> Vec<(PartId, PartId)> {
    let around = consumer.loops_around(input);
    let partner = |part: &PartId| {
        let axis = *consumer.inputs[input].get(part.axis)?;
        (part.axis < producer.rank()).then_some(PartId { axis, part: part.part })
    };
    let pairs = producer.loops.iter().filter_map(|part| Some((*part, partner(part)?)));
    pairs.filter(|(_, theirs)| around.contains(theirs)).collect()
}

struct Checker<'a> {
    body: &'a Body,
    classes: Option<Classes>,
    /// The cost of each expression; `None` for one with an illegal stage, which has been reported.
    costs: FxHashMap<Op, Option<Cost>>,
    problems: Vec<StageProblem>,
}

/// The cost of computing an expression inside the loops of another.
#[derive(Clone, Copy)]
struct Cost {
    /// The number of expressions, including itself.
    copies: usize,
    /// The maximum loop depth without fusion.
    depth: usize,
}

impl Checker<'_> {
    fn producers(&mut self, stages: &mut Stages, op: Op) -> Vec<Option<Op>> {
        let plan = &stages.plans[&op].clone();
        let mut producers = vec![None; plan.inputs.len()];
        let mut cost = Some(Cost { copies: 1, depth: plan.loops.len() });
        for (input, site) in plan.sites.iter().enumerate() {
            let &Some(site) = site else { continue };
            match self.producer(stages, op, input) {
                Ok(Some((producer, inner))) => {
                    producers[input] = Some(producer);
                    if let Some(cost) = &mut cost {
                        cost.copies = cost.copies.saturating_add(inner.copies);
                        cost.depth = cost.depth.max(site + inner.depth);
                    }
                }
                Ok(None) => cost = None,
                Err(message) => {
                    self.report(plan, op, input, message);
                    cost = None;
                }
            }
        }
        if let Some(message) = cost.and_then(|cost| too_much(stages, op, &producers, cost)) {
            let first = producers.iter().position(Option::is_some).unwrap_or(0);
            self.report(plan, op, first, message);
            cost = None;
        }
        self.costs.insert(op, cost);
        producers
    }

    fn report(&mut self, plan: &Plan, op: Op, input: usize, message: String) {
        self.problems.push(StageProblem { op, step: plan.step_of_stage(input), message });
    }

    /// The producer of a staged input and its cost; `None` if an error has been reported there.
    fn producer(&mut self, stages: &mut Stages, op: Op, input: usize) -> Result<Option<(Op, Cost)>, String> {
        let consumer = &stages.plans[&op];
        let operands: Vec<Value> = self.body.op(op).operands().collect();
        let defined = operands.get(input).and_then(|&value| self.body.defining_op(value));
        let Some((producer, plan)) = defined.and_then(|it| Some((it, stages.plans.get(&it)?))) else {
            return Err(format!(
                "graph input with a compute site: input {input} is not computed by an expression"
            ));
        };
        let Some(&cost) = self.costs.get(&producer) else {
            return Err(format!("the producer of input {input} cannot be computed here"));
        };
        let Some(cost) = cost else { return Ok(None) };
        aligned(plan, consumer, input)?;
        let online = self.online_parts(stages, producer, op, input)?;
        if !online.is_empty() {
            stages.online.insert((op, input), online);
        }
        Ok(Some((producer, cost)))
    }

    /// The parts of reduced axes that are fused with an enclosing loop over the same axis, as pairs (the producer's, the
    /// consumer's).
    fn online_parts(
        &mut self,
        stages: &Stages,
        producer: Op,
        consumer: Op,
        input: usize,
    ) -> Result<Vec<(PartId, PartId)>, String> {
        let (from, to) = (&stages.plans[&producer], &stages.plans[&consumer]);
        let mut pairs = Vec::new();
        for axis in from.rank()..from.axes.len() {
            if to.inputs[input].contains(&axis) {
                continue;
            }
            let around: Vec<PartId> =
                to.loops_around(input).iter().copied().filter(|part| part.axis == axis).collect();
            if around.is_empty() {
                continue;
            }
            let classes = self.classes.get_or_insert_with(|| Classes::of(self.body, stages));
            if !classes.same(Place::Axis(producer, axis), Place::Axis(consumer, axis)) {
                continue;
            }
            if from.factors[axis] != to.factors[axis] {
                return Err(format!(
                    "producer index `{}` of `{}` is split by {:?} but consumer index `{}` is split by {:?}",
                    from.axes[axis],
                    from.expr.semantics(),
                    from.factors[axis],
                    to.axes[axis],
                    to.factors[axis]
                ));
            }
            pairs.extend(around.into_iter().map(|part| (part, part)));
        }
        Ok(pairs)
    }
}

fn too_much(stages: &Stages, op: Op, producers: &[Option<Op>], cost: Cost) -> Option<String> {
    if cost.copies > MAX_COPIES {
        return Some(format!("staging computes more than {MAX_COPIES} expressions in one nest of loops"));
    }
    // Without considering fusion, the depth may be overestimated.
    let looks_deep = producers.iter().any(Option::is_some) && cost.depth > MAX_LOOP_DEPTH;
    (looks_deep && depth(stages, op, producers, &[]) > MAX_LOOP_DEPTH)
        .then(|| format!("staging nests more than {MAX_LOOP_DEPTH} loops"))
}

/// The loop depth of an expression of whose parts `fixed` are enclosing loops.
fn depth(stages: &Stages, op: Op, producers: &[Option<Op>], fixed: &[PartId]) -> usize {
    minoan_ir::with_stack(|| {
        let plan = &stages.plans[&op];
        let own = |loops: &[PartId]| loops.iter().filter(|part| !fixed.contains(part)).count();
        let mut deepest = own(&plan.loops);
        for (input, producer) in producers.iter().enumerate() {
            let Some(producer) = *producer else { continue };
            let parts = fused(&stages.plans[&producer], plan, input);
            let parts: Vec<PartId> = parts.into_iter().map(|(part, _)| part).collect();
            let inner = depth(stages, producer, &stages.producers[&producer], &parts);
            deepest = deepest.max(own(plan.loops_around(input)) + inner);
        }
        deepest
    })
}

fn parts(count: usize) -> String {
    if count == 1 { "1 part".to_owned() } else { format!("{count} parts") }
}

/// Verifies fusion: axes with shared loops must have equal splits and the same order.
fn aligned(producer: &Plan, consumer: &Plan, input: usize) -> Result<(), String> {
    let around = consumer.loops_around(input);
    for (axis, &theirs) in consumer.inputs[input].iter().enumerate().take(producer.rank()) {
        if !around.iter().any(|part| part.axis == theirs) {
            continue;
        }
        let (name, other) = (producer.axes[axis], consumer.axes[theirs]);
        let of = producer.expr.semantics();
        let (have, want) = (producer.parts(axis), consumer.parts(theirs));
        if have != want {
            return Err(format!(
                "producer index `{name}` of `{of}` has {} but consumer index `{other}` has {}",
                parts(have),
                parts(want)
            ));
        }
        if producer.factors[axis] != consumer.factors[theirs] {
            return Err(format!(
                "producer index `{name}` of `{of}` is split by {:?} but consumer index `{other}` is split by {:?}",
                producer.factors[axis], consumer.factors[theirs]
            ));
        }
    }
    let pairs = fused(producer, consumer, input);
    let position = |theirs: &PartId| around.iter().position(|part| part == theirs);
    let order: Vec<Option<usize>> = pairs.iter().map(|(_, theirs)| position(theirs)).collect();
    if order.is_sorted() {
        return Ok(());
    }
    let mut expected = pairs.clone();
    expected.sort_by_key(|(_, theirs)| position(theirs));
    let show = |pairs: &[(PartId, PartId)]| {
        let names: Vec<String> = pairs.iter().map(|&(_, theirs)| consumer.part_name(theirs)).collect();
        names.join(", ")
    };
    Err(format!("producer axes align with consumer axes [{}], expected [{}]", show(&pairs), show(&expected)))
}

/// A dimension of a value, or an axis of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Dimension(Value, usize),
    Axis(Op, usize),
}

/// Equivalence classes of the dimensions and axes of a body's expressions.
#[derive(Default)]
struct Classes {
    numbers: FxHashMap<Place, usize>,
    parents: Vec<usize>,
}

impl Classes {
    fn of(body: &Body, stages: &Stages) -> Classes {
        let mut classes = Classes::default();
        for &op in &stages.order {
            let (plan, view) = (&stages.plans[&op], body.op(op));
            for (axes, value) in plan.inputs.iter().zip(view.operands()) {
                for (dimension, &axis) in axes.iter().enumerate() {
                    classes.join(Place::Axis(op, axis), Place::Dimension(value, dimension));
                }
            }
            for axis in 0..plan.rank() {
                classes.join(Place::Axis(op, axis), Place::Dimension(view.result(0), axis));
            }
        }
        classes
    }

    fn root(&mut self, place: Place) -> usize {
        let new = self.parents.len();
        let mut at = *self.numbers.entry(place).or_insert(new);
        if at == new {
            self.parents.push(new);
        }
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, left: Place, right: Place) {
        let (left, right) = (self.root(left), self.root(right));
        self.parents[left] = right;
    }

    fn same(&mut self, left: Place, right: Place) -> bool {
        self.root(left) == self.root(right)
    }
}
