//! Control flow between the regions of an operation: region successors and the operands forwarded to them.

use minoan_ir::{Attr, OpRef, Value, service};
use smallvec::SmallVec;
use std::ops::Range;

/// The number of executions of the regions of an operation per execution of the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionExecution {
    /// Exactly one of the regions executes, once. A missing region counts as an empty one.
    ExactlyOne,
    /// Any number of times, including zero, one execution after another.
    Repeated,
    /// Any number of times, in any order, possibly concurrently; captured values are only read.
    Parallel,
}

/// The target of a transfer of control from an operation or from a terminator of one of its regions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegionTarget {
    /// The entry block of a region of the operation, by number.
    Region(usize),
    /// The operation itself: control continues after it, with its results.
    Parent,
}

/// A possible transfer of control, with the operands it forwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionSuccessor {
    /// The target of control.
    pub target: RegionTarget,
    /// The forwarded operands: a range of the operands of the operation, or of the terminator, that control leaves.
    pub operands: Range<usize>,
    /// The index of the successor input (region argument or result) that receives the first forwarded operand. Inputs
    /// that receive none are produced by the operation.
    pub first_input: usize,
}

impl RegionSuccessor {
    /// A successor that forwards no operands.
    pub fn new(target: RegionTarget) -> RegionSuccessor {
        RegionSuccessor { target, operands: 0..0, first_input: 0 }
    }

    /// A successor that forwards operands to its first inputs.
    pub fn forwarding(target: RegionTarget, operands: Range<usize>) -> RegionSuccessor {
        RegionSuccessor { target, operands, first_input: 0 }
    }

    /// The successor inputs: the entry arguments of the target region, or the results of the operation.
    pub fn inputs(&self, op: OpRef<'_>) -> Vec<Value> {
        match self.target {
            RegionTarget::Parent => op.results().collect(),
            RegionTarget::Region(region) => {
                let body = op.body();
                let entry = op.own_region(region).and_then(|region| body.region(region).entry());
                entry.map_or_else(Vec::new, |entry| body.block(entry).args().collect())
            }
        }
    }

    /// The index of the operand forwarded to successor input `input`; `None` if the operation produces that input.
    pub fn operand(&self, input: usize) -> Option<usize> {
        let at = self.operands.start + input.checked_sub(self.first_input)?;
        self.operands.contains(&at).then_some(at)
    }
}

/// The possible transfers of control from one place.
pub type RegionSuccessors = SmallVec<[RegionSuccessor; 2]>;

/// Control flow between the regions of an operation. Queried by `plan-buffers`, code motion and the passes over control
/// flow. Default: regions execute any number of times, in any order, and nothing is known of their arguments or of the
/// results of the operation.
///
/// Block arguments of the regions own the values forwarded to them.
pub trait RegionFlow: Send + Sync {
    /// The number of executions of the regions.
    fn execution(&self, op: OpRef<'_>) -> RegionExecution;

    /// The successors of the operation itself. `operands` holds the constant value of each operand, where known. By
    /// default: every region, or none.
    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> RegionSuccessors {
        let _ = operands;
        anywhere(op)
    }

    /// The successors of a terminator of region `region`. `operands` holds the constant value of each operand of the
    /// terminator, where known. By default: every region, or the parent.
    fn terminator_successors(
        &self,
        op: OpRef<'_>,
        region: usize,
        terminator: OpRef<'_>,
        operands: &[Option<Attr>],
    ) -> RegionSuccessors {
        let _ = (region, terminator, operands);
        anywhere(op)
    }
}
service!(dyn RegionFlow, "RegionFlow", Optional);

/// The successors of a terminator that forwards its operands to the results of the parent.
pub fn yields_to_parent(terminator: OpRef<'_>) -> RegionSuccessors {
    smallvec::smallvec![RegionSuccessor::forwarding(RegionTarget::Parent, 0..terminator.n_operands())]
}

/// The successors of a conditional with two regions, of which the first is executed if the condition holds; `None` is an unknown
/// condition. An empty region is skipped.
pub fn conditional_successors(op: OpRef<'_>, condition: Option<bool>) -> RegionSuccessors {
    let body = op.body();
    let chosen = op.own_regions().enumerate().filter(|&(at, _)| condition.is_none_or(|yes| yes == (at == 0)));
    let successor = |(at, region)| {
        let missing = body.region(region).is_empty();
        RegionSuccessor::new(if missing { RegionTarget::Parent } else { RegionTarget::Region(at) })
    };
    chosen.map(successor).collect()
}

fn anywhere(op: OpRef<'_>) -> RegionSuccessors {
    let regions =
        (0..op.own_regions().len()).map(|region| RegionSuccessor::new(RegionTarget::Region(region)));
    regions.chain([RegionSuccessor::new(RegionTarget::Parent)]).collect()
}
