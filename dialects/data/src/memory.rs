//! Operations on the memory of objects, into which `expand-counts` turns those on values.
//!
//! A value is either *allocated*, with a header and slots, or an *immediate*: a constructor without fields, whose tag is part
//! of the value. Counts are those of allocated values.

use crate::types::{Cell, ClosureType, OBJECT, Ref};
use crate::{evaluate, services};
use minoan_ir::constraints::{ANY, I1, INDEX};
use minoan_ir::{Array, Body, InferInput, Op, Type, Violations, op};
use minoan_services::{EffectSet, Effects, Evaluate, EvaluateFn, Speculation};

/// Tests whether a value is a heap object rather than an immediate.
#[op(
    "data.is_allocated",
    traits(PURE),
    assembly = "$object attr-dict `:` type($object)",
    services(Evaluate = EvaluateFn(evaluate::is_allocated))
)]
pub struct IsAllocated {
    /// The value.
    object: Operand<OBJECT>,
    /// The answer.
    #[result(I1, fixed)]
    result: Value,
}

/// The tag in the header of an allocated value. The behavior is undefined for immediates.
#[op(
    "data.header_tag",
    assembly = "$cell attr-dict `:` type($cell)",
    services(Evaluate = EvaluateFn(evaluate::tag), Effects = EffectSet::READ)
)]
pub struct HeaderTag {
    /// The value.
    cell: Operand<Cell>,
    /// The position of the constructor.
    #[result(INDEX, fixed)]
    result: Value,
}

/// The tag of an immediate. The result is arbitrary for allocated values.
#[op(
    "data.immediate_tag",
    traits(PURE),
    assembly = "$cell attr-dict `:` type($cell)",
    services(Evaluate = EvaluateFn(evaluate::tag))
)]
pub struct ImmediateTag {
    /// The value.
    cell: Operand<Cell>,
    /// The position of the constructor.
    #[result(INDEX, fixed)]
    result: Value,
}

/// Whether an allocated value has a single owner.
#[op(
    "data.is_unique",
    assembly = "$object attr-dict `:` type($object)",
    services(Evaluate = EvaluateFn(evaluate::is_unique), Effects = EffectSet::READ)
)]
pub struct IsUnique {
    /// The value.
    object: Operand<OBJECT>,
    /// The answer.
    #[result(I1, fixed)]
    result: Value,
}

/// Adds an owner to an allocated value.
#[op(
    "data.retain",
    assembly = "$object attr-dict `:` type($object)",
    services(Evaluate = EvaluateFn(evaluate::count), Effects = EffectSet::READ.and(EffectSet::WRITE))
)]
pub struct Retain {
    /// The value.
    object: Operand<OBJECT>,
}

/// Removes an owner, who is not the last one, of an allocated value.
#[op(
    "data.release",
    assembly = "$object attr-dict `:` type($object)",
    services(Evaluate = EvaluateFn(evaluate::count), Effects = EffectSet::READ.and(EffectSet::WRITE))
)]
pub struct Release {
    /// The value.
    object: Operand<OBJECT>,
}

/// Frees an allocated value with a single owner, and removes an owner of each object in it.
#[op(
    "data.free",
    assembly = "$object attr-dict `:` type($object)",
    services(Evaluate = EvaluateFn(evaluate::count), Effects = EffectSet::FREE.and(EffectSet::WRITE))
)]
pub struct Free {
    /// The value.
    object: Operand<OBJECT>,
}

/// Overwrites the contents of a reference; the owners of the previous contents are not removed.
#[op(
    "data.ref_store",
    assembly = "$reference `(` $contents `)` attr-dict `:` functional-type(operands, results)",
    services(Evaluate = EvaluateFn(evaluate::ref_store), Effects = EffectSet::WRITE)
)]
pub struct RefStore {
    /// The reference.
    reference: Operand<Ref>,
    /// The components of the new contents.
    contents: Vec<Operand<ANY>>,
}

/// A captured value of a closure: `data.capture %f of [i32] at 0 : !data.closure<() -> i32>`.
///
/// The behavior is undefined for a closure that captures values of other types.
#[op(
    "data.capture",
    assembly = "$closure `of` $captures `at` $index attr-dict `:` type($closure)",
    infer = infer_capture,
    verify = verify_capture,
    services(
        Evaluate = EvaluateFn(evaluate::capture),
        Effects = EffectSet::NONE,
        Speculation = services::Stays,
    )
)]
pub struct Capture {
    /// The closure.
    closure: Operand<ClosureType>,
    /// The types of all captured values.
    captures: Array<Type>,
    /// The index of the captured value.
    index: i64,
    /// The captured value.
    result: OpResult<ANY>,
}

fn infer_capture(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let attr = |name: &str| input.props.get(input.ctx, input.ctx.name(name));
    let index = attr("index").and_then(|index| usize::try_from(index.as_i64(input.ctx)?).ok());
    let captures = attr("captures").and_then(|captures| captures.as_array(input.ctx)).unwrap_or(&[]);
    let capture = index.and_then(|index| captures.get(index)?.as_type(input.ctx));
    capture.map(|ty| vec![ty]).ok_or_else(|| format!("there is no such value among {}", captures.len()))
}

fn verify_capture(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let operands: Vec<Type> = view.operand_types().collect();
    let input = InferInput { ctx: body.context(), operands: &operands, props: view.props() };
    match infer_capture(&input) {
        Ok(types) if view.result_types().eq(types.iter().copied()) => {}
        Ok(_) => errors.push("the result must have the type of the captured value"),
        Err(message) => errors.push(message),
    }
}
