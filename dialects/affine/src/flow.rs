//! Region control flow.

use crate::{For, If};
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Attr, OpDef, OpRef};
use minoan_services::{
    RegionExecution, RegionFlow, RegionSuccessor, RegionSuccessors, RegionTarget, conditional_successors,
    yields_to_parent,
};
use smallvec::smallvec;

pub(crate) struct IfFlow;

/// Whether the condition of an `affine.if` holds, if it is known.
fn holds(op: OpRef<'_>, operands: &[Option<Attr>]) -> Option<bool> {
    let (set, ctx) = (If::from_op_unchecked(op.id()).condition(op.body()), op.context());
    let number = |operand: &Option<Attr>| operand.and_then(|known| known.as_i64(ctx));
    let numbers: Vec<Option<i64>> = operands.iter().map(number).collect();
    let mut all = Some(true);
    for (expr, is_equality) in &set.constraints {
        let mut used = Vec::new();
        expr.for_each_leaf(&mut |leaf| match leaf {
            AffineExpr::Dim(at) => used.push(*at as usize),
            AffineExpr::Symbol(at) => used.push((set.dims + *at) as usize),
            _ => {}
        });
        let known = used.iter().all(|&at| numbers.get(at).copied().flatten().is_some());
        let values: Vec<i64> = numbers.iter().map(|number| number.unwrap_or(0)).collect();
        let (dims, symbols) = values.split_at((set.dims as usize).min(values.len()));
        let value = expr.evaluate(dims, symbols).filter(|_| known);
        match value.map(|value| if *is_equality { value == 0 } else { value >= 0 }) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

impl RegionFlow for IfFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::ExactlyOne
    }

    fn entry_successors(&self, op: OpRef<'_>, operands: &[Option<Attr>]) -> RegionSuccessors {
        conditional_successors(op, holds(op, operands))
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

impl RegionFlow for ForFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::Repeated
    }

    fn entry_successors(&self, op: OpRef<'_>, _: &[Option<Attr>]) -> RegionSuccessors {
        let inits = op.operand_range(2);
        let inside =
            RegionSuccessor { target: RegionTarget::Region(0), operands: inits.clone(), first_input: 1 };
        let past = RegionSuccessor::forwarding(RegionTarget::Parent, inits);
        match For::from_op_unchecked(op.id()).trip_count(op.body()) {
            Some(0) => smallvec![past],
            Some(_) => smallvec![inside],
            None => smallvec![inside, past],
        }
    }

    fn terminator_successors(
        &self,
        op: OpRef<'_>,
        _: usize,
        terminator: OpRef<'_>,
        _: &[Option<Attr>],
    ) -> RegionSuccessors {
        let all = 0..terminator.n_operands();
        let past = RegionSuccessor::forwarding(RegionTarget::Parent, all.clone());
        if For::from_op_unchecked(op.id()).trip_count(op.body()) == Some(1) {
            return smallvec![past];
        }
        smallvec![RegionSuccessor { target: RegionTarget::Region(0), operands: all, first_input: 1 }, past]
    }
}

/// The execution counts of the regions, for operations whose successors are unknown.
pub(crate) struct Structured(pub RegionExecution);

impl RegionFlow for Structured {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        self.0
    }
}
