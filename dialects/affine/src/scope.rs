//! Values that may be dimensions or symbols of an affine map.
//!
//! Symbols are constant in an affine scope, the region of an operation with `AFFINE_SCOPE` or of an isolated one, such as a
//! function: constants, values at the top of the scope or around it, extents, and results of pure operations on symbols.
//! Dimensions are symbols, induction variables of affine loops, and affine functions of dimensions.

use crate::{Apply, DelinearizeIndex, For, LinearizeIndex, Max, Min, Parallel};
use minoan_ir::{Body, DYNAMIC, Def, Op, OpRef, Region, Traits, Type, Value, with_stack};
use minoan_memref::slices::numbers;
use minoan_memref::{Alloc, Cast, Dim, SubView, View};
use minoan_services::{EffectSet, EffectsTable, Speculatability, SpeculationTable, constant_of};
use rustc_hash::FxHashMap;

/// Whether the region of an operation, or the root of a body without one, is an affine scope.
fn is_scope(body: &Body, parent: Option<Op>) -> bool {
    parent.is_none_or(|parent| body.op(parent).known_traits().has(Traits::AFFINE_SCOPE))
}

/// The region of the closest affine scope around an operation; `None` if it is detached.
pub(crate) fn scope_of(op: OpRef<'_>) -> Option<Region> {
    let body = op.body();
    let mut region = region_of_op(op)?;
    while let Some(parent) = body.region(region).parent() {
        if is_scope(body, Some(parent)) {
            return Some(region);
        }
        region = region_of_op(body.op(parent))?;
    }
    Some(region)
}

fn region_of_op(op: OpRef<'_>) -> Option<Region> {
    op.body().block(op.block()?).region()
}

/// The region in which a value is defined.
fn region_of(body: &Body, value: Value) -> Option<Region> {
    body.block(body.block_of(value)?).region()
}

/// Whether a value is defined at the top of an affine scope.
fn is_top_level(body: &Body, value: Value) -> bool {
    region_of(body, value).is_some_and(|region| is_scope(body, body.region(region).parent()))
}

/// The affine loop whose induction variable a value is.
fn loop_of(body: &Body, value: Value) -> Option<(OpRef<'_>, usize)> {
    let Def::Arg(block, index) = body.def(value) else { return None };
    Some((body.op(body.block(block).parent()?), index))
}

/// The `affine.for` whose induction variable a value is.
pub(crate) fn for_of(body: &Body, value: Value) -> Option<For> {
    let (parent, index) = loop_of(body, value)?;
    parent.cast::<For>().filter(|_| index == 0)
}

fn is_induction(body: &Body, value: Value) -> bool {
    let of = loop_of(body, value);
    of.is_some_and(|(parent, index)| parent.is::<For>() && index == 0 || parent.is::<Parallel>())
}

/// Whether a value is a dimension in a scope.
pub(crate) fn is_dim(body: &Body, value: Value, scope: Option<Region>) -> bool {
    Query::new(body).is_dim(value, scope)
}

/// Whether a value is a dimension where it is defined.
pub(crate) fn is_any_dim(body: &Body, value: Value) -> bool {
    match body.defining_op(value) {
        Some(def) => is_dim(body, value, scope_of(body.op(def))),
        None => body.ty(value) == Type::INDEX && (is_induction(body, value) || is_top_level(body, value)),
    }
}

/// Whether a value is a symbol at all of its uses.
pub(crate) fn is_symbol(body: &Body, value: Value) -> bool {
    if body.ty(value) != Type::INDEX {
        return false;
    }
    is_top_level(body, value)
        || body.defining_op(value).is_some_and(|def| is_symbol_in(body, value, scope_of(body.op(def))))
}

/// Whether a value is a symbol in a scope.
pub(crate) fn is_symbol_in(body: &Body, value: Value, scope: Option<Region>) -> bool {
    Query::new(body).is_symbol(value, scope)
}

/// The values that are known to be dimensions or symbols, or not to be: the operations that compute a value form a graph.
struct Query<'b> {
    body: &'b Body,
    symbols: FxHashMap<(Value, Option<Region>), bool>,
    dims: FxHashMap<(Value, Option<Region>), bool>,
}

impl<'b> Query<'b> {
    fn new(body: &'b Body) -> Self {
        Self { body, symbols: FxHashMap::default(), dims: FxHashMap::default() }
    }

    fn is_dim(&mut self, value: Value, scope: Option<Region>) -> bool {
        if let Some(&known) = self.dims.get(&(value, scope)) {
            return known;
        }
        let found = with_stack(|| self.decide_dim(value, scope));
        self.dims.insert((value, scope), found);
        found
    }

    fn decide_dim(&mut self, value: Value, scope: Option<Region>) -> bool {
        let body = self.body;
        if body.ty(value) != Type::INDEX {
            return false;
        }
        if self.is_symbol(value, scope) {
            return true;
        }
        let Some(def) = body.defining_op(value) else { return is_induction(body, value) };
        let def = body.op(def);
        if def.is::<Apply>() || def.is::<DelinearizeIndex>() || def.is::<LinearizeIndex>() {
            return def.operands().all(|operand| self.is_dim(operand, scope));
        }
        is_extent(def) && is_top_level(body, def.operand(0))
    }

    fn is_symbol(&mut self, value: Value, scope: Option<Region>) -> bool {
        if let Some(&known) = self.symbols.get(&(value, scope)) {
            return known;
        }
        // A cycle of operations in unreachable code has no symbols.
        self.symbols.insert((value, scope), false);
        let found = with_stack(|| self.decide_symbol(value, scope));
        self.symbols.insert((value, scope), found);
        found
    }

    fn decide_symbol(&mut self, value: Value, scope: Option<Region>) -> bool {
        let body = self.body;
        if body.ty(value) != Type::INDEX {
            return false;
        }
        if scope.is_some() && region_of(body, value) == scope {
            return true;
        }
        let parent = scope.and_then(|scope| body.region(scope).parent());
        let around = parent.and_then(|parent| region_of_op(body.op(parent)));
        if let Some(def) = body.defining_op(value) {
            let def = body.op(def);
            let is_computed = |query: &mut Self| {
                is_pure(def) && def.operands().all(|operand| query.is_symbol(operand, scope))
            };
            if constant_of(body, value).is_some() || is_computed(self) {
                return true;
            }
            if is_extent(def) {
                return self.is_symbolic_extent(def, scope);
            }
        }
        around.is_some() && self.is_symbol(value, around)
    }

    /// Whether an extent of a memref is a symbol: that of a memref at the top of a scope, or one that a symbol determines.
    fn is_symbolic_extent(&mut self, dim: OpRef<'b>, scope: Option<Region>) -> bool {
        is_top_level(self.body, dim.operand(0))
            || match known_extent(dim) {
                Some(KnownExtent::Static) => true,
                Some(KnownExtent::Value(size)) => self.is_symbol(size, scope),
                None => false,
            }
    }
}

/// Whether an operation has no effect and no undefined behavior. That of the affine operations on indices is left out of account,
/// as in MLIR.
fn is_pure(op: OpRef<'_>) -> bool {
    let is_affine = op.is::<Apply>()
        || op.is::<Min>()
        || op.is::<Max>()
        || op.is::<DelinearizeIndex>()
        || op.is::<LinearizeIndex>();
    let ctx = op.context();
    is_affine
        || SpeculationTable::new(ctx).of(op) == Speculatability::Speculatable
            && EffectsTable::new(ctx).all(op) == EffectSet::NONE
}

/// Whether an operation reads an extent of its first operand.
fn is_extent(op: OpRef<'_>) -> bool {
    op.is::<Dim>() || op.name() == "tensor.dim"
}

/// An extent that the definition of a memref determines.
enum KnownExtent {
    Static,
    Value(Value),
}

/// The extent that an operation reads, if the definition of the memref determines it.
fn known_extent(dim: OpRef<'_>) -> Option<KnownExtent> {
    let (body, ctx) = (dim.body(), dim.context());
    let index = constant_of(body, dim.operand(1)).and_then(|index| index.as_i64(ctx));
    let index = usize::try_from(index?).ok()?;
    let mut def = body.op(body.defining_op(dim.operand(0))?);
    while def.is::<Cast>() {
        let source = def.operand(0);
        body.ty(source).rank(ctx)?;
        def = body.op(body.defining_op(source)?);
    }
    let sizes = if def.is::<Alloc>() {
        def.operand_group(0)
    } else if def.is::<View>() || def.is::<SubView>() {
        def.operand_group(2)
    } else {
        return None;
    };
    let shape = body.ty(def.result(0)).shape(ctx)?;
    if *shape.get(index)? != DYNAMIC {
        return Some(KnownExtent::Static);
    }
    // The sizes of a subview include those of dimensions that its type drops.
    if def.is::<SubView>() && numbers(def, "static_sizes").len() != shape.len() {
        return None;
    }
    let before = shape[..index].iter().filter(|&&extent| extent == DYNAMIC).count();
    sizes.get(before).copied().map(KnownExtent::Value)
}
