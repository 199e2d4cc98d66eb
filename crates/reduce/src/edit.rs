//! The edits that are tried.

use minoan_ir::{Attr, Block, Body, InsertionPoint, Loc, Module, Op, Region, Traits, Value};
use minoan_rewrite::erase_unreachable_blocks;
use minoan_services::{ConstantMaterializer, Reduce, Scalar, Symbols, Visibility};

/// What is done to an operation. Each makes the module smaller in some measure, so that reduction ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Erases it; values at hand take the place of its results.
    Erase,
    /// Puts what is inside its region in its place.
    Unwrap,
    /// Makes a function a declaration.
    Declare,
    /// Takes a simpler form, by its number, that the operation's dialect knows.
    Simplify(usize),
    /// Uses earlier values of the same types as operands.
    Shorten,
    /// Drops attributes that no declaration asks for.
    DropAttributes,
    /// Drops the location.
    DropLocation,
}

impl Kind {
    /// From the coarse to the fine.
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

    /// Whether the edit may do something to an operation.
    pub(crate) fn applies(self, body: &Body, op: Op) -> bool {
        let view = body.op(op);
        match self {
            Kind::Erase => !view.has_trait(Traits::TERMINATOR) && view.block().is_some(),
            Kind::Unwrap => {
                let single = |region| body.region(region).blocks().len() == 1;
                view.nested().is_none() && view.regions().any(single)
            }
            Kind::Declare => {
                let holds_blocks =
                    |inside: &Body| inside.regions().any(|region| !inside.region(region).is_empty());
                view.has_trait(Traits::FUNCTION_LIKE) && view.nested().is_some_and(holds_blocks)
            }
            Kind::Simplify(way) => {
                let answer = body.context().service::<dyn Reduce>(view.kind());
                answer.is_some_and(|answer| way < answer.ways(view))
            }
            Kind::Shorten => (0..view.n_operands()).any(|index| earlier(body, op, index).is_some()),
            Kind::DropAttributes => view.attrs() != Attr::EMPTY,
            Kind::DropLocation => view.loc() != Loc::UNKNOWN,
        }
    }
}

/// An operation, found again in a copy of its module: copies keep the order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// Number of its body in text order.
    pub(crate) body: usize,
    /// Number of the operation in its body.
    pub(crate) op: usize,
}

/// One kind of edit, on several operations.
pub(crate) struct Edit<'a> {
    pub(crate) kind: Kind,
    /// By body, and in it by operation.
    pub(crate) sites: &'a [Site],
}

impl Edit<'_> {
    /// Says whether anything was changed.
    pub(crate) fn apply(&self, module: &mut Module) -> bool {
        let paths = paths(module.body());
        let mut changed = false;
        // Inner bodies and later operations first: what is still to be edited stays where it is, and an operation
        // has lost its users when its turn comes.
        for sites in self.sites.chunk_by(|a, b| a.body == b.body).rev() {
            let mut body = module.body_mut();
            for &op in &paths[sites[0].body] {
                body = body.nested_mut(op).expect("the path leads through bodies");
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
            Kind::Simplify(way) => simplify(body, op, way),
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

/// How each body is reached from the topmost one, in text order.
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

/// A new constant in place of a value, where that is not one already.
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

fn simplify(body: &mut Body, op: Op, way: usize) -> bool {
    let ctx = body.context().clone();
    let Some(answer) = ctx.service::<dyn Reduce>(body.op(op).kind()) else { return false };
    let done = answer.simplify(body, op, way);
    if done {
        erase_unreachable_blocks(body);
    }
    done
}

/// Another value of the same type that may be used wherever a result of the operation is.
fn at_hand(body: &Body, op: Op, like: Value) -> Option<Value> {
    let fits = |value: &Value| *value != like && body.ty(*value) == body.ty(like);
    body.op(op).operands().find(fits).or_else(|| before(body, op).find(fits))
}

/// Values that are defined before an operation: in its block, and in the blocks around it.
fn before(body: &Body, op: Op) -> impl Iterator<Item = Value> + '_ {
    let levels = std::iter::successors(Some(op), |&inner| body.op(inner).parent());
    levels.flat_map(move |level| {
        let block = body.op(level).block().map(|block| body.block(block));
        let args = block.into_iter().flat_map(|block| block.args());
        let earlier = std::iter::successors(body.op(level).prev(), |&prev| body.op(prev).prev());
        args.chain(earlier.flat_map(move |earlier| body.op(earlier).results()))
    })
}

/// For an operand that an operation in the same block defines: an operand of that, of the same type.
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
    let Some(region) = body.op(op).regions().find(single) else { return false };
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
        // Where others must name it, it stays as it is.
        symbols.set_visibility(body, op, Visibility::Private);
    }
    true
}
