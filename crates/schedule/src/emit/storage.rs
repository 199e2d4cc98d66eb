//! The storage of tiles: registers, outputs and temporary buffers.

use super::Unsupported;
use crate::kernel::{Axis, Kernel, Source};
use crate::plan::Tail;
use crate::rules::{Step, Tile};
use rustc_hash::{FxHashMap, FxHashSet};

/// A dimension of temporary storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScratchDim {
    /// The axis; `None` for a dimension of extent 1.
    pub(crate) axis: Option<Axis>,
    /// The number of indices, relative to the base of the loop with that step; `None` for the whole extent.
    pub(crate) step: Option<i64>,
}

/// Temporary storage of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Scratch {
    /// The dimensions.
    pub(crate) dims: Vec<ScratchDim>,
    /// The position of the list of steps that allocates it.
    made_at: Vec<usize>,
    /// The position of the innermost list of steps that contains the statement and all of its readers.
    common: Vec<usize>,
}

/// A loop around a leaf.
#[derive(Clone, Copy, Debug)]
struct Around {
    axis: Axis,
    step: i64,
    parallel: bool,
    /// Whether the last step may move back.
    shifts: bool,
}

/// A leaf with the loops around it.
#[derive(Clone, Debug)]
struct Place {
    /// The position in the plan.
    path: Vec<usize>,
    /// The loops around it, outermost first.
    loops: Vec<Around>,
    tile: Tile,
    /// The number of loops around the place where the result is complete.
    scope: usize,
    /// The number of loops around the place where the accumulators begin: more than `scope` if reduction loops contain others,
    /// between which partial results are in memory.
    accumulators: usize,
}

/// The storage of the result of each statement.
#[derive(Debug)]
pub(crate) struct Storage {
    scratch: FxHashMap<usize, Scratch>,
    /// The output that the result of a statement is written to. It may be the output of a later statement, which overwrites each
    /// element when it reads it for the last time.
    outputs: FxHashMap<usize, usize>,
    /// The reads of a statement that come from registers, as pairs of a reader and the number of its read.
    forwarded: FxHashSet<(usize, usize)>,
    /// The reductions inside of each loop, by the position of the loop.
    pub(crate) reductions: FxHashMap<Vec<usize>, Vec<usize>>,
    /// The loop after which each reduction is complete.
    pub(crate) completed: FxHashMap<Vec<usize>, Vec<usize>>,
    /// The axes of the reduction loops between whose iterations the partial results of a statement are in memory.
    blocks: FxHashMap<usize, Vec<Axis>>,
    tiles: FxHashMap<usize, Tile>,
}

impl Storage {
    pub(crate) fn of(kernel: &Kernel, steps: &[Step]) -> Result<Self, Unsupported> {
        let mut places = FxHashMap::default();
        find_places(kernel, steps, &mut Vec::new(), &mut Vec::new(), &mut places);
        let mut storage = Storage {
            scratch: FxHashMap::default(),
            outputs: kernel.results.iter().enumerate().rev().map(|(output, &at)| (at, output)).collect(),
            forwarded: FxHashSet::default(),
            reductions: FxHashMap::default(),
            completed: FxHashMap::default(),
            blocks: FxHashMap::default(),
            tiles: places.iter().map(|(&at, place)| (at, place.tile.clone())).collect(),
        };
        for (&number, place) in &places {
            storage.place(kernel, number, place, &places)?;
        }
        storage.borrow_outputs(kernel, &places);
        for lists in [&mut storage.reductions, &mut storage.completed] {
            lists.values_mut().for_each(|list| list.sort_unstable());
        }
        Ok(storage)
    }

    fn place(
        &mut self,
        kernel: &Kernel,
        number: usize,
        place: &Place,
        places: &FxHashMap<usize, Place>,
    ) -> Result<(), Unsupported> {
        let statement = &kernel.statements[number];
        if statement.reduction.is_some() {
            for depth in place.accumulators..place.loops.len() {
                self.reductions.entry(place.path[..=depth].to_vec()).or_default().push(number);
            }
            if place.accumulators < place.loops.len() {
                self.completed.entry(place.path[..=place.accumulators].to_vec()).or_default().push(number);
            }
            let mut blocks: Vec<Axis> = Vec::new();
            for around in &place.loops[place.scope..place.accumulators] {
                if statement.reduces(around.axis) && !blocks.contains(&around.axis) {
                    blocks.push(around.axis);
                }
            }
            if !blocks.is_empty() {
                self.blocks.insert(number, blocks);
            }
        }
        let mut common = place.scope;
        let mut in_memory = false;
        for (reader, read) in kernel.readers(number) {
            let Some(to) = places.get(&reader) else { continue };
            if is_forwarded(kernel, number, place, (reader, read), to) {
                self.forwarded.insert((reader, read));
                continue;
            }
            in_memory = true;
            let shared = place.path.iter().zip(&to.path).take_while(|(a, b)| a == b).count();
            common = common.min(shared);
        }
        if !in_memory || kernel.output_of(number).is_some() {
            return Ok(());
        }
        let dim = |axis: Option<Axis>| {
            let mut around = place.loops[..common].iter().rev();
            let inner = axis.and_then(|axis| around.find(|at| at.axis == axis));
            ScratchDim { axis, step: inner.map(|at| at.step) }
        };
        let dims: Vec<ScratchDim> = statement.written_axes().into_iter().map(dim).collect();
        // Outside of all loops, except that concurrent iterations have storage of their own.
        let parallel = place.loops[..common].iter().rposition(|around| around.parallel);
        let made_at = place.path[..parallel.map_or(0, |depth| depth + 1)].to_vec();
        let common = place.path[..common].to_vec();
        self.scratch.insert(number, Scratch { dims, made_at, common });
        Ok(())
    }

    /// Replaces temporary storage by the output of a statement that overwrites it while it reads it for the last time.
    fn borrow_outputs(&mut self, kernel: &Kernel, places: &FxHashMap<usize, Place>) {
        let mut numbers: Vec<usize> = self.scratch.keys().copied().collect();
        numbers.sort_unstable();
        let mut taken = FxHashSet::default();
        for number in numbers {
            let depth = self.scratch[&number].common.len();
            let lends =
                |output: &usize| !taken.contains(output) && lends(kernel, places, number, depth, *output);
            if let Some(output) = (0..kernel.results.len()).find(lends) {
                taken.insert(output);
                self.scratch.remove(&number);
                self.outputs.insert(number, output);
            }
        }
    }

    /// The output that the result of a statement is written to.
    pub(crate) fn output_of(&self, statement: usize) -> Option<usize> {
        self.outputs.get(&statement).copied()
    }

    /// The statements whose temporary storage the list of steps at a position allocates.
    pub(crate) fn made_at(&self, path: &[usize]) -> Vec<usize> {
        let here = self.scratch.iter().filter(|(_, scratch)| scratch.made_at == path);
        let mut here: Vec<usize> = here.map(|(&number, _)| number).collect();
        here.sort_unstable();
        here
    }

    /// The statements whose temporary storage is indexed relative to the current iterations of the list of steps at a
    /// position.
    pub(crate) fn relative_to(&self, path: &[usize]) -> Vec<usize> {
        let here = self.scratch.iter().filter(|(_, scratch)| scratch.common == path);
        here.map(|(&number, _)| number).collect()
    }

    /// The temporary storage of a statement.
    pub(crate) fn scratch(&self, statement: usize) -> Option<&Scratch> {
        self.scratch.get(&statement)
    }

    /// Whether a read comes from registers.
    pub(crate) fn is_forwarded(&self, reader: usize, read: usize) -> bool {
        self.forwarded.contains(&(reader, read))
    }

    /// The axes of the reduction loops between whose iterations the partial results of a statement are in memory.
    pub(crate) fn blocks(&self, statement: usize) -> &[Axis] {
        self.blocks.get(&statement).map_or(&[], Vec::as_slice)
    }

    /// Whether the plan has a tile of a statement.
    pub(crate) fn is_computed(&self, statement: usize) -> bool {
        self.tiles.contains_key(&statement)
    }

    /// The tile of a statement.
    pub(crate) fn tile(&self, statement: usize) -> &Tile {
        &self.tiles[&statement]
    }
}

fn find_places(
    kernel: &Kernel,
    steps: &[Step],
    path: &mut Vec<usize>,
    loops: &mut Vec<Around>,
    places: &mut FxHashMap<usize, Place>,
) {
    for (at, step) in steps.iter().enumerate() {
        path.push(at);
        match step {
            &Step::Loop { axis, step, parallel, tail, ref body } => {
                loops.push(Around { axis, step, parallel, shifts: tail == Some(Tail::Shift) });
                find_places(kernel, body, path, loops, places);
                loops.pop();
            }
            Step::Leaf { statement, tile, .. } => {
                let reduced = |around: &Around| kernel.statements[*statement].reduces(around.axis);
                let scope = loops.iter().position(reduced).unwrap_or(loops.len());
                let others = loops[scope..].iter().rposition(|around| !reduced(around));
                let accumulators = scope + others.map_or(0, |innermost| innermost + 1);
                let place = Place {
                    path: path.clone(),
                    loops: loops.clone(),
                    tile: tile.clone(),
                    scope,
                    accumulators,
                };
                places.insert(*statement, place);
            }
            Step::Pack { .. } => {}
        }
        path.pop();
    }
}

/// Whether the output of a statement may hold the result of another one, `number`, until it is overwritten. `depth` is the
/// number of loops around both it and its readers. The statement reads each element where it writes it, once; all other readers
/// have read the element before.
fn lends(
    kernel: &Kernel,
    places: &FxHashMap<usize, Place>,
    number: usize,
    depth: usize,
    output: usize,
) -> bool {
    let last = kernel.results[output];
    let (producer, consumer) = (&kernel.statements[number], &kernel.statements[last]);
    let Some(to) = places.get(&last) else { return false };
    let old = Source::Argument(kernel.inputs + output);
    let keeps_old =
        kernel.statements.iter().any(|statement| statement.reads.iter().any(|read| read.source == old));
    if consumer.reduction.is_some() || producer.element != consumer.element || keeps_old {
        return false;
    }
    if producer.written_axes() != consumer.written_axes() {
        return false;
    }
    let once = |around: &Around| consumer.has_axis(around.axis) && !around.shifts;
    let mut reads = kernel.readers(number);
    let is_read = kernel.readers(number).any(|(reader, _)| reader == last);
    is_read
        && to.loops[depth..].iter().all(once)
        && reads.all(|(reader, read)| {
            let Some(place) = places.get(&reader) else { return false };
            let shared = place.path.iter().zip(&to.path).take_while(|(a, b)| a == b).count();
            let is_before = reader == last || place.path < to.path;
            is_before && (kernel.is_aligned(reader, read) || (shared <= depth && reader != last))
        })
}

/// Whether a reader finds the tile of a producer in registers: it runs in the same iterations of all loops over the
/// producer's axes, reads the same point, and has a tile of the same shape along these axes.
fn is_forwarded(
    kernel: &Kernel,
    producer: usize,
    from: &Place,
    (reader, read): (usize, usize),
    to: &Place,
) -> bool {
    let statement = &kernel.statements[producer];
    let shared = from.path.iter().zip(&to.path).take_while(|(a, b)| a == b).count();
    if shared < from.scope || !kernel.is_aligned(reader, read) {
        return false;
    }
    let written: Vec<Axis> = statement.written_axes().into_iter().flatten().collect();
    let inner = to.loops[from.scope..].iter();
    let revisited = inner.clone().any(|around| written.contains(&around.axis));
    let lanes = |tile: &Tile, axis: Axis| {
        [tile.lanes, tile.groups].map(|along| along.is_some_and(|(at, _)| at == axis))
    };
    let same = |&axis: &Axis| {
        from.tile.size(axis) == to.tile.size(axis) && lanes(&from.tile, axis) == lanes(&to.tile, axis)
    };
    let kept = |along: Option<(Axis, i64)>| along.filter(|(axis, _)| written.contains(axis));
    let kept = Tile { lanes: kept(from.tile.lanes), groups: kept(from.tile.groups), ..Tile::default() };
    let fits = kept.width().is_none_or(|width| to.tile.width() == Some(width));
    let is_read = kernel.statements[reader].reads[read].source == Source::Statement(producer);
    is_read && fits && !revisited && written.iter().all(same)
}
