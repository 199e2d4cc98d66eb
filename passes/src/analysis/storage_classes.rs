//! The classes of buffers that may share storage: a flow-insensitive analysis of a function in almost linear time.

use super::extents::passed_on;
use minoan_ir::{Body, Context, OpRef, Region, ServiceTable, Traits, Type, Value};
use minoan_services::{Alias, AliasModel, BufferOps, RegionFlow};
use rustc_hash::FxHashMap;

/// The classes of buffers that may share storage. The first one has those of unknown origin, such as the arguments of the
/// function.
pub(crate) struct StorageClasses {
    of: FxHashMap<Value, usize>,
    /// A disjoint-set forest; after the construction, the parent of a class is a root.
    parents: Vec<usize>,
}

/// The class of unknown buffers.
const UNKNOWN: usize = 0;

impl StorageClasses {
    /// The classes of the buffers of a body. Buffers have the same class if one is a view of the other, or if control flow may
    /// forward one to the other. An allocation has a class of its own.
    pub(crate) fn of(body: &Body, ctx: &Context, buffers: &dyn BufferOps) -> Self {
        let mut classes = Self { of: FxHashMap::default(), parents: vec![UNKNOWN] };
        let aliases: Option<&ServiceTable<dyn AliasModel>> = ctx.service_table();
        let flows: Option<&ServiceTable<dyn RegionFlow>> = ctx.service_table();
        let is_buffer = |value: Value| body.ty(value).is_memref(ctx);
        for arg in body.regions().flat_map(|region| args(body, region)) {
            classes.make_unknown(body, arg, ctx);
        }
        for op in body.walk() {
            let view = body.op(op);
            let flow = flows.and_then(|table| table.get(view.kind())).filter(|_| view.n_regions() > 0);
            match flow {
                Some(flow) => {
                    for (input, given) in passed_on(view, flow) {
                        if is_buffer(input) {
                            let from = given.map_or(UNKNOWN, |given| classes.number(given));
                            let input = classes.number(input);
                            classes.unite(input, from);
                        }
                    }
                    let args = view.own_regions().flat_map(|region| args(body, region));
                    let others = args.chain(view.results()).filter(|input| !classes.of.contains_key(input));
                    let others: Vec<Value> = others.collect();
                    others.into_iter().for_each(|input| classes.make_unknown(body, input, ctx));
                }
                None => {
                    let args = view.own_regions().flat_map(|region| args(body, region));
                    args.for_each(|arg| classes.make_unknown(body, arg, ctx));
                }
            }
            if flow.is_none() && view.results().any(is_buffer) && !buffers.is_alloc(view) {
                for result in 0..view.n_results() {
                    let alias = aliases.and_then(|table| Some(table.get(view.kind())?.alias(view, result)));
                    classes.add_result(view, result, alias, ctx);
                }
            }
            if may_capture(view, ctx) {
                view.operands().for_each(|operand| classes.make_unknown(body, operand, ctx));
            }
        }
        for class in 0..classes.parents.len() {
            classes.parents[class] = classes.root(class);
        }
        classes
    }

    /// Whether two buffers may share storage.
    pub(crate) fn may_share(&self, one: Value, other: Value) -> bool {
        match (self.of.get(&one), self.of.get(&other)) {
            (Some(&one), Some(&other)) => self.parents[one] == self.parents[other],
            // A buffer that no operation defines or forwards is an allocation of its own.
            _ => one == other,
        }
    }

    fn add_result(&mut self, op: OpRef<'_>, result: usize, alias: Option<Alias>, ctx: &Context) {
        let value = op.result(result);
        if !op.body().ty(value).is_memref(ctx) {
            return;
        }
        match alias {
            Some(Alias::ViewOf(operand) | Alias::UpdateOf(operand) | Alias::MayViewOf(operand)) => {
                let (value, operand) = (self.number(value), self.number(op.operand(operand)));
                self.unite(value, operand);
            }
            _ => {
                self.make_unknown(op.body(), value, ctx);
                op.operands().for_each(|operand| self.make_unknown(op.body(), operand, ctx));
            }
        }
    }

    fn make_unknown(&mut self, body: &Body, value: Value, ctx: &Context) {
        if body.ty(value).is_memref(ctx) {
            let number = self.number(value);
            self.unite(number, UNKNOWN);
        }
    }

    fn number(&mut self, value: Value) -> usize {
        let parents = &mut self.parents;
        *self.of.entry(value).or_insert_with(|| {
            parents.push(parents.len());
            parents.len() - 1
        })
    }

    fn root(&mut self, mut class: usize) -> usize {
        while self.parents[class] != class {
            self.parents[class] = self.parents[self.parents[class]];
            class = self.parents[class];
        }
        class
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }
}

/// The arguments of the blocks of a region.
fn args(body: &Body, region: Region) -> impl Iterator<Item = Value> + '_ {
    body.region(region).blocks().flat_map(|block| body.block(block).args())
}

/// Whether an operation may keep a buffer where other operations find it: in a block, in an object, or in a buffer of buffers.
fn may_capture(op: OpRef<'_>, ctx: &Context) -> bool {
    let branches = op.has_trait(Traits::TERMINATOR) && op.successors().len() > 0;
    branches || !has_plain_types(op, ctx)
}

/// Whether the operands and results of an operation are numbers, and vectors and buffers of numbers. Others, such as objects
/// and pointers, may refer to a buffer.
pub(crate) fn has_plain_types(op: OpRef<'_>, ctx: &Context) -> bool {
    let is_plain = |ty: Type| {
        let element = ty.element_or_self(ctx);
        element == Type::INDEX || element.integer_width(ctx).is_some() || element.is_float(ctx)
    };
    op.operand_types().chain(op.result_types()).all(is_plain)
}
