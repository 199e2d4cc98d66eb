//! Accumulators that are kept across loops, and their corrections.
//!
//! An online reduction has its accumulators and, if it is a maximum or minimum, the reference values that its consumers read.
//! Both exist from before its outermost reduction loop to its end, and every loop in between carries them. Where a maximum or
//! minimum is computed, it accumulates; then the accumulators that depend on it are corrected by the difference of the new and
//! the old reference value. At the end of the outermost loop, the accumulators are corrected by the difference of the result and
//! the reference value, which is 1 for sums and products.

use super::build::{extract, insert};
use super::kernel::Kernel;
use super::nest::{Nest, Tile};
use crate::plan::PartId;
use crate::program::{Carry, Change, Correction, LoopId};
use minoan_arith::{self as arith, CmpFPredicate, CmpIPredicate};
use minoan_ir::{Builder, OpDef, Type, Value};
use minoan_math as math;
use minoan_scf::For;
use rustc_hash::FxHashMap;

/// The numbers of the kept values of a node, relative to its first one.
const ACCUMULATOR: usize = 0;
const REFERENCE: usize = 1;

/// A kept tile.
#[derive(Clone)]
struct Kept {
    /// The number of accumulators among the kept values; the reference values, if any, follow.
    value: usize,
    /// For each dimension, the parts that the tile has.
    open: Vec<Vec<usize>>,
}

/// The state of the lowering.
#[derive(Default)]
pub(super) struct Progress {
    /// The current iteration of each loop.
    rounds: FxHashMap<LoopId, Value>,
    /// The tiles of the nodes that have been computed.
    pub(super) tiles: FxHashMap<usize, Tile>,
    kept: FxHashMap<usize, Kept>,
    /// The current values of kept tiles.
    values: Vec<Value>,
}

impl Kernel<'_> {
    /// The current iteration of a loop; `None` outside of it.
    pub(super) fn round(&self, of: LoopId) -> Option<Value> {
        self.progress.borrow().rounds.get(&of).copied()
    }

    /// The tile of a node that its consumers read; `None` if each of its elements is 1.
    pub(super) fn tile(&self, node: usize) -> Option<Tile> {
        let progress = self.progress.borrow();
        match self.program.online.get(&node).map(|online| online.change) {
            None => Some(progress.tiles[&node].clone()),
            Some(Change::Times) => None,
            Some(Change::Plus) => {
                let kept = &progress.kept[&node];
                Some(Tile { value: progress.values[kept.value + REFERENCE], open: kept.open.clone() })
            }
        }
    }

    /// Creates the tiles of the online reductions that begin with a loop; returns the number of kept values before.
    pub(super) fn begin(&self, b: &mut Builder<'_>, around: LoopId) -> usize {
        let before = self.progress.borrow().values.len();
        for &node in self.program.begins.get(&around).into_iter().flatten() {
            self.keep(b, node);
        }
        before
    }

    /// Creates the kept values of a node.
    fn keep(&self, b: &mut Builder<'_>, node: usize) {
        let mut nest = Nest::of(self, node);
        nest.find_indices(b);
        let mut initial = vec![nest.identity(b)];
        if self.program.online.get(&node).is_some_and(|online| online.change == Change::Plus) {
            let ty = b.ty(initial[ACCUMULATOR]);
            initial.push(arith::constant_float(b, 0.0, ty));
        }
        if !nest.is_scalar() {
            initial.iter_mut().for_each(|value| *value = nest.filled(b, Some(*value)));
        }
        let mut progress = self.progress.borrow_mut();
        let kept = Kept { value: progress.values.len(), open: nest.open };
        progress.values.extend(initial);
        progress.kept.insert(node, kept);
    }

    pub(super) fn enter(&self, around: LoopId, round: Value) {
        self.progress.borrow_mut().rounds.insert(around, round);
    }

    /// Ends a loop and the online reductions that have begun with it.
    pub(super) fn leave(&self, b: &mut Builder<'_>, around: LoopId, kept: usize) {
        self.progress.borrow_mut().rounds.remove(&around);
        for &node in self.program.begins.get(&around).into_iter().flatten() {
            Nest::of(self, node).each_correction(b, Nest::correct_by_result);
        }
        let mut progress = self.progress.borrow_mut();
        progress.values.truncate(kept);
        progress.kept.retain(|_, tile| tile.value < kept);
    }

    /// A loop that also carries the kept values.
    pub(super) fn repeat(
        &self,
        b: &mut Builder<'_>,
        bounds: [Value; 3],
        carried: &[Value],
        body: impl FnOnce(&mut Builder<'_>, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let own = carried.len();
        let kept = self.progress.borrow().values.clone();
        let all: Vec<Value> = carried.iter().copied().chain(kept).collect();
        let done = For::with(b, bounds, &all, |b, round, values| {
            self.progress.borrow_mut().values = values[own..].to_vec();
            let mut next = body(b, round, &values[..own]);
            next.extend(&self.progress.borrow().values);
            next
        });
        let results: Vec<Value> = b.body().op(done.op()).results().collect();
        self.progress.borrow_mut().values = results[own..].to_vec();
        results[..own].to_vec()
    }
}

impl Nest<'_, '_> {
    /// Computes a reduction with kept accumulators; returns the accumulators.
    pub(super) fn kept(&mut self, b: &mut Builder<'_>) -> Value {
        let (kernel, node) = (self.kernel, self.node);
        let before = kernel.progress.borrow().values.len();
        let online = kernel.program.online.get(&node);
        if online.is_none() {
            kernel.keep(b, node);
        }
        self.level(b, 0, &[]);
        let mut progress = kernel.progress.borrow_mut();
        let value = progress.values[progress.kept[&node].value + ACCUMULATOR];
        let Some(online) = online else {
            progress.values.truncate(before);
            progress.kept.remove(&node);
            return value;
        };
        drop(progress);
        if online.change == Change::Plus {
            let nest = Nest::of(kernel, node);
            nest.each_correction(b, Nest::correct_by_next);
            let axes: Vec<usize> = (0..nest.open.len()).collect();
            nest.each(b, &mut |nest, b| {
                let [_, next] = nest.references(b, node, &axes);
                nest.write_at(b, node, REFERENCE, &axes, next);
            });
        }
        value
    }

    /// Visits the elements of the accumulators that this online reduction corrects.
    fn each_correction(&self, b: &mut Builder<'_>, correct: fn(&Self, &mut Builder<'_>, usize, &Correction)) {
        for correction in &self.kernel.program.online[&self.node].corrections {
            let mut nest = Nest::of(self.kernel, correction.accumulator);
            nest.fix(self, &correction.axes);
            nest.each(b, &mut |nest, b| correct(nest, b, self.node, correction));
        }
    }

    /// Fixes the iterations that are fixed in the nest of an online reduction, whose dimensions correspond to `axes`, so that
    /// only the accumulators of the elements that it has just updated are corrected.
    fn fix(&mut self, online: &Nest<'_, '_>, axes: &[usize]) {
        for (dim, &axis) in axes.iter().enumerate() {
            for (own, fixed) in self.at[axis].iter_mut().zip(&online.at[dim]) {
                *own = own.or(*fixed);
            }
            let at = &self.at[axis];
            self.open[axis].retain(|&part| at[part].is_none());
        }
    }

    /// Visits the elements of the result that the enclosing loops leave open.
    fn each(mut self, b: &mut Builder<'_>, work: &mut dyn FnMut(&mut Self, &mut Builder<'_>)) {
        self.find_indices(b);
        let open = self.open.iter().enumerate();
        let parts = open.flat_map(|(axis, parts)| parts.iter().map(move |&part| PartId { axis, part }));
        let parts: Vec<PartId> = parts.collect();
        self.each_of(b, &parts, work);
    }

    fn each_of(
        &mut self,
        b: &mut Builder<'_>,
        parts: &[PartId],
        work: &mut dyn FnMut(&mut Self, &mut Builder<'_>),
    ) {
        let Some((&part, inner)) = parts.split_first() else { return work(self, b) };
        let kernel = self.kernel;
        let bounds = [kernel.number(b, 0), self.end(b, part), kernel.number(b, 1)];
        kernel.repeat(b, bounds, &[], |b, round, _| {
            self.at[part.axis][part.part] = Some(round);
            self.find_index(b, part.axis);
            self.each_of(b, inner, work);
            Vec::new()
        });
    }

    /// The accumulator of the current element of a node, which is this one.
    pub(super) fn read_kept(&self, b: &mut Builder<'_>, node: usize) -> Value {
        self.read_at(b, node, ACCUMULATOR, &(0..self.open.len()).collect::<Vec<usize>>())
    }

    /// Sets [`read_kept`](Self::read_kept).
    pub(super) fn write_kept(&self, b: &mut Builder<'_>, node: usize, value: Value) {
        self.write_at(b, node, ACCUMULATOR, &(0..self.open.len()).collect::<Vec<usize>>(), value);
    }

    /// The kept value number `which` of a node, and the indices of the element whose dimensions are along `axes`.
    fn place(
        &self,
        b: &mut Builder<'_>,
        node: usize,
        which: usize,
        axes: &[usize],
    ) -> (usize, Value, Vec<Value>) {
        let kept = self.kernel.progress.borrow().kept[&node].clone();
        let number = kept.value + which;
        let value = self.kernel.progress.borrow().values[number];
        (number, value, self.address(b, axes.iter().copied(), &kept.open))
    }

    fn read_at(&self, b: &mut Builder<'_>, node: usize, which: usize, axes: &[usize]) -> Value {
        let (_, value, address) = self.place(b, node, which, axes);
        let ctx = b.context();
        if b.ty(value).is_tensor(&ctx) { extract(b, value, &address) } else { value }
    }

    fn write_at(&self, b: &mut Builder<'_>, node: usize, which: usize, axes: &[usize], new: Value) {
        let (number, value, address) = self.place(b, node, which, axes);
        let ctx = b.context();
        let new = if b.ty(value).is_tensor(&ctx) { insert(b, new, value, &address) } else { new };
        self.kernel.progress.borrow_mut().values[number] = new;
    }

    /// The reference value of a maximum or minimum, and the next one: the partial result, unless it is infinite or NaN. The
    /// difference of infinities is not defined.
    fn references(&self, b: &mut Builder<'_>, online: usize, axes: &[usize]) -> [Value; 2] {
        let partial = self.read_at(b, online, ACCUMULATOR, axes);
        let old = self.read_at(b, online, REFERENCE, axes);
        let magnitude = math::absf(b, partial);
        let ty = b.ty(partial);
        let infinity = arith::constant_float(b, f64::INFINITY, ty);
        let is_finite = arith::cmpf(b, CmpFPredicate::Olt, magnitude, infinity);
        [old, arith::select(b, is_finite, partial, old)]
    }

    /// Corrects the current accumulator by the difference of the next and the current reference value. An accumulator that is
    /// still the identity is not changed, for any factor.
    fn correct_by_next(&self, b: &mut Builder<'_>, online: usize, correction: &Correction) {
        let [old, next] = self.references(b, online, &correction.axes);
        let change = arith::subf(b, next, old);
        let sum = self.read_kept(b, self.node);
        let corrected = corrected(b, sum, change, correction);
        let identity = self.identity(b);
        let is_empty = arith::cmpf(b, CmpFPredicate::Oeq, sum, identity);
        let value = arith::select(b, is_empty, sum, corrected);
        self.write_kept(b, self.node, value);
    }

    /// Corrects the current accumulator by the difference of the result and the reference value, unless its domain is empty.
    fn correct_by_result(&self, b: &mut Builder<'_>, online: usize, correction: &Correction) {
        let result = self.read_at(b, online, ACCUMULATOR, &correction.axes);
        let change = match self.kernel.program.online[&online].change {
            Change::Times => result,
            Change::Plus => {
                let reference = self.read_at(b, online, REFERENCE, &correction.axes);
                arith::subf(b, result, reference)
            }
        };
        let sum = self.read_kept(b, self.node);
        let mut value = corrected(b, sum, change, correction);
        let plan = self.instance.plan;
        for axis in (0..plan.axes.len()).filter(|&axis| plan.is_reduced(axis)) {
            let zero = self.kernel.number(b, 0);
            let has_terms = arith::cmpi(b, CmpIPredicate::Sgt, self.instance.extents[axis], zero);
            value = arith::select(b, has_terms, value, sum);
        }
        self.write_kept(b, self.node, value);
    }
}

/// An accumulator after a change of a reference value that it was computed from.
fn corrected(b: &mut Builder<'_>, sum: Value, mut change: Value, correction: &Correction) -> Value {
    // A sum is divided by a divisor, which rounds once.
    let (carries, is_divided) = match correction.carries.split_last() {
        Some((Carry::Inverse, rest)) => (rest, true),
        _ => (&correction.carries[..], false),
    };
    let ty: Type = b.ty(change);
    for &carry in carries {
        change = match carry {
            Carry::Same => change,
            Carry::Negated => arith::negf(b, change),
            Carry::Inverse => {
                let one = arith::constant_float(b, 1.0, ty);
                arith::divf(b, one, change)
            }
            Carry::Exp => math::exp(b, change),
        };
    }
    match correction.last {
        Change::Plus => arith::addf(b, sum, change),
        Change::Times if is_divided => arith::divf(b, sum, change),
        Change::Times => arith::mulf(b, sum, change),
    }
}
