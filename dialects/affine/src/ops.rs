//! `affine.apply`, `affine.min`, `affine.max`, and accesses to memory.

use crate::scope::{is_dim, is_symbol_in, scope_of};
use crate::{assembly, evaluate, fold, generate, services};
use minoan_ir::affine::AffineMap;
use minoan_ir::constraints::{ANY, INDEX, MEMREF};
use minoan_ir::{
    AttrConstraint, AttrSyntax, Body, Op, OpDef, OpRef, Type, Value, Violations, op, type_constraints,
};
use minoan_services::{
    EffectSet, Effects, Evaluate, EvaluateYield, Fold, FoldFn, Generate, RuntimeVerification, SlotAccess,
    Speculation,
};

type_constraints! {
    pub(crate) VECTOR_WITH_RANK "vector of any type values" |ctx, ty| ty.rank(ctx) > Some(0) && ty.is_vector(ctx);
}

/// Applies an affine map with one result: `affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]`.
#[op(
    "affine.apply",
    traits(PURE),
    assembly = custom(assembly::parse_apply, assembly::print_mapped),
    verify = verify_apply,
    no_function,
    services(
        Evaluate = evaluate::EvaluateApply,
        Fold = FoldFn(fold::fold_apply),
        Generate = generate::AnyApply,
        Speculation = services::divides_safely,
    )
)]
pub struct Apply {
    /// The map.
    map: AffineMap,
    /// The operands of the dimensions, then those of the symbols.
    #[operand(INDEX, name = "mapOperands")]
    map_operands: Vec<Value>,
    /// The result of the map.
    #[result(INDEX, fixed)]
    result: Value,
}

fn verify_apply(body: &Body, op: Op, errors: &mut Violations) {
    let apply = Apply::from_op_unchecked(op);
    verify_inputs(apply.map(body), body.op(op).n_operands(), errors);
    if errors.is_empty() && apply.map(body).results.len() != 1 {
        errors.push("mapping must produce one value");
    }
}

fn verify_inputs(map: &AffineMap, operands: usize, errors: &mut Violations) {
    if map.inputs() != operands {
        errors.push("operand count and affine map dimension and symbol count must match");
    }
}

/// The minimum of the results of an affine map: `affine.min affine_map<(d0) -> (8, d0)>(%i)`.
#[op(
    "affine.min",
    traits(PURE),
    assembly = custom(assembly::parse_extremum, assembly::print_mapped),
    verify = verify_extremum,
    no_function,
    services(
        Evaluate = evaluate::EvaluateExtremum { is_max: false },
        Fold = FoldFn(fold::fold_min),
        Generate = generate::AnyApply,
        Speculation = services::divides_safely,
    )
)]
pub struct Min {
    /// The map.
    map: AffineMap,
    /// The operands of the dimensions, then those of the symbols.
    operands: Vec<Operand<INDEX>>,
    /// The minimum.
    #[result(INDEX, fixed)]
    result: Value,
}

/// The maximum of the results of an affine map: `affine.max affine_map<(d0) -> (8, d0)>(%i)`.
#[op(
    "affine.max",
    traits(PURE),
    assembly = custom(assembly::parse_extremum, assembly::print_mapped),
    verify = verify_extremum,
    no_function,
    services(
        Evaluate = evaluate::EvaluateExtremum { is_max: true },
        Fold = FoldFn(fold::fold_max),
        Generate = generate::AnyApply,
        Speculation = services::divides_safely,
    )
)]
pub struct Max {
    /// The map.
    map: AffineMap,
    /// The operands of the dimensions, then those of the symbols.
    operands: Vec<Operand<INDEX>>,
    /// The maximum.
    #[result(INDEX, fixed)]
    result: Value,
}

fn verify_extremum(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    if let Some(map) = view.attr_named("map").and_then(|map| map.as_affine_map(body.context())) {
        verify_inputs(map, view.n_operands(), errors);
    }
}

/// Loads an element: `affine.load %m[%i + 1, symbol(%n)] : memref<8x8xf32>`.
#[op(
    "affine.load",
    assembly = custom(assembly::parse_load, assembly::print_load),
    verify = verify_load,
    services(
        Evaluate = evaluate::EvaluateLoad,
        RuntimeVerification = services::Indices,
        Effects = EffectSet::READ,
        Fold = FoldFn(fold::fold_load),
        Generate = generate::AnyLoad,
        SlotAccess = services::Loads,
    )
)]
pub struct Load {
    /// The buffer.
    memref: Operand<MEMREF>,
    /// The operands of the map.
    indices: Vec<Operand<INDEX>>,
    /// The map to the indices of the element.
    map: AffineMap,
    /// The element.
    result: OpResult<ANY>,
}

fn verify_load(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let element = body.ty(view.operand(0)).element(body.context());
    if view.result_types().next() != element {
        return errors.push("result type must match element type of memref");
    }
    verify_indexing(view, 0, errors);
}

/// Stores an element: `affine.store %x, %m[%i + 1, symbol(%n)] : memref<8x8xf32>`.
#[op(
    "affine.store",
    assembly = custom(assembly::parse_store, assembly::print_store),
    verify = verify_store,
    services(
        Evaluate = evaluate::EvaluateStore,
        RuntimeVerification = services::Indices,
        Effects = EffectSet::WRITE,
        Fold = FoldFn(|op, _| fold::without_cast(op, 1)),
        Generate = generate::AnyStore,
        SlotAccess = services::Stores,
    )
)]
pub struct Store {
    /// The stored value.
    value: Operand<ANY>,
    /// The buffer.
    memref: Operand<MEMREF>,
    /// The operands of the map.
    indices: Vec<Operand<INDEX>>,
    /// The map to the indices of the element.
    map: AffineMap,
}

fn verify_store(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let element = body.ty(view.operand(1)).element(body.context());
    if view.operand_types().next() != element {
        return errors.push("value to store must have the same type as memref element type");
    }
    verify_indexing(view, 1, errors);
}

/// Loads a vector of contiguous elements: `affine.vector_load %m[%i] : memref<8xf32>, vector<4xf32>`.
#[op(
    "affine.vector_load",
    assembly = custom(assembly::parse_vector_load, assembly::print_load),
    verify = verify_vector_load,
    services(Evaluate = evaluate::EvaluateVectorLoad, Effects = EffectSet::READ, Generate = generate::AnyVectorLoad)
)]
pub struct VectorLoad {
    /// The buffer.
    memref: Operand<MEMREF>,
    /// The operands of the map.
    indices: Vec<Operand<INDEX>>,
    /// The map to the indices of the first element.
    map: AffineMap,
    /// The elements.
    result: OpResult<VECTOR_WITH_RANK>,
}

fn verify_vector_load(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    verify_indexing(view, 0, errors);
    if errors.is_empty() {
        verify_elements(body, [body.ty(view.operand(0)), body.ty(view.result(0))], errors);
    }
}

/// Stores a vector to contiguous elements: `affine.vector_store %v, %m[%i] : memref<8xf32>, vector<4xf32>`.
#[op(
    "affine.vector_store",
    assembly = custom(assembly::parse_vector_store, assembly::print_store),
    verify = verify_vector_store,
    services(Evaluate = evaluate::EvaluateVectorStore, Effects = EffectSet::WRITE, Generate = generate::AnyVectorStore)
)]
pub struct VectorStore {
    /// The stored vector.
    value: Operand<VECTOR_WITH_RANK>,
    /// The buffer.
    memref: Operand<MEMREF>,
    /// The operands of the map.
    indices: Vec<Operand<INDEX>>,
    /// The map to the indices of the first element.
    map: AffineMap,
}

fn verify_vector_store(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    verify_indexing(view, 1, errors);
    if errors.is_empty() {
        verify_elements(body, [body.ty(view.operand(1)), body.ty(view.operand(0))], errors);
    }
}

fn verify_elements(body: &Body, types: [Type; 2], errors: &mut Violations) {
    let [memref, vector] = types.map(|ty| ty.element(body.context()));
    if memref != vector {
        errors.push("requires memref and vector types of the same elemental type");
    }
}

/// Verifies the map of an access, and the operands after the memref.
fn verify_indexing(op: OpRef<'_>, memref: usize, errors: &mut Violations) {
    let (body, ctx) = (op.body(), op.context());
    let Some(map) = op.attr_named("map").and_then(|map| map.as_affine_map(ctx)) else { return };
    if body.ty(op.operand(memref)).rank(ctx) != Some(map.results.len()) {
        return errors.push("affine map num results must equal memref rank");
    }
    if map.inputs() != op.n_operands() - memref - 1 {
        return errors.push("expects as many subscripts as affine map inputs");
    }
    let operands: Vec<Value> = op.operands().skip(memref + 1).collect();
    verify_dims_and_symbols(op, &operands, map.dims as usize, errors);
}

/// Verifies the operands of a map: those of dimensions, and those of symbols.
pub(crate) fn verify_dims_and_symbols(
    op: OpRef<'_>,
    operands: &[Value],
    dims: usize,
    errors: &mut Violations,
) {
    let (body, scope) = (op.body(), scope_of(op));
    for (at, &operand) in operands.iter().enumerate() {
        if at < dims {
            if !is_dim(body, operand, scope) {
                return errors.push("operand cannot be used as a dimension id");
            }
        } else if !is_symbol_in(body, operand, scope) {
            return errors.push("operand cannot be used as a symbol");
        }
    }
}

/// Prefetches an element: `affine.prefetch %m[%i], read, locality<3>, data : memref<4xf32>`.
#[op(
    "affine.prefetch",
    assembly = custom(assembly::parse_prefetch, assembly::print_prefetch),
    verify = verify_prefetch,
    services(
        Evaluate = evaluate::EvaluateNothing,
        Effects = EffectSet::WRITE,
        Fold = FoldFn(|op, _| fold::without_cast(op, 0)),
    )
)]
pub struct Prefetch {
    /// The buffer.
    memref: Operand<MEMREF>,
    /// The operands of the map.
    indices: Vec<Operand<INDEX>>,
    /// Whether the access is a write.
    #[attr(name = "isWrite")]
    is_write: bool,
    /// The temporal locality, from 0 (none) to 3 (keep in all caches).
    #[attr(LOCALITY, name = "localityHint")]
    locality_hint: i32,
    /// Whether the data cache is used, rather than the instruction cache.
    #[attr(name = "isDataCache")]
    is_data_cache: bool,
    /// The map to the indices of the element.
    map: AffineMap,
}

static LOCALITY: AttrConstraint = AttrConstraint {
    description: "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    check: |ctx, attr| {
        attr.value_type(ctx) == Some(Type::I32)
            && attr.as_i64(ctx).is_some_and(|hint| (0..=3).contains(&hint))
    },
    syntax: AttrSyntax::Typed(Type::I32),
};

fn verify_prefetch(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let map = Prefetch::from_op_unchecked(op).map(body);
    if body.ty(view.operand(0)).rank(body.context()) != Some(map.results.len()) {
        return errors.push("affine.prefetch affine map num results must equal memref rank");
    }
    if map.inputs() + 1 != view.n_operands() {
        return errors.push("too few operands");
    }
    let scope = scope_of(view);
    if !view.operands().skip(1).all(|index| is_dim(body, index, scope)) {
        errors.push("index must be a valid dimension or symbol identifier");
    }
}

/// Yields values to the enclosing operation, an `affine.for`, `affine.if` or `affine.parallel`.
#[op(
    "affine.yield",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    assembly = "attr-dict ($operands^ `:` type($operands))?",
    verify = verify_yield,
    services(Evaluate = EvaluateYield, services::yields)
)]
pub struct Yield {
    /// The values.
    operands: Vec<Operand<ANY>>,
}

fn verify_yield(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let parent = view.parent().map(|parent| body.op(parent));
    let is_affine = |parent: &OpRef<'_>| {
        parent.is::<crate::For>() || parent.is::<crate::If>() || parent.is::<crate::Parallel>()
    };
    let Some(parent) = parent.filter(is_affine) else {
        return errors.push("only terminates affine.if/for/parallel regions");
    };
    if parent.n_results() != view.n_operands() {
        return errors.push("parent of yield must have same number of results as the yield operands");
    }
    if !parent.result_types().eq(view.operand_types()) {
        errors.push("types mismatch between yield op and its parent");
    }
}
