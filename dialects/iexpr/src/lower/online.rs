//! Accumulators that are kept across loops, and their corrections.
//!
//! An online reduction has two tiles: the accumulators, and the values that its consumers have read. Both exist from before its
//! outermost reduction loop to its end, and every loop in between carries them. Where the reduction is computed, it
//! accumulates; then the accumulators that depend on it are corrected by the difference to the value that consumers have
//! read, and the read value is updated.

use super::build::{extract, insert};
use super::kernel::Kernel;
use super::nest::{Nest, Tile};
use crate::plan::PartId;
use crate::program::{Carry, Change, Correction, LoopId};
use minoan_arith::{self as arith, CmpFPredicate};
use minoan_ir::{Builder, OpDef, Type, Value};
use minoan_math as math;
use minoan_scf::For;
use rustc_hash::FxHashMap;

/// A kept tile.
#[derive(Clone)]
struct Kept {
    /// The number of the accumulators among the kept values; the values that have been read follow, if there are any.
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

    /// The tile of a node.
    pub(super) fn tile(&self, node: usize) -> Tile {
        let progress = self.progress.borrow();
        match progress.kept.get(&node) {
            Some(kept) => Tile { value: progress.values[kept.value], open: kept.open.clone() },
            None => progress.tiles[&node].clone(),
        }
    }

    /// Creates the tiles of the online reductions that begin with a loop; returns the number of kept values before.
    pub(super) fn begin(&self, b: &mut Builder<'_>, around: LoopId) -> usize {
        let before = self.progress.borrow().values.len();
        for &node in self.program.begins.get(&around).into_iter().flatten() {
            self.keep(b, node, 2);
        }
        before
    }

    /// Creates the kept values of a node.
    fn keep(&self, b: &mut Builder<'_>, node: usize, count: usize) {
        let mut nest = Nest::of(self, node);
        nest.find_indices(b);
        let made: Vec<Value> =
            (0..count).map(|_| if nest.is_scalar() { nest.identity(b) } else { nest.storage(b) }).collect();
        let mut progress = self.progress.borrow_mut();
        let kept = Kept { value: progress.values.len(), open: nest.open };
        progress.values.extend(made);
        progress.kept.insert(node, kept);
    }

    pub(super) fn enter(&self, around: LoopId, round: Value) {
        self.progress.borrow_mut().rounds.insert(around, round);
    }

    /// Ends a loop and what has begun with it.
    pub(super) fn leave(&self, around: LoopId, kept: usize) {
        let mut progress = self.progress.borrow_mut();
        progress.rounds.remove(&around);
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
        let is_online = kernel.program.is_online(node);
        if !is_online {
            kernel.keep(b, node, 1);
        }
        self.level(b, 0, &[]);
        let value = kernel.tile(node).value;
        if is_online {
            for correction in &kernel.program.corrections[&node] {
                let mut nest = Nest::of(kernel, correction.accumulator);
                nest.fix(&Nest::of(kernel, node), &correction.axes);
                nest.each(b, &mut |nest, b| nest.correct(b, node, correction));
            }
            let mut nest = Nest::of(kernel, node);
            let axes: Vec<usize> = (0..self.open.len()).collect();
            nest.each(b, &mut |nest, b| {
                let value = nest.read_at(b, node, 0, &axes);
                nest.write_at(b, node, 1, &axes, value);
            });
        } else {
            let mut progress = kernel.progress.borrow_mut();
            progress.values.truncate(before);
            progress.kept.remove(&node);
        }
        value
    }

    /// Fixes the iterations that are fixed in the nest of an online reduction, whose dimensions correspond to `axes`, so that only the
    /// accumulators of the elements that it has just updated are corrected.
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
    fn each(&mut self, b: &mut Builder<'_>, work: &mut dyn FnMut(&mut Self, &mut Builder<'_>)) {
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
        self.read_at(b, node, 0, &(0..self.open.len()).collect::<Vec<usize>>())
    }

    /// Sets [`read_kept`](Self::read_kept).
    pub(super) fn write_kept(&self, b: &mut Builder<'_>, node: usize, value: Value) {
        self.write_at(b, node, 0, &(0..self.open.len()).collect::<Vec<usize>>(), value);
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

    /// Corrects the current accumulator after the partial result of a node has changed. An accumulator that is still the
    /// identity, and one of an unchanged result, stays as it is, since the change of infinities is not defined.
    fn correct(&mut self, b: &mut Builder<'_>, online: usize, correction: &Correction) {
        let new = self.read_at(b, online, 0, &correction.axes);
        let old = self.read_at(b, online, 1, &correction.axes);
        let sum = self.read_kept(b, self.node);
        let mut change = match correction.first {
            Change::Plus => arith::subf(b, new, old),
            Change::Times => arith::divf(b, new, old),
        };
        let ty: Type = b.ty(change);
        for &carry in &correction.carries {
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
        let corrected = match correction.last {
            Change::Plus => arith::addf(b, sum, change),
            Change::Times => arith::mulf(b, sum, change),
        };
        let identity = self.identity(b);
        let is_same = arith::cmpf(b, CmpFPredicate::Oeq, old, new);
        let is_empty = arith::cmpf(b, CmpFPredicate::Oeq, sum, identity);
        let stays = arith::ori(b, is_same, is_empty);
        let value = arith::select(b, stays, sum, corrected);
        self.write_kept(b, self.node, value);
    }
}
