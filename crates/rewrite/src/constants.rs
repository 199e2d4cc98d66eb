//! One constant of each value and type, at the front of the entry block.

use minoan_ir::{Attr, Block, Body, InsertionPoint, Loc, Op, Region, Type};
use minoan_services::constant_of;
use rustc_hash::FxHashMap;

/// What tells constants apart: the region they are moved to, their dialect, value and type.
type Key = (Region, Option<usize>, Attr, Type);

/// The constants of a body, as folding found them.
#[derive(Default)]
pub(crate) struct Constants {
    unique: FxHashMap<Key, Op>,
    /// By operation: those in `unique`.
    owned: Vec<Option<Op>>,
}

/// What became of a constant.
pub(crate) enum Seen {
    /// It is not one.
    NotConstant,
    /// It stays; it was moved or not.
    Kept { moved: bool },
    /// There is another one, which dominates it.
    Duplicate(Op),
}

impl Constants {
    fn owns(&self, op: Op) -> bool {
        self.owned.get(op.index()).copied().flatten() == Some(op)
    }

    /// Looks at an operation. A new constant is moved to the front of the entry block of `scope`, a region around it,
    /// unless only constants are before it.
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

/// Moves a constant to the front of a block; in another block its location means nothing.
fn move_to_front(body: &mut Body, op: Op, entry: Option<Block>) {
    let Some(entry) = entry else { return };
    if body.op(op).block() != Some(entry) {
        body.set_loc(op, Loc::UNKNOWN);
    }
    body.move_op(op, InsertionPoint::Start(entry)).expect("a constant has no region");
}
