//! Region control flow.

use crate::regions::case_values;
use minoan_ir::{Attr, Int, OpRef, Signedness};
use minoan_services::{
    RegionExecution, RegionFlow, RegionSuccessor, RegionSuccessors, RegionTarget, conditional_successors,
    yields_to_parent,
};
use smallvec::smallvec;

pub(crate) struct IfFlow;

impl RegionFlow for IfFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::ExactlyOne
    }

    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> RegionSuccessors {
        let condition = operands.first().copied().flatten().and_then(|attr| attr.as_bool(op.context()));
        conditional_successors(op, condition)
    }

    fn terminator_successors(
        &self,
        _: OpRef<'_>,
        _: usize,
        terminator: OpRef<'_>,
        _: &[Option<Attr>],
    ) -> RegionSuccessors {
        yields_to_parent(terminator)
    }
}

pub(crate) struct ForFlow;

/// Whether the first iteration is executed, if the bounds are known.
fn begins(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<bool> {
    let ctx = op.context();
    let [Some(lower), Some(upper), ..] = operands else { return None };
    let width = lower.value_type(ctx)?.integer_width(ctx).unwrap_or(64);
    let sign = if op.attr_named("unsignedCmp").is_some() { Signedness::Unsigned } else { Signedness::Signed };
    let known = |attr: &Attr| -> Option<Int> { Some(attr.as_int(ctx)?.clone().wrapped(width, sign)) };
    Some(known(lower)? < known(upper)?)
}

impl RegionFlow for ForFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::Repeated
    }

    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> RegionSuccessors {
        let inside =
            RegionSuccessor { target: RegionTarget::Region(0), operands: 3..op.n_operands(), first_input: 1 };
        let past = RegionSuccessor::forwarding(RegionTarget::Parent, 3..op.n_operands());
        match begins(op, operands) {
            Some(true) => smallvec![inside],
            Some(false) => smallvec![past],
            None => smallvec![inside, past],
        }
    }

    fn terminator_successors(
        &self,
        _: OpRef<'_>,
        _: usize,
        terminator: OpRef<'_>,
        _: &[Option<Attr>],
    ) -> RegionSuccessors {
        let all = 0..terminator.n_operands();
        let again =
            RegionSuccessor { target: RegionTarget::Region(0), operands: all.clone(), first_input: 1 };
        smallvec![again, RegionSuccessor::forwarding(RegionTarget::Parent, all)]
    }
}

pub(crate) struct WhileFlow;

impl RegionFlow for WhileFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::Repeated
    }

    fn entry_successors(&self, op: OpRef<'_>, _: &[Option<Attr>]) -> RegionSuccessors {
        smallvec![RegionSuccessor::forwarding(RegionTarget::Region(0), 0..op.n_operands())]
    }

    fn terminator_successors(
        &self,
        _: OpRef<'_>,
        region: usize,
        end: OpRef<'_>,
        operands: &[Option<Attr>],
    ) -> RegionSuccessors {
        if region == 1 {
            return smallvec![RegionSuccessor::forwarding(RegionTarget::Region(0), 0..end.n_operands())];
        }
        let condition = operands.first().copied().flatten().and_then(|attr| attr.as_bool(end.context()));
        let targets = [(true, RegionTarget::Region(1)), (false, RegionTarget::Parent)];
        let possible = targets.into_iter().filter(|&(when, _)| condition.is_none_or(|yes| yes == when));
        possible.map(|(_, next)| RegionSuccessor::forwarding(next, 1..end.n_operands())).collect()
    }
}

/// `scf.execute_region`: executes the region, which yields the results.
pub(crate) struct OnceFlow;

impl RegionFlow for OnceFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::ExactlyOne
    }

    fn entry_successors(&self, _: OpRef<'_>, _: &[Option<Attr>]) -> RegionSuccessors {
        smallvec![RegionSuccessor::new(RegionTarget::Region(0))]
    }

    fn terminator_successors(
        &self,
        _: OpRef<'_>,
        _: usize,
        terminator: OpRef<'_>,
        _: &[Option<Attr>],
    ) -> RegionSuccessors {
        yields_to_parent(terminator)
    }
}

/// `scf.index_switch`: executes the region of the case, or the default region.
pub(crate) struct SwitchFlow;

impl RegionFlow for SwitchFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::ExactlyOne
    }

    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> RegionSuccessors {
        let arg = operands.first().copied().flatten().and_then(|attr| attr.as_i64(op.context()));
        let known = arg.map(|arg| {
            let case = case_values(op).into_iter().position(|case| case == arg);
            case.map_or(0, |case| case + 1)
        });
        let regions = (0..op.n_regions()).filter(|&region| known.is_none_or(|known| known == region));
        regions.map(|region| RegionSuccessor::new(RegionTarget::Region(region))).collect()
    }

    fn terminator_successors(
        &self,
        _: OpRef<'_>,
        _: usize,
        terminator: OpRef<'_>,
        _: &[Option<Attr>],
    ) -> RegionSuccessors {
        yields_to_parent(terminator)
    }
}

/// The execution counts of the regions, for operations whose successors are unknown.
pub(crate) struct Structured(pub RegionExecution);

impl RegionFlow for Structured {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        self.0
    }
}
