//! Loops with their last steps, and accumulators.

use super::{AxisState, Emitter, Register, Unsupported};
use crate::kernel::{Axis, Source};
use crate::plan::Tail;
use crate::rules::{Step, Tile};
use minoan_ir::{Builder, Context, Value};
use minoan_services::{Lane, Lanes, Order};

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
    /// Complete steps, the last of which moves back.
    Shifted,
    /// The rest, masked.
    Masked,
    /// The rest, masked, a register at a time.
    Narrow,
    /// The rest, one index after the other.
    Single,
}

impl Emitter<'_> {
    /// Emits a loop.
    pub(super) fn counted(
        &mut self,
        b: &mut Builder<'_>,
        step: &Step,
        path: &mut Vec<usize>,
    ) -> Result<(), Unsupported> {
        let &Step::Loop { parallel, axis, step, tail, ref body } = step else {
            unreachable!("the caller passes loops")
        };
        let begun = self.storage.completed.get(path).cloned().unwrap_or_default();
        for &statement in &begun {
            let accumulator = self.initialize(b, statement)?;
            self.accumulators.insert(statement, accumulator);
        }
        let outer = self.axes[axis];
        let (lower, upper) = match outer {
            None => (self.makers.index.index(b, 0), self.extents[axis]),
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
        if complete {
            self.part(b, range, Part::Main, parallel, body, path)?;
        } else if !is_inner && !has_leaf(body, axis) {
            self.part(b, range, Part::Bounded, parallel, body, path)?;
        } else {
            self.with_tail(b, range, tail, parallel, body, path)?;
        }
        self.axes[axis] = outer;
        for &statement in &begun {
            self.complete(b, statement)?;
        }
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
            Some(Tail::Shift) => Tail::Shift,
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

    /// The lanes of a register, if the rest of a loop over an axis is computed a register at a time: with `step` lanes at once, most of
    /// them may be beyond the end. Accumulators have the lanes of the complete steps, so reductions exclude it. `rest`: the number of
    /// indices, if known.
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

    /// Whether the leaves with lanes along an axis among steps are no reductions.
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
        let (mut first, mut second) = (Ok(()), Ok(()));
        let loops = self.makers.loops;
        // Both branches need the emitter; they run one after the other.
        let state = std::cell::RefCell::new((&mut *self, path));
        let branch = |b: &mut Builder<'_>, (range, part, body): (Range, Part, &[Step])| {
            let (emitter, path) = &mut *state.borrow_mut();
            emitter.part(b, range, part, false, body, path)
        };
        loops.choose(
            b,
            condition,
            &[],
            &mut |b| {
                first = branch(b, then);
                Vec::new()
            },
            &mut |b| {
                second = branch(b, otherwise);
                Vec::new()
            },
        );
        first.and(second)
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
            Part::Main | Part::Masked | Part::Single if !parallel => {
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

    /// The accumulators of a reduction before its loops: the initial contents, or the identity where several of them
    /// are combined at the end.
    fn initialize(&mut self, b: &mut Builder<'_>, number: usize) -> Result<Register, Unsupported> {
        let statement = &self.kernel.statements[number];
        let tile = self.current(&self.storage.tile(number).clone());
        let splits = self.is_split(number, &tile);
        let kept = self.kept(number, &tile);
        let init = if splits {
            let (_, monoid) = statement.combine().ok_or("a reduction without a monoid is split")?;
            let identity = self.makers.index.constant(b, monoid.identity);
            Register { values: vec![identity], tile: Tile::default() }
        } else {
            self.initial(b, number, &kept)?
        };
        let count = tile.unrolled.iter().map(|&(_, size)| size as usize).product::<usize>();
        let ctx = b.context();
        let mut values = Vec::with_capacity(count);
        for at in 0..count {
            let value = if splits { init.values[0] } else { init.values[at] };
            let is_scalar = !b.ty(value).is_vector(&ctx);
            values.push(match tile.width() {
                Some(_) if is_scalar => {
                    let lanes = self.accumulated_lanes(&ctx, number, &tile);
                    let ty = minoan_ir::Type::vector(&ctx, lanes.as_slice(), statement.element);
                    self.makers.vectors.splat(b, value, ty)
                }
                _ => value,
            });
        }
        Ok(Register { tile, values })
    }

    /// Whether a tile covers several indices of a reduction axis, which have accumulators of their own.
    fn is_split(&self, number: usize, tile: &Tile) -> bool {
        let statement = &self.kernel.statements[number];
        tile.axes().any(|(axis, size)| size > 1 && statement.reduces(axis))
    }

    /// The lanes of an accumulator of a tile.
    fn accumulated_lanes(&self, ctx: &Context, number: usize, tile: &Tile) -> Option<i64> {
        tile.width().map(|lanes| if self.sums_pairs(ctx, number, tile) { lanes / 2 } else { lanes })
    }

    /// Whether the lanes of a tile are added in pairs before they reach the accumulator: those of a sum of products of integers that have at
    /// most half as many bits as the sum. Sums of two products of such integers are one instruction of most machines (`vpmaddwd`,
    /// `vpdpwssd`), which the instruction selector finds.
    pub(super) fn sums_pairs(&self, ctx: &Context, number: usize, tile: &Tile) -> bool {
        let statement = &self.kernel.statements[number];
        let Some((axis, lanes)) = tile.lanes.filter(|_| tile.groups.is_none()) else { return false };
        statement.reduces(axis) && lanes % 2 == 0 && statement.sums_narrow_integers(ctx)
    }

    /// Adds the lanes of a vector in pairs, and the sums to an accumulator of half as many lanes.
    pub(super) fn add_pairs(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        accumulator: Value,
        value: Value,
        lanes: i64,
    ) -> Result<Value, Unsupported> {
        let [even, odd] = [0, 1].map(|first| {
            let positions: Vec<i64> = (first..lanes).step_by(2).collect();
            self.makers.vectors.shuffle(b, value, value, &positions)
        });
        let sums = self.combine(b, number, even, odd, Some(lanes / 2))?;
        self.combine(b, number, accumulator, sums, Some(lanes / 2))
    }

    /// The part of a tile along the parallel axes.
    fn kept(&self, number: usize, tile: &Tile) -> Tile {
        let statement = &self.kernel.statements[number];
        let keeps = |&(axis, _): &(Axis, i64)| !statement.reduces(axis);
        Tile {
            unrolled: tile.unrolled.iter().copied().filter(keeps).collect(),
            lanes: tile.lanes.filter(keeps),
            groups: tile.groups.filter(keeps),
        }
    }

    /// The initial contents of the result, as a tile.
    fn initial(&mut self, b: &mut Builder<'_>, number: usize, tile: &Tile) -> Result<Register, Unsupported> {
        let statement = &self.kernel.statements[number];
        let accumulator = statement.reduction.map(|reduction| reduction.accumulator);
        let Some(read) = accumulator else { return Err("a reduction without an accumulator".to_owned()) };
        let mut values = Vec::new();
        let mut loaded = rustc_hash::FxHashMap::default();
        for offsets in super::leaf::positions(tile) {
            let lane = self.read(b, number, read, tile, &offsets, &mut loaded)?;
            values.push(match lane {
                Lane::Uniform(value) | Lane::Varying(value) => value,
            });
        }
        Ok(Register { tile: tile.clone(), values })
    }

    /// Ends a reduction: combines the accumulators of an element with each other and with the initial contents.
    fn complete(&mut self, b: &mut Builder<'_>, number: usize) -> Result<(), Unsupported> {
        let accumulator = self.accumulators.remove(&number).expect("the reduction is in progress");
        let tile = accumulator.tile;
        let register = if self.is_split(number, &tile) {
            let statement = &self.kernel.statements[number];
            let (_, monoid) = statement.combine().ok_or("a reduction without a monoid is split")?;
            let kept = self.kept(number, &tile);
            let mut values = self.initial(b, number, &kept)?.values;
            let lanes = self.accumulated_lanes(&b.context(), number, &tile);
            let reduces_lanes = lanes.is_some() && kept.lanes.is_none();
            let mut combined: Vec<Option<Value>> = vec![None; values.len()];
            for (offsets, value) in super::leaf::positions(&tile).into_iter().zip(accumulator.values) {
                let at = super::leaf::position_in(&kept, &offsets);
                combined[at] = Some(match combined[at] {
                    None => value,
                    Some(old) => self.combine(b, number, old, value, lanes)?,
                });
            }
            for (initial, value) in values.iter_mut().zip(combined) {
                let mut value = value.ok_or("a tile without elements")?;
                if reduces_lanes {
                    let reassociate = monoid.order != Order::Exact;
                    value = self.makers.vectors.reduce(b, monoid.kind, value, reassociate);
                }
                *initial = self.combine(b, number, *initial, value, kept.width())?;
            }
            Register { tile: kept, values }
        } else {
            Register { tile: self.kept(number, &tile), values: accumulator.values }
        };
        self.store_tile(b, number, &register, false)?;
        self.registers.insert(number, register);
        Ok(())
    }

    /// Combines two elements, or vectors of them, by the monoid of a reduction.
    fn combine(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        lhs: Value,
        rhs: Value,
        lanes: Option<i64>,
    ) -> Result<Value, Unsupported> {
        let ctx = b.context();
        let scalar = &self.scalars.statements[number];
        let op = b.body().defining_op(scalar.result).ok_or("a reduction that combines nothing")?;
        let operands: Vec<Value> = b.body().op(op).operands().collect();
        let is_vector = [lhs, rhs].iter().any(|&value| b.ty(value).is_vector(&ctx));
        let shape: Vec<i64> = lanes.filter(|_| is_vector).into_iter().collect();
        let mut state = Lanes::new(&shape);
        for (operand, value) in operands.into_iter().zip([lhs, rhs]) {
            let lane = if b.ty(value).is_vector(&ctx) { Lane::Varying(value) } else { Lane::Uniform(value) };
            state.set(operand, lane);
        }
        state.run(b, op).ok_or("the combination of elements has no vector form")?;
        Ok(match state.get(scalar.result) {
            Lane::Uniform(value) | Lane::Varying(value) => value,
        })
    }

    /// Whether a source is the initial contents of a reduction in progress.
    pub(super) fn is_accumulator(&self, number: usize, read: usize) -> bool {
        let reduction = self.kernel.statements[number].reduction;
        reduction.is_some_and(|reduction| reduction.accumulator == read)
            && self.accumulators.contains_key(&number)
            && !matches!(self.kernel.statements[number].reads[read].source, Source::Undefined)
    }
}

/// Whether there is a loop over an axis among steps.
fn contains_loop(steps: &[Step], axis: Axis) -> bool {
    steps.iter().any(|step| match step {
        Step::Loop { axis: at, body, .. } => *at == axis || contains_loop(body, axis),
        _ => false,
    })
}

/// Whether the tile of a leaf covers the step of a loop over an axis whose body are these steps.
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
