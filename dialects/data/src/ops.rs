//! The operations, except for [`Declaration`](crate::Declaration) and [`Match`](crate::Match).

use crate::declare::{ClosureFits, CtorFits};
use crate::slots::{NewSlot, ReadOrWrite};
use crate::types::{BoxType, COUNTED, Cell, ClosureType, OBJECT, Ref, TENSOR_OR_BUFFER};
use crate::{canonicalize, evaluate, services};
use minoan_ir::constraints::{ANY, INDEX, MEMREF};
use minoan_ir::text::print_type;
use minoan_ir::{
    Array, Body, Context, FlatSymbolRef, InferInput, Op, OpDef, OpRef, SymbolUser, Type, Violations, op,
};
use minoan_services::{
    EffectSet, Effects, Evaluate, EvaluateFn, Fold, FoldFn, MemoryEvents, Ownership, SlotAccess, SlotSource,
    Speculation, Symbols, ToBuffers,
};

/// Creates a value of a data type: `data.make "Cons"[0](%x, %rest) : (i32, !data.cell<@List>) -> !data.cell<@List>`.
#[op(
    "data.make",
    assembly = "$ctor `[` $tag `]` `(` $fields `)` attr-dict `:` functional-type($fields, results)",
    services(
        Evaluate = EvaluateFn(evaluate::make),
        Effects = services::Creates,
        Speculation = services::Creates,
        Symbols = services::TypeOfResult,
        SymbolUser = CtorFits,
        Ownership = services::ConsumesAll,
        MemoryEvents = services::NewObject,
    )
)]
pub struct Make {
    /// The name of the constructor.
    ctor: String,
    /// The position of the constructor in the declaration.
    tag: i64,
    /// One value per field of the constructor.
    fields: Vec<Operand<ANY>>,
    /// Whether the program counts owners of the object.
    #[attr(unit)]
    counted: bool,
    /// Whether a field is written later, to its place.
    #[attr(unit)]
    open: bool,
    /// The value.
    result: OpResult<Cell>,
}

/// Whether the result of an operation that creates an object is a plain value: owners of the object are not counted yet, and
/// none of its fields is written later.
pub(crate) fn is_value(op: OpRef<'_>) -> bool {
    op.attr_named("counted").is_none() && op.attr_named("open").is_none()
}

/// The position of the constructor of a value in the declaration of its type.
#[op(
    "data.tag",
    traits(PURE),
    assembly = "$cell attr-dict `:` type($cell)",
    services(Evaluate = EvaluateFn(evaluate::tag), Fold = FoldFn(canonicalize::fold_tag))
)]
pub struct Tag {
    /// The value.
    cell: Operand<Cell>,
    /// The position, counted from 0.
    #[result(INDEX, fixed)]
    result: Value,
}

/// A field of a value of a known constructor:
/// `data.project %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : !data.cell<@List>`.
///
/// The behavior is undefined for a value of another constructor.
#[op(
    "data.project",
    assembly = "$cell `as` $ctor `[` $tag `]` `of` $fields `at` $index attr-dict `:` type($cell)",
    infer = infer_project,
    verify = verify_project,
    services(
        Evaluate = EvaluateFn(evaluate::project),
        Effects = EffectSet::NONE,
        Speculation = services::Stays,
        Fold = FoldFn(canonicalize::fold_project),
        SymbolUser = CtorFits,
    )
)]
pub struct Project {
    /// The value.
    cell: Operand<Cell>,
    /// The name of the constructor.
    ctor: String,
    /// The position of the constructor in the declaration.
    tag: i64,
    /// The types of all fields of the constructor.
    fields: Array<Type>,
    /// The index of the field.
    index: i64,
    /// The field.
    result: OpResult<ANY>,
}

fn infer_project(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let attr = |name: &str| input.props.get(input.ctx, input.ctx.name(name));
    let index = attr("index").and_then(|index| usize::try_from(index.as_i64(input.ctx)?).ok());
    let fields = attr("fields").and_then(|fields| fields.as_array(input.ctx)).unwrap_or(&[]);
    let field = index.and_then(|index| fields.get(index)?.as_type(input.ctx));
    field.map(|ty| vec![ty]).ok_or_else(|| format!("there is no such field among {}", fields.len()))
}

fn verify_project(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let operands: Vec<Type> = view.operand_types().collect();
    let input = InferInput { ctx: body.context(), operands: &operands, props: view.props() };
    match infer_project(&input) {
        Ok(types) if view.result_types().eq(types.iter().copied()) => {}
        Ok(_) => errors.push("the result must have the type of the field"),
        Err(message) => errors.push(message),
    }
}

/// Yields the values of a region of `data.match`.
#[op(
    "data.yield",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    assembly = "attr-dict ($values^ `:` type($values))?",
    services(Evaluate = EvaluateFn(evaluate::yields), Ownership = services::ConsumesAll)
)]
pub struct Yield {
    /// The values.
    values: Vec<Operand<ANY>>,
}

/// Ends the program with a message: `data.fail "did not find any match" -> i32`. The results stand for values that are
/// never computed.
#[op(
    "data.fail",
    assembly = "$message attr-dict (`->` type($results)^)?",
    services(Evaluate = EvaluateFn(evaluate::fail), Effects = EffectSet::OUTSIDE)
)]
pub struct Fail {
    /// The message.
    message: String,
    /// Values that do not exist.
    results: Vec<OpResult<ANY>>,
}

/// An object without contents that nothing owns, for a value that is never used.
#[op(
    "data.nothing",
    traits(PURE),
    assembly = "attr-dict `:` type($result)",
    services(Evaluate = EvaluateFn(evaluate::nothing), Symbols = services::TypeOfResult)
)]
pub struct Nothing {
    /// The object.
    result: OpResult<OBJECT>,
}

/// A function with captured values, its first arguments: `data.closure @f(%x) : (i32) -> !data.closure<(f32) -> f32>`.
#[op(
    "data.closure",
    assembly = "$function `(` $captures `)` attr-dict `:` functional-type($captures, results)",
    services(
        Evaluate = EvaluateFn(evaluate::closure),
        Effects = services::Creates,
        Speculation = services::Creates,
        SymbolUser = ClosureFits,
        MemoryEvents = services::NewObject,
        Ownership = services::ConsumesAll,
    )
)]
pub struct Closure {
    /// The symbol of the function.
    function: FlatSymbolRef,
    /// The values of the first arguments.
    captures: Vec<Operand<ANY>>,
    /// The symbol of the function that machine code calls, whose first argument is the closure itself.
    code: Option<FlatSymbolRef>,
    /// Whether the program counts owners of the object.
    #[attr(unit)]
    counted: bool,
    /// The closure.
    result: OpResult<ClosureType>,
}

/// Calls a closure: `data.apply %f(%x) : !data.closure<(f32) -> f32>`.
#[op(
    "data.apply",
    assembly = "$callee `(` $args `)` attr-dict `:` functional-type(operands, results)",
    verify = verify_apply,
    services(Evaluate = EvaluateFn(evaluate::apply))
)]
pub struct Apply {
    /// The closure.
    callee: Operand<ClosureType>,
    /// The arguments that the closure does not have yet.
    args: Vec<Operand<ANY>>,
    /// The results.
    results: Vec<OpResult<ANY>>,
}

fn verify_apply(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let types: Vec<Type> = view.operand_types().collect();
    let Some((&callee, args)) = types.split_first() else { return };
    let signature = ClosureType::cast(ctx, callee).map(|closure| closure.signature(ctx));
    let Some((inputs, results)) = signature.and_then(|ty| ty.as_function(ctx)) else { return };
    compare(ctx, "argument", args, inputs, errors);
    let given: Vec<Type> = view.result_types().collect();
    compare(ctx, "result", &given, results, errors);
}

/// Compares a list of types with the expected one.
pub(crate) fn compare(ctx: &Context, what: &str, have: &[Type], want: &[Type], errors: &mut Violations) {
    if have.len() != want.len() {
        return errors.push(format!("expects {} {what}s, but has {}", want.len(), have.len()));
    }
    for (at, (&have, &want)) in have.iter().zip(want).enumerate() {
        if have != want {
            let [have, want] = [have, want].map(|ty| print_type(ctx, ty));
            errors.push(format!("{what} #{at} must be '{want}', but got '{have}'"));
        }
    }
}

/// Creates a reference: `data.ref_new(%x) : (i32) -> !data.ref<i32>`.
#[op(
    "data.ref_new",
    assembly = "`(` $contents `)` attr-dict `:` functional-type($contents, results)",
    verify = verify_ref_new,
    services(
        Evaluate = EvaluateFn(evaluate::ref_new),
        Effects = EffectSet::ALLOCATE,
        SlotSource = NewSlot,
        MemoryEvents = services::NewObject,
        Ownership = services::ConsumesAll,
    )
)]
pub struct RefNew {
    /// The components of the initial contents.
    contents: Vec<Operand<ANY>>,
    /// Whether the program counts owners of the object.
    #[attr(unit)]
    counted: bool,
    /// Whether it may reach itself, by its type.
    #[attr(unit)]
    cyclic: bool,
    /// The reference.
    result: OpResult<Ref>,
}

fn verify_ref_new(new: RefNew, body: &Body, errors: &mut Violations) {
    let have: Vec<Type> = body.op(new.op()).operand_types().collect();
    verify_contents(body, body.ty(new.result(body)), &have, errors);
}

fn verify_contents(body: &Body, reference: Type, have: &[Type], errors: &mut Violations) {
    let ctx = body.context();
    if let Some(reference) = Ref::cast(ctx, reference) {
        let want: Vec<Type> = reference.contents(ctx).to_vec();
        compare(ctx, "component", have, &want, errors);
    }
}

/// Reads the contents of a reference: `data.ref_read %r : (!data.ref<i32>) -> i32`.
#[op(
    "data.ref_read",
    assembly = "$reference attr-dict `:` functional-type(operands, results)",
    verify = verify_ref_read,
    services(Evaluate = EvaluateFn(evaluate::ref_read), Effects = EffectSet::READ, SlotAccess = ReadOrWrite)
)]
pub struct RefRead {
    /// The reference.
    reference: Operand<Ref>,
    /// The components of the contents.
    contents: Vec<OpResult<ANY>>,
}

fn verify_ref_read(read: RefRead, body: &Body, errors: &mut Violations) {
    let have: Vec<Type> = body.op(read.op()).result_types().collect();
    verify_contents(body, body.ty(read.reference(body)), &have, errors);
}

/// Overwrites the contents of a reference: `data.ref_write %r(%x) : !data.ref<i32>, (i32)`.
#[op(
    "data.ref_write",
    assembly = "$reference `(` $contents `)` attr-dict `:` functional-type(operands, results)",
    verify = verify_ref_write,
    services(
        Evaluate = EvaluateFn(evaluate::ref_write),
        Effects = EffectSet::WRITE,
        SlotAccess = ReadOrWrite,
        Ownership = services::ConsumesContents,
    )
)]
pub struct RefWrite {
    /// The reference.
    reference: Operand<Ref>,
    /// The components of the new contents.
    contents: Vec<Operand<ANY>>,
}

fn verify_ref_write(write: RefWrite, body: &Body, errors: &mut Violations) {
    let have: Vec<Type> = body.op(write.op()).operand_types().skip(1).collect();
    verify_contents(body, body.ty(write.reference(body)), &have, errors);
}

/// Copies a tensor to the heap: `data.box %t : (tensor<?xf32>) -> !data.box<tensor<?xf32>>`.
#[op(
    "data.box",
    assembly = "$contents attr-dict `:` functional-type(operands, results)",
    verify = verify_boxed,
    services(
        Evaluate = EvaluateFn(evaluate::make_box),
        Effects = services::Creates,
        Speculation = services::Creates,
        Fold = FoldFn(canonicalize::fold_box),
        MemoryEvents = services::NewObject,
        ToBuffers = services::BoxToBuffers,
    )
)]
pub struct MakeBox {
    /// The tensor or, after bufferization, its buffer.
    contents: Operand<TENSOR_OR_BUFFER>,
    /// Whether the program counts owners of the object.
    #[attr(unit)]
    counted: bool,
    /// The box.
    result: OpResult<BoxType>,
}

/// The tensor in a box: `data.unbox %b : (!data.box<tensor<?xf32>>) -> tensor<?xf32>`.
#[op(
    "data.unbox",
    traits(PURE),
    assembly = "$boxed attr-dict `:` functional-type(operands, results)",
    verify = verify_boxed,
    services(
        Evaluate = EvaluateFn(evaluate::unbox),
        Fold = FoldFn(canonicalize::fold_unbox),
        ToBuffers = services::UnboxToBuffers,
    )
)]
pub struct Unbox {
    /// The box.
    boxed: Operand<BoxType>,
    /// The tensor.
    result: OpResult<TENSOR_OR_BUFFER>,
}

/// An extent of the tensor in a box: `data.box_extent %b[0] : !data.box<tensor<?xf32>>`.
#[op(
    "data.box_extent",
    assembly = "$boxed `[` $axis `]` attr-dict `:` type($boxed)",
    verify = verify_extent,
    services(Evaluate = EvaluateFn(evaluate::box_extent), Effects = EffectSet::NONE)
)]
pub struct BoxExtent {
    /// The box.
    boxed: Operand<BoxType>,
    /// The axis.
    axis: i64,
    /// The extent.
    #[result(INDEX, fixed)]
    result: Value,
}

fn verify_extent(op: BoxExtent, body: &Body, errors: &mut Violations) {
    let ctx = body.context();
    let contents = BoxType::cast(ctx, body.ty(op.boxed(body))).map(|boxed| boxed.contents(ctx));
    let rank = contents.and_then(|contents| contents.rank(ctx)).unwrap_or_default();
    let axis = usize::try_from(op.axis(body));
    if !axis.is_ok_and(|axis| axis < rank) {
        errors.push(format!("expects an axis below the rank {rank}"));
    }
}

/// Copies the tensor in a box to a buffer: `data.unbox_into %b, %m : !data.box<tensor<?xf32>>, memref<?xf32>`.
#[op(
    "data.unbox_into",
    assembly = "$boxed `,` $target attr-dict `:` type($boxed) `,` type($target)",
    verify = verify_unbox_into,
    services(Evaluate = EvaluateFn(evaluate::unbox_into), Effects = EffectSet::READ.and(EffectSet::WRITE))
)]
pub struct UnboxInto {
    /// The box.
    boxed: Operand<BoxType>,
    /// The buffer, of the extents of the tensor.
    target: Operand<MEMREF>,
}

fn verify_unbox_into(body: &Body, op: Op, errors: &mut Violations) {
    let types: Vec<Type> = body.op(op).operand_types().collect();
    if let [boxed, contents] = types[..] {
        verify_types(body.context(), boxed, contents, errors);
    }
}

/// Verifies that the operand and the result are a box and its contents, as a tensor or a buffer.
fn verify_boxed(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let types: Vec<Type> = view.operand_types().chain(view.result_types()).collect();
    let &[a, b] = &types[..] else { return };
    let (boxed, contents) = if BoxType::cast(ctx, a).is_some() { (a, b) } else { (b, a) };
    verify_types(ctx, boxed, contents, errors);
}

fn verify_types(ctx: &Context, boxed: Type, contents: Type, errors: &mut Violations) {
    let Some(boxed) = BoxType::cast(ctx, boxed).map(|boxed| boxed.contents(ctx)) else { return };
    let parts = |ty: Type| (ty.shape(ctx), ty.element(ctx));
    if contents != boxed && !(contents.is_memref(ctx) && parts(contents) == parts(boxed)) {
        let [boxed, contents] = [boxed, contents].map(|ty| print_type(ctx, ty));
        errors.push(format!("expects contents of type '{boxed}', but got '{contents}'"));
    }
}

/// Adds an owner to an object. Every owner but the first must be added before it uses the object.
#[op(
    "data.dup",
    assembly = "$object attr-dict `:` type($object)",
    services(Evaluate = EvaluateFn(evaluate::count), Effects = EffectSet::READ.and(EffectSet::WRITE))
)]
pub struct Dup {
    /// The object.
    object: Operand<OBJECT>,
}

/// Removes an owner of an object; the last one frees it. An operand of type `!data.memory` is freed unless it is empty.
#[op(
    "data.drop",
    assembly = "$object attr-dict `:` type($object)",
    services(
        Evaluate = EvaluateFn(evaluate::count),
        Effects = EffectSet::FREE.and(EffectSet::WRITE),
        Ownership = services::ConsumesAll,
    )
)]
pub struct Drop {
    /// The object or memory.
    object: Operand<COUNTED>,
}
