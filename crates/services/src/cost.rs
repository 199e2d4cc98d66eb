//! What operations cost.

use minoan_ir::{Body, Op, OpRef, ServiceTable, service};

/// What an operation costs in code. Asked by inlining; the default is that each operation is one instruction.
pub trait Cost: Send + Sync {
    /// Machine instructions that it becomes, roughly, without what is inside its regions.
    fn instructions(&self, op: OpRef<'_>) -> usize;
}
service!(dyn Cost, "Cost", Default(EachIsOne));

/// The conservative default.
struct EachIsOne;

impl Cost for EachIsOne {
    fn instructions(&self, _: OpRef<'_>) -> usize {
        1
    }
}

/// The same number for each operation.
impl Cost for usize {
    fn instructions(&self, _: OpRef<'_>) -> usize {
        *self
    }
}

impl dyn Cost {
    /// What all of a body costs, with what is inside its operations but not their own bodies.
    pub fn of_body(body: &Body) -> usize {
        let table: Option<&ServiceTable<dyn Cost>> = body.context().service_table();
        let cost = |op: Op| {
            let view = body.op(op);
            table.and_then(|table| table.get(view.kind())).map_or(1, |service| service.instructions(view))
        };
        body.walk().into_iter().map(cost).fold(0, usize::saturating_add)
    }
}
