//! Loop nests of scheduled expressions.
//!
//! An expression is computed into a *tile* of those parts of its output axes that no enclosing loop fixes. The tile
//! of the root is the whole result; if every part is fixed, the tile is a scalar. The accumulator of a reduction is a
//! scalar carried by the innermost loops, unless a reduction loop is outside a loop over an output axis: then the
//! accumulator is the tile's element, and the tile is filled with the identity before all loops, so that an empty
//! domain also yields it. The accumulators of online reductions and those that are corrected are kept across loops
//! ([`online`](super::online)).

use super::build::{empty, extract, insert};
use super::kernel::{Instance, Kernel, Source};
use super::scalar;
use crate::plan::PartId;
use minoan_arith as arith;
use minoan_ir::{Builder, OpDef, Value};
use minoan_linalg::Fill;

/// The maximum number of elements of a tile with static extents; larger tiles have dynamic extents.
const MAX_STATIC_TILE: i64 = 1 << 16;

/// The value of an expression inside the enclosing loops.
#[derive(Clone)]
pub(super) struct Tile {
    /// A scalar if no dimension is open, otherwise a tensor of the open dimensions.
    pub(super) value: Value,
    /// For each output dimension, the parts that the enclosing loops leave open.
    pub(super) open: Vec<Vec<usize>>,
}

/// The location of the accumulator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// There is no accumulator.
    Pointwise,
    /// A scalar, initialized before this loop.
    Scalar(usize),
    /// The element of the tile.
    Element,
    /// The element of a tile that is kept across loops.
    Kept,
}

/// The loop nest of an instance.
pub(super) struct Nest<'k, 'a> {
    pub(super) kernel: &'k Kernel<'a>,
    pub(super) node: usize,
    pub(super) instance: &'k Instance<'a>,
    /// The current iteration of each part of each axis, if fixed.
    pub(super) at: Vec<Vec<Option<Value>>>,
    /// The current index of each axis, once all its parts are fixed.
    index: Vec<Option<Value>>,
    /// The loops of this instance.
    loops: Vec<PartId>,
    pub(super) open: Vec<Vec<usize>>,
    mode: Mode,
}

impl<'k, 'a> Nest<'k, 'a> {
    /// The nest of a node inside of the current loops.
    pub(super) fn of(kernel: &'k Kernel<'a>, node: usize) -> Self {
        let instance = kernel.at(node);
        let plan = instance.plan;
        let fixed =
            |axis: usize, part: usize| kernel.round(kernel.program.loop_of(node, PartId { axis, part }));
        let at: Vec<Vec<Option<Value>>> = (0..plan.axes.len())
            .map(|axis| (0..plan.parts(axis)).map(|part| fixed(axis, part)).collect())
            .collect();
        let is_open = |part: &PartId| at[part.axis][part.part].is_none();
        let loops: Vec<PartId> = plan.loops.iter().copied().filter(is_open).collect();
        let parts = |axis: usize| {
            (0..plan.parts(axis)).filter(|&part| at[axis][part].is_none()).collect::<Vec<usize>>()
        };
        let open = (0..plan.rank()).map(parts).collect();
        let mode = match loops.iter().rposition(|part| !plan.is_reduced(part.axis)).map_or(0, |last| last + 1)
        {
            _ if !plan.expr.is_reduction() => Mode::Pointwise,
            _ if kernel.program.is_kept(node) => Mode::Kept,
            outer if loops[..outer].iter().all(|part| !plan.is_reduced(part.axis)) => Mode::Scalar(outer),
            _ => Mode::Element,
        };
        Self { kernel, node, instance, at, index: vec![None; plan.axes.len()], loops, open, mode }
    }

    /// Computes the indices of the axes that enclosing loops fix.
    pub(super) fn find_indices(&mut self, b: &mut Builder<'_>) {
        for axis in 0..self.at.len() {
            self.find_index(b, axis);
        }
    }

    pub(super) fn is_scalar(&self) -> bool {
        self.open.iter().all(Vec::is_empty)
    }

    pub(super) fn compute(mut self, b: &mut Builder<'_>) -> Tile {
        minoan_ir::with_stack(|| {
            let outside = b.set_loc(self.instance.loc);
            self.find_indices(b);
            let value = match self.mode {
                Mode::Kept => self.kept(b),
                _ => {
                    let carried = if self.is_scalar() { Vec::new() } else { vec![self.storage(b)] };
                    self.level(b, 0, &carried)[0]
                }
            };
            b.set_loc(outside);
            Tile { value, open: std::mem::take(&mut self.open) }
        })
    }

    /// Creates the tile, filled with the identity if it has accumulators.
    fn storage(&mut self, b: &mut Builder<'_>) -> Value {
        let has_accumulators = matches!(self.mode, Mode::Element | Mode::Kept);
        let identity = has_accumulators.then(|| self.identity(b));
        self.filled(b, identity)
    }

    /// Creates a tile, filled with a value if one is given.
    pub(super) fn filled(&mut self, b: &mut Builder<'_>, value: Option<Value>) -> Value {
        let (mut shape, mut extents, mut elements) = (Vec::new(), Vec::new(), 1i64);
        for axis in 0..self.open.len() {
            let open = self.open[axis].clone();
            if open.is_empty() {
                continue;
            }
            let is_whole = open.len() == self.at[axis].len();
            let known = self.known_extent(b, axis, &open);
            let known = known.filter(|known| is_whole || elements.saturating_mul(*known) <= MAX_STATIC_TILE);
            elements = elements.saturating_mul(known.unwrap_or(1));
            shape.push(known);
            extents.push(match known {
                Some(known) => self.kernel.number(b, known),
                None => self.open_extent(b, axis, &open),
            });
        }
        let ty = self.instance.tensor(b, shape);
        let tile = empty(b, ty, &extents);
        let Some(value) = value else { return tile };
        let fill = Fill::with(b, value, tile);
        b.body().op(fill.op()).result(0)
    }

    pub(super) fn identity(&self, b: &mut Builder<'_>) -> Value {
        let operator = self.instance.plan.expr.operator.unwrap_or(crate::Operator::Add);
        scalar::identity(b, operator, self.instance.element)
    }

    /// The extent of a dimension of the tile, if determined by factors alone.
    fn known_extent(&self, b: &Builder<'_>, axis: usize, open: &[usize]) -> Option<i64> {
        if open.len() == self.at[axis].len() {
            return arith::constant_value(b.body(), self.instance.extents[axis])?.as_i64(b.body().context());
        }
        let factors = &self.instance.plan.factors[axis];
        open.iter().map(|&part| part.checked_sub(1).map(|part| factors[part])).product()
    }

    fn open_extent(&self, b: &mut Builder<'_>, axis: usize, open: &[usize]) -> Value {
        if open.len() == self.at[axis].len() {
            return self.instance.extents[axis];
        }
        // A position in a tile is at most its index, so the tile need not be larger than the axis.
        let extent = self.instance.extents[axis];
        let sizes: Vec<Value> = open.iter().map(|&part| self.size(b, PartId { axis, part })).collect();
        let (&first, rest) = sizes.split_first().expect("a part is open");
        let product = rest.iter().fold(first, |product, &size| arith::muli(b, product, size));
        arith::minsi(b, product, extent)
    }

    /// The number of iterations of a complete part.
    fn size(&self, b: &mut Builder<'_>, part: PartId) -> Value {
        let plan = self.instance.plan;
        match part.part.checked_sub(1) {
            Some(factor) => self.kernel.number(b, plan.factors[part.axis][factor]),
            None => self.rounds(b, self.instance.extents[part.axis], plan.stride(part)),
        }
    }

    /// The number of steps of a stride that cover a length.
    fn rounds(&self, b: &mut Builder<'_>, length: Value, stride: i64) -> Value {
        if stride == 1 {
            return length;
        }
        let stride = self.kernel.number(b, stride);
        arith::ceildivsi(b, length, stride)
    }

    /// The upper bound of the loop over a part. The part of an axis that is fixed last is bounded by the axis.
    pub(super) fn end(&self, b: &mut Builder<'_>, part: PartId) -> Value {
        let others = (0..self.at[part.axis].len()).filter(|&other| other != part.part);
        let others: Vec<PartId> = others.map(|other| PartId { axis: part.axis, part: other }).collect();
        if others.is_empty() || others.iter().any(|other| self.at[other.axis][other.part].is_none()) {
            return self.size(b, part);
        }
        let before = self.sum(b, &others);
        let left = arith::subi(b, self.instance.extents[part.axis], before);
        let rounds = self.rounds(b, left, self.instance.plan.stride(part));
        if part.part == 0 {
            return rounds;
        }
        let size = self.size(b, part);
        arith::minsi(b, size, rounds)
    }

    /// The offset along an axis of parts whose indices are all fixed.
    fn sum(&self, b: &mut Builder<'_>, parts: &[PartId]) -> Value {
        let mut sum = None;
        for &part in parts {
            let Some(mut value) = self.at[part.axis][part.part] else { continue };
            let stride = self.instance.plan.stride(part);
            if stride != 1 {
                let stride = self.kernel.number(b, stride);
                value = arith::muli(b, value, stride);
            }
            sum = Some(match sum {
                None => value,
                Some(sum) => arith::addi(b, sum, value),
            });
        }
        sum.unwrap_or_else(|| self.kernel.number(b, 0))
    }

    /// Computes the index of an axis once all its parts are fixed.
    pub(super) fn find_index(&mut self, b: &mut Builder<'_>, axis: usize) {
        if self.at[axis].iter().all(Option::is_some) {
            let parts: Vec<PartId> = (0..self.at[axis].len()).map(|part| PartId { axis, part }).collect();
            self.index[axis] = Some(self.sum(b, &parts));
        }
    }

    /// Creates the code before the instance's loop `depth`, and the rest of the nest; returns the next loop-carried
    /// values.
    pub(super) fn level(&mut self, b: &mut Builder<'_>, depth: usize, carried: &[Value]) -> Vec<Value> {
        self.stage(b, depth);
        if self.mode != Mode::Scalar(depth) {
            return self.inner(b, depth, carried);
        }
        let identity = self.identity(b);
        let sum = self.inner(b, depth, &[identity]);
        match carried {
            [] => sum,
            &[tile, ..] => {
                let address = self.address(b, 0..self.open.len(), &self.open);
                vec![insert(b, sum[0], tile, &address)]
            }
        }
    }

    fn inner(&mut self, b: &mut Builder<'_>, depth: usize, carried: &[Value]) -> Vec<Value> {
        let Some(&part) = self.loops.get(depth) else { return self.element(b, carried) };
        let kernel = self.kernel;
        let bounds = [kernel.number(b, 0), self.end(b, part), kernel.number(b, 1)];
        let around = (self.node, part);
        let begun = kernel.begin(b, around);
        let done = kernel.repeat(b, bounds, carried, |b, round, carried| {
            kernel.enter(around, round);
            self.at[part.axis][part.part] = Some(round);
            self.find_index(b, part.axis);
            self.level(b, depth + 1, carried)
        });
        kernel.leave(b, around, begun);
        done
    }

    /// Computes the nodes whose host is before the instance's loop `depth`.
    fn stage(&mut self, b: &mut Builder<'_>, depth: usize) {
        let kernel = self.kernel;
        for &node in kernel.program.hosted.get(&(self.node, depth)).into_iter().flatten() {
            let tile = Nest::of(kernel, node).compute(b);
            kernel.progress.borrow_mut().tiles.insert(node, tile);
        }
    }

    /// The indices into a tile whose dimensions are along `axes` and leave the parts `open`.
    pub(super) fn address(
        &self,
        b: &mut Builder<'_>,
        axes: impl IntoIterator<Item = usize>,
        open: &[Vec<usize>],
    ) -> Vec<Value> {
        let mut address = Vec::new();
        for (axis, open) in axes.into_iter().zip(open) {
            if open.is_empty() {
                continue;
            }
            if let Some(index) = self.index[axis].filter(|_| open.len() == self.at[axis].len()) {
                address.push(index);
                continue;
            }
            let factors = &self.instance.plan.factors[axis];
            let mut place = None;
            for &part in open {
                let Some(round) = self.at[axis][part] else { continue };
                place = Some(match place {
                    None => round,
                    Some(outer) => {
                        let size = self.kernel.number(b, part.checked_sub(1).map_or(1, |part| factors[part]));
                        let scaled = arith::muli(b, outer, size);
                        arith::addi(b, scaled, round)
                    }
                });
            }
            address.push(place.unwrap_or_else(|| self.kernel.number(b, 0)));
        }
        address
    }

    /// Loads an element of an input.
    fn load(&self, b: &mut Builder<'_>, input: usize) -> Value {
        let axes = self.instance.plan.inputs[input].iter().copied();
        match self.instance.sources[input] {
            Source::Staged(node) => {
                let Some(tile) = self.kernel.tile(node) else {
                    return arith::constant_float(b, 1.0, self.instance.element);
                };
                if tile.open.iter().all(Vec::is_empty) {
                    return tile.value;
                }
                // A dimension that no enclosing loop fixes has its own parts; here it is an index.
                let whole = |axis: usize| (0..self.at[axis].len()).collect::<Vec<usize>>();
                let is_fixed =
                    |axis: usize| self.instance.plan.loops_around(input).iter().any(|part| part.axis == axis);
                let open: Vec<Vec<usize>> = axes
                    .clone()
                    .zip(&tile.open)
                    .map(|(axis, open)| if is_fixed(axis) { open.clone() } else { whole(axis) })
                    .collect();
                let address = self.address(b, axes, &open);
                extract(b, tile.value, &address)
            }
            Source::Tensor(tensor) => {
                let indices: Vec<Value> = axes.filter_map(|axis| self.index[axis]).collect();
                extract(b, tensor, &indices)
            }
        }
    }

    /// The innermost computation; returns the next loop-carried values, or the value itself if the result is a scalar.
    fn element(&mut self, b: &mut Builder<'_>, carried: &[Value]) -> Vec<Value> {
        let plan = self.instance.plan;
        let elements: Vec<Value> = (0..plan.inputs.len()).map(|input| self.load(b, input)).collect();
        let operator = plan.expr.operator;
        let reduces = self.mode != Mode::Pointwise;
        let value = scalar::apply(b, operator, reduces, &elements, self.instance.element);
        let reducer = operator.unwrap_or(crate::Operator::Add);
        if self.mode == Mode::Kept {
            let old = self.read_kept(b, self.node);
            let sum = scalar::combine(b, reducer, old, value);
            self.write_kept(b, self.node, sum);
            return Vec::new();
        }
        let Some(&carried) = carried.first() else { return vec![value] };
        if let Mode::Scalar(_) = self.mode {
            return vec![scalar::combine(b, reducer, carried, value)];
        }
        let address = self.address(b, 0..self.open.len(), &self.open);
        let value = match self.mode {
            Mode::Element => {
                let old = extract(b, carried, &address);
                scalar::combine(b, reducer, old, value)
            }
            _ => value,
        };
        vec![insert(b, value, carried, &address)]
    }
}
