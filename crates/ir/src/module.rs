//! The root of a program.

use crate::text::{PrintFlags, print_module};
use crate::{Block, Body, Context, InsertionPoint, Loc, Op, OpState, Resources};
use std::fmt;

/// A program: one top-level operation, usually `builtin.module`, that owns everything.
pub struct Module {
    /// A body whose one block holds the top-level operation.
    holder: Body,
    op: Op,
    resources: Resources,
}

/// Its text, in generic form: it need not be valid.
impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print_module(self, &PrintFlags { generic: true, ..PrintFlags::default() }))
    }
}

impl Module {
    /// A `builtin.module` with one empty block.
    ///
    /// Where the builtin dialect is not loaded the operation is unregistered and owns no storage: it and what is inside it are
    /// in one body, [`Module::holder`].
    pub fn new(ctx: &Context, loc: Loc) -> Self {
        let mut module = Self::with_top(ctx, OpState::named(ctx, "builtin.module").loc(loc).regions(1));
        let body = module.body_mut();
        let region = module_region(body);
        body.add_block(region, &[]);
        module
    }

    /// Any operation as the root.
    pub fn with_top(ctx: &Context, state: OpState) -> Self {
        let mut holder = Body::new(ctx, 1);
        let root = holder.root(0);
        let block = holder.add_block(root, &[]);
        let op = holder.create(&state, InsertionPoint::End(block));
        Self { holder, op, resources: Resources::default() }
    }

    /// A module from the storage of its parts: an operation alone in its body.
    pub(crate) fn from_holder(holder: Body, op: Op) -> Self {
        Self { holder, op, resources: Resources::default() }
    }

    /// The context.
    pub fn context(&self) -> &Context {
        self.holder.context()
    }

    /// The body around the top-level operation, which holds nothing else.
    pub fn holder(&self) -> &Body {
        &self.holder
    }

    /// The body around the top-level operation, to edit.
    pub fn holder_mut(&mut self) -> &mut Body {
        &mut self.holder
    }

    /// The data that the module carries by key: what `dense_resource` attributes name.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The data that the module carries by key, to edit.
    pub fn resources_mut(&mut self) -> &mut Resources {
        &mut self.resources
    }

    /// The top-level operation, in [`Module::holder`].
    pub fn op(&self) -> Op {
        self.op
    }

    /// What is inside the top-level operation; where that owns no storage, [`Module::holder`].
    pub fn body(&self) -> &Body {
        self.holder.nested(self.op).unwrap_or(&self.holder)
    }

    /// [`Module::body`], to edit.
    pub fn body_mut(&mut self) -> &mut Body {
        if self.holder.nested(self.op).is_some() {
            self.holder.nested_mut(self.op).expect("just seen")
        } else {
            &mut self.holder
        }
    }

    /// The first block inside the top-level operation.
    ///
    /// # Panics
    /// If it has no block.
    pub fn block(&self) -> Block {
        let body = self.body();
        let region = module_region(body);
        body.region(region).entry().expect("a module has a block")
    }
}

impl Clone for Module {
    fn clone(&self) -> Self {
        let holder = self.holder.duplicate();
        let root = holder.root(0);
        let block = holder.region(root).entry().expect("the holder has a block");
        let op = holder.block(block).first().expect("the holder has an operation");
        Self { holder, op, resources: self.resources.clone() }
    }
}

/// The region whose blocks are the module's: the body's own one, or that of an unregistered top-level operation.
fn module_region(body: &Body) -> crate::Region {
    let root = body.root(0);
    let first = body.region(root).entry().and_then(|block| body.block(block).first());
    match first {
        Some(op) if body.op(op).n_regions() > 0 && body.op(op).name() == "builtin.module" => {
            body.op(op).regions().next().unwrap_or(root)
        }
        _ => root,
    }
}
