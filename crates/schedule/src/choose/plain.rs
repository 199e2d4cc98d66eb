//! Loops of scalars.

use super::{leaf, nest};
use crate::kernel::{Axis, Kernel};
use crate::plan::Plan;

/// Each statement in separate loops: those over parallel axes, and inside of them those over reduction axes in the
/// order of the domain.
pub(super) fn plan(kernel: &Kernel) -> Plan {
    let mut nodes = Vec::new();
    for statement in kernel.statements.iter().filter(|statement| !statement.is_inline) {
        let mut order: Vec<Axis> = statement.axes.clone();
        order.sort_by_key(|&axis| statement.reduces(axis));
        order.retain(|&axis| !kernel.is_unit(axis));
        nodes.extend(nest(kernel, &order, vec![leaf(statement, Vec::new())]));
    }
    Plan { nodes }
}
