//! IR mutation with listener notifications.

use crate::NoMatch;
use minoan_ir::{
    Attr, Block, Body, Builder, Context, EditError, InsertionPoint, Loc, Mapping, Op, OpRef, OpState, Region,
    Type, Value,
};
use minoan_services::{ConstantMaterializer, constant_of};
use smallvec::SmallVec;
use std::borrow::Cow;

/// A listener for IR mutations. Each method may inspect the body.
pub trait Listener {
    /// An operation was created or moved.
    fn inserted(&mut self, _body: &Body, _op: Op) {}
    /// Operands, attributes or regions of an operation were modified.
    fn modified(&mut self, _body: &Body, _op: Op) {}
    /// The results of an operation are about to be replaced by other values.
    fn replaced(&mut self, _body: &Body, _op: Op, _with: &[Value]) {}
    /// An operation is about to be erased with everything in it.
    fn erased(&mut self, _body: &Body, _op: Op) {}
}

/// A listener that ignores all events.
impl Listener for () {}

/// Mutates a body on behalf of a pattern and notifies a listener of every edit.
///
/// Operations are created at an insertion point with a location; drivers set both to the root operation before they
/// apply a pattern.
pub struct Rewriter<'b> {
    body: &'b mut Body,
    listener: &'b mut dyn Listener,
    point: InsertionPoint,
    loc: Loc,
    created: &'b mut Vec<Op>,
    explain: bool,
}

impl<'b> Rewriter<'b> {
    /// Creates a rewriter of a body; `created` is scratch storage.
    pub fn new(body: &'b mut Body, listener: &'b mut dyn Listener, created: &'b mut Vec<Op>) -> Self {
        Self { body, listener, point: InsertionPoint::Detached, loc: Loc::UNKNOWN, created, explain: false }
    }

    /// Sets whether formatted reasons of failures are needed.
    #[must_use]
    pub fn explain(mut self, yes: bool) -> Self {
        self.explain = yes;
        self
    }

    /// Sets the insertion point before an operation, and its location.
    #[must_use]
    pub fn at(mut self, op: Op) -> Self {
        self.set_before(op);
        self
    }

    /// The body, read-only.
    pub fn body(&self) -> &Body {
        self.body
    }

    /// The body, for edits about which the caller notifies the listener.
    pub(crate) fn body_mut(&mut self) -> &mut Body {
        self.body
    }

    /// Notifies the listener of a created operation.
    pub(crate) fn record(&mut self, op: Op) {
        self.created.push(op);
    }

    /// The context.
    pub fn context(&self) -> &Context {
        self.body.context()
    }

    /// The operation with this id.
    ///
    /// # Panics
    /// Panics if the id is stale.
    #[track_caller]
    pub fn op(&self, op: Op) -> OpRef<'_> {
        self.body.op(op)
    }

    /// The type of a value.
    #[track_caller]
    pub fn ty(&self, value: Value) -> Type {
        self.body.ty(value)
    }

    /// The constant value of a value.
    #[track_caller]
    pub fn constant_of(&self, value: Value) -> Option<Attr> {
        constant_of(self.body, value)
    }

    /// Creates a failure to match; the reason is only formatted if it is logged.
    pub fn no_match<R: Into<Cow<'static, str>>>(&self, reason: impl FnOnce() -> R) -> NoMatch {
        if self.explain { NoMatch::because(reason()) } else { NoMatch::SILENT }
    }

    /// Sets the insertion point before an operation, and its location.
    #[track_caller]
    pub fn set_before(&mut self, op: Op) {
        self.loc = self.body.op(op).loc();
        self.point = InsertionPoint::Before(op);
    }

    /// Sets the insertion point; operations are inserted in order of creation.
    #[track_caller]
    pub fn set_insertion_point(&mut self, point: InsertionPoint) {
        // Use a form of the insertion point that remains after created operations.
        self.point = match point {
            InsertionPoint::Start(block) => {
                self.body.block(block).first().map_or(InsertionPoint::End(block), InsertionPoint::Before)
            }
            InsertionPoint::After(op) => {
                let view = self.body.op(op);
                let block = || InsertionPoint::End(view.block().expect("an insertion point is in a block"));
                view.next().map_or_else(block, InsertionPoint::Before)
            }
            other => other,
        };
    }

    /// Sets the location of created operations.
    pub fn set_loc(&mut self, loc: Loc) {
        self.loc = loc;
    }

    /// A builder at the insertion point.
    pub fn builder(&mut self) -> Builder<'_> {
        Builder::recording(self.body, self.point, self.created).with_loc(self.loc)
    }

    /// Creates an operation at the insertion point.
    #[track_caller]
    pub fn create(&mut self, state: OpState) -> Op {
        self.builder().create(state)
    }

    /// Materializes a constant at the insertion point for an operation, whose dialect is queried first.
    ///
    /// # Errors
    /// No loaded dialect can materialize the constant.
    pub fn constant(&mut self, of: Op, value: Attr, ty: Type) -> Result<Value, NoMatch> {
        let kind = self.body.op(of).kind();
        let state = <dyn ConstantMaterializer>::constant(self.body.context(), kind, value, ty)
            .ok_or_else(|| NoMatch::because("no dialect can materialize the constant"))?;
        let op = self.create(state);
        Ok(self.body.op(op).result(0))
    }

    /// Notifies the listener of operations created since the last notification.
    pub fn flush(&mut self) {
        for at in 0..self.created.len() {
            let op = self.created[at];
            if self.body.contains(op) {
                self.listener.inserted(self.body, op);
            }
        }
        self.created.clear();
    }

    /// Erases the operations created since the last notification, before the listener is notified of them: for a pattern that
    /// does not apply after all.
    pub fn discard(&mut self) {
        while let Some(op) = self.created.pop() {
            if self.body.contains(op) {
                self.body.erase(op);
            }
        }
    }

    /// Replaces the results of an operation by other values, and erases it.
    ///
    /// # Panics
    /// Panics if the number of values is not the number of results.
    #[track_caller]
    pub fn replace(&mut self, op: Op, with: &[Value]) {
        self.replace_results(op, with);
        self.erase(op);
    }

    /// Replaces the results of an operation by other values, without erasing it.
    ///
    /// # Panics
    /// Panics if the number of values is not the number of results.
    #[track_caller]
    pub fn replace_results(&mut self, op: Op, with: &[Value]) {
        self.flush();
        let results: SmallVec<[Value; 4]> = self.body.op(op).results().collect();
        assert_eq!(results.len(), with.len(), "one value for each result of '{}'", self.body.op(op).name());
        self.listener.replaced(self.body, op, with);
        for (&from, &to) in results.iter().zip(with) {
            self.body.replace_all_uses(from, to);
        }
    }

    /// Replaces an operation by a new one with the same number of results.
    #[track_caller]
    pub fn replace_by(&mut self, op: Op, state: OpState) -> Op {
        let (point, loc) = (self.point, self.loc);
        self.set_before(op);
        let new = self.create(state);
        let results: SmallVec<[Value; 4]> = self.body.op(new).results().collect();
        self.replace(op, &results);
        if point != InsertionPoint::Before(op) {
            (self.point, self.loc) = (point, loc);
        } else {
            self.set_insertion_point(InsertionPoint::After(new));
        }
        new
    }

    /// Erases an operation and everything in it.
    ///
    /// # Panics
    /// Panics if a value defined by it is used outside of it.
    #[track_caller]
    pub fn erase(&mut self, op: Op) {
        self.flush();
        self.listener.erased(self.body, op);
        if self.point == InsertionPoint::Before(op) {
            self.set_insertion_point(InsertionPoint::After(op));
        }
        self.body.erase(op);
    }

    /// Modifies an operation in place: its operands, attributes, kind, location or successors.
    #[track_caller]
    pub fn modify<R>(&mut self, op: Op, edit: impl FnOnce(&mut Body, Op) -> R) -> R {
        self.flush();
        let result = edit(self.body, op);
        self.listener.modified(self.body, op);
        result
    }

    /// Sets an operand.
    #[track_caller]
    pub fn set_operand(&mut self, op: Op, index: usize, value: Value) {
        self.modify(op, |body, op| body.set_operand(op, index, value));
    }

    /// Replaces all uses of `from` by `to`.
    #[track_caller]
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        self.flush();
        let users: SmallVec<[Op; 8]> = self.body.uses(from).map(|at| at.op).collect();
        self.body.replace_all_uses(from, to);
        for user in users {
            self.listener.modified(self.body, user);
        }
    }

    /// Moves an operation.
    ///
    /// # Errors
    /// The operation cannot be moved there; see [`Body::try_move_op`].
    #[track_caller]
    pub fn try_move_op(&mut self, op: Op, point: InsertionPoint) -> Result<(), EditError> {
        self.flush();
        self.body.try_move_op(op, point)?;
        self.listener.inserted(self.body, op);
        Ok(())
    }

    /// Clones an operation, with everything in it, at the insertion point.
    #[track_caller]
    pub fn clone_op(&mut self, op: Op, mapping: &mut Mapping) -> Op {
        let copy = self.body.clone_op(op, self.point, mapping);
        self.created.push(copy);
        copy
    }

    /// Inlines the operations of a block at another position, replaces its arguments by values, and erases it.
    ///
    /// # Panics
    /// Panics under the conditions of [`Body::inline_block`].
    #[track_caller]
    pub fn inline_block(&mut self, block: Block, point: InsertionPoint, args: &[Value]) {
        self.flush();
        let ops: Vec<Op> = self.body.block(block).ops().collect();
        let users: Vec<Op> = {
            let args = self.body.block(block).args();
            args.flat_map(|arg| self.body.uses(arg).map(|at| at.op)).collect()
        };
        self.body.inline_block(block, point, args);
        for op in ops {
            self.listener.inserted(self.body, op);
        }
        for user in users {
            self.listener.modified(self.body, user);
        }
    }

    /// Appends a block to a region.
    #[track_caller]
    pub fn add_block(&mut self, region: Region, args: &[Type]) -> Block {
        self.body.add_block(region, args)
    }

    /// Inserts a block before another one.
    #[track_caller]
    pub fn add_block_before(&mut self, next: Block, args: &[Type]) -> Block {
        self.body.add_block_before(next, args)
    }

    /// Appends an argument to a block.
    #[track_caller]
    pub fn add_arg(&mut self, block: Block, ty: Type, loc: Loc) -> Value {
        self.body.add_arg(block, ty, loc)
    }

    /// Erases an unused argument.
    ///
    /// # Panics
    /// Panics if the argument has uses.
    #[track_caller]
    pub fn erase_arg(&mut self, block: Block, index: usize) {
        self.body.erase_arg(block, index);
    }

    /// Erases a block with its operations.
    ///
    /// # Errors
    /// A value of the block is used elsewhere, or a branch of another block refers to it.
    #[track_caller]
    pub fn try_erase_block(&mut self, block: Block) -> Result<(), EditError> {
        self.flush();
        let ops: Vec<Op> = self.body.block(block).ops().collect();
        for op in ops {
            self.listener.erased(self.body, op);
        }
        self.body.try_erase_block(block)
    }

    /// Splits a block before an operation.
    ///
    /// # Panics
    /// Panics under the conditions of [`Body::split_block`].
    #[track_caller]
    pub fn split_block(&mut self, before: Op) -> Block {
        self.body.split_block(before)
    }

    /// Moves all blocks of a region to the end of another one.
    ///
    /// # Panics
    /// Panics under the conditions of [`Body::move_blocks`].
    #[track_caller]
    pub fn move_blocks(&mut self, from: Region, to: Region) {
        self.moving(from, |body| body.move_blocks(from, to));
    }

    /// Moves all blocks of a region before a block of another one.
    ///
    /// # Panics
    /// Panics under the conditions of [`Body::move_blocks_before`].
    #[track_caller]
    pub fn move_blocks_before(&mut self, from: Region, next: Block) {
        self.moving(from, |body| body.move_blocks_before(from, next));
    }

    fn moving(&mut self, from: Region, edit: impl FnOnce(&mut Body)) {
        self.flush();
        let blocks: Vec<Block> = self.body.region(from).blocks().collect();
        edit(self.body);
        for op in blocks.into_iter().flat_map(|block| self.body.block(block).ops()) {
            self.listener.inserted(self.body, op);
        }
    }
}
