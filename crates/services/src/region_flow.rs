//! How control passes through the regions of operations, and how often they run.

use minoan_ir::{Attr, OpRef, Value, service};
use smallvec::SmallVec;
use std::ops::Range;

/// How often the regions of an operation run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// Just one of the regions, once. A region that is missing counts as one that does nothing.
    OneOfThem,
    /// Any number of times, none included, one after another.
    Loop,
    /// Any number of times, in any order, perhaps at once; captured values are only read.
    Parallel,
}

/// What follows when control leaves a region, or comes to the operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Next {
    /// A region of the operation, by number.
    Region(usize),
    /// What comes after the operation.
    Results,
}

/// One way that control can go, and the values that go with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where it goes.
    pub next: Next,
    /// The operands of what is left (the operation, or the terminator of a region) that are passed on.
    pub operands: Range<usize>,
    /// The number of the argument, or result, that gets the first of them. All that get none are made by the
    /// operation.
    pub into: usize,
}

impl Way {
    /// A way that passes nothing on.
    pub fn bare(next: Next) -> Way {
        Way { next, operands: 0..0, into: 0 }
    }

    /// A way to the first results, or the first arguments of a region.
    pub fn with(next: Next, operands: Range<usize>) -> Way {
        Way { next, operands, into: 0 }
    }

    /// The values that are made for: the arguments of the region that follows, or the results.
    pub fn targets(&self, op: OpRef<'_>) -> Vec<Value> {
        match self.next {
            Next::Results => op.results().collect(),
            Next::Region(region) => {
                let body = op.body();
                let entry = op.regions().nth(region).and_then(|region| body.region(region).entry());
                entry.map_or_else(Vec::new, |entry| body.block(entry).args().collect())
            }
        }
    }

    /// The number of the operand that target number `target` gets; `None` when the operation makes it.
    pub fn operand(&self, target: usize) -> Option<usize> {
        let at = self.operands.start + target.checked_sub(self.into)?;
        self.operands.contains(&at).then_some(at)
    }
}

/// The ways from one place.
pub type Ways = SmallVec<[Way; 2]>;

/// How control passes through the regions of an operation. Asked by the planning of buffers, by motion of code and
/// by the passes over control flow; without an answer regions may run any number of times, in any order, and what
/// their arguments and the operation's results are is not known.
///
/// Block arguments of the regions own what they are given.
pub trait RegionFlow: Send + Sync {
    /// How often its regions run.
    fn runs(&self, op: OpRef<'_>) -> Runs;

    /// What may follow when control comes to the operation, where some operands are known; `operands` has an entry
    /// for each operand. Every region, or none of them, unless something else is said.
    fn entries(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> Ways {
        let _ = operands;
        anywhere(op)
    }

    /// What may follow when control comes to a terminator of a region, by its number, where some operands of the
    /// terminator are known. Every region, or none of them, unless something else is said.
    fn exits(&self, op: OpRef<'_>, region: usize, terminator: OpRef<'_>, operands: &[Option<Attr>]) -> Ways {
        let _ = (region, terminator, operands);
        anywhere(op)
    }
}
service!(dyn RegionFlow, "RegionFlow", Optional);

fn anywhere(op: OpRef<'_>) -> Ways {
    let regions = (0..op.regions().len()).map(|region| Way::bare(Next::Region(region)));
    regions.chain([Way::bare(Next::Results)]).collect()
}
