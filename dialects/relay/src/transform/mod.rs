//! Transformations of Relay programs before they are lowered, as named sets of patterns.
//!
//! | set | TVM's pass | action |
//! |---|---|---|
//! | `relay-dynamic-to-static` | DynamicToStatic | operators of `dyn.*` with constant arguments become static ones, and known extents advance |
//! | `relay-simplify-inference` | SimplifyInference | normalization by known statistics becomes a scale and an offset |
//! | `relay-simplify-normalization` | SimplifyInference | other normalizations become reductions and arithmetic |
//! | `relay-canonicalize-ops` | CanonicalizeOps | `nn.bias_add` becomes `add` |
//! | `relay-simplify-expr` | SimplifyExpr | consecutive reshapes, transposes, casts and clips, neutral elements, shapes of other tensors, integer constants and factors |
//! | `relay-simplify-rounding` | SimplifyExpr | floating-point constants and factors |
//! | `relay-fold-scale-axis` | FoldScaleAxis | constant scales become part of constant weights |
//! | `relay-scale-axis` | FoldScaleAxis | scales of channels become part of weights, backward and forward |
//! | `relay-combine-parallel` | CombineParallelDense, CombineParallelBatchMatmul, CombineParallelConv2D | products of the same data become one |
//! | `relay-convert-layout` | AlterOpLayout | convolutions by constant weights keep channels last |
//! | [`DesiredLayouts`] | ConvertLayout | operators have the layouts of a list |
//! | `relay-winograd` | AlterOpLayout | convolutions by windows of 3 x 3 elements by Winograd's method |
//! | `relay-fast-math` | FastMath | approximations of `exp`, `erf`, `tanh` and softmax |
//! | `relay-to-integer` | FakeQuantizationToInteger | operators between `qnn.dequantize` and `qnn.quantize` compute with integers |
//! | `relay-qnn-legalize` | qnn.Legalize | quantized operators become operators on integers |
//! | `relay-to-mixed-precision` | ToMixedPrecision | convolutions and products compute with `float16` |
//!
//! Folding, which accompanies every set, evaluates exact arithmetic and movement of constants: FoldConstant.

mod combine;
mod composites;
mod dynamic;
mod fold;
mod integer;
mod known;
mod layout;
mod normalize;
mod number;
mod precision;
mod quantized;
mod scale;
mod scale_axis;
mod simplify;
mod winograd;

pub(crate) use composites::Chains;
pub(crate) use fold::FoldConstants;
pub(crate) use known::canonical;
pub use layout::DesiredLayouts;

use crate::attrs::{AttrValue, Attrs, complete};
use crate::dialect::{attrs_of, call, from_ir, operator_of, to_ir};
use crate::operators::find;
use crate::relation::{Answer, relate};
use crate::ty::TensorType;
use crate::ty::Type;
use minoan_ir::{Builder, Op, OpRef, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, Pattern, PatternSet, PatternStage, Rewriter, Root};
use std::borrow::Cow;

const fn set(
    name: &'static str,
    description: &'static str,
    stage: PatternStage,
    add: fn(&mut PatternSet),
) -> NamedPatterns {
    NamedPatterns { name, description, stage, add }
}

pub(crate) const SETS: &[NamedPatterns] = &[
    set("relay-fold-constant", "evaluate operators on constants", PatternStage::BeforeLowering, |_| ()),
    set(
        "relay-dynamic-to-static",
        "replace dynamic operators with constant arguments",
        PatternStage::BeforeLowering,
        dynamic::dynamic_to_static,
    ),
    set(
        "relay-simplify-inference",
        "replace normalization by known statistics",
        PatternStage::BeforeLowering,
        scale::simplify_inference,
    ),
    set(
        "relay-simplify-normalization",
        "replace normalization by arithmetic",
        PatternStage::ByName,
        normalize::simplify_normalization,
    ),
    set(
        "relay-canonicalize-ops",
        "replace nn.bias_add by add",
        PatternStage::ByName,
        scale::canonicalize_ops,
    ),
    set(
        "relay-simplify-expr",
        "simplify chains of operators",
        PatternStage::BeforeLowering,
        simplify::simplify_expr,
    ),
    set(
        "relay-simplify-rounding",
        "simplify chains of floating-point operators, with other roundings",
        PatternStage::Fast,
        simplify::simplify_rounding,
    ),
    set(
        "relay-fold-scale-axis",
        "move constant scales to weights",
        PatternStage::BeforeLowering,
        scale::fold_scale_axis,
    ),
    set(
        "relay-scale-axis",
        "move scales of channels to weights, which may be arguments",
        PatternStage::ByName,
        scale_axis::scale_axis,
    ),
    set(
        "relay-combine-parallel",
        "combine products of the same data",
        PatternStage::ByName,
        combine::combine,
    ),
    set(
        "relay-convert-layout",
        "keep channels last in convolutions",
        PatternStage::BeforeLowering,
        layout::convert,
    ),
    set(
        "relay-winograd",
        "compute convolutions by windows of 3 x 3 elements by Winograd's method",
        PatternStage::Fast,
        winograd::winograd,
    ),
    set("relay-fast-math", "use approximations of functions", PatternStage::ByName, simplify::fast_math),
    set(
        "relay-to-integer",
        "compute with integers between dequantization and quantization",
        PatternStage::ByName,
        integer::to_integer,
    ),
    set(
        "relay-qnn-legalize",
        "replace quantized operators by operators on integers",
        PatternStage::ByName,
        quantized::legalize,
    ),
    set(
        "relay-to-mixed-precision",
        "compute convolutions and products with float16",
        PatternStage::ByName,
        precision::to_mixed_precision,
    ),
];

/// Matches and rewrites a call; `None` if the pattern does not apply.
type Rewrite = fn(Op, &mut Rewriter<'_>) -> Option<Matched>;

/// A pattern on operators.
struct Rule {
    name: &'static str,
    roots: &'static [&'static str],
    rewrite: Rewrite,
}

impl Pattern for Rule {
    fn name(&self) -> &str {
        self.name
    }

    fn root(&self) -> Root {
        Root::Ops(Cow::Borrowed(self.roots))
    }

    fn rewrite(&self, op: Op, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        (self.rewrite)(op, rewriter).ok_or(NoMatch::SILENT)
    }
}

/// The operation that defines a value, if it is a call of the operator.
fn producer<'b>(rw: &'b Rewriter<'_>, value: Value, name: &str) -> Option<OpRef<'b>> {
    let op = rw.op(rw.body().defining_op(value)?);
    (op.name().strip_prefix("relay.") == Some(name)).then_some(op)
}

/// The type of a value, if it is a tensor of static extents.
fn static_type(rw: &Rewriter<'_>, value: Value) -> Option<(TensorType, Vec<i64>)> {
    let Type::Tensor(ty) = from_ir(rw.context(), rw.ty(value)) else { return None };
    let shape = ty.shape.iter().map(|dim| dim.known()).collect::<Option<Vec<i64>>>()?;
    Some((ty, shape))
}

/// The complete attributes of a call.
fn attrs(op: OpRef<'_>) -> Option<Attrs> {
    attrs_of(op, operator_of(op)?).ok()
}

/// Whether a value has one use.
fn has_one_use(rw: &Rewriter<'_>, value: Value) -> bool {
    rw.body().uses(value).count() == 1
}

/// Calls an operator; its result has the inferred type. `None` if the types are not sufficiently known.
fn apply(
    b: &mut Builder<'_>,
    name: &str,
    args: &[Value],
    given: impl IntoIterator<Item = (&'static str, AttrValue)>,
) -> Option<Value> {
    let attrs: Attrs = given.into_iter().collect();
    apply_with(b, name, args, &attrs)
}

fn apply_with(b: &mut Builder<'_>, name: &str, args: &[Value], attrs: &Attrs) -> Option<Value> {
    let ctx = b.context();
    let operator = find(name)?;
    let attrs = complete(operator, attrs).ok()?;
    let types: Vec<Type> = args.iter().map(|&value| from_ir(&ctx, b.ty(value))).collect();
    let Answer::Solved { result, .. } = relate(operator, &types, &attrs).ok()? else { return None };
    let ty = to_ir(&ctx, &result)?;
    Some(call(b, operator, args, &attrs, ty))
}

/// Replaces an operation by a value, if that has the type of its result.
fn replace(rw: &mut Rewriter<'_>, op: Op, value: Value) -> Option<Matched> {
    rw.flush();
    if rw.ty(value) != rw.ty(rw.op(op).result(0)) {
        return None;
    }
    rw.replace(op, &[value]);
    Some(Matched)
}
