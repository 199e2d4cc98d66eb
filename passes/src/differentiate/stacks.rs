//! Stacks of the objects that loops carry: a loop pushes its loop-carried objects at the start of each iteration, and the reverse loop
//! pops them, from the last iteration to the first.

use super::work::Work;
use minoan_ir::{Block, Body, InsertionPoint, Op, Value};

impl Work<'_, '_> {
    /// Replaces the placeholder of a saved object in the iterations of the reverse loop, which carries the stack: each
    /// takes the object on top. The stack has one object for each iteration.
    pub(super) fn pop_in_reverse(
        &mut self,
        body: &mut Body,
        block: Block,
        (owner, stack): (usize, Value),
        (placeholder, op): (Value, Op),
        keys: &[Value],
    ) -> bool {
        if body.try_op(op).is_err() {
            return true;
        }
        let Some(reverse) = body.block(block).region().and_then(|region| body.region(region).parent()) else {
            return false;
        };
        let old: Vec<Value> = body.op(reverse).results().collect();
        let kind = body.op(reverse).kind();
        let Some(loops) = self.engine.loops.and_then(|table| table.get(kind)) else { return false };
        let engine = &*self.engine;
        let made = loops.carry_more(body, reverse, &[stack], &mut |b, args| {
            let outside = b.insertion_point();
            b.set_insertion_point(InsertionPoint::Start(block));
            let (object, rest) = engine.objects[owner].pop(b, args[0]);
            b.body_mut().replace_all_uses(placeholder, object);
            b.set_insertion_point(outside);
            vec![rest]
        });
        let Some(made) = made else { return false };
        // The results of the reverse loop are cotangents.
        let new: Vec<Value> = body.op(made).results().collect();
        for key in keys {
            if let Some(cotangent) = self.derivatives.get_mut(key)
                && let Some(at) = old.iter().position(|old| old == cotangent)
            {
                *cotangent = new[at];
            }
        }
        true
    }
}
