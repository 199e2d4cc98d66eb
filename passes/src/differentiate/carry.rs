//! The storages of a nest, which its loops carry.
//!
//! The values that each loop of a nest saves are determined first, inner loops first, since a loop also saves values for the reverse
//! of the loops directly in it: the numbers of values that they had saved before, and their results. Then every loop is created anew once,
//! with the storages of all loops in it, from the outermost loop on. So the time is proportional to the number of values that the
//! loops carry in the end.

use super::loops::{Final, NeededResult, Reversed};
use super::residuals::{Saved, SavedPart, behind};
use super::saving::{Kept, loop_of};
use super::whiles::forward;
use super::work::Work;
use minoan_ir::{Block, Body, Builder, InsertionPoint, Loc, Op, Type, Value};
use rustc_hash::FxHashMap;

/// A value that a loop saves, as far as it is known before the loops in it are created anew.
#[derive(Clone, Copy)]
enum Source {
    Known(Value),
    /// The number of values that an inner loop has saved before it is executed.
    Start(usize),
    /// The number of values that an execution of an inner loop saves.
    Count(usize),
    /// A result of an inner loop, or an extent of it.
    Result(usize, NeededResult),
}

/// A storage that a loop saves into.
struct Slot<'a> {
    source: Source,
    /// The dynamic extents of the value, if they are the same in all iterations.
    sizes: Option<&'a [Value]>,
    /// Whether the storage starts without room.
    grows: bool,
    /// The placeholder of the storage after the nest.
    storage: Value,
}

/// A loop of a nest. Loops are given by their indices in the nest.
struct Member<'a> {
    of: &'a Reversed,
    around: Option<usize>,
    /// The number of conditionals between the two.
    levels: usize,
    /// The loops directly in it.
    inner: Vec<usize>,
    /// The values that it saves for the loops directly in it, with their placeholders.
    wanted: Vec<(Source, Value)>,
    slots: Vec<Slot<'a>>,
    /// The initial values that it carries for itself: the number of values that it has saved, and its storages.
    inits: Vec<Value>,
    /// The number of these values.
    own: usize,
    /// The number of values that it carries for the loops in it, in their order, and then for itself.
    size: usize,
    /// The number of its iterations in the nest, if that is known before the nest.
    room: Option<Option<Value>>,
    /// The numbers of saved values before and after an execution of it.
    span: Option<(Value, Value)>,
    /// The results that are needed after the conditionals around it, by number, with their values there.
    lifted: Vec<(usize, Option<Value>)>,
    /// Whether there are such results of it, or of a loop in it.
    lifts: bool,
}

/// The loops of a nest. Those in a loop are directly before it.
struct Nest<'a> {
    loops: Vec<Member<'a>>,
    /// The number of values that the loops that were created anew carry.
    carried: u64,
}

/// The values of a loop that conditionals around it pass on.
struct Passed {
    /// The number of conditionals around the block.
    levels: usize,
    /// The block with the values.
    block: Block,
    /// The carried values before the loop.
    inits: Vec<Value>,
    /// The carried values after the loop, and its results that are needed.
    values: Vec<Value>,
}

impl<'a> Nest<'a> {
    fn new(root: &'a Reversed, inner: &'a [Reversed]) -> Self {
        let blocks = inner.iter().chain([root]).map(|of| of.iteration.block);
        let indices: FxHashMap<Block, usize> = blocks.enumerate().map(|(at, block)| (block, at)).collect();
        let outermost = inner.len();
        let around = |of: &Reversed| of.within.and_then(|block| indices.get(&block).copied());
        let member = |(at, of): (usize, &'a Reversed)| Member {
            of,
            around: (at != outermost).then(|| around(of).unwrap_or(outermost)),
            levels: if at == outermost { 0 } else { of.levels },
            inner: Vec::new(),
            wanted: Vec::new(),
            slots: Vec::new(),
            inits: Vec::new(),
            own: 0,
            size: 0,
            room: None,
            span: None,
            lifted: Vec::new(),
            lifts: false,
        };
        let mut loops: Vec<Member<'a>> = inner.iter().chain([root]).enumerate().map(member).collect();
        for at in 0..outermost {
            if let Some(around) = loops[at].around {
                loops[around].inner.push(at);
            }
        }
        Self { loops, carried: 0 }
    }

    fn outermost(&self, body: &Body) -> Option<Op> {
        loop_of(body, self.loops.last()?.of.anchor)
    }

    fn type_of(&self, body: &Body, source: Source) -> Option<Type> {
        match source {
            Source::Known(value) => Some(body.ty(value)),
            Source::Result(inner, NeededResult { number, dim: None, .. }) => {
                let op = loop_of(body, self.loops[inner].of.anchor)?;
                Some(body.ty(body.op(op).result(number)))
            }
            Source::Start(_) | Source::Count(_) | Source::Result(..) => Some(Type::INDEX),
        }
    }
}

impl Work<'_, '_> {
    /// Lets the outermost loop of a nest save, and the loops of the nest in it, inner ones first.
    pub(super) fn save_nest(&mut self, body: &mut Body, loc: Loc, mut root: Reversed, inner: &[Reversed]) {
        let anchor = root.anchor;
        self.kept.remove(&root.copy);
        let saved = self.save_inner(body, loc, &root, inner).and_then(|more| {
            root.saved.extend(more);
            self.save_outermost(body, loc, root)
        });
        if let (None, Some(op)) = (saved, loop_of(body, anchor)) {
            self.report(body.op(op), "carries a value that cannot be saved");
        }
    }

    /// Saves what the reverse of the inner loops of a nest needs; returns what the outermost one has to save for that.
    fn save_inner(
        &mut self,
        body: &mut Body,
        loc: Loc,
        root: &Reversed,
        inner: &[Reversed],
    ) -> Option<Saved> {
        let mut nest = Nest::new(root, inner);
        for at in 0..inner.len() {
            self.plan(body, loc, &mut nest, at)?;
        }
        let mut inits = Vec::new();
        let mut storages = Vec::new();
        for member in nest.loops.iter_mut().filter(|member| member.own > 0) {
            inits.append(&mut member.inits);
            // The number of saved values is not needed after the nest.
            storages.push(None);
            storages.extend(member.slots.iter().map(|slot| Some(slot.storage)));
        }
        let results = self.carry(body, loc, &mut nest, inner.len(), &inits)?;
        self.engine.carried += nest.carried;
        for (storage, result) in storages.into_iter().zip(results) {
            let Some(storage) = storage else { continue };
            body.replace_all_uses(storage, result);
            let op = body.defining_op(storage)?;
            self.erase_if_unused(body, op);
        }
        let wanted = std::mem::take(&mut nest.loops[inner.len()].wanted);
        let saved = wanted.into_iter().map(|(source, placeholder)| {
            Some((SavedPart::Value(self.resolve(body, loc, &nest, source)?), placeholder))
        });
        saved.collect()
    }

    /// Determines what an inner loop of a nest saves, and what the loop around it saves for it.
    fn plan<'a>(&self, body: &mut Body, loc: Loc, nest: &mut Nest<'a>, at: usize) -> Option<()> {
        let of: &'a Reversed = nest.loops[at].of;
        let around = nest.loops[at].around?;
        let storages = &nest.loops[around].of.storages;
        let is_used = |body: &Body, value: Value| body.contains_value(value) && body.is_used(value);
        let is_needed = |body: &Body, placeholder: Value| {
            is_used(body, storages.get(&placeholder).copied().unwrap_or(placeholder))
        };
        let storage_of =
            |body: &Body, placeholder| of.storages.get(&placeholder).copied().filter(|&it| is_used(body, it));
        let live = of.saved.iter().filter(|&&(_, placeholder)| storage_of(body, placeholder).is_some());
        let (parts, placeholders): (Vec<SavedPart>, Vec<Value>) = live.copied().unzip();
        let values = self.known_at_end(body, of.anchor, &parts)?;
        let known = values.into_iter().map(Source::Known).zip(placeholders);
        let sources: Vec<(Source, Value)> = known.chain(std::mem::take(&mut nest.loops[at].wanted)).collect();
        let mut wanted: Vec<(Source, Value)> = Vec::new();
        let base = of.base.filter(|&base| is_needed(body, base));
        let count = of.count.filter(|&count| is_needed(body, count));
        wanted.extend(base.map(|base| (Source::Start(at), base)));
        wanted.extend(count.map(|count| (Source::Count(at), count)));
        for &needed in of.results.iter().filter(|needed| is_needed(body, needed.placeholder)) {
            wanted.push((Source::Result(at, needed), needed.placeholder));
        }
        for &Final { carried, dim, placeholder } in &of.finals {
            if is_needed(body, placeholder) {
                let number = forward(body, loop_of(body, of.anchor)?, carried)?.1;
                wanted.push((Source::Result(at, NeededResult { number, dim, placeholder }), placeholder));
            }
        }
        if nest.loops[at].levels > 0 {
            let numbers = wanted.iter().filter_map(|(source, _)| match source {
                Source::Result(_, needed) => Some((needed.number, None)),
                _ => None,
            });
            nest.loops[at].lifted.extend(numbers);
        }
        if nest.loops[at].lifts || !nest.loops[at].lifted.is_empty() {
            nest.loops[at].lifts = true;
            nest.loops[around].lifts = true;
        }
        let saves = sources.iter().any(|&(_, placeholder)| storage_of(body, placeholder).is_some());
        if saves || base.is_some() || count.is_some() {
            let room = self.room(body, loc, nest, at);
            let outermost = nest.outermost(body)?;
            let mut b = Builder::before(body, outermost).with_loc(loc);
            nest.loops[at].inits.push(self.engine.ops.index(&mut b, 0));
            for (source, placeholder) in sources {
                let Some(storage) = storage_of(b.body(), placeholder) else { continue };
                let sizes = of.sizes.get(&placeholder).map(Vec::as_slice);
                let ty = nest.type_of(b.body(), source)?;
                let (init, grows) = self.keep(&mut b, room, ty, sizes)?;
                nest.loops[at].inits.push(init);
                nest.loops[at].slots.push(Slot { source, sizes, grows, storage });
            }
            nest.loops[at].own = nest.loops[at].inits.len();
        }
        let size = nest.loops[at].own + nest.loops[at].size;
        nest.loops[at].size = size;
        nest.loops[around].size += size;
        nest.loops[around].wanted.extend(wanted);
        Some(())
    }

    /// The number of iterations of a loop in its nest, if it is computable before the nest. Creates it there.
    fn room(&self, body: &mut Body, loc: Loc, nest: &mut Nest<'_>, at: usize) -> Option<Value> {
        let outermost = nest.outermost(body)?;
        let mut path = Vec::new();
        let mut next = Some(at);
        while let Some(at) = next.filter(|&at| nest.loops[at].room.is_none()) {
            path.push(at);
            next = nest.loops[at].around;
        }
        for at in path.into_iter().rev() {
            let around = nest.loops[at].around.map(|around| nest.loops[around].room.flatten());
            let count = match around {
                Some(None) => None,
                // A conditional may not execute the loop at all.
                _ if nest.loops[at].levels > 0 => None,
                _ => self.trip_count_before(body, loc, nest.loops[at].of.anchor, outermost),
            };
            let mut b = Builder::before(body, outermost).with_loc(loc);
            let room = match (around.flatten(), count) {
                (Some(room), Some(count)) => Some(self.engine.ops.index_mul(&mut b, room, count)),
                (_, count) => count,
            };
            nest.loops[at].room = Some(room);
        }
        nest.loops[at].room.flatten()
    }

    /// Lets a loop of a nest carry the values for itself and the loops in it; returns those after the loop.
    fn carry(
        &mut self,
        body: &mut Body,
        loc: Loc,
        nest: &mut Nest<'_>,
        at: usize,
        inits: &[Value],
    ) -> Option<Vec<Value>> {
        if inits.is_empty() && !nest.loops[at].lifts {
            return Some(Vec::new());
        }
        let op = loop_of(body, nest.loops[at].of.anchor)?;
        let mut complete = true;
        let loops = self.engine.loops?.get(body.op(op).kind())?;
        let made = loops.carry_more(body, op, inits, &mut |b, args| {
            let next = self.save_iteration(b, loc, nest, at, args);
            complete &= next.is_some();
            next.unwrap_or_else(|| args.to_vec())
        })?;
        let results = body.op(made).n_results();
        nest.carried += results as u64;
        let results: Vec<Value> = body.op(made).results().skip(results - inits.len()).collect();
        complete.then_some(results)
    }

    /// Makes the values of loops in conditionals results of the conditionals around them, inner ones first, each of which is
    /// created anew once. The other regions do not change the values that the loops carry.
    fn pass_on(&mut self, body: &mut Body, passed: &mut [Passed]) -> Option<()> {
        let deepest = passed.iter().map(|it| it.levels).max().unwrap_or(0);
        for levels in (1..=deepest).rev() {
            let mut conditionals: Vec<Op> = Vec::new();
            let mut of: FxHashMap<Op, Vec<usize>> = FxHashMap::default();
            for (at, it) in passed.iter().enumerate().filter(|(_, it)| it.levels == levels) {
                let conditional = body.block(it.block).parent()?;
                let all = of.entry(conditional).or_default();
                if all.is_empty() {
                    conditionals.push(conditional);
                }
                all.push(at);
            }
            for conditional in conditionals {
                self.pass_on_from(body, conditional, &of[&conditional], passed)?;
            }
        }
        Some(())
    }

    /// Makes the values of some loops in the regions of a conditional results of it.
    fn pass_on_from(
        &mut self,
        body: &mut Body,
        conditional: Op,
        of: &[usize],
        passed: &mut [Passed],
    ) -> Option<()> {
        let view = body.op(conditional);
        let around = view.block()?;
        let mut next = view.n_results();
        let blocks: Vec<Block> =
            (0..view.n_regions()).filter_map(|region| Self::entry(view, region)).collect();
        let mut more = Vec::with_capacity(blocks.len());
        for &block in &blocks {
            let last = body.block(block).last()?;
            let mut b = Builder::new(body, InsertionPoint::Before(last));
            let mut yielded = Vec::new();
            for it in of.iter().map(|&at| &passed[at]) {
                if it.block == block {
                    yielded.extend_from_slice(&it.values);
                    continue;
                }
                yielded.extend_from_slice(&it.inits);
                for &value in &it.values[it.inits.len()..] {
                    yielded.push(self.unused_like(&mut b, conditional, value)?);
                }
            }
            more.push(yielded);
        }
        let new = self.yield_more(body, conditional, &blocks, &more);
        for &at in of {
            let it = &mut passed[at];
            for value in &mut it.values {
                *value = body.op(new).result(next);
                next += 1;
            }
            (it.block, it.levels) = (around, it.levels - 1);
        }
        Some(())
    }

    /// Saves the values of an iteration of a loop of a nest, and of the loops in it; returns the next carried values.
    fn save_iteration(
        &mut self,
        b: &mut Builder<'_>,
        loc: Loc,
        nest: &mut Nest<'_>,
        at: usize,
        args: &[Value],
    ) -> Option<Vec<Value>> {
        let mut next = Vec::with_capacity(args.len());
        let mut passed = Vec::new();
        let mut start = 0;
        for inner in std::mem::take(&mut nest.loops[at].inner) {
            let inits = args[start..start + nest.loops[inner].size].to_vec();
            start += inits.len();
            let mut values = self.carry(b.body_mut(), loc, nest, inner, &inits)?;
            let member = &nest.loops[inner];
            let op = loop_of(b.body(), member.of.anchor)?;
            values.extend(member.lifted.iter().map(|&(number, _)| b.body().op(op).result(number)));
            if values.is_empty() {
                continue;
            }
            let block = b.body().op(op).block()?;
            passed.push((inner, Passed { levels: member.levels, block, inits, values }));
        }
        let (inner, mut passed): (Vec<usize>, Vec<Passed>) = passed.into_iter().unzip();
        self.pass_on(b.body_mut(), &mut passed)?;
        for (inner, Passed { inits, mut values, .. }) in inner.into_iter().zip(passed) {
            let member = &mut nest.loops[inner];
            let lifted = values.split_off(inits.len());
            member.lifted.iter_mut().zip(lifted).for_each(|((_, value), result)| *value = Some(result));
            let first = inits.len() - member.own;
            member.span = inits.get(first).copied().zip(values.get(first).copied());
            next.extend(values);
        }
        let Some((&position, storages)) = args[next.len()..].split_first() else { return Some(next) };
        let one = self.engine.ops.index(b, 1);
        next.push(self.engine.ops.index_add(b, position, one));
        for (slot, &storage) in std::mem::take(&mut nest.loops[at].slots).into_iter().zip(storages) {
            let value = self.resolve(b.body_mut(), loc, nest, slot.source)?;
            let kept = Kept { value, sizes: slot.sizes, grows: slot.grows };
            next.push(self.save_value(b, storage, position, kept));
        }
        Some(next)
    }

    /// A value that a loop of a nest saves, after the loops in it were created anew.
    fn resolve(&self, body: &mut Body, loc: Loc, nest: &Nest<'_>, source: Source) -> Option<Value> {
        match source {
            Source::Known(value) => Some(self.solved.value(value)),
            Source::Start(inner) => Some(nest.loops[inner].span?.0),
            Source::Count(inner) => {
                let (start, end) = nest.loops[inner].span?;
                let mut b = Builder::new(body, behind(body, end)).with_loc(loc);
                Some(self.engine.ops.index_sub(&mut b, end, start))
            }
            Source::Result(inner, NeededResult { number, dim, .. }) => {
                let lifted = nest.loops[inner].lifted.iter().find(|&&(other, _)| other == number);
                let result = match lifted.and_then(|&(_, value)| value) {
                    Some(value) => value,
                    None => body.op(loop_of(body, nest.loops[inner].of.anchor)?).result(number),
                };
                let part = dim.map_or(SavedPart::Value(result), |dim| SavedPart::Extent(result, dim));
                Some(self.create_part(body, part))
            }
        }
    }
}
