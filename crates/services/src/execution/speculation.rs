//! Speculative execution: execution of operations where the original program does not execute them.

use crate::{EffectSet, EffectsTable};
use minoan_ir::{Context, OpRef, ServiceTable, Traits, service};

/// Whether an operation may be executed speculatively, where the original program did not execute it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speculatability {
    /// The operation may: it has no undefined behavior for its operands, and it terminates.
    Speculatable,
    /// The operation may not.
    NotSpeculatable,
    /// The operation may if every operation in its regions may.
    Recursively,
}

impl From<bool> for Speculatability {
    fn from(may: bool) -> Self {
        if may { Speculatability::Speculatable } else { Speculatability::NotSpeculatable }
    }
}

/// Whether an operation has undefined behavior for operands that it may have. Queried by passes that move operations to
/// where control did not reach them; without an implementation the traits decide: an operation that is `PURE` or
/// `SPECULATABLE` may be executed anywhere, one with `RECURSIVE_EFFECTS` if the operations in its regions may, no other.
///
/// An operation whose [`Evaluate`](crate::Evaluate) traps for some operands implements this service, and takes its operands
/// into account: a division by a constant that is not zero is speculatable. An operation that may return poison is speculatable.
///
/// Effects are another matter: passes that move operations query [`Effects`](crate::Effects) as well.
pub trait Speculation: Send + Sync {
    /// Whether the operation may be executed where its operands are available.
    fn speculatability(&self, op: OpRef<'_>) -> Speculatability;
}
service!(dyn Speculation, "Speculation", Optional);

/// The speculatability of operations, for passes that query it many times.
#[derive(Clone, Copy)]
pub struct SpeculationTable<'c> {
    services: Option<&'c ServiceTable<dyn Speculation>>,
    effects: EffectsTable<'c>,
}

impl<'c> SpeculationTable<'c> {
    /// For the operations of a context.
    pub fn new(ctx: &'c Context) -> Self {
        Self { services: ctx.service_table(), effects: EffectsTable::new(ctx) }
    }

    /// Whether an operation may be executed speculatively, apart from its effects.
    #[inline]
    pub fn of(self, op: OpRef<'_>) -> Speculatability {
        if let Some(service) = self.services.and_then(|table| table.get(op.kind())) {
            return service.speculatability(op);
        }
        let traits = op.traits();
        if traits.has(Traits::PURE) || traits.has(Traits::SPECULATABLE) {
            Speculatability::Speculatable
        } else if traits.has(Traits::RECURSIVE_EFFECTS) {
            Speculatability::Recursively
        } else {
            Speculatability::NotSpeculatable
        }
    }

    /// Whether an operation has no effect and may be executed anywhere, including the operations in its regions.
    #[inline]
    pub fn is_harmless(self, op: OpRef<'_>) -> bool {
        self.of(op) == Speculatability::Speculatable && self.effects.own(op) == EffectSet::NONE
    }
}

/// A function as an implementation: whether the operation may be executed anywhere.
impl<F: Fn(OpRef<'_>) -> bool + Send + Sync> Speculation for F {
    fn speculatability(&self, op: OpRef<'_>) -> Speculatability {
        self(op).into()
    }
}
