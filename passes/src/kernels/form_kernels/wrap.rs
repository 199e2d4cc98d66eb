//! Kernels made of groups of operations.

use super::Former;
use super::predicates::{creates_tensor, domain, is_fill, reads_init, update_of};
use crate::analysis::captures::captures;
use minoan_ir::{Body, Builder, InsertionPoint, Mapping, Op, Traits, Type, Value};
use minoan_schedule::{Kernel, NotAKernel};
use rustc_hash::FxHashSet;

/// The operands and results of a kernel to be made.
pub(super) struct Contents {
    /// The operations that are copied, in program order.
    ops: Vec<Op>,
    ins: Vec<Value>,
    outs: Vec<Value>,
    results: Vec<Value>,
}

impl Former<'_> {
    /// The operands, results and operations of a group.
    pub(super) fn contents(&self, body: &Body, members: &[Op]) -> Result<Contents, String> {
        let set: FxHashSet<Op> = members.iter().copied().collect();
        let mut contents =
            Contents { ops: Vec::new(), ins: Vec::new(), outs: Vec::new(), results: Vec::new() };
        let mut seen: FxHashSet<Op> = FxHashSet::default();
        for &member in members {
            let view = body.op(member);
            let updated = update_of(view);
            for (index, operand) in view.operands().enumerate() {
                let is_init = updated == Some(index) && !reads_init(view, index);
                self.visit(body, &set, operand, is_init, &mut contents, &mut seen)?;
            }
            for captured in captures(body, member) {
                let ty = body.ty(captured);
                if ty.is_tensor(self.ctx) || ty.is_memref(self.ctx) {
                    // An operand of a kernel with a shape is a tensor in its body.
                    return Err(format!("'{}' captures a tensor or buffer", view.name()));
                }
                self.visit(body, &set, captured, false, &mut contents, &mut seen)?;
            }
            contents.ops.push(member);
            let result = view.result(0);
            if body.uses(result).any(|at| !set.contains(&at.op)) {
                contents.results.push(result);
            }
        }
        for &result in &contents.results {
            let out = self.destination(body, &set, result)?;
            contents.outs.push(out);
        }
        Ok(contents)
    }

    /// Adds the definition of an operand: an input, or an operation that is copied.
    fn visit(
        &self,
        body: &Body,
        members: &FxHashSet<Op>,
        value: Value,
        is_init: bool,
        contents: &mut Contents,
        seen: &mut FxHashSet<Op>,
    ) -> Result<(), String> {
        let op = body.defining_op(value).map(|op| body.op(op));
        if op.is_some_and(|op| members.contains(&op.id())) {
            return Ok(());
        }
        let copied = op.filter(|&op| {
            let is_constant = op.has_trait(Traits::CONSTANT_LIKE) && !body.ty(value).is_tensor(self.ctx);
            is_constant || is_fill(op) || (is_init && creates_tensor(op))
        });
        match copied {
            Some(op) => {
                if seen.insert(op.id()) {
                    let updated = update_of(op);
                    for (index, operand) in op.operands().enumerate() {
                        self.visit(body, members, operand, updated == Some(index), contents, seen)?;
                    }
                    contents.ops.push(op.id());
                }
            }
            None => {
                if !contents.ins.contains(&value) {
                    contents.ins.push(value);
                }
            }
        }
        Ok(())
    }

    /// The tensor that a result is written to, outside of the group.
    fn destination(&self, body: &Body, members: &FxHashSet<Op>, result: Value) -> Result<Value, String> {
        let mut value = result;
        loop {
            let op = body.defining_op(value).map(|op| body.op(op));
            let inside = op.filter(|&op| members.contains(&op.id()) || is_fill(op));
            match inside.and_then(|op| Some((op, update_of(op)?))) {
                Some((op, updated)) => value = op.operand(updated),
                None => return Ok(value),
            }
        }
    }

    /// Replaces a group by a kernel.
    pub(super) fn wrap(&self, body: &mut Body, members: &[Op]) {
        let (Ok(contents), Some(&last)) = (self.contents(body, members), members.last()) else { return };
        let Contents { ops, mut ins, outs, results } = contents;
        let mut made = Body::new(self.ctx, 1);
        let types: Vec<Type> = ins.iter().chain(&outs).map(|&value| body.ty(value)).collect();
        let root = made.root(0);
        let block = made.add_block(root, &types);
        let args: Vec<Value> = made.block(block).args().collect();
        let (in_args, out_args) = args.split_at(ins.len());
        let mut mapping = Mapping::new();
        // An argument that is both an input and an output denotes the old contents of the output.
        outs.iter().zip(out_args).for_each(|(&value, &arg)| mapping.map(value, arg));
        ins.iter().zip(in_args).for_each(|(&value, &arg)| mapping.map(value, arg));
        for &op in &ops {
            made.clone_op_from(body, op, InsertionPoint::End(block), &mut mapping);
        }
        let yielded: Vec<Value> = results.iter().map(|&result| mapping.value(result)).collect();
        for (&result, &out) in yielded.iter().zip(out_args) {
            write_to(&mut made, result, out);
        }
        let copies: Vec<Op> = made.block(block).ops().collect();
        for op in copies.into_iter().rev() {
            let view = made.op(op);
            if view.results().all(|result| !made.is_used(result) && !yielded.contains(&result)) {
                made.erase(op);
            }
        }
        for at in (0..ins.len()).rev() {
            let arg = made.block(block).arg(at);
            if !made.is_used(arg) {
                made.erase_arg(block, at);
                ins.remove(at);
            }
        }
        let from: Vec<Value> = made.block(block).args().collect();
        let mut b = Builder::before(body, last);
        let kernel = self.service.create(&mut b, &ins, &outs, &mut |b, args| {
            let mut mapping = Mapping::new();
            from.iter().zip(args).for_each(|(&from, &to)| mapping.map(from, to));
            for op in made.block(block).ops() {
                let point = b.insertion_point();
                b.body_mut().clone_op_from(&made, op, point, &mut mapping);
            }
            yielded.iter().map(|&value| mapping.value(value)).collect()
        });
        let new: Vec<Value> = body.op(kernel).results().collect();
        for (&old, &new) in results.iter().zip(&new) {
            body.replace_all_uses(old, new);
        }
        for &op in members.iter().rev() {
            body.erase(op);
        }
    }
}

/// Makes a result of a kernel an update of an output, with a copy of the fill that initializes it.
fn write_to(body: &mut Body, result: Value, out: Value) {
    let mut value = result;
    while let Some(op) = body.defining_op(value) {
        let Some(updated) = update_of(body.op(op)) else { return };
        let init = body.op(op).operand(updated);
        let from = body.defining_op(init).map(|from| body.op(from));
        match from {
            Some(from) if is_fill(from) => {
                let Some(index) = update_of(from) else { return };
                let fill = from.id();
                let copy = body.clone_op(fill, InsertionPoint::Before(op), &mut Mapping::new());
                body.set_operand(copy, index, out);
                let filled = body.op(copy).result(0);
                return body.set_operand(op, updated, filled);
            }
            Some(from) if domain(from).is_some() && update_of(from).is_some() => value = init,
            _ => return body.set_operand(op, updated, out),
        }
    }
}

/// The kernel that the operations of a group make.
pub(super) fn kernel_of(body: &Body, contents: &Contents) -> Result<Kernel, String> {
    let args: Vec<Value> = contents.ins.iter().chain(&contents.outs).copied().collect();
    let kernel = Kernel::of_ops(body, &args, contents.ins.len(), &contents.ops, &contents.results);
    kernel.map_err(|NotAKernel { op, message }| match op {
        Some(op) => format!("'{}' {message}", body.op(op).name()),
        None => message,
    })
}
