//! Loops, and the treatment of their last steps.

use super::{AxisState, Emitter, Unsupported};
use crate::kernel::Axis;
use crate::plan::Tail;
use crate::rules::Step;
use minoan_ir::{Builder, Value};

/// The range of a loop.
#[derive(Clone, Copy)]
struct Range {
    axis: Axis,
    step: i64,
    lower: Value,
    upper: Value,
}

/// A part of a loop's range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Complete steps.
    Main,
    /// Steps that may be incomplete, with inner loops that respect the end.
    Bounded,
    /// Complete steps; the last one is shifted back.
    Shifted,
    /// The remainder, with masks.
    Masked,
    /// The remainder, with masks, one vector register at a time.
    Narrow,
    /// The remainder, one index at a time.
    Single,
}

impl Emitter<'_> {
    /// Emits a loop, with the begin and the end of the reductions that are completed in it.
    pub(super) fn counted(
        &mut self,
        b: &mut Builder<'_>,
        step: &Step,
        path: &mut Vec<usize>,
    ) -> Result<(), Unsupported> {
        let begun = self.storage.completed.get(path).cloned().unwrap_or_default();
        for &statement in &begun {
            let accumulator = self.initialize(b, statement)?;
            self.accumulators.insert(statement, accumulator);
        }
        self.reducing(b, step, &begun, path)?;
        for &statement in &begun {
            self.complete(b, statement)?;
        }
        Ok(())
    }

    /// Emits a loop, without the begin and the end of reductions.
    pub(super) fn range(
        &mut self,
        b: &mut Builder<'_>,
        step: &Step,
        path: &mut Vec<usize>,
    ) -> Result<(), Unsupported> {
        let &Step::Loop { parallel, axis, step, tail, ref body } = step else {
            unreachable!("the caller passes loops")
        };
        let outer = self.axes[axis];
        let (lower, upper) = match outer {
            None => {
                let zero = self.makers.index.index(b, 0);
                (zero, self.unless_empty(b, axis, self.extents[axis], body, path))
            }
            Some(AxisState { base, end: Some(end), .. }) => (base, end),
            Some(AxisState { base, step, .. }) => {
                let step = self.makers.index.index(b, step);
                (base, self.makers.index.add(b, base, step))
            }
        };
        let range = Range { axis, step, lower, upper };
        let complete = step == 1
            || match outer {
                None => self.kernel.known_extent(axis).is_some_and(|extent| extent % step == 0),
                Some(outer) => outer.end.is_none() && outer.step % step == 0,
            };
        let is_inner = !contains_loop(body, axis);
        if outer.is_some_and(|outer| outer.single) {
            return Err("a loop in the rest of another one".to_owned());
        }
        let known = self.kernel.known_extent(axis);
        let shifts =
            tail == Some(Tail::Shift) && outer.is_none() && known.is_some_and(|extent| extent >= step);
        if complete {
            self.part(b, range, Part::Main, parallel, body, path)?;
        } else if !is_inner && !has_leaf(body, axis) && !shifts {
            self.part(b, range, Part::Bounded, parallel, body, path)?;
        } else {
            self.with_tail(b, range, tail, parallel, body, path)?;
        }
        self.axes[axis] = outer;
        Ok(())
    }

    fn with_tail(
        &mut self,
        b: &mut Builder<'_>,
        range: Range,
        tail: Option<Tail>,
        parallel: bool,
        body: &[Step],
        path: &mut Vec<usize>,
    ) -> Result<(), Unsupported> {
        let Range { axis, step, lower, upper } = range;
        let index = self.makers.index;
        let has_lanes = has_lanes(body, axis);
        let tail = match tail {
            Some(Tail::Shift) if self.shifts_in_block(axis, step) => Tail::Shift,
            Some(Tail::Scalar) if !has_lanes => Tail::Scalar,
            _ if has_lanes => Tail::Mask,
            _ => Tail::Scalar,
        };
        let known = self.kernel.known_extent(axis);
        if tail == Tail::Mask && has_unrolled(body, axis) {
            return Err("unrolled indices cannot be masked".to_owned());
        }
        if tail == Tail::Shift {
            if known.is_some_and(|extent| extent >= step) {
                return self.part(b, range, Part::Shifted, parallel, body, path);
            }
            let carries = self.storage.reductions.get(path).is_some_and(|inside| !inside.is_empty());
            if known.is_none() && !carries {
                let size = index.index(b, step);
                let small = index.less(b, self.extents[axis], size);
                let rest = if has_lanes { Part::Masked } else { Part::Single };
                return self.one_of(b, small, (range, rest, body), (range, Part::Shifted, body), path);
            }
        }
        let rest = if has_lanes { Part::Masked } else { Part::Single };
        // `lower + (upper - lower) / step * step`.
        let zero_lower = self.axes[axis].is_none();
        let middle = match known.filter(|_| zero_lower) {
            Some(extent) => index.index(b, extent / step * step),
            None => {
                let size = index.index(b, step);
                let length = if zero_lower { upper } else { index.sub(b, upper, lower) };
                let count = index.div(b, length, size);
                let whole = index.mul(b, count, size);
                if zero_lower { whole } else { index.add(b, lower, whole) }
            }
        };
        if !known.is_some_and(|extent| zero_lower && extent < step) {
            self.part(b, Range { upper: middle, ..range }, Part::Main, parallel, body, path)?;
        }
        let range = Range { lower: middle, ..range };
        let rest_of = known.filter(|_| zero_lower).map(|extent| extent % step);
        match self.narrow(b, axis, step, rest_of, body).filter(|_| rest == Part::Masked) {
            Some(lanes) => self.part(b, Range { step: lanes, ..range }, Part::Narrow, false, body, path),
            None => self.part(b, range, rest, false, body, path),
        }
    }

    /// Whether the last step of a loop, moved back, is in the last step of the enclosing loop over the same axis: temporary
    /// storage may only have that, and another thread may compute the step before.
    fn shifts_in_block(&self, axis: Axis, step: i64) -> bool {
        let Some(AxisState { step: block, end: Some(_), .. }) = self.axes[axis] else { return true };
        let rest = self.kernel.known_extent(axis).map(|extent| extent % block);
        rest.is_some_and(|rest| rest == 0 || rest >= step)
    }

    /// The lanes of a register, if the rest of a loop over an axis is computed a register at a time: with `step` lanes at once,
    /// most of them may be beyond the end. `None` for reductions, whose accumulators have the lanes of the complete steps. `rest`
    /// is the number of indices, if known.
    fn narrow(
        &self,
        b: &Builder<'_>,
        axis: Axis,
        step: i64,
        rest: Option<i64>,
        body: &[Step],
    ) -> Option<i64> {
        let lanes = self.kernel.lanes(&b.context(), self.machine);
        let is_less = rest.is_none_or(|rest| (rest + lanes - 1) / lanes * lanes <= step / 2);
        (step > lanes && step % lanes == 0 && is_less && self.is_pointwise(body, axis)).then_some(lanes)
    }

    /// Whether none of the leaves with lanes along an axis among the steps is a reduction.
    fn is_pointwise(&self, steps: &[Step], axis: Axis) -> bool {
        steps.iter().all(|step| match step {
            Step::Loop { body, .. } => self.is_pointwise(body, axis),
            Step::Leaf { statement, tile, .. } => {
                let has_lanes = tile.lanes.is_some_and(|(at, _)| at == axis);
                tile.groups.is_none()
                    && !(has_lanes && self.kernel.statements[*statement].reduction.is_some())
            }
            Step::Pack { .. } => true,
        })
    }

    /// Emits one of two parts, depending on a condition.
    fn one_of(
        &mut self,
        b: &mut Builder<'_>,
        condition: Value,
        then: (Range, Part, &[Step]),
        otherwise: (Range, Part, &[Step]),
        path: &mut Vec<usize>,
    ) -> Result<(), Unsupported> {
        let loops = self.makers.loops;
        // Both branches need the emitter; they run one after the other. After an error, the reductions of the first part are
        // still in progress, so the second one is left empty.
        let state = std::cell::RefCell::new((&mut *self, path, Ok(())));
        let branch = |b: &mut Builder<'_>, (range, part, body): (Range, Part, &[Step])| {
            let (emitter, path, result) = &mut *state.borrow_mut();
            if result.is_ok() {
                *result = emitter.part(b, range, part, false, body, path);
            }
            Vec::new()
        };
        loops.choose(b, condition, &[], &mut |b| branch(b, then), &mut |b| branch(b, otherwise));
        state.into_inner().2
    }

    /// Emits a loop over a part of the range.
    fn part(
        &mut self,
        b: &mut Builder<'_>,
        range: Range,
        part: Part,
        parallel: bool,
        body: &[Step],
        path: &mut Vec<usize>,
    ) -> Result<(), Unsupported> {
        let Range { axis, step, lower, upper } = range;
        let Emitter { makers, .. } = *self;
        let carried: Vec<usize> = self.storage.reductions.get(path).cloned().unwrap_or_default();
        let mut inits = Vec::new();
        for statement in &carried {
            inits.extend(&self.accumulators[statement].values);
        }
        let stride = makers.index.index(b, if part == Part::Single { 1 } else { step });
        let outer = self.axes[axis];
        let mut result = Ok(());
        let mut each = |emitter: &mut Self, b: &mut Builder<'_>, at: Value, values: &[Value]| -> Vec<Value> {
            let mut rest = values;
            for statement in &carried {
                let register = emitter.accumulators.get_mut(statement).expect("the reduction is in progress");
                let (own, others) = rest.split_at(register.values.len());
                register.values = own.to_vec();
                rest = others;
            }
            let state = emitter.axis_state(b, range, part, at);
            emitter.axes[axis] = Some(state);
            let done = emitter.steps(b, body, path);
            emitter.axes[axis] = outer;
            if done.is_err() {
                result = done;
                return values.to_vec();
            }
            carried.iter().flat_map(|statement| emitter.accumulators[statement].values.clone()).collect()
        };
        let size = if part == Part::Single { 1 } else { step };
        let [first, end] = match part {
            // Skipping a block would leave the partial results of later blocks uninitialized.
            Part::Main | Part::Masked | Part::Single if !parallel && !carried.is_empty() => {
                self.guarded(b, axis, size, [lower, upper], body)
            }
            _ => [lower, upper],
        };
        let bounds = [first, end, stride];
        let finals = if parallel && carried.is_empty() {
            makers.loops.parallel(b, &[bounds], &mut |b, at| {
                each(self, b, at[0], &[]);
            });
            Vec::new()
        } else {
            makers.loops.repeat(b, bounds, &inits, &mut |b, at, values| each(self, b, at, values))
        };
        let mut rest = &finals[..];
        for statement in &carried {
            let register = self.accumulators.get_mut(statement).expect("the reduction is in progress");
            let (own, others) = rest.split_at(register.values.len());
            register.values = own.to_vec();
            rest = others;
        }
        result
    }

    fn axis_state(&mut self, b: &mut Builder<'_>, range: Range, part: Part, at: Value) -> AxisState {
        let Range { axis, step, upper, .. } = range;
        let index = self.makers.index;
        let shifted = part == Part::Shifted || self.axes[axis].is_some_and(|outer| outer.shifted);
        let plain =
            AxisState { base: at, step, end: None, remaining: None, single: false, shifted, narrow: None };
        match part {
            Part::Main => plain,
            Part::Bounded => {
                let size = index.index(b, step);
                let end = index.add(b, at, size);
                AxisState { end: Some(index.min(b, end, upper)), ..plain }
            }
            Part::Shifted => {
                let size = index.index(b, step);
                let last = index.sub(b, self.extents[axis], size);
                AxisState { base: index.min(b, at, last), ..plain }
            }
            Part::Masked => AxisState { remaining: Some(index.sub(b, upper, at)), end: Some(upper), ..plain },
            Part::Narrow => {
                let size = index.index(b, step);
                let end = index.add(b, at, size);
                let end = Some(index.min(b, end, upper));
                let remaining = Some(index.sub(b, upper, at));
                AxisState { remaining, end, narrow: Some(step), ..plain }
            }
            Part::Single => AxisState { single: true, step: 1, ..plain },
        }
    }
}

/// Whether there is a loop over an axis among steps.
fn contains_loop(steps: &[Step], axis: Axis) -> bool {
    steps.iter().any(|step| match step {
        Step::Loop { axis: at, body, .. } => *at == axis || contains_loop(body, axis),
        _ => false,
    })
}

/// Whether the tile of a leaf covers the step of a loop over an axis whose body consists of these steps.
fn has_leaf(steps: &[Step], axis: Axis) -> bool {
    steps.iter().any(|step| match step {
        Step::Loop { axis: at, body, .. } => *at != axis && has_leaf(body, axis),
        Step::Leaf { tile, .. } => tile.axes().any(|(at, _)| at == axis),
        Step::Pack { .. } => false,
    })
}

/// Whether a leaf among steps has several unrolled indices along an axis.
fn has_unrolled(steps: &[Step], axis: Axis) -> bool {
    steps.iter().any(|step| match step {
        Step::Loop { body, .. } => has_unrolled(body, axis),
        Step::Leaf { tile, .. } => tile.unrolled.iter().any(|&(at, size)| at == axis && size > 1),
        Step::Pack { .. } => false,
    })
}

/// Whether a leaf among steps has lanes along an axis.
fn has_lanes(steps: &[Step], axis: Axis) -> bool {
    steps.iter().any(|step| match step {
        Step::Loop { body, .. } => has_lanes(body, axis),
        Step::Leaf { tile, .. } => [tile.lanes, tile.groups].iter().flatten().any(|&(at, _)| at == axis),
        Step::Pack { .. } => false,
    })
}
