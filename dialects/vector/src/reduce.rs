//! Reductions, outer products, scans, and fused multiply-add.

use crate::constraints::{FLOAT_VECTOR, VECTOR, VECTOR_WITH_RANK};
use crate::kind::CombiningKind;
use crate::rules::{Rule, numbers, operand, require, result, same_element, verifiers};
use crate::types::{Parts, quoted};
use crate::{assembly, evaluate, fold, names};
use minoan_arith::constraints::FastMath;
use minoan_ir::constraints::{ANY, same_as};
use minoan_ir::text::{AsmNames, print_type};
use minoan_ir::{Context, Flags, OpRef, Type, op};
use minoan_services::{Declared, Evaluate, EvaluateFn, Fold, Folded, Generate};

/// `lhs * rhs + acc`, rounded once.
#[op(
    "vector.fma",
    traits(PURE, ELEMENTWISE),
    assembly = "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)",
    same_types(lhs, rhs, acc, result),
    services(Evaluate = evaluate::reduce::fused(), Generate = Declared::new())
)]
pub struct Fma {
    /// A factor.
    lhs: Operand<FLOAT_VECTOR>,
    /// A factor.
    rhs: Operand<FLOAT_VECTOR>,
    /// A summand.
    acc: Operand<FLOAT_VECTOR>,
    /// The sum.
    result: OpResult<FLOAT_VECTOR>,
}

/// Reduces a vector to a scalar.
///
/// `vector.reduction <add>, %v, %acc : vector<16xf32> into f32`. The accumulator is combined first. Fast-math flags
/// that allow reassociation permit faster code.
#[op(
    "vector.reduction",
    traits(PURE),
    assembly = "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)",
    derive(acc = same_as(dest), "dest and acc have the same type"),
    verify = verify_reduction,
    services(
        Evaluate = EvaluateFn(evaluate::reduce::evaluate_reduction),
        Fold = fold::Unmasked(|_, _| Folded::Unchanged),
    )
)]
pub struct Reduction {
    /// The combining operation.
    kind: CombiningKind,
    /// The vector, of rank 0 or 1.
    vector: Operand<VECTOR>,
    /// The accumulator.
    acc: Option<Operand<ANY>>,
    /// Fast-math flags.
    #[attr(default = Flags::NONE)]
    fastmath: Flags<FastMath>,
    /// The result.
    dest: OpResult<ANY>,
}

/// Whether a kind supports an element type.
pub(crate) fn supports(ctx: &Context, kind: CombiningKind, element: Type) -> bool {
    kind.operation(ctx, element).is_some()
}

/// Reduces a vector along dimensions.
///
/// `vector.multi_reduction <mul>, %v, %acc [1] : vector<2x4xf32> to vector<2xf32>`.
#[op(
    "vector.multi_reduction",
    traits(PURE),
    assembly = "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)",
    same_types(dest, acc),
    verify = verify_multi_reduction,
    services(
        Evaluate = EvaluateFn(evaluate::reduce::evaluate_multi_reduction),
        Fold = fold::Unmasked(fold::elements::multi_reduction),
    )
)]
pub struct MultiReduction {
    /// The combining operation.
    kind: CombiningKind,
    /// The vector.
    source: Operand<VECTOR_WITH_RANK>,
    /// The accumulator.
    acc: Operand<ANY>,
    /// The reduced dimensions.
    reduction_dims: Vec<i64>,
    /// The result; a scalar if all dimensions are reduced.
    dest: OpResult<ANY>,
}

fn multi_reduction_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    same_element(op, 0, "source operand and result")?;
    let Some(source) = Parts::of(ctx, operand(op, 0)) else { return Ok(()) };
    let dims = numbers(op, "reduction_dims");
    let kept: Vec<usize> = (0..source.rank()).filter(|&dim| !dims.contains(&(dim as i64))).collect();
    let want = if kept.is_empty() { source.element } else { source.pick(ctx, kept, source.element) };
    let [have, from] = [result(op), operand(op, 0)].map(|ty| quoted(ctx, ty));
    require(result(op) == want, format!("destination type {have} is incompatible with source type {from}"))
}

/// The products of all pairs of elements of two vectors, combined with an accumulator.
///
/// If the right operand is a scalar, the product of each element with it.
#[op(
    "vector.outerproduct",
    traits(PURE),
    assembly = custom(assembly::parse_outerproduct, assembly::print_outerproduct),
    verify = verify_outerproduct,
    services(
        Evaluate = EvaluateFn(evaluate::reduce::outer_product),
        Fold = fold::Unmasked(|_, _| Folded::Unchanged),
    )
)]
pub struct OuterProduct {
    /// The left vector.
    lhs: Operand<VECTOR_WITH_RANK>,
    /// The right vector, or a scalar.
    rhs: Operand<ANY>,
    /// The accumulator.
    acc: Option<Operand<VECTOR_WITH_RANK>>,
    /// The combining operation.
    #[attr(default = CombiningKind::Add)]
    kind: CombiningKind,
    /// The result.
    result: OpResult<VECTOR_WITH_RANK>,
}

fn outerproduct_rule(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    same_element(op, 0, "lhs operand and result")?;
    same_element(op, 1, "rhs operand and result")?;
    let (Some(lhs), Some(to)) = (Parts::of(ctx, operand(op, 0)), Parts::of(ctx, result(op))) else {
        return Ok(());
    };
    require(lhs.rank() == 1, "expected 1-d vector for operand #1")?;
    let first = "expected #1 operand dim to match result dim #1";
    match Parts::of(ctx, operand(op, 1)) {
        Some(rhs) => {
            require(rhs.rank() == 1, "expected 1-d vector for operand #2")?;
            require(to.rank() == 2, "expected 2-d vector result")?;
            require(lhs.shape[0] == to.shape[0], first)?;
            require(rhs.shape[0] == to.shape[1], "expected #2 operand dim to match result dim #2")?;
            require(
                !lhs.is_scalable() || rhs.is_scalable(),
                "expected either both or only #2 operand dim to be scalable",
            )?;
        }
        None => {
            require(to.rank() == 1, "expected 1-d vector result")?;
            require(lhs.shape[0] == to.shape[0], first)?;
        }
    }
    let acc = op.operand_types().nth(2);
    require(acc.is_none_or(|acc| acc == result(op)), "expected operand #3 of same type as result type")?;
    require(supports(ctx, CombiningKind::of(op), to.element), "unsupported outerproduct type")
}

/// A prefix reduction along a dimension.
///
/// `vector.scan <add>, %v, %first {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2xf32>`: an
/// element of the result combines all preceding ones and, if `inclusive`, itself.
#[op(
    "vector.scan",
    traits(PURE),
    assembly = "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)",
    same_types(source, dest),
    same_types(initial_value, accumulated_value),
    verify = verify_scan,
    services(
        Evaluate = EvaluateFn(evaluate::reduce::scan),
        AsmNames = names::Each(&["dest", "accumulated_value"]),
    )
)]
pub struct Scan {
    /// The combining operation.
    kind: CombiningKind,
    /// The vector.
    source: Operand<VECTOR_WITH_RANK>,
    /// The initial value.
    initial_value: Operand<VECTOR>,
    /// The dimension.
    reduction_dim: i64,
    /// Whether an element is included in its own combination.
    inclusive: bool,
    /// The prefix combinations.
    dest: OpResult<VECTOR_WITH_RANK>,
    /// The combination of all elements.
    accumulated_value: OpResult<VECTOR>,
}

fn scan(op: OpRef<'_>) -> Rule {
    let ctx = op.context();
    let [source, first] = [0, 1].map(|at| Parts::of_any(ctx, operand(op, at)));
    let rank = source.rank();
    let dim = op.attr_named("reduction_dim").and_then(|dim| dim.as_i64(ctx)).unwrap_or(0);
    let at = usize::try_from(dim).ok().filter(|&at| at < rank);
    let at = at.ok_or_else(|| format!("reduction dimension {dim} has to be less than {rank}"))?;
    require(
        first.rank() == rank - 1,
        format!("initial value rank {} has to be equal to {}", first.rank(), rank - 1),
    )?;
    let rest = [&source.shape[..at], &source.shape[at + 1..]].concat();
    require(first.shape == rest, "incompatible input/initial value shapes")?;
    let kind = CombiningKind::of(op);
    require(
        supports(ctx, kind, source.element),
        format!(
            "unsupported reduction type {} for kind '{}'",
            quoted(ctx, source.element),
            minoan_ir::AttrEnum::keyword(kind)
        ),
    )
}

verifiers! {
    verify_reduction = |op| {
        let ctx = op.context();
        same_element(op, 0, "source operand and result")?;
        let rank = operand(op, 0).rank(ctx).unwrap_or(0);
        require(rank <= 1, format!("unsupported reduction rank: {rank}"))?;
        let (kind, ty) = (CombiningKind::of(op), result(op));
        require(
            supports(ctx, kind, ty),
            format!("unsupported reduction type ''{}'' for kind '{}'", print_type(ctx, ty), minoan_ir::AttrEnum::keyword(kind)),
        )
    };
    verify_multi_reduction = multi_reduction_rule;
    verify_outerproduct = outerproduct_rule;
    verify_scan = scan;
}
