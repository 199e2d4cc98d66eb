//! Folds of comparisons and selects.

use super::{Folding, Integer, rule};
use crate::*;
use minoan_ir::{AttrValue, DialectBuilder, Type};
use minoan_services::{Change, FoldResult, Folded};

pub(super) fn register(dialect: &mut DialectBuilder<'_>) {
    rule::<CmpI>(dialect, compare);
    rule::<CmpF>(dialect, |f| compare_floats(f).into());
    rule::<Select>(dialect, |f| select(f).into());
}

impl CmpIPredicate {
    /// The predicate for exchanged operands.
    pub fn swapped(self) -> Self {
        use CmpIPredicate::*;
        match self {
            Eq | Ne => self,
            Slt => Sgt,
            Sle => Sge,
            Sgt => Slt,
            Sge => Sle,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
        }
    }

    /// The negated predicate.
    pub fn negated(self) -> Self {
        use CmpIPredicate::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sle => Sgt,
            Sgt => Sle,
            Sge => Slt,
            Ult => Uge,
            Ule => Ugt,
            Ugt => Ule,
            Uge => Ult,
        }
    }

    /// Whether the predicate holds for equal integers.
    fn holds_for_equal(self) -> bool {
        use CmpIPredicate::*;
        matches!(self, Eq | Sle | Sge | Ule | Uge)
    }

    /// Whether the predicate holds for every integer and this constant, if that is known.
    fn against(self, right: &Integer) -> Option<bool> {
        use CmpIPredicate::*;
        match self {
            Ult if right.is_zero() => Some(false),
            Uge if right.is_zero() => Some(true),
            Ugt if right.is_all_ones() => Some(false),
            Ule if right.is_all_ones() => Some(true),
            Slt if right.is_signed_min() => Some(false),
            Sge if right.is_signed_min() => Some(true),
            Sgt if right.is_signed_max() => Some(false),
            Sle if right.is_signed_max() => Some(true),
            _ => None,
        }
    }
}

fn compare(f: Folding<'_>) -> Folded {
    let Some(predicate) = f.op.attr_value::<CmpIPredicate>("predicate") else { return Folded::Unchanged };
    if f.operand(0) == f.operand(1) {
        return f.result_integer(0, predicate.holds_for_equal().into()).into();
    }
    if f.known[0].is_some() && f.known[1].is_none() {
        let name = f.ctx().name("predicate");
        let mut entries = f.op.props().as_dictionary(f.ctx()).unwrap_or(&[]).to_vec();
        entries.retain(|&(entry, _)| entry != name);
        entries.push((name, predicate.swapped().into_attr(f.ctx())));
        let props = minoan_ir::Attr::dictionary(f.ctx(), &entries);
        return Change::new().operands([f.operand(1), f.operand(0)]).props(props).into();
    }
    let Some(right) = f.integer(1) else { return Folded::Unchanged };
    if let Some(holds) = predicate.against(&right) {
        return f.result_integer(0, holds.into()).into();
    }
    // A boolean compared with `true` for equality is itself.
    let is_truth = right.width == 1 && f.ty(f.operand(0)) == f.ty(f.op.result(0));
    let itself = match predicate {
        CmpIPredicate::Eq => right.is_one(),
        CmpIPredicate::Ne => right.is_zero(),
        _ => false,
    };
    if is_truth && itself {
        return f.keep(0).into();
    }
    extended_truth(f, predicate, &right).into()
}

/// Folds `ext(x : i1) != 0` and `ext(x) == ext(true)` to `x`.
fn extended_truth(f: Folding<'_>, predicate: CmpIPredicate, right: &Integer) -> Option<FoldResult> {
    let body = f.op.body();
    let def = body.op(body.defining_op(f.operand(0))?);
    let is_true = if def.is::<ExtUI>() {
        right.is_one()
    } else if def.is::<ExtSI>() {
        right.is_all_ones()
    } else {
        return None;
    };
    let truth = def.operand(0);
    let holds = match predicate {
        CmpIPredicate::Ne => right.is_zero(),
        CmpIPredicate::Eq => is_true,
        _ => false,
    };
    let is_truth = body.ty(truth).element_or_self(f.ctx()) == Type::I1;
    (holds && is_truth).then_some(truth.into())
}

/// Folds predicates that do not depend on the operands, and comparisons with NaN.
fn compare_floats(f: Folding<'_>) -> Option<FoldResult> {
    let predicate = f.op.attr_value::<CmpFPredicate>("predicate")?;
    if let Some(order) = super::apfloat::order(f) {
        return f.result_integer(0, predicate.holds(order).into());
    }
    let is_nan = |index: usize| f.float(index).is_some_and(f64::is_nan);
    match predicate {
        CmpFPredicate::False => f.result_integer(0, 0),
        CmpFPredicate::True => f.result_integer(0, 1),
        _ if is_nan(0) || is_nan(1) => f.result_integer(0, i64::from(predicate as u8 >= 8)),
        _ => None,
    }
}

fn select(f: Folding<'_>) -> Option<FoldResult> {
    if f.operand(1) == f.operand(2) {
        return f.keep(1);
    }
    if let Some(condition) = f.integer(0) {
        return f.keep(if condition.is_zero() { 2 } else { 1 });
    }
    // A select between true and false is the condition.
    if f.ty(f.operand(0)) == f.ty(f.op.result(0))
        && f.integer(1).is_some_and(|integer| integer.is_all_ones())
        && f.integer(2).is_some_and(|integer| integer.is_zero())
    {
        return f.keep(0);
    }
    // a == b ? a : b is b, a != b ? a : b is a.
    let (compared, op) = f.def::<CmpI>(0)?;
    let operands = compared.operand_values(op.body());
    let chosen = [f.operand(1), f.operand(2)];
    if operands != chosen && operands != [chosen[1], chosen[0]] {
        return None;
    }
    let body = op.body();
    match compared.predicate(body) {
        CmpIPredicate::Eq => f.keep(2),
        CmpIPredicate::Ne => f.keep(1),
        _ => None,
    }
}
