//! Folding of operations by the greedy driver.

use super::Run;
use crate::attempt::Observer;
use crate::{Event, Listener};
use minoan_ir::{Body, InsertionPoint, Op, Traits, Value};
use minoan_services::{Change, ConstantMaterializer, FoldResult, Folded, Operands, constant_of};
use smallvec::SmallVec;

impl Run<'_, '_, '_> {
    /// Folds an operation; returns whether it changed.
    pub(super) fn fold(&mut self, body: &mut Body, op: Op) -> Option<bool> {
        let view = body.op(op);
        if view.has_trait(Traits::CONSTANT_LIKE) {
            return Some(false);
        }
        let known: Operands = view.operands().map(|value| constant_of(body, value)).collect();
        match self.folder.fold(view, &known) {
            Folded::Unchanged | Folded::Stays => Some(false),
            _ if !self.permits("fold") => {
                self.driver.state.notify(body, Event::FoldSkipped);
                Some(false)
            }
            Folded::Results(results) => Some(self.replace_by_known(body, op, &results)),
            Folded::Changed(change) => {
                if !apply_change(body, op, change) {
                    return Some(false);
                }
                self.driver.state.modified(body, op);
                self.driver.state.notify(body, Event::Folded { in_place: true });
                self.driver.statistics.folded_in_place += 1;
                self.count(body, op, self.driver.patterns.len())?;
                Some(true)
            }
        }
    }

    /// Replaces an operation by folded results; returns false if a constant cannot be materialized.
    fn replace_by_known(&mut self, body: &mut Body, op: Op, known: &[FoldResult]) -> bool {
        let view = body.op(op);
        let results: SmallVec<[Value; 4]> = view.results().collect();
        if results.is_empty() || results.len() != known.len() {
            return false;
        }
        let (kind, loc) = (view.kind(), view.loc());
        let mut values: SmallVec<[Value; 4]> = SmallVec::new();
        let mut constants: SmallVec<[Op; 4]> = SmallVec::new();
        for (&result, &known) in results.iter().zip(known) {
            let ty = body.ty(result);
            let value = match known {
                FoldResult::Value(value) => {
                    (body.ty(value) == ty && !results.contains(&value)).then_some(value)
                }
                FoldResult::Constant(attr) => <dyn ConstantMaterializer>::constant(self.ctx, kind, attr, ty)
                    .map(|state| {
                        let constant = body.create(&state.loc(loc), InsertionPoint::Before(op));
                        constants.push(constant);
                        body.op(constant).result(0)
                    }),
            };
            let Some(value) = value else {
                constants.into_iter().for_each(|constant| body.erase(constant));
                return false;
            };
            values.push(value);
        }
        let state = &mut self.driver.state;
        constants.into_iter().for_each(|constant| state.inserted(body, constant));
        state.replaced(body, op, &values);
        state.erased(body, op);
        state.notify(body, Event::Folded { in_place: false });
        body.replace(op, &values);
        self.driver.statistics.folded += 1;
        true
    }
}

/// Updates an operation in place; returns false if nothing changes.
fn apply_change(body: &mut Body, op: Op, change: Change) -> bool {
    let Change { kind, operands, props } = change;
    let view = body.op(op);
    let kind = kind.filter(|&kind| kind != view.kind());
    let operands = operands.filter(|operands| !view.operands().eq(operands.iter().copied()));
    let props = props.filter(|&props| props != view.props());
    if let Some(kind) = kind {
        body.set_kind(op, kind);
    }
    if let Some(operands) = &operands {
        body.set_operands(op, operands);
    }
    if let Some(props) = props {
        body.set_props(op, props);
    }
    kind.is_some() || operands.is_some() || props.is_some()
}
