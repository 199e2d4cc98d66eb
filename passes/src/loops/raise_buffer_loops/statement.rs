//! The computation of a store by steps over iteration domains.

use super::conflicts::Pair;
use super::nest::{Element, Fold, Nest, Place, Store};
use minoan_ir::{Body, Op, Value};
use minoan_services::{LoopLike, Order};
use rustc_hash::FxHashSet;

/// The elements that a step reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Of a buffer.
    Place(Place),
    /// Of a temporary tensor, at the indices of its loops.
    Temporary(usize),
}

/// A read of a step, with the values of the nest that it provides.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub source: Source,
    pub values: Vec<Value>,
}

/// An output of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    /// The temporary tensor that is updated; `None` for the elements that are stored to.
    pub temporary: Option<usize>,
    /// The new element.
    pub value: Value,
}

/// A computation over the iterations of loops.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub dims: Vec<usize>,
    /// The number of loops whose iterations are independent; the others combine in order.
    pub parallel: usize,
    pub reads: Vec<Read>,
    /// The operations that compute a point, in order.
    pub ops: Vec<Op>,
    /// Values of the nest that are the element of an output before the iteration.
    pub current: Vec<(Value, usize)>,
    pub outputs: Vec<Output>,
}

/// A tensor of the scalars that loops carry in each iteration around them.
#[derive(Clone, Debug)]
pub(super) struct Temporary {
    pub dims: Vec<usize>,
    /// The initial element, if it is the same in all iterations; otherwise a step computes it.
    pub splat: Option<Value>,
    /// A value of the element's type.
    pub like: Value,
}

/// A store in all iterations of the nest.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub place: Place,
    /// The loops of the indices that vary, in the order of the indices.
    pub dims: Vec<usize>,
    pub temporaries: Vec<Temporary>,
    pub steps: Vec<Step>,
    /// All accesses.
    pub elements: Vec<Element>,
}

/// The values that a computation depends on.
struct Scalars {
    ops: Vec<Op>,
    loads: Vec<Element>,
    folds: Vec<Fold>,
}

impl Nest<'_, '_> {
    /// The steps of a store; `None` if its iterations depend on each other, other than by combining elements in order, or if they
    /// cannot be expressed over a domain. Adds pairs of buffers that must share no memory.
    pub(super) fn statement(&self, body: &Body, store: &Store, pairs: &mut Vec<Pair>) -> Option<Statement> {
        let place = &store.element.place;
        let dims = self.dims_of_element(place)?;
        let rest: Vec<usize> = store.element.dims.iter().filter(|dim| !dims.contains(dim)).copied().collect();
        let scalars = self.scalars(body, &[store.value], &[])?;
        let is_own = |load: &Element| load.place == *place;
        if !rest.is_empty() {
            // An element that is not combined with the one before it is overwritten by the last iteration.
            let mut own = scalars.loads.iter().filter(|load| is_own(load)).peekable();
            own.peek()?;
            if !own.all(|load| load.block == store.element.block) || !scalars.folds.is_empty() {
                return None;
            }
        }
        if dims.is_empty() && (rest.is_empty() || !self.may_reorder(body, store.value)) {
            return None;
        }
        let mut statement = Statement {
            place: place.clone(),
            dims: dims.clone(),
            temporaries: Vec::new(),
            steps: Vec::new(),
            elements: vec![store.element.clone()],
        };
        let is_direct = |fold: &Fold| {
            let result = body.op(fold.op).results().next();
            fold.next.len() == 1
                && result == Some(store.value)
                && fold.around.len() == dims.len()
                && fold.around.iter().all(|dim| dims.contains(dim))
        };
        if let [fold] = &scalars.folds[..]
            && scalars.ops.is_empty()
            && scalars.loads.is_empty()
            && is_direct(fold)
        {
            self.fold_steps(body, &mut statement, fold, true)?;
        } else {
            let mut reads = Vec::new();
            for fold in &scalars.folds {
                let first = statement.temporaries.len();
                self.fold_steps(body, &mut statement, fold, false)?;
                let results = body.op(fold.op).results().enumerate();
                reads.extend(results.map(|(at, result)| Read {
                    source: Source::Temporary(first + at),
                    values: vec![result],
                }));
            }
            let all = [&dims[..], &rest].concat();
            let output = Output { temporary: None, value: store.value };
            let step = Step {
                parallel: dims.len(),
                dims: all,
                reads,
                ops: scalars.ops.clone(),
                current: Vec::new(),
                outputs: vec![output],
            };
            self.add_step(body, &mut statement, step, &scalars, true)?;
        }
        let mut loads = statement.elements[1..].iter();
        let independent = loads.all(|load| is_own(load) || self.are_apart(body, &load.place, place, pairs));
        independent.then_some(statement)
    }

    /// The loops that the indices of an element depend on, if each index is that of another loop, plus a number, or the same in all
    /// iterations.
    fn dims_of_element(&self, place: &Place) -> Option<Vec<usize>> {
        let mut dims = Vec::new();
        for index in &place.indices {
            let mut own =
                self.forms.dims().iter().enumerate().filter(|(_, dim)| index.coefficient(dim.index) != 0);
            let Some((dim, range)) = own.next() else { continue };
            if own.next().is_some() || index.coefficient(range.index) != 1 || dims.contains(&dim) {
                return None;
            }
            dims.push(dim);
        }
        Some(dims)
    }

    /// Whether a value is combined with others by an operation whose order may be changed.
    fn may_reorder(&self, body: &Body, value: Value) -> bool {
        let op = body.defining_op(value).map(|op| body.op(op));
        let monoid = op.and_then(|op| self.tables().algebra?.get(op.kind())?.monoid(op));
        monoid.is_some_and(|monoid| monoid.order != Order::Fixed)
    }

    /// The scalars that values in the nest depend on; `given` are not looked into.
    fn scalars(&self, body: &Body, values: &[Value], given: &[Value]) -> Option<Scalars> {
        let mut scalars = Scalars { ops: Vec::new(), loads: Vec::new(), folds: Vec::new() };
        let mut seen = FxHashSet::default();
        // Pairs of a value and whether the operands of its operation have been visited.
        let mut pending: Vec<(Value, bool)> = values.iter().rev().map(|&value| (value, false)).collect();
        while let Some((value, is_done)) = pending.pop() {
            let is_index = self.forms.dims().iter().any(|dim| dim.index == value);
            if is_index || given.contains(&value) || <dyn LoopLike>::is_outside(body, self.root, value) {
                continue;
            }
            let op = body.defining_op(value)?;
            if is_done {
                scalars.ops.push(op);
            } else if !seen.insert(op) {
                continue;
            } else if let Some(load) = self.loads.get(&op) {
                scalars.loads.push(load.clone());
            } else if let Some(fold) = self.folds.get(&op) {
                scalars.folds.push(fold.clone());
            } else {
                pending.push((value, true));
                let operands: Vec<Value> = body.op(op).operands().collect();
                pending.extend(operands.into_iter().rev().map(|value| (value, false)));
            }
        }
        Some(scalars)
    }

    /// Adds the steps that compute the results of loops that carry scalars, in temporary tensors or directly in the elements that
    /// are stored to.
    fn fold_steps(&self, body: &Body, statement: &mut Statement, fold: &Fold, is_direct: bool) -> Option<()> {
        let around = if is_direct { statement.dims.clone() } else { fold.around.clone() };
        let first = statement.temporaries.len();
        let target = |at: usize| (!is_direct).then_some(first + at);
        let initial = self.scalars(body, &fold.inits, &[]).filter(|initial| initial.folds.is_empty())?;
        let is_known = |&value: &Value| <dyn LoopLike>::is_outside(body, self.root, value);
        let is_splat = !is_direct && fold.inits.iter().all(is_known);
        if !is_direct {
            for &like in &fold.inits {
                let splat = is_splat.then_some(like);
                statement.temporaries.push(Temporary { dims: around.clone(), splat, like });
            }
        }
        let outputs = |values: &[Value]| -> Vec<Output> {
            let output = |(at, &value): (usize, &Value)| Output { temporary: target(at), value };
            values.iter().enumerate().map(output).collect()
        };
        let starts_with_own = is_direct
            && initial.ops.is_empty()
            && matches!(&initial.loads[..], [load] if load.place == statement.place);
        if starts_with_own {
            statement.elements.extend(initial.loads);
        } else if !is_splat {
            let step = Step {
                parallel: around.len(),
                dims: around.clone(),
                reads: Vec::new(),
                ops: initial.ops.clone(),
                current: Vec::new(),
                outputs: outputs(&fold.inits),
            };
            self.add_step(body, statement, step, &initial, is_direct)?;
        }
        let computed = self.scalars(body, &fold.next, &fold.carried)?;
        // The elements that are stored to have other contents while the loops run.
        if !computed.folds.is_empty() || computed.loads.iter().any(|load| load.place == statement.place) {
            return None;
        }
        let step = Step {
            parallel: around.len(),
            dims: [&around[..], &fold.dims].concat(),
            reads: Vec::new(),
            ops: computed.ops.clone(),
            current: fold.carried.iter().copied().zip(0..).collect(),
            outputs: outputs(&fold.next),
        };
        self.add_step(body, statement, step, &computed, false)
    }

    /// Adds a step with the loads that it depends on; `updates` if it replaces the
    /// elements that are stored to, and may read them.
    fn add_step(
        &self,
        body: &Body,
        statement: &mut Statement,
        mut step: Step,
        scalars: &Scalars,
        updates: bool,
    ) -> Option<()> {
        for load in &scalars.loads {
            let value = body.op(load.op).result(0);
            if updates && load.place == statement.place {
                step.current.push((value, 0));
                continue;
            }
            let source = Source::Place(load.place.clone());
            match step.reads.iter_mut().find(|read| read.source == source) {
                Some(read) => read.values.push(value),
                None => step.reads.push(Read { source, values: vec![value] }),
            }
        }
        statement.elements.extend(scalars.loads.iter().cloned());
        let dims = self.forms.dims();
        // Each index of a read increases with the loops of the step.
        let is_regular = |read: &Read| match &read.source {
            Source::Place(place) => place.indices.iter().all(|index| {
                dims.iter().enumerate().all(|(at, dim)| {
                    let coefficient = index.coefficient(dim.index);
                    coefficient == 0 || coefficient > 0 && step.dims.contains(&at)
                })
            }),
            Source::Temporary(_) => true,
        };
        // The extent of each loop that combines is that of a dimension which is read.
        let has_extent = |&dim: &usize| {
            let only = |index: &crate::analysis::linear::Linear| {
                let mut own = dims.iter().filter(|dim| index.coefficient(dim.index) != 0);
                own.next()
                    .is_some_and(|one| one.index == dims[dim].index && index.coefficient(one.index) == 1)
                    && own.next().is_none()
            };
            step.reads.iter().any(|read| match &read.source {
                Source::Place(place) => place.indices.iter().any(only),
                Source::Temporary(temporary) => statement.temporaries[*temporary].dims.contains(&dim),
            })
        };
        let fits = step.reads.iter().all(is_regular) && step.dims[step.parallel..].iter().all(has_extent);
        fits.then(|| statement.steps.push(step))
    }
}
