//! The builder, which creates operations at an insertion point.

use crate::{Attr, Block, Body, Context, InsertionPoint, Loc, Op, OpState, Type, Value};
use minoan_diag::{Diagnostic, Diagnostics};

/// Creates operations at an insertion point with a location.
///
/// Created operations get the location last set with [`Builder::set_loc`], unless their state has one.
pub struct Builder<'b> {
    body: &'b mut Body,
    point: InsertionPoint,
    loc: Loc,
    created: Option<&'b mut Vec<Op>>,
}

impl<'b> Builder<'b> {
    /// Creates a builder at an insertion point.
    pub fn new(body: &'b mut Body, point: InsertionPoint) -> Self {
        Self { body, point, loc: Loc::UNKNOWN, created: None }
    }

    /// Creates a builder at the end of a block.
    pub fn at_end(body: &'b mut Body, block: Block) -> Self {
        Self::new(body, InsertionPoint::End(block))
    }

    /// Creates a builder before an operation, with its location.
    pub fn before(body: &'b mut Body, op: Op) -> Self {
        let loc = body.op(op).loc();
        Self { body, point: InsertionPoint::Before(op), loc, created: None }
    }

    /// Creates a builder that also appends the created operations to a list.
    pub fn recording(body: &'b mut Body, point: InsertionPoint, created: &'b mut Vec<Op>) -> Self {
        Self { body, point, loc: Loc::UNKNOWN, created: Some(created) }
    }

    /// Sets the location.
    pub fn with_loc(mut self, loc: Loc) -> Self {
        self.loc = loc;
        self
    }

    /// The body, read-only.
    pub fn body(&self) -> &Body {
        self.body
    }

    /// The body, mutably. The insertion point must remain valid.
    pub fn body_mut(&mut self) -> &mut Body {
        self.body
    }

    /// The context.
    pub fn context(&self) -> Context {
        self.body.context().clone()
    }

    /// The insertion point.
    pub fn insertion_point(&self) -> InsertionPoint {
        self.point
    }

    /// Sets the insertion point; returns the previous one.
    pub fn set_insertion_point(&mut self, point: InsertionPoint) -> InsertionPoint {
        std::mem::replace(&mut self.point, point)
    }

    /// The location of created operations.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// Sets the location of created operations; returns the previous one.
    pub fn set_loc(&mut self, loc: Loc) -> Loc {
        std::mem::replace(&mut self.loc, loc)
    }

    /// The type of a value.
    #[track_caller]
    pub fn ty(&self, value: Value) -> Type {
        self.body.ty(value)
    }

    /// Creates an operation at the insertion point, which moves after it.
    #[track_caller]
    pub fn create(&mut self, mut state: OpState) -> Op {
        if state.loc == Loc::UNKNOWN {
            state.loc = self.loc;
        }
        let op = self.body.create(&state, self.point);
        if let Some(created) = &mut self.created {
            created.push(op);
        }
        // The other forms remain after created operations by themselves.
        if let InsertionPoint::Start(_) | InsertionPoint::After(_) = self.point {
            self.point = InsertionPoint::After(op);
        }
        op
    }

    /// Creates an operation at the insertion point, which moves after it, and verifies it. An operation with
    /// regions, which are still empty, is verified against its declaration only, any other one also by its custom verifier.
    /// The body is left unchanged on an error.
    ///
    /// ```
    /// use minoan_ir::{Builder, Context, Loc, Module, OpState, Type};
    ///
    /// let ctx = Context::bare();
    /// let mut module = Module::new(&ctx, Loc::UNKNOWN);
    /// let block = module.block();
    /// let mut b = Builder::at_end(module.body_mut(), block);
    /// let one = b.create(OpState::named(&ctx, "test.one").results(&[Type::I32]));
    /// let value = b.body().op(one).result(0);
    /// b.body_mut().erase(one);
    /// let errors = b.try_create(OpState::named(&ctx, "test.use").operands(&[value])).expect_err("it was erased");
    /// assert!(errors.to_string().starts_with("error: 'test.use' op value 0 of body #"), "{errors}");
    /// ```
    ///
    /// # Errors
    /// An id in `state` or the insertion point is stale or foreign, or the operation is invalid: a diagnostic for each violation.
    pub fn try_create(&mut self, state: OpState) -> Result<Op, Diagnostics> {
        self.try_create_with(state, |_, _| {})
    }

    /// Like [`try_create`](Self::try_create); `complete` edits the operation before it is verified.
    pub(crate) fn try_create_with(
        &mut self,
        state: OpState,
        complete: impl FnOnce(&mut Self, Op),
    ) -> Result<Op, Diagnostics> {
        let ctx = self.context();
        let loc = if state.loc == Loc::UNKNOWN { self.loc } else { state.loc };
        if let Err(message) = self.body.check_state(&state, self.point) {
            let message = format!("'{}' op {message}", ctx.kind_name(state.kind));
            return Err(Diagnostic::error(message).at(loc.place(&ctx)).into());
        }
        let before = self.point;
        let op = self.create(state);
        complete(self, op);
        let verified = crate::verify::verify_new(self.body, op);
        if verified.is_err() {
            self.body.erase(op);
            self.point = before;
            if let Some(created) = &mut self.created {
                created.retain(|&other| other != op);
            }
        }
        verified.map(|()| op)
    }

    /// Appends a block to region `index` of an operation, and sets the insertion point to its end; returns the block
    /// and the previous insertion point.
    #[track_caller]
    pub fn enter(&mut self, op: Op, index: usize, args: &[Type]) -> (Block, InsertionPoint) {
        let region = self.body.op(op).region(index);
        let block = self.body.add_block(region, args);
        (block, self.set_insertion_point(InsertionPoint::End(block)))
    }

    /// A builder at the end of a block inside an isolated operation, with the current location.
    ///
    /// # Panics
    /// If the operation does not own its regions, or the block is not one of theirs.
    #[track_caller]
    pub fn inside(&mut self, op: Op, block: Block) -> Builder<'_> {
        let loc = self.loc;
        let kind = self.body.op(op).kind();
        let ctx = self.body.context().clone();
        let body =
            self.body.nested_mut(op).unwrap_or_else(|| panic!("'{}' is not isolated", ctx.kind_name(kind)));
        assert!(body.contains_block(block), "the block is not inside '{}'", ctx.kind_name(kind));
        Builder::at_end(body, block).with_loc(loc)
    }

    /// Appends a block with arguments of the given types to region `index` of an operation and runs `build` with a builder at
    /// the end of the block and the arguments. The operation may be isolated from above. The insertion point of `self`
    /// does not change.
    ///
    /// ```
    /// use minoan_ir::{Builder, Context, Loc, Module, OpState, Type};
    ///
    /// let ctx = Context::bare();
    /// let mut module = Module::new(&ctx, Loc::UNKNOWN);
    /// let block = module.block();
    /// let mut b = Builder::at_end(module.body_mut(), block);
    /// let each = b.create(OpState::named(&ctx, "test.each").regions(1));
    /// b.region(each, 0, &[Type::INDEX], |b, args| {
    ///     b.create(OpState::named(&ctx, "test.use").operands(args));
    /// });
    /// ```
    ///
    /// # Panics
    /// If there is no such region.
    #[track_caller]
    pub fn region<R>(
        &mut self,
        op: Op,
        index: usize,
        args: &[Type],
        build: impl FnOnce(&mut Builder<'_>, &[Value]) -> R,
    ) -> R {
        let loc = self.loc;
        if let Some(body) = self.body.nested_mut(op) {
            let region = body.root(index);
            let block = body.add_block(region, args);
            let args: Vec<Value> = body.block(block).args().collect();
            return build(&mut Builder::at_end(body, block).with_loc(loc), &args);
        }
        let (block, outside) = self.enter(op, index, args);
        let args: Vec<Value> = self.body.block(block).args().collect();
        let result = build(self, &args);
        self.loc = loc;
        self.point = outside;
        result
    }

    /// A dictionary of the present entries.
    pub fn dictionary(&self, entries: &[(&str, Option<Attr>)]) -> Attr {
        let ctx = self.body.context();
        let entries: Vec<_> =
            entries.iter().filter_map(|&(name, attr)| attr.map(|attr| (ctx.name(name), attr))).collect();
        Attr::dictionary(ctx, &entries)
    }
}
