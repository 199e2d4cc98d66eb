//! A cursor that creates operations.

use crate::{Attr, Block, Body, Context, InsertionPoint, Loc, Op, OpState, Type, Value};

/// Creates operations one after another at a point of a body, at a location.
///
/// What it creates carries the location set last with [`Builder::set_loc`], unless its state has one.
pub struct Builder<'b> {
    body: &'b mut Body,
    point: InsertionPoint,
    loc: Loc,
    created: Option<&'b mut Vec<Op>>,
}

impl<'b> Builder<'b> {
    /// At a point.
    pub fn new(body: &'b mut Body, point: InsertionPoint) -> Self {
        Self { body, point, loc: Loc::UNKNOWN, created: None }
    }

    /// At the end of a block.
    pub fn at_end(body: &'b mut Body, block: Block) -> Self {
        Self::new(body, InsertionPoint::End(block))
    }

    /// Before an operation, with its location.
    pub fn before(body: &'b mut Body, op: Op) -> Self {
        let loc = body.op(op).loc();
        Self { body, point: InsertionPoint::Before(op), loc, created: None }
    }

    /// At a point; the operations it creates are also appended to a list.
    pub fn recording(body: &'b mut Body, point: InsertionPoint, created: &'b mut Vec<Op>) -> Self {
        Self { body, point, loc: Loc::UNKNOWN, created: Some(created) }
    }

    /// The same, with another location.
    pub fn with_loc(mut self, loc: Loc) -> Self {
        self.loc = loc;
        self
    }

    /// The body, for reading.
    pub fn body(&self) -> &Body {
        self.body
    }

    /// The body, for editing. The point must stay valid.
    pub fn body_mut(&mut self) -> &mut Body {
        self.body
    }

    /// The context.
    pub fn context(&self) -> Context {
        self.body.context().clone()
    }

    /// Where the next operation goes.
    pub fn insertion_point(&self) -> InsertionPoint {
        self.point
    }

    /// Moves the cursor; gives back where it was.
    pub fn set_insertion_point(&mut self, point: InsertionPoint) -> InsertionPoint {
        std::mem::replace(&mut self.point, point)
    }

    /// The location of what is created next.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// Changes the location of what is created next; gives back the old one.
    pub fn set_loc(&mut self, loc: Loc) -> Loc {
        std::mem::replace(&mut self.loc, loc)
    }

    /// Type of a value.
    #[track_caller]
    pub fn ty(&self, value: Value) -> Type {
        self.body.ty(value)
    }

    /// Creates an operation at the cursor. The cursor stays behind it.
    #[track_caller]
    pub fn create(&mut self, mut state: OpState) -> Op {
        if state.loc == Loc::UNKNOWN {
            state.loc = self.loc;
        }
        let op = self.body.create(&state, self.point);
        if let Some(created) = &mut self.created {
            created.push(op);
        }
        // The other points stay in front of what comes next by themselves.
        if let InsertionPoint::Start(_) | InsertionPoint::After(_) = self.point {
            self.point = InsertionPoint::After(op);
        }
        op
    }

    /// Appends a block to region `index` of an operation, and moves the cursor to its end; gives back the block and
    /// where the cursor was.
    #[track_caller]
    pub fn enter(&mut self, op: Op, index: usize, args: &[Type]) -> (Block, InsertionPoint) {
        let region = self.body.op(op).region(index);
        let block = self.body.add_block(region, args);
        (block, self.set_insertion_point(InsertionPoint::End(block)))
    }

    /// A dictionary from the entries that are there.
    pub fn dictionary(&self, entries: &[(&str, Option<Attr>)]) -> Attr {
        let ctx = self.body.context();
        let entries: Vec<_> =
            entries.iter().filter_map(|&(name, attr)| attr.map(|attr| (ctx.name(name), attr))).collect();
        Attr::dictionary(ctx, &entries)
    }
}
