//! The worklist of the greedy driver.

use minoan_ir::{Body, Op};

/// The number of uses to examine when determining whether a value has few users.
const FEW_USES: usize = 8;

/// A stack without duplicates. Erased operations remain on it and are skipped when popped.
#[derive(Default)]
pub(crate) struct Worklist {
    stack: Vec<Op>,
    /// For each operation index: the operation that is on the stack. The full id is stored since the index may be
    /// reused.
    queued: Vec<Option<Op>>,
}

impl Worklist {
    #[inline]
    pub(crate) fn push(&mut self, op: Op) {
        if self.queued.len() <= op.index() {
            self.queued.resize((op.index() + 1).next_power_of_two(), None);
        }
        if self.queued[op.index()].replace(op) != Some(op) {
            self.stack.push(op);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self, body: &Body) -> Option<Op> {
        while let Some(op) = self.stack.pop() {
            if self.queued[op.index()] == Some(op) {
                self.queued[op.index()] = None;
            }
            if body.contains(op) {
                return Some(op);
            }
        }
        None
    }

    /// Reverses the order, so that the operation pushed first is popped first.
    pub(crate) fn reverse(&mut self) {
        self.stack.reverse();
    }

    pub(crate) fn clear(&mut self) {
        self.stack.clear();
        self.queued.fill(None);
    }

    /// Before an operation is erased: pushes the definitions of its operands and of those of nested operations, since
    /// they may become dead or have a single user left.
    pub(crate) fn push_operands(&mut self, body: &Body, op: Op) {
        let mut pending = vec![op];
        while let Some(op) = pending.pop() {
            let view = body.op(op);
            for value in view.operands() {
                let Some(def) = body.defining_op(value) else { continue };
                let mut other = None;
                let mut seen = 0;
                let few = body.uses(value).all(|at| {
                    seen += 1;
                    seen <= FEW_USES && (at.op == op || *other.get_or_insert(at.op) == at.op)
                });
                if few {
                    self.push(def);
                }
            }
            for block in view.own_regions().flat_map(|region| body.region(region).blocks()) {
                pending.extend(body.block(block).ops());
            }
        }
    }
}
