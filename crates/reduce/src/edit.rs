//! The edits of the test-case reducer.

use minoan_ir::{Attr, Block, Body, InsertionPoint, Loc, Module, Op, Region, Traits, Value};
use minoan_rewrite::erase_unreachable_blocks;
use minoan_services::{ConstantMaterializer, Reduce, Scalar, Symbols, Visibility};

/// A kind of edit. Each decreases some measure of the module, so that the reduction terminates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Erases the operation; its results are replaced by available values of the same type.
    Erase,
    /// Inlines the operation's region into its block.
    Unwrap,
    /// Turns a function definition into a declaration.
    Declare,
    /// Applies the simplification with this index that the operation's dialect provides.
    Simplify(usize),
    /// Replaces operands by earlier values of the same type.
    Shorten,
    /// Drops discardable attributes.
    DropAttributes,
    /// Drops the location.
    DropLocation,
}

impl Kind {
    /// All kinds, from coarse to fine.
    pub(crate) const ALL: [Kind; 10] = [
        Kind::Erase,
        Kind::Declare,
        Kind::Simplify(0),
        Kind::Simplify(1),
        Kind::Simplify(2),
        Kind::Simplify(3),
        Kind::Unwrap,
        Kind::Shorten,
        Kind::DropAttributes,
        Kind::DropLocation,
    ];

    /// Whether the edit may apply to an operation.
    pub(crate) fn applies(self, body: &Body, op: Op) -> bool {
        let view = body.op(op);
        match self {
            Kind::Erase => !view.has_trait(Traits::TERMINATOR) && view.block().is_some(),
            Kind::Unwrap => {
                let single = |region| body.region(region).blocks().len() == 1;
                view.nested().is_none() && view.own_regions().any(single)
            }
            Kind::Declare => {
                let holds_blocks =
                    |inside: &Body| inside.regions().any(|region| !inside.region(region).is_empty());
                view.has_trait(Traits::FUNCTION_LIKE) && view.nested().is_some_and(holds_blocks)
            }
            Kind::Simplify(number) => {
                let service = body.context().service::<dyn Reduce>(view.kind());
                service.is_some_and(|service| number < service.n_simplifications(view))
            }
            Kind::Shorten => (0..view.n_operands()).any(|index| earlier(body, op, index).is_some()),
            Kind::DropAttributes => view.attrs() != Attr::EMPTY,
            Kind::DropLocation => view.loc() != Loc::UNKNOWN,
        }
    }
}

/// The position of an operation, which identifies it in a copy of its module, since copies preserve the order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// Index of the body in text order.
    pub(crate) body: usize,
    /// Index of the operation in its body.
    pub(crate) op: usize,
}

/// An edit of one kind, applied to several operations.
pub(crate) struct Edit<'a> {
    pub(crate) kind: Kind,
    /// The operations, sorted by body and position.
    pub(crate) sites: &'a [Site],
}

impl Edit<'_> {
    /// Applies the edit; returns whether the module changed.
    pub(crate) fn apply(&self, module: &mut Module) -> bool {
        let paths = paths(module.body());
        let mut changed = false;
        // Inner bodies and later operations come first: the positions of the remaining operations stay valid, and an
        // operation has lost its users before it is edited.
        for sites in self.sites.chunk_by(|a, b| a.body == b.body).rev() {
            let mut body = module.body_mut();
            for &op in &paths[sites[0].body] {
                body = body.nested_mut(op).expect("the path leads through operations with a body");
            }
            let ops = body.walk();
            for site in sites.iter().rev() {
                changed |= body.contains(ops[site.op]) && self.edit(body, ops[site.op]);
            }
        }
        changed
    }

    fn edit(&self, body: &mut Body, op: Op) -> bool {
        match self.kind {
            Kind::Erase => erase(body, op),
            Kind::Unwrap => unwrap(body, op),
            Kind::Declare => declare(body, op),
            Kind::Simplify(number) => simplify(body, op, number),
            Kind::Shorten => shorten(body, op),
            Kind::DropAttributes => {
                body.set_attrs(op, Attr::EMPTY);
                true
            }
            Kind::DropLocation => {
                body.set_loc(op, Loc::UNKNOWN);
                true
            }
        }
    }
}

/// The path from the top body to each body, in text order.
pub(crate) fn paths(top: &Body) -> Vec<Vec<Op>> {
    let mut found = Vec::new();
    let mut pending = vec![(top, Vec::new())];
    while let Some((body, path)) = pending.pop() {
        for op in body.walk().into_iter().rev() {
            if let Some(inside) = body.nested(op) {
                let longer = path.iter().copied().chain([op]).collect();
                pending.push((inside, longer));
            }
        }
        found.push(path);
    }
    found
}

fn erase(body: &mut Body, op: Op) -> bool {
    let results: Vec<Value> = body.op(op).results().collect();
    for result in results {
        if body.is_used(result) {
            let Some(other) = at_hand(body, op, result).or_else(|| zero(body, op, result)) else {
                return false;
            };
            body.replace_all_uses(result, other);
        }
    }
    body.try_erase(op).is_ok()
}

/// Creates a constant to replace a value that is not a constant already.
fn zero(body: &mut Body, op: Op, like: Value) -> Option<Value> {
    let (ctx, ty, view) = (body.context().clone(), body.ty(like), body.op(op));
    if view.has_trait(Traits::CONSTANT_LIKE) || ty.is_memref(&ctx) {
        return None;
    }
    let zero = Scalar::of(&ctx, ty).ok()?.zero();
    let value = zero.to_attr(&ctx, ty).or_else(|| zero.to_splat(&ctx, ty))?;
    let state = <dyn ConstantMaterializer>::constant(&ctx, view.kind(), value, ty)?;
    let constant = body.create(&state, InsertionPoint::Before(op));
    Some(body.op(constant).result(0))
}

fn simplify(body: &mut Body, op: Op, number: usize) -> bool {
    let ctx = body.context().clone();
    let Some(service) = ctx.service::<dyn Reduce>(body.op(op).kind()) else { return false };
    let done = service.simplify(body, op, number);
    if done {
        erase_unreachable_blocks(body);
    }
    done
}

/// Another value of the same type that dominates all uses of a result of the operation.
fn at_hand(body: &Body, op: Op, like: Value) -> Option<Value> {
    let fits = |value: &Value| *value != like && body.ty(*value) == body.ty(like);
    body.op(op).operands().find(fits).or_else(|| before(body, op).find(fits))
}

/// The values defined before an operation in its block and in the enclosing blocks.
fn before(body: &Body, op: Op) -> impl Iterator<Item = Value> + '_ {
    let levels = std::iter::successors(Some(op), |&inner| body.op(inner).parent());
    levels.flat_map(move |level| {
        let block = body.op(level).block().map(|block| body.block(block));
        let args = block.into_iter().flat_map(|block| block.args());
        let earlier = std::iter::successors(body.op(level).prev(), |&prev| body.op(prev).prev());
        args.chain(earlier.flat_map(move |earlier| body.op(earlier).results()))
    })
}

/// If the operand is defined by an operation in the same block: an operand of that operation with the same type.
fn earlier(body: &Body, op: Op, index: usize) -> Option<Value> {
    let operand = body.op(op).operand(index);
    let definition = body.op(body.defining_op(operand)?);
    definition.operands().find(|&value| body.ty(value) == body.ty(operand))
}

fn shorten(body: &mut Body, op: Op) -> bool {
    let mut changed = false;
    for index in 0..body.op(op).n_operands() {
        if let Some(value) = earlier(body, op, index) {
            body.set_operand(op, index, value);
            changed = true;
        }
    }
    changed
}

fn unwrap(body: &mut Body, op: Op) -> bool {
    let single = |&region: &Region| body.region(region).blocks().len() == 1;
    let Some(region) = body.op(op).own_regions().find(single) else { return false };
    let Some(block) = body.region(region).entry() else { return false };
    let arg_for = |arg: Value| {
        let fits = |value: &Value| body.ty(*value) == body.ty(arg);
        body.op(op).operands().find(fits).or_else(|| before(body, op).find(fits))
    };
    let Some(args) = body.block(block).args().map(arg_for).collect::<Option<Vec<Value>>>() else {
        return false;
    };
    let terminator = body.block(block).last().filter(|&last| body.op(last).has_trait(Traits::TERMINATOR));
    body.inline_block(block, InsertionPoint::Before(op), &args);
    let mut yielded: Vec<Value> = Vec::new();
    if let Some(terminator) = terminator {
        yielded.extend(body.op(terminator).operands());
        if body.try_erase(terminator).is_err() {
            return false;
        }
    }
    let results: Vec<Value> = body.op(op).results().collect();
    for (number, result) in results.into_iter().enumerate() {
        let same_type = |value: &Value| body.ty(*value) == body.ty(result);
        let given = yielded.get(number).copied().filter(same_type);
        let Some(value) = given.or_else(|| at_hand(body, op, result)) else { return !body.is_used(result) };
        body.replace_all_uses(result, value);
    }
    body.try_erase(op).is_ok()
}

fn declare(body: &mut Body, op: Op) -> bool {
    let Some(inside) = body.nested_mut(op) else { return false };
    let blocks: Vec<Block> = inside.regions().flat_map(|region| inside.region(region).blocks()).collect();
    if inside.try_erase_blocks(&blocks).is_err() {
        return false;
    }
    let ctx = body.context().clone();
    if let Some(symbols) = ctx.service::<dyn Symbols>(body.op(op).kind()) {
        // A symbol that must stay visible keeps its visibility.
        symbols.set_visibility(body, op, Visibility::Private);
    }
    true
}
