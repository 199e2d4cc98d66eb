//! Reductions of `affine.parallel`: their neutral elements, and their evaluation.

use minoan_arith::{AtomicKind, AtomicOperands};
use minoan_ir::{Attr, AttrEnum, Body, Context, InsertionPoint, Op, OpState, Type};
use minoan_services::{Datum, Evaluate, Flow, Machine, Trap};

/// The value with which a reduction starts; `None` if it has none, or the type is another.
pub(crate) fn neutral_element(ctx: &Context, kind: AtomicKind, ty: Type) -> Option<Attr> {
    use AtomicKind::*;
    match kind.operands() {
        AtomicOperands::Floats if ty.is_float(ctx) => {
            let value = match kind {
                AddF => 0.0,
                MulF => 1.0,
                MaximumF => f64::NEG_INFINITY,
                MinimumF => f64::INFINITY,
                _ => return None,
            };
            Some(Attr::float(ctx, value, ty))
        }
        AtomicOperands::Integers => {
            let width = ty.integer_width(ctx).filter(|_| ty.is_signless_integer(ctx))?;
            let value: i64 = match kind {
                AddI | OrI => 0,
                MulI => 1,
                AndI => -1,
                _ => return None,
            };
            // One bit is 0 or -1.
            Some(Attr::integer(ctx, if width == 1 { -(value & 1) } else { value }, ty))
        }
        _ => None,
    }
}

/// Combines values by the evaluation of the operation that a reduction stands for.
pub(crate) struct Combiner {
    /// A body with only this operation; `None` if the last value is the result.
    operation: Option<(Body, Op)>,
}

impl Combiner {
    pub(crate) fn new(ctx: &Context, kind: AtomicKind, ty: Type) -> Result<Self, Trap> {
        let Some(name) = kind.operation() else { return Ok(Self { operation: None }) };
        let Some(of) = ctx.registered_kind(name) else {
            return Err(Trap::new(format!("the reduction '{}' needs '{name}'", kind.keyword())));
        };
        let mut body = Body::new(ctx, 1);
        let block = body.add_block(body.root(0), &[ty, ty]);
        let args: Vec<_> = body.block(block).args().collect();
        let op = body.create(&OpState::new(of).operands(&args).results(&[ty]), InsertionPoint::End(block));
        Ok(Self { operation: Some((body, op)) })
    }

    pub(crate) fn combine(
        &self,
        so_far: Datum,
        next: Datum,
        machine: &mut dyn Machine,
    ) -> Result<Datum, Trap> {
        let Some((body, op)) = &self.operation else { return Ok(next) };
        let op = body.op(*op);
        let service = op.context().service::<dyn Evaluate>(op.kind());
        let service = service.ok_or_else(|| Trap::new(format!("'{}' cannot be evaluated", op.name())))?;
        match service.evaluate(op, &[so_far, next], machine)? {
            Flow::Next(results) if results.len() == 1 => Ok(results[0].clone()),
            _ => Err(Trap::new(format!("'{}' has one result", op.name()))),
        }
    }
}
