//! `merge-marked-regions`: regions for one compiler that follow each other become one region.
//!
//! Regions that are marked around single operations, as front ends mark them, meet where the end of one is the beginning of another
//! one. Both are one region unless a path from one to the other leads through an operation outside of the compiler's regions: its
//! function could not be called in one place. As in `partition-graph`, regions of one level are united, where the level is the
//! largest number of times that a path leaves the regions of the compiler. The marks between them are removed. The time is linear
//! in the size of a block for each compiler.

use super::marked::{Marked, is_marked};
use minoan_diag::Diagnostics;
use minoan_ir::{Block, Body, Op, OpRef};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{EffectSet, Effects, EffectsTable, RegionMark, RegionMarks};
use std::sync::atomic::{AtomicU64, Ordering};

/// Merges regions that are marked for one compiler.
#[derive(Default)]
pub struct MergeMarkedRegions {}

impl Pass for MergeMarkedRegions {
    fn name(&self) -> &'static str {
        "merge-marked-regions"
    }

    fn description(&self) -> &'static str {
        "merge regions that are marked for the same compiler and follow each other"
    }

    queries!(Effects, RegionMarks);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-merged", "Number of boundaries removed")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let effects = EffectsTable::new(&ctx);
        let merged = AtomicU64::new(0);
        run.each_body(|body: &mut Body| {
            let blocks: Vec<Block> = body.regions().flat_map(|region| body.region(region).blocks()).collect();
            for block in blocks {
                if is_marked(body, block) {
                    merged.fetch_add(merge(body, block, |op| effects.all(op)), Ordering::Relaxed);
                }
            }
        });
        run.count("num-merged", merged.into_inner());
        Ok(())
    }
}

/// Merges the regions of a block; returns the number of boundaries that are removed.
fn merge(body: &mut Body, block: Block, effects: impl Fn(OpRef<'_>) -> EffectSet) -> u64 {
    let mut compilers: Vec<String> = Vec::new();
    for compiler in Marked::of(body, block, &effects).compilers.into_iter().flatten() {
        if !compilers.contains(&compiler) {
            compilers.push(compiler);
        }
    }
    let regions_of = |compiler: String| {
        let removed = removable(Marked::of(body, block, &effects), &compiler);
        for &Boundary { user, begin, end } in &removed {
            let (from, to) = (body.op(begin).result(0), body.op(end).operand(0));
            let inside = |op: Op| body.op(op).ancestors().any(|around| around.id() == user);
            let uses: Vec<_> = body.uses(from).filter(|place| inside(place.op)).collect();
            for place in uses {
                body.set_operand(place.op, place.index, to);
            }
        }
        let mut unused: Vec<Op> = removed.iter().map(|boundary| boundary.begin).collect();
        unused.extend(removed.iter().map(|boundary| boundary.end));
        for mark in unused {
            if body.contains(mark) && body.uses(body.op(mark).result(0)).next().is_none() {
                body.erase(mark);
            }
        }
        removed.len() as u64
    };
    compilers.into_iter().map(regions_of).sum()
}

/// The end of a region, the beginning of the next one, and an operation there that uses the value.
struct Boundary {
    user: Op,
    begin: Op,
    end: Op,
}

/// The boundaries between regions for a compiler that become one.
fn removable(marked: Marked, compiler: &str) -> Vec<Boundary> {
    let Marked { marks, mut graph, compilers } = marked;
    let count = marks.len();
    let is_own: Vec<bool> = (0..count)
        .map(|at| match &marks[at] {
            Some(RegionMark::Begin(of) | RegionMark::End(of)) => of == compiler,
            None => compilers[at].as_deref() == Some(compiler),
        })
        .collect();
    // The operations of a region have the level of the region, so it takes the place of its operations.
    let roots: Vec<usize> = (0..count).map(|at| graph.root(at)).collect();
    let mut levels = vec![0_usize; count];
    let order = graph.sorted(&roots, &(0..count).collect::<Vec<usize>>());
    if order.len() < count {
        // Regions depend on each other.
        return Vec::new();
    }
    for at in order {
        for &need in &graph.before[at] {
            // The order of effects between regions is a path through the others.
            let is_order = roots[need] != roots[at] && !graph.producers[at].contains(&need);
            let rise = usize::from(is_own[need] && (!is_own[at] || is_order));
            levels[roots[at]] = levels[roots[at]].max(levels[roots[need]] + rise);
        }
    }
    // Each boundary, with an operation of the first region.
    let mut boundaries = Vec::new();
    for user in (0..count).filter(|&at| is_own[at] && marks[at].is_none()) {
        for &begin in graph.producers[user].iter().filter(|&&at| is_own[at] && is_begin(&marks[at])) {
            for &end in graph.producers[begin].iter().filter(|&&at| is_own[at] && marks[at].is_some()) {
                let inner = graph.producers[end].iter().filter(|&&at| is_own[at] && marks[at].is_none());
                boundaries.extend(inner.map(|&first| (first, user, begin, end)));
            }
        }
    }
    boundaries.retain(|&(first, user, ..)| levels[roots[first]] == levels[roots[user]]);
    let op = |at: usize| graph.ops[at];
    boundaries
        .into_iter()
        .map(|(_, user, begin, end)| Boundary { user: op(user), begin: op(begin), end: op(end) })
        .collect()
}

fn is_begin(mark: &Option<RegionMark>) -> bool {
    matches!(mark, Some(RegionMark::Begin(_)))
}
