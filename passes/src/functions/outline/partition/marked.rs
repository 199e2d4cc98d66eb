//! Regions that operations at their boundary mark for a compiler.
//!
//! An operation belongs to a region if a path leads from it to the end of a region, without another mark on it. If the paths to
//! two ends meet, both are in one region.

use super::Graph;
use crate::outline::is_copied;
use minoan_ir::{Block, Body, Context, Op, OpRef};
use minoan_services::{EffectSet, RegionMark, RegionMarks};
use rustc_hash::FxHashMap;

/// The kind of mark of an operation; `None` for any other operation.
fn mark_of(ctx: &Context, op: OpRef<'_>) -> Option<RegionMark> {
    ctx.service::<dyn RegionMarks>(op.kind())?.mark(op)
}

/// Whether regions of a block are marked.
pub(in crate::functions::outline) fn is_marked(body: &Body, block: Block) -> bool {
    let ctx = body.context();
    body.block(block).ops().any(|op| mark_of(ctx, body.op(op)).is_some())
}

/// The operations of a block and the marked regions that they are in.
pub(super) struct Marked {
    pub(super) marks: Vec<Option<RegionMark>>,
    /// The operations; those of one region have one root.
    pub(super) graph: Graph,
    /// The compiler of each operation of a region.
    pub(super) compilers: Vec<Option<String>>,
}

impl Marked {
    pub(super) fn of(body: &Body, block: Block, effects: impl Fn(OpRef<'_>) -> EffectSet) -> Marked {
        let mut graph = Graph::of(body, block, |_| false, effects);
        let marks: Vec<Option<RegionMark>> =
            graph.ops.iter().map(|&op| mark_of(body.context(), body.op(op))).collect();
        let mut compilers: Vec<Option<String>> = vec![None; marks.len()];
        for (end, mark) in marks.iter().enumerate() {
            let Some(RegionMark::End(compiler)) = mark else { continue };
            let mut pending = vec![end];
            while let Some(at) = pending.pop() {
                for need in graph.producers[at].clone() {
                    let stops = marks[need].is_some() || is_copied(body.op(graph.ops[need]));
                    if stops || compilers[need].as_ref().is_some_and(|other| other != compiler) {
                        continue;
                    }
                    if at != end {
                        graph.unite(need, at);
                    }
                    if compilers[need].replace(compiler.clone()).is_none() {
                        pending.push(need);
                    }
                }
            }
        }
        graph.supported = compilers.iter().map(Option::is_some).collect();
        Marked { marks, graph, compilers }
    }
}

/// The marked regions of a block with their compilers; the marks are removed. A region that needs its own results from elsewhere
/// stays where it is.
pub(super) fn marked_regions(
    body: &mut Body,
    block: Block,
    effects: impl Fn(OpRef<'_>) -> EffectSet,
) -> Vec<(Vec<Op>, String)> {
    let Marked { marks, graph, compilers } = Marked::of(body, block, effects);
    let ops = graph.ops.clone();
    let compilers: FxHashMap<Op, String> =
        ops.iter().copied().zip(compilers).filter_map(|(op, compiler)| Some((op, compiler?))).collect();
    let regions = graph.regions(body, block);
    for (&op, _) in ops.iter().zip(&marks).filter(|(_, mark)| mark.is_some()) {
        let (from, to) = (body.op(op).result(0), body.op(op).operand(0));
        body.replace_all_uses(from, to);
        body.erase(op);
    }
    regions.into_iter().map(|region| (region.clone(), compilers[&region[0]].clone())).collect()
}
