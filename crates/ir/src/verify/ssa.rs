//! Rule 30: operands dominate their uses.
//!
//! One traversal of the dominator trees with a mark for each visible value; marks are removed at the end of their
//! scope. The time is linear in the number of operands and operations.

use super::Report;
use super::dominance::{Dominance, is_graph};
use crate::{Block, Body, Def, Op, OpRef, Region, Traits, Value};

enum Work<'a> {
    Region(Region),
    Enter(Block),
    /// The operations from this one on.
    Ops {
        first: Option<OpRef<'a>>,
        rules: Rules,
    },
    /// The operation after its regions have been visited.
    After {
        op: OpRef<'a>,
        rules: Rules,
    },
    Leave(Block),
    /// The unreachable blocks of a region.
    Unreachable(Region),
    UnreachableBlock(Block),
    HideRegion(Region),
}

/// The treatment of the operations of a block.
#[derive(Clone, Copy)]
struct Rules {
    /// Whether operands are checked.
    check_uses: bool,
    /// Whether the results of each operation become visible after it.
    show: bool,
}

impl Rules {
    const REACHABLE: Self = Self { check_uses: true, show: true };
    const UNREACHABLE: Self = Self { check_uses: false, show: true };
    /// All results of the region are visible already.
    const GRAPH: Self = Self { check_uses: true, show: false };
}

/// Reports operands that do not dominate their use. `owner` is whether the operation that owns the body is
/// registered, and its traits.
pub(super) fn check(report: &mut Report, body: &Body, owner: Option<(bool, Traits)>) {
    let mut walk =
        Walk { body, dominance: Dominance::of_blocks(body), visible: vec![false; body.value_capacity()] };
    let mut work: Vec<Work<'_>> = body.regions().map(Work::Region).collect();
    work.reverse();
    while let Some(next) = work.pop() {
        walk.step(next, &mut work, report, owner);
    }
}

struct Walk<'a> {
    body: &'a Body,
    dominance: Dominance,
    /// By value index.
    visible: Vec<bool>,
}

impl<'a> Walk<'a> {
    fn step(
        &mut self,
        next: Work<'a>,
        work: &mut Vec<Work<'a>>,
        report: &mut Report,
        owner: Option<(bool, Traits)>,
    ) {
        let body = self.body;
        match next {
            Work::Region(region) if is_graph(body, region, owner) => {
                work.push(Work::HideRegion(region));
                self.show_region(region, true);
                let firsts =
                    body.region(region).blocks().rev().map(|block| body.block(block).op_refs().next());
                work.extend(firsts.map(|first| Work::Ops { first, rules: Rules::GRAPH }));
            }
            Work::Region(region) => {
                if body.region(region).blocks().len() > 1 {
                    work.push(Work::Unreachable(region));
                }
                work.extend(body.region(region).entry().map(Work::Enter));
            }
            Work::Enter(block) => {
                self.show_args(block);
                work.push(Work::Leave(block));
                work.extend(self.dominance.children(block).iter().rev().map(|&child| Work::Enter(child)));
                work.push(Work::Ops { first: body.block(block).op_refs().next(), rules: Rules::REACHABLE });
            }
            Work::Ops { first, rules } => self.ops(first, rules, work, report),
            Work::After { op, rules } => {
                if rules.show {
                    self.show_results(op, true);
                }
                self.ops(op.following(), rules, work, report);
            }
            Work::Leave(block) => self.show_block(block, false),
            Work::Unreachable(region) => {
                let unreachable = |block: &Block| !self.dominance.is_reachable(*block);
                let blocks: Vec<Block> = body.region(region).blocks().filter(unreachable).collect();
                if !blocks.is_empty() {
                    // They are dominated by every other block.
                    self.show_region(region, true);
                    work.push(Work::HideRegion(region));
                    work.extend(blocks.into_iter().rev().map(Work::UnreachableBlock));
                }
            }
            Work::UnreachableBlock(block) => {
                self.show_block(block, false);
                self.show_args(block);
                work.push(Work::Ops { first: body.block(block).op_refs().next(), rules: Rules::UNREACHABLE });
            }
            Work::HideRegion(region) => self.show_region(region, false),
        }
    }

    fn ops(&mut self, first: Option<OpRef<'a>>, rules: Rules, work: &mut Vec<Work<'a>>, report: &mut Report) {
        let mut at = first;
        while let Some(op) = at {
            if rules.check_uses {
                for (index, value) in op.operand_indices().enumerate() {
                    if !self.visible[value] {
                        self.invisible(report, op.id(), index, op.operand(index));
                    }
                }
            }
            if op.own_regions().len() > 0 {
                work.push(Work::After { op, rules });
                let from = work.len();
                work.extend(op.own_regions().map(Work::Region));
                work[from..].reverse();
                return;
            }
            if rules.show {
                self.show_results(op, true);
            }
            at = op.following();
        }
    }

    fn show_args(&mut self, block: Block) {
        for arg in self.body.block(block).args() {
            self.visible[arg.index()] = true;
        }
    }

    #[inline]
    fn show_results(&mut self, op: OpRef<'_>, visible: bool) {
        for result in op.result_indices() {
            self.visible[result] = visible;
        }
    }

    fn show_block(&mut self, block: Block, visible: bool) {
        let body = self.body;
        for value in body.block(block).args() {
            self.visible[value.index()] = visible;
        }
        for op in body.block(block).op_refs() {
            self.show_results(op, visible);
        }
    }

    fn show_region(&mut self, region: Region, visible: bool) {
        for block in self.body.region(region).blocks() {
            self.show_block(block, visible);
        }
    }

    fn invisible(&self, report: &mut Report, op: Op, index: usize, value: Value) {
        let body = self.body;
        let ctx = body.context();
        let (at, what, loc) = match body.def(value) {
            Def::Result(def, _) => (body.op(def).block(), None, body.op(def).loc()),
            Def::Arg(block, _) => (Some(block), Some(block), body.value_loc(value)),
        };
        let relation = self.relation(op, at);
        let note = match what {
            None => format!("operand defined here (op {relation})"),
            Some(block) => {
                let region = body.block(block).region();
                let blocks = region.into_iter().flat_map(|region| body.region(region).blocks());
                let number = blocks.take_while(|other| *other != block).count();
                format!("operand defined as a block argument (block #{number} {relation})")
            }
        };
        let message = format!("operand #{index} does not dominate this use");
        report.error(
            body.op(op),
            minoan_diag::Diagnostic::error(message)
                .at(body.op(op).loc().place(ctx))
                .note_at(loc.place(ctx), note),
        );
    }

    /// The position of a definition relative to its use.
    fn relation(&self, user: Op, def: Option<Block>) -> &'static str {
        let body = self.body;
        let region_of = |block: Block| body.block(block).region();
        let (Some(use_block), Some(def)) = (body.op(user).block(), def) else { return "in no block" };
        if use_block == def {
            return "in the same block";
        }
        let (use_region, def_region) = (region_of(use_block), region_of(def));
        if use_region == def_region {
            return "in the same region";
        }
        let inside = |block: Block, region: Option<Region>| {
            let around = body.block(block).parent().into_iter().flat_map(|op| body.op(op).ancestors());
            around.into_iter().any(|op| op.block().and_then(region_of) == region)
        };
        if inside(use_block, def_region) {
            "in a parent region"
        } else if inside(def, use_region) {
            "in a child region"
        } else {
            "is neither in a parent nor in a child region"
        }
    }
}
