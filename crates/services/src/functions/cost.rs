//! Code size estimates.

use crate::MachineModel;
use minoan_ir::{Body, Op, OpRef, ServiceTable, service};

/// The estimated code size of an operation. Queried by `inline`. Default: one instruction.
pub trait Cost: Send + Sync {
    /// The approximate number of machine instructions, excluding nested regions.
    fn instructions(&self, op: OpRef<'_>) -> usize;

    /// The work of the operation on one full vector; by default, its instructions on the arithmetic ports.
    fn work(&self, op: OpRef<'_>, machine: &MachineModel) -> Work {
        let arithmetic = self.instructions(op) as f64 / machine.fma.max(1.0);
        Work { arithmetic, ..Work::default() }
    }
}

/// The processor cycles of an operation on one full vector, by the port that it occupies.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Work {
    /// Cycles of the arithmetic ports.
    pub arithmetic: f64,
    /// Cycles of the load ports.
    pub loads: f64,
    /// Cycles of the store ports.
    pub stores: f64,
    /// Cycles of other units, such as the divider, which do not overlap with those of another operation.
    pub other: f64,
}
service!(dyn Cost, "Cost", Default(EachIsOne));

/// The default: one instruction.
struct EachIsOne;

impl Cost for EachIsOne {
    fn instructions(&self, _: OpRef<'_>) -> usize {
        1
    }
}

/// A constant cost.
impl Cost for usize {
    fn instructions(&self, _: OpRef<'_>) -> usize {
        *self
    }
}

impl dyn Cost {
    /// The total cost of a body, including nested regions but not nested bodies.
    pub fn of_body(body: &Body) -> usize {
        let table: Option<&ServiceTable<dyn Cost>> = body.context().service_table();
        let cost = |op: Op| {
            let view = body.op(op);
            table.and_then(|table| table.get(view.kind())).map_or(1, |service| service.instructions(view))
        };
        body.walk().into_iter().map(cost).fold(0, usize::saturating_add)
    }
}
