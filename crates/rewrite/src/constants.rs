//! Deduplicates constants and moves them to the entry block.

use minoan_ir::{Attr, Block, Body, InsertionPoint, Loc, Op, Region, Type};
use minoan_services::constant_of;
use rustc_hash::FxHashMap;

/// The identity of a constant: the region it is moved to, its dialect, value and type.
type Key = (Region, Option<usize>, Attr, Type);

/// The constants of a body.
#[derive(Default)]
pub(crate) struct Constants {
    unique: FxHashMap<Key, Op>,
    /// For each operation: whether it is in `unique`.
    owned: Vec<Option<Op>>,
}

/// The outcome of visiting an operation.
pub(crate) enum Seen {
    /// The operation is not a constant.
    NotConstant,
    /// The constant is kept, possibly at a new position.
    Kept { moved: bool },
    /// Another equal constant dominates it.
    Duplicate(Op),
}

impl Constants {
    fn owns(&self, op: Op) -> bool {
        self.owned.get(op.index()).copied().flatten() == Some(op)
    }

    /// Visits an operation. A new constant is moved to the front of the entry block of `scope`, an enclosing region,
    /// unless only constants precede it.
    pub(crate) fn see(&mut self, body: &mut Body, scope: Region, op: Op) -> Seen {
        let view = body.op(op);
        if view.n_results() != 1 {
            return Seen::NotConstant;
        }
        let result = view.result(0);
        let Some(value) = constant_of(body, result) else { return Seen::NotConstant };
        let block = view.block();
        let first = |body: &Body| block.and_then(|block| body.block(block).first()) == Some(op);
        let in_front = |body: &Body| first(body) || body.op(op).prev().is_some_and(|prev| self.owns(prev));
        let entry = body.region(scope).entry();
        if self.owns(op) {
            let moved = !in_front(body);
            if moved {
                move_to_front(body, op, entry);
            }
            return Seen::Kept { moved };
        }
        let dialect = body.context().info(view.kind()).and_then(|info| info.dialect);
        let key = (scope, dialect, value, body.ty(result));
        if let Some(&other) = self.unique.get(&key)
            && body.contains(other)
            && constant_of(body, body.op(other).result(0)) == Some(value)
        {
            body.set_loc(other, Loc::UNKNOWN);
            return Seen::Duplicate(other);
        }
        let moved = block != entry || !in_front(body);
        if moved {
            move_to_front(body, op, entry);
        }
        self.unique.insert(key, op);
        if self.owned.len() <= op.index() {
            self.owned.resize(body.op_capacity(), None);
        }
        self.owned[op.index()] = Some(op);
        Seen::Kept { moved }
    }
}

/// Moves a constant to the front of a block and drops its location if the block changes.
fn move_to_front(body: &mut Body, op: Op, entry: Option<Block>) {
    let Some(entry) = entry else { return };
    if body.op(op).block() != Some(entry) {
        body.set_loc(op, Loc::UNKNOWN);
    }
    body.move_op(op, InsertionPoint::Start(entry));
}
