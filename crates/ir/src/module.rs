//! The module: the root of a program.

use crate::text::{PrintFlags, print_module};
use crate::with_stack;
use crate::{Block, Body, Context, InsertionPoint, Loc, Op, OpDef, OpRef, OpState, Resources};
use std::fmt;

/// A program: one top-level operation, usually `builtin.module`.
pub struct Module {
    /// A body whose only block contains the top-level operation.
    holder: Body,
    op: Op,
    resources: Resources,
}

/// Prints the generic form, since the module need not be valid.
impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print_module(self, &PrintFlags { generic: true, ..PrintFlags::default() }))
    }
}

impl Module {
    /// Creates a `builtin.module` with one empty block.
    ///
    /// If the builtin dialect is not loaded, the operation is unregistered and owns no body: it and its contents are
    /// in one body, [`Module::holder`].
    pub fn new(ctx: &Context, loc: Loc) -> Self {
        let mut module = Self::with_top(ctx, OpState::named(ctx, "builtin.module").loc(loc).regions(1));
        let body = module.body_mut();
        let region = module_region(body);
        body.add_block(region, &[]);
        module
    }

    /// Creates a module with any operation as the root.
    pub fn with_top(ctx: &Context, state: OpState) -> Self {
        let mut holder = Body::new(ctx, 1);
        let root = holder.root(0);
        let block = holder.add_block(root, &[]);
        let op = holder.create(&state, InsertionPoint::End(block));
        Self { holder, op, resources: Resources::default() }
    }

    /// Creates a module from a body that contains a single operation.
    pub(crate) fn from_holder(holder: Body, op: Op) -> Self {
        Self { holder, op, resources: Resources::default() }
    }

    /// The context.
    pub fn context(&self) -> &Context {
        self.holder.context()
    }

    /// The body that contains the top-level operation only.
    pub fn holder(&self) -> &Body {
        &self.holder
    }

    /// The body that contains the top-level operation, mutably.
    pub fn holder_mut(&mut self) -> &mut Body {
        &mut self.holder
    }

    /// The resources of the module, which `dense_resource` attributes refer to.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The resources of the module, mutably.
    pub fn resources_mut(&mut self) -> &mut Resources {
        &mut self.resources
    }

    /// The top-level operation, in [`Module::holder`].
    pub fn op(&self) -> Op {
        self.op
    }

    /// The body of the top-level operation; [`Module::holder`] if that owns no body.
    pub fn body(&self) -> &Body {
        self.holder.nested(self.op).unwrap_or(&self.holder)
    }

    /// [`Module::body`], mutably.
    pub fn body_mut(&mut self) -> &mut Body {
        if self.holder.nested(self.op).is_some() {
            self.holder.nested_mut(self.op).expect("just seen")
        } else {
            &mut self.holder
        }
    }

    /// All operations nested in the top-level operation in pre-order, including those inside isolated operations.
    ///
    /// [`Body::walk`] visits the operations of one body, as passes do, which run on bodies in parallel.
    pub fn ops(&self) -> impl Iterator<Item = OpRef<'_>> {
        let body = self.body();
        let top = self.op;
        NestedOps { open: vec![(body, body.walk().into_iter())] }.filter(move |op| op.id() != top)
    }

    /// All operations of one kind, in the order of [`Module::ops`], each with the body that contains it.
    pub fn walk<O: OpDef>(&self) -> impl Iterator<Item = (&Body, O)> {
        self.ops().filter_map(|op| Some((op.body(), op.cast::<O>()?)))
    }

    /// Calls `visit` for each operation of one kind, in the order of [`Module::ops`], with the body that contains it.
    ///
    /// `visit` may edit the body. The operations of a body are collected before the first one is visited: operations that
    /// `visit` creates in the same body are not visited, and those that it erases are skipped.
    pub fn walk_mut<O: OpDef>(&mut self, mut visit: impl FnMut(&mut Body, O)) {
        fn walk<O: OpDef>(body: &mut Body, visit: &mut dyn FnMut(&mut Body, O)) {
            for op in body.walk() {
                if let Some(op) = body.try_op(op).ok().and_then(OpRef::cast::<O>) {
                    visit(body, op);
                }
                if body.contains(op)
                    && let Some(nested) = body.nested_mut(op)
                {
                    with_stack(|| walk(nested, visit));
                }
            }
        }
        walk(self.body_mut(), &mut visit);
    }

    /// The first block inside the top-level operation.
    ///
    /// # Panics
    /// Panics if it has no block.
    pub fn block(&self) -> Block {
        let body = self.body();
        let region = module_region(body);
        body.region(region).entry().expect("a module has a block")
    }
}

/// The operations nested in a module, see [`Module::ops`].
struct NestedOps<'m> {
    /// The bodies being visited, the innermost last, each with its remaining operations.
    open: Vec<(&'m Body, std::vec::IntoIter<Op>)>,
}

impl<'m> Iterator for NestedOps<'m> {
    type Item = OpRef<'m>;

    fn next(&mut self) -> Option<OpRef<'m>> {
        loop {
            let (body, ops) = self.open.last_mut()?;
            let body = *body;
            match ops.next() {
                None => {
                    self.open.pop();
                }
                Some(op) => {
                    let op = body.op(op);
                    self.open.extend(op.nested().map(|nested| (nested, nested.walk().into_iter())));
                    return Some(op);
                }
            }
        }
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

/// The region with the module's blocks: the body's own one, or that of an unregistered top-level operation.
fn module_region(body: &Body) -> crate::Region {
    let root = body.root(0);
    let first = body.region(root).entry().and_then(|block| body.block(block).first());
    match first {
        Some(op) if body.op(op).n_regions() > 0 && body.op(op).name() == "builtin.module" => {
            body.op(op).own_regions().next().unwrap_or(root)
        }
        _ => root,
    }
}
