//! Broadcast, extraction, insertion, and conversion between vectors and elements.

use crate::constraints::{FIXED_VECTOR, VECTOR};
use crate::rules::{Rule, numbers, operand, require, result, same_element, verifiers};
use crate::types::Parts;
use crate::{assembly, evaluate, fold, generate};
use minoan_ir::constraints::{ANY, INDEX};
use minoan_ir::verify::bare;
use minoan_ir::{Context, DYNAMIC, InferInput, OpRef, Type, op};
use minoan_services::{Declared, Evaluate, EvaluateFn, Fold, Generate};

/// Broadcasts a scalar or a vector to a larger vector.
///
/// The trailing dimensions correspond to those of the source; dimensions of extent 1 are replicated:
/// `vector.broadcast %v : vector<1x4xf32> to vector<2x3x4xf32>`.
#[op(
    "vector.broadcast",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `to` type($vector)",
    verify = verify_broadcast,
    services(
        Evaluate = EvaluateFn(evaluate::elements::broadcast),
        Fold = fold::Unmasked(fold::elements::broadcast),
        Generate = Declared::new(),
    )
)]
pub struct Broadcast {
    /// The scalar or vector.
    source: Operand<ANY>,
    /// The vector.
    vector: OpResult<VECTOR>,
}

/// Checks whether `vector.broadcast` can create a vector of this type.
pub(crate) fn broadcastable(ctx: &Context, from: Type, to: Type) -> Rule {
    let Some(to) = Parts::of(ctx, to) else { return Err("destination type is not a vector".into()) };
    if from == to.element {
        return Ok(());
    }
    let Some(from) = Parts::of(ctx, from) else { return Err("source type is not a vector".into()) };
    require(from.rank() <= to.rank(), "source rank higher than destination rank")?;
    let to = to.from(to.rank() - from.rank());
    for dim in 0..from.rank() {
        let (source, dest) = (from.shape[dim], to.shape[dim]);
        let scalable = [from.scalable[dim], to.scalable[dim]];
        // A single element may be broadcast to a scalable dimension; otherwise scalability must match.
        let grows = scalable[0] && source == 1 && dest != 1;
        let kinds = scalable[0] != scalable[1] && (source != 1 || scalable[0]);
        if source != 1 && source != dest || grows || kinds {
            let show =
                |extent: i64, scalable| if scalable { format!("[{extent}]") } else { extent.to_string() };
            let [source, dest] = [show(source, scalable[0]), show(dest, scalable[1])];
            return Err(format!("dimension mismatch ({source} vs. {dest})").into());
        }
    }
    Ok(())
}

/// Extracts an element, or the subvector at a position of the leading dimensions.
///
/// Each index is static or dynamic; -1 yields poison: `vector.extract %v[1, %i] : vector<4xf32> from
/// vector<2x3x4xf32>`.
#[op(
    "vector.extract",
    traits(PURE),
    assembly = custom(assembly::parse_extract, assembly::print_extract),
    verify = verify_extract,
    infer = infer_extract,
    compatible = fits_extract,
    services(
        Evaluate = EvaluateFn(evaluate::elements::extract),
        Fold = fold::Unmasked(fold::elements::extract),
        Generate = generate::AnyPart { inserts: false },
    )
)]
pub struct Extract {
    /// The vector.
    source: Operand<VECTOR>,
    /// The dynamic indices.
    dynamic_position: Vec<Operand<INDEX>>,
    /// The static indices.
    static_position: Vec<i64>,
    /// The extracted element or subvector.
    result: OpResult<ANY>,
}

/// The type of the part of a vector at a position of `dims` dimensions.
pub(crate) fn part_type(ctx: &Context, whole: Type, dims: usize) -> Type {
    let whole = Parts::of_any(ctx, whole);
    if dims >= whole.rank() { whole.element } else { whole.from(dims).ty(ctx) }
}

fn infer_extract(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let ctx = input.ctx;
    let position = input.props.get(ctx, ctx.name("static_position")).and_then(|at| at.as_dense_i64(ctx));
    let position = position.ok_or("needs a position")?;
    Ok(vec![part_type(ctx, *input.operands.first().ok_or("needs a vector")?, position.len())])
}

/// An element and a vector with this single element are interchangeable.
fn fits_extract(ctx: &Context, want: &[Type], have: &[Type]) -> bool {
    let (&[want], &[have]) = (want, have) else { return false };
    let one = |ty: Type, of: Type| {
        Parts::of(ctx, ty).is_some_and(|parts| parts.shape == [1] && parts.element == of)
    };
    one(want, have) || one(have, want)
}

/// The first static index that is out of bounds and not poison.
fn outside(position: &[i64], shape: &[i64]) -> Option<usize> {
    let bad = |(&at, &extent): (&i64, &i64)| at != DYNAMIC && at != POISON && !(0..extent).contains(&at);
    position.iter().zip(shape).position(bad)
}

/// The index that yields poison.
pub(crate) const POISON: i64 = -1;

const NO_0D: &str = "expected a scalar instead of a 0-d vector as the";

fn extract_rule(op: OpRef<'_>) -> Rule {
    let (ctx, position) = (op.context(), numbers(op, "static_position"));
    let (whole, part) = (operand(op, 0), result(op));
    same_element(op, 0, "operand and result")?;
    let no_0d = part.is_vector(ctx) && part.rank(ctx) == Some(0);
    require(!no_0d, bare(format!("{NO_0D} result type")))?;
    dynamic_positions(op, &position, 1)?;
    let shape = whole.shape(ctx).unwrap_or(&[]);
    require(
        position.len() <= shape.len(),
        "expected position attribute of rank no greater than vector rank",
    )?;
    match outside(&position, shape) {
        Some(at) => Err(format!(
            "expected position attribute #{} to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)",
            at + 1
        ).into()),
        None => Ok(()),
    }
}

/// Verifies that each dynamic index has an operand.
fn dynamic_positions(op: OpRef<'_>, position: &[i64], before: usize) -> Rule {
    let dynamic = position.iter().filter(|&&at| at == DYNAMIC).count();
    require(
        dynamic == op.n_operands() - before,
        "mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) -- this can only happen due to an incorrect fold/rewrite",
    )
}

/// Inserts an element, or a subvector at a position of the leading dimensions.
///
/// `vector.insert %v, %w [1, %i] : vector<4xf32> into vector<2x3x4xf32>`.
#[op(
    "vector.insert",
    traits(PURE),
    assembly = custom(assembly::parse_insert, assembly::print_insert),
    same_types(dest, result),
    verify = verify_insert,
    services(
        Evaluate = EvaluateFn(evaluate::elements::insert),
        Fold = fold::Unmasked(fold::elements::insert),
        Generate = generate::AnyPart { inserts: true },
    )
)]
pub struct Insert {
    /// The element or subvector.
    #[operand(ANY, name = "valueToStore")]
    value_to_store: Value,
    /// The destination vector.
    dest: Operand<VECTOR>,
    /// The dynamic indices.
    dynamic_position: Vec<Operand<INDEX>>,
    /// The static indices.
    static_position: Vec<i64>,
    /// The updated vector.
    result: OpResult<VECTOR>,
}

fn insert_rule(op: OpRef<'_>) -> Rule {
    let (ctx, position) = (op.context(), numbers(op, "static_position"));
    let (part, whole) = (operand(op, 0), operand(op, 1));
    same_element(op, 0, "source operand and result")?;
    require(!part.is_vector(ctx) || part.rank(ctx) != Some(0), bare(format!("{NO_0D} source operand")))?;
    dynamic_positions(op, &position, 2)?;
    let shape = whole.shape(ctx).unwrap_or(&[]);
    require(
        position.len() <= shape.len(),
        "expected position attribute of rank no greater than dest vector rank",
    )?;
    match Parts::of(ctx, part) {
        Some(part) => require(
            part.rank() + position.len() == shape.len(),
            "expected position attribute rank + source rank to match dest vector rank",
        )?,
        None => require(
            position.len() == shape.len(),
            "expected position attribute rank to match the dest vector rank",
        )?,
    }
    match outside(&position, shape) {
        Some(at) => Err(format!(
            "expected position attribute #{} to be a non-negative integer smaller than the corresponding dest vector dimension",
            at + 1
        ).into()),
        None => Ok(()),
    }
}

/// Builds a vector from its elements in row-major order.
#[op(
    "vector.from_elements",
    traits(PURE),
    assembly = custom(assembly::parse_from_elements, assembly::print_from_elements),
    verify = verify_from_elements,
    services(
        Evaluate = EvaluateFn(evaluate::elements::from_elements),
        Fold = fold::Unmasked(|op, _| fold::elements::fold_reassembled_vector(op).into()),
        Generate = Declared::new(),
    )
)]
pub struct FromElements {
    /// The elements.
    elements: Vec<Operand<ANY>>,
    /// The vector.
    dest: OpResult<FIXED_VECTOR>,
}

/// Returns all elements of a vector in row-major order.
#[op(
    "vector.to_elements",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source)",
    verify = verify_to_elements,
    infer = infer_elements,
    services(
        Evaluate = EvaluateFn(evaluate::elements::to_elements),
        Fold = fold::Unmasked(fold::elements::to_elements),
        Generate = Declared::new(),
    )
)]
pub struct ToElements {
    /// The vector.
    source: Operand<VECTOR>,
    /// The elements.
    elements: Vec<OpResult<ANY>>,
}

fn infer_elements(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let source = input.operands.first().and_then(|&ty| Parts::of(input.ctx, ty)).ok_or("needs a vector")?;
    // The number of results is limited to 16 bits.
    match u16::try_from(source.count()) {
        Ok(count) => Ok(vec![source.element; usize::from(count)]),
        Err(_) => Err(format!("has too many elements: {}", source.count())),
    }
}

/// Verifies that the vector's elements match in number and type.
fn elements(ctx: &Context, name: &str, vector: Type, mut elements: impl Iterator<Item = Type>) -> Rule {
    let parts = Parts::of_any(ctx, vector);
    let mut count = 0;
    let same = elements.all(|ty| {
        count += 1;
        ty == parts.element
    });
    require(
        same && count == parts.count(),
        format!("failed to verify that shaped type '{name}' matches 'elements' element count and types"),
    )
}

verifiers! {
    verify_broadcast = |op| {
        same_element(op, 0, "source operand and result")?;
        broadcastable(op.context(), operand(op, 0), result(op))
    };
    verify_extract = extract_rule;
    verify_insert = insert_rule;
    verify_from_elements = |op| elements(op.context(), "dest", result(op), op.operand_types());
    verify_to_elements = |op| elements(op.context(), "source", operand(op, 0), op.result_types());
}
