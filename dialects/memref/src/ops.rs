//! Allocation, access, cast, copy and global operations.

use crate::{assembly, buffers, evaluate, fold, generate, names, runtime_verification, slots};
use minoan_ir::constraints::{
    ALIGNMENT, ANY, ANY_ATTR, ANY_MEMREF, INDEX, MEMREF, NON_0D_MEMREF, STATIC_MEMREF, element_of,
};
use minoan_ir::strided::Strided;
use minoan_ir::text::{AsmNames, print_attr, print_type};
use minoan_ir::{
    Attr, AttrConstraint, AttrData, AttrSyntax, Body, Context, DYNAMIC, FlatSymbolRef, Name, Op, OpDef,
    OpRef, SymbolName, SymbolUser, Type, TypeData, Violation, Violations, op,
};
use minoan_services::{
    AliasModel, ByAttributes, EffectSet, Effects, ElementAccess, Evaluate, Fold, FoldFn, Generate,
    MemoryEvent, MemoryEvents, RuntimeVerification, SlotAccess, SlotSource, Speculation, Symbols,
    TrailingIndices, VectorForm, constant_of,
};

/// Allocates a buffer on the heap.
#[op(
    "memref.alloc",
    traits(OPERAND_SEGMENTS),
    assembly = "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
    verify = verify_alloc,
    services(
        Evaluate = evaluate::EvaluateAlloc,
        Effects = EffectSet::ALLOCATE,
        AsmNames = names::Named("alloc"),
        Generate = generate::Storage { on_stack: false },
    )
)]
pub struct Alloc {
    /// One operand per dynamic extent.
    #[operand(INDEX, name = "dynamicSizes")]
    dynamic_sizes: Vec<Value>,
    /// One operand per symbol of the layout.
    #[operand(INDEX, name = "symbolOperands")]
    symbol_operands: Vec<Value>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The buffer.
    memref: OpResult<MEMREF>,
}

/// Allocates a buffer on the stack, which lives until the function returns.
#[op(
    "memref.alloca",
    traits(OPERAND_SEGMENTS, ALLOCATES_ON_STACK),
    assembly = "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
    verify = verify_alloc,
    services(
        Evaluate = evaluate::EvaluateAlloca,
        Effects = EffectSet::ALLOCATE,
        AsmNames = names::Named("alloca"),
        Generate = generate::Storage { on_stack: true },
        SlotSource = slots::OneElement,
    )
)]
pub struct Alloca {
    /// One operand per dynamic extent.
    #[operand(INDEX, name = "dynamicSizes")]
    dynamic_sizes: Vec<Value>,
    /// One operand per symbol of the layout.
    #[operand(INDEX, name = "symbolOperands")]
    symbol_operands: Vec<Value>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The buffer.
    memref: OpResult<MEMREF>,
}

/// The type of a ranked memref.
static MEMREF_TYPE: AttrConstraint = AttrConstraint {
    description: "memref type attribute",
    check: |ctx, attr| attr.as_type(ctx).is_some_and(|ty| matches!(ty.data(ctx), TypeData::MemRef { .. })),
    syntax: AttrSyntax::Any,
};

fn verify_alloc(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(shape) = view.result_types().next().and_then(|ty| ty.shape(ctx)) else { return };
    let dynamic = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
    let have = view.operand_group(0).len();
    if have != dynamic {
        return errors.push(format!("incorrect number of dynamic sizes, has {have}, expected {dynamic}"));
    }
    let (want, have) = (layout_symbols(ctx, body.ty(view.result(0))), view.operand_group(1).len());
    if want != have {
        errors.push(format!(
            "symbol operand count does not equal memref symbol count: expected {want}, got {have}"
        ));
    }
}

/// The number of symbols of a type's layout.
fn layout_symbols(ctx: &Context, ty: Type) -> usize {
    let TypeData::MemRef { layout: Some(layout), .. } = ty.data(ctx) else { return 0 };
    match layout.data(ctx) {
        AttrData::AffineMap(map) => map.symbols as usize,
        AttrData::Strided { offset, strides } => {
            strides.iter().chain([offset]).filter(|&&number| number == DYNAMIC).count()
        }
        _ => 0,
    }
}

/// Frees a buffer.
#[op(
    "memref.dealloc",
    assembly = "$memref attr-dict `:` type($memref)",
    services(
        Evaluate = evaluate::EvaluateDealloc,
        Effects = EffectSet::FREE,
        Fold = FoldFn(|op, _| fold::without_cast(op, 0)),
    )
)]
pub struct Dealloc {
    /// The buffer.
    memref: Operand<ANY_MEMREF>,
}

/// Loads an element.
#[op(
    "memref.load",
    assembly = "$memref `[` $indices `]` attr-dict `:` type($memref)",
    derive(result = element_of(memref), "result type matches element type of 'memref'"),
    verify = verify_load,
    services(
        Evaluate = evaluate::EvaluateLoad,
        RuntimeVerification = runtime_verification::Indices { buffer: 0 },
        Effects = EffectSet::READ,
        Fold = FoldFn(|op, _| fold::without_cast(op, 0)),
        Generate = generate::AnyLoad,
        ElementAccess = TrailingIndices { stores: false },
        VectorForm = buffers::ReadLanes,
        SlotAccess = slots::Loads,
    )
)]
pub struct Load {
    /// The buffer.
    memref: Operand<MEMREF>,
    /// One index per dimension.
    indices: Vec<Operand<INDEX>>,
    /// Whether the access is nontemporal.
    nontemporal: Option<bool>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
    /// The element.
    result: OpResult<ANY>,
}

/// Stores an element.
#[op(
    "memref.store",
    assembly = "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)",
    derive(value = element_of(memref), "type of 'value' matches element type of 'memref'"),
    verify = verify_store,
    services(
        Evaluate = evaluate::EvaluateStore,
        RuntimeVerification = runtime_verification::Indices { buffer: 1 },
        Effects = EffectSet::WRITE,
        Fold = FoldFn(|op, _| fold::without_cast(op, 1)),
        Generate = generate::AnyStore,
        ElementAccess = TrailingIndices { stores: true },
        SlotAccess = slots::Stores,
    )
)]
pub struct Store {
    /// The stored value.
    value: Operand<ANY>,
    /// The buffer.
    memref: Operand<MEMREF>,
    /// One index per dimension.
    indices: Vec<Operand<INDEX>>,
    /// Whether the access is nontemporal.
    nontemporal: Option<bool>,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
}

fn verify_load(body: &Body, op: Op, errors: &mut Violations) {
    verify_indices(body, op, 0, "incorrect number of indices for load", errors);
}

fn verify_store(body: &Body, op: Op, errors: &mut Violations) {
    verify_indices(body, op, 1, "store index operand count not equal to memref rank", errors);
}

fn verify_indices(body: &Body, op: Op, memref: usize, prefix: &str, errors: &mut Violations) {
    let view = body.op(op);
    if view.n_operands() <= memref {
        return;
    }
    let indices = view.n_operands() - memref - 1;
    if let Some(rank) = body.ty(view.operand(memref)).rank(body.context()).filter(|&rank| rank != indices) {
        errors.push(match memref {
            0 => format!("{prefix}, expected {rank} but got {indices}"),
            _ => prefix.to_owned(),
        });
    }
}

/// Whether an operation that reads an extent, of its first operand, reads one that exists: it can be executed anywhere
/// then. An index out of bounds is undefined behavior.
pub fn is_constant_dim(op: OpRef<'_>) -> bool {
    let (ctx, body) = (op.context(), op.body());
    let index = constant_of(body, op.operand(1)).and_then(|attr| attr.as_i64(ctx));
    let rank = body.ty(op.operand(0)).rank(ctx);
    index.zip(rank).is_some_and(|(index, rank)| usize::try_from(index).is_ok_and(|index| index < rank))
}

/// The extent of a dimension.
#[op(
    "memref.dim",
    traits(PURE),
    assembly = "attr-dict $source `,` $index `:` type($source)",
    services(
        Evaluate = evaluate::EvaluateDim,
        Speculation = is_constant_dim,
        Fold = FoldFn(fold::fold_dim),
        AsmNames = names::Named("dim"),
        Generate = generate::AnyDim,
    )
)]
pub struct Dim {
    /// The buffer.
    source: Operand<NON_0D_MEMREF>,
    /// The dimension.
    index: Operand<INDEX>,
    /// The extent.
    #[result(INDEX, fixed)]
    result: Value,
}

/// Casts a buffer to a compatible type.
#[op(
    "memref.cast",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `to` type($dest)",
    verify = verify_cast,
    services(
        Evaluate = evaluate::EvaluateCast,
        RuntimeVerification = runtime_verification::CastFits,
        Fold = FoldFn(fold::fold_cast),
        AsmNames = names::Named("cast"),
        Generate = generate::AnyCast,
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct Cast {
    /// The buffer.
    source: Operand<ANY_MEMREF>,
    /// The same buffer.
    dest: OpResult<ANY_MEMREF>,
}

fn verify_cast(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (from, to) = (body.ty(view.operand(0)), body.ty(view.result(0)));
    if !cast_fits(ctx, from, to) {
        errors.push(Violation::cast(ctx, from, to));
    }
}

/// Whether a cast between two types is valid: their static properties must agree.
pub fn cast_fits(ctx: &Context, from: Type, to: Type) -> bool {
    if from.element(ctx) != to.element(ctx) || from.memory_space(ctx) != to.memory_space(ctx) {
        return false;
    }
    let agree = |a: &[i64], b: &[i64]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
    };
    match (from.shape(ctx), to.shape(ctx)) {
        (Some(a), Some(b)) => {
            let layouts = match (Strided::of(ctx, from), Strided::of(ctx, to)) {
                (Some(a), Some(b)) => agree(&a.strides, &b.strides) && agree(&[a.offset], &[b.offset]),
                _ => from.with_layout(ctx, b, None) == to.with_layout(ctx, b, None) && from == to,
            };
            agree(a, b) && layouts
        }
        // A cast between unranked types would not change anything.
        (a, b) => a.is_some() || b.is_some(),
    }
}

/// Copies all elements.
#[op(
    "memref.copy",
    assembly = "$source `,` $target attr-dict `:` type($source) `to` type($target)",
    verify = verify_copy,
    services(
        Evaluate = evaluate::EvaluateCopy,
        RuntimeVerification = runtime_verification::SameExtents,
        Effects = EffectSet::READ.and(EffectSet::WRITE),
        Fold = FoldFn(fold::fold_copy),
        Generate = generate::AnyCopy,
        MemoryEvents = MemoryEvent::Copy,
    )
)]
pub struct Copy {
    /// The source.
    source: Operand<ANY_MEMREF>,
    /// The target, which has the same extents.
    target: Operand<ANY_MEMREF>,
}

fn verify_copy(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let [from, to] = [0, 1].map(|at| body.ty(view.operand(at)));
    if from.element(ctx) != to.element(ctx) {
        return errors.push("requires the same element type for all operands");
    }
    if let (Some(from), Some(to)) = (from.shape(ctx), to.shape(ctx)) {
        let same = |(a, b): (&i64, &i64)| a == b || *a == DYNAMIC || *b == DYNAMIC;
        if from.len() != to.len() || !from.iter().zip(to).all(same) {
            errors.push("requires the same shape for all operands");
        }
    }
}

/// A global buffer with a symbol name.
#[op(
    "memref.global",
    traits(SYMBOL),
    assembly = custom(assembly::parse_global, assembly::print_global),
    verify = verify_global,
    services(Evaluate = evaluate::EvaluateGlobal, Symbols = ByAttributes)
)]
pub struct Global {
    /// The symbol name.
    sym_name: SymbolName,
    /// The symbol visibility.
    sym_visibility: Option<String>,
    /// The type, a statically shaped memref.
    #[attr(MEMREF_TYPE, name = "type")]
    ty: Type,
    /// The initial contents; `unit` for an uninitialized global.
    #[attr(ANY_ATTR)]
    initial_value: Option<Attr>,
    /// Whether the contents are constant.
    #[attr(unit)]
    constant: bool,
    /// The minimum alignment in bytes.
    #[attr(ALIGNMENT)]
    alignment: Option<i64>,
}

fn verify_global(body: &Body, op: Op, errors: &mut Violations) {
    let (global, ctx) = (Global::from_op_unchecked(op), body.context());
    let ty = global.ty(body);
    let shape = match ty.data(ctx) {
        TypeData::MemRef { shape, .. } if !shape.contains(&DYNAMIC) => shape,
        _ => {
            let found = print_type(ctx, ty);
            return errors.push(format!("type should be static shaped memref, but got '{found}'"));
        }
    };
    let Some(value) = global.initial_value(body).filter(|&value| value != Attr::UNIT) else { return };
    let Some(of) = value.value_type(ctx).filter(|ty| ty.is_tensor(ctx)) else {
        let found = print_attr(ctx, value);
        return errors.push(format!("initial value should be a unit or elements attribute, but got {found}"));
    };
    let (want, have) = (ty.element_or_self(ctx), of.element_or_self(ctx));
    if want != have {
        let (want, have) = (print_type(ctx, want), print_type(ctx, have));
        return errors.push(format!(
            "initial value element expected to be of type '{want}', but was of type '{have}'"
        ));
    }
    let have = of.shape(ctx).unwrap_or(&[]);
    if have != &**shape {
        let list = |shape: &[i64]| shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        errors.push(format!("initial value shape expected to be {} but was {}", list(shape), list(have)));
    }
}

/// The buffer of a global.
#[op(
    "memref.get_global",
    traits(PURE),
    assembly = "$name `:` type($result) attr-dict",
    services(
        Evaluate = evaluate::EvaluateGetGlobal,
        SymbolUser = NamesGlobal,
        AliasModel = buffers::OfTheProgram,
    )
)]
pub struct GetGlobal {
    /// The symbol of the global.
    name: FlatSymbolRef,
    /// The buffer.
    result: OpResult<STATIC_MEMREF>,
}

/// Verifies that the symbol refers to a global of the result's type.
pub(crate) struct NamesGlobal;

impl SymbolUser for NamesGlobal {
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation> {
        let ctx = op.context();
        let name = op.attr_named("name")?.as_flat_symbol(ctx)?;
        let Some(global) = declared(name).filter(|global| global.is::<Global>()) else {
            return Some(format!("'{}' does not reference a valid global memref", name.as_str(ctx)).into());
        };
        let (have, want) = (op.result_types().next()?, global.attr_named("type")?.as_type(ctx)?);
        (have != want).then(|| {
            let (have, want, name) = (print_type(ctx, have), print_type(ctx, want), name.as_str(ctx));
            let message =
                format!("result type '{have}' does not match type '{want}' of the global memref @{name}");
            Violation::from(message).about_result(0)
        })
    }
}
