//! Operations that are still to be visited.

use minoan_ir::{Body, Op};

/// Uses that are looked at to find whether a value has few users.
const FEW_USES: usize = 8;

/// A stack where no operation is twice. Erased operations stay on it until they would be taken.
#[derive(Default)]
pub(crate) struct Worklist {
    stack: Vec<Op>,
    /// By operation: itself, while it is on the stack. The whole id, because its number may be used again.
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

    /// What was pushed first comes first.
    pub(crate) fn reverse(&mut self) {
        self.stack.reverse();
    }

    pub(crate) fn clear(&mut self) {
        self.stack.clear();
        self.queued.fill(None);
    }

    /// Before an operation is erased: what it uses, and what is inside it uses, may be dead then, or have one user left.
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
            for block in view.regions().flat_map(|region| body.region(region).blocks()) {
                pending.extend(body.block(block).ops());
            }
        }
    }
}
