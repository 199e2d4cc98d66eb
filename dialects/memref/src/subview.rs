//! Views of buffers: subview, reinterpret_cast and transpose.

use crate::slices::{
    SLICE_NAMES, dropped_dims, numbers, parse_part, parse_slice_cast, print_slice, verify_in_bounds,
    verify_slice,
};
use crate::{buffers, evaluate_views, fold, generate, names, runtime_verification, slice_op};
use minoan_ir::affine::AffineMap;
use minoan_ir::constraints::{ANY_MEMREF, MEMREF, STRIDED_MEMREF};
use minoan_ir::strided::{Strided, dynamic_add, saturated_mul};
use minoan_ir::text::{AsmNames, OpParser, OpPrinter, ParseError, print_type};
use minoan_ir::verify::bare;
use minoan_ir::{Body, Context, DYNAMIC, Op, OpDef, OpRef, Type, Violations, op};
use minoan_services::{AliasModel, Evaluate, Fold, FoldFn, Generate, RuntimeVerification};

slice_op! {
    /// A rectangular part of a buffer.
    ///
    /// `memref.subview %m[%o, 0] [4, 1] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[4], offset: ?>>`: an
    /// offset, a size and a stride for each dimension. The result may drop dimensions of extent 1.
    #[op(
        "memref.subview",
        traits(PURE, OPERAND_SEGMENTS),
        assembly = custom(parse_part, print_subview),
        verify = verify_subview,
        services(
            Evaluate = evaluate_views::EvaluateSubView,
            RuntimeVerification = runtime_verification::PartFits,
            Fold = FoldFn(|op, _| fold::fold_subview(op).into()),
            AsmNames = names::Named("subview"),
            Generate = generate::AnySubView,
            AliasModel = buffers::ViewsOperand,
        )
    )]
    pub struct SubView {
        operands {
            /// The buffer.
            source: Operand<MEMREF>,
        }
        results {
            /// The view.
            result: OpResult<MEMREF>,
        }
    }
}

fn print_subview(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    print_slice(p, 1, None);
    print_from_to(p);
}

/// Prints the attributes, except those of the slice, and both types.
fn print_from_to(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.attr_dict(&SLICE_NAMES);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" to ");
    p.types(&op.result_types().collect::<Vec<_>>());
}

impl SubView {
    /// The type of a subview with all dimensions kept; `None` if the source layout is not strided or the lists do not
    /// have its rank.
    pub fn whole_type(ctx: &Context, source: Type, [offsets, sizes, strides]: [&[i64]; 3]) -> Option<Type> {
        let from = Strided::of(ctx, source)?;
        let rank = from.strides.len();
        if [offsets, sizes, strides].iter().any(|list| list.len() != rank) {
            return None;
        }
        let steps = offsets.iter().zip(&from.strides).map(|(&offset, &stride)| saturated_mul(offset, stride));
        let layout = Strided {
            offset: steps.fold(from.offset, dynamic_add),
            strides: from.strides.iter().zip(strides).map(|(&a, &b)| saturated_mul(a, b)).collect(),
        };
        Some(source.with_layout(ctx, sizes, Some(&layout)))
    }

    /// The strided type `whole` without the dimensions that are dropped; `None` if its layout is not strided.
    pub fn without(ctx: &Context, whole: Type, dropped: &[bool]) -> Option<Type> {
        let from = Strided::of(ctx, whole)?;
        let kept = |dim: &usize| dropped.get(*dim) == Some(&false);
        let shape = whole.shape(ctx)?;
        let sizes: Vec<i64> = (0..shape.len()).filter(kept).map(|dim| shape[dim]).collect();
        let strides = (0..from.strides.len()).filter(kept).map(|dim| from.strides[dim]).collect();
        Some(whole.with_layout(ctx, &sizes, Some(&Strided { offset: from.offset, strides })))
    }

    /// The dimensions that the result drops; `None` if it is not a subview type of the source.
    pub fn dropped(self, body: &Body) -> Option<Vec<bool>> {
        let (view, ctx) = (body.op(self.op()), body.context());
        let lists = SLICE_NAMES.map(|name| numbers(view, name));
        let whole = Self::whole_type(ctx, body.ty(self.source(body)), lists.each_ref().map(Vec::as_slice))?;
        unused_dims(ctx, whole, body.ty(self.result(body)))
    }
}

/// The dimensions of type `whole` that its rank-reduced version `part` drops, determined by extents and strides.
pub(crate) fn unused_dims(ctx: &Context, whole: Type, part: Type) -> Option<Vec<bool>> {
    let (from, to) = (Strided::of(ctx, whole)?, Strided::of(ctx, part)?);
    let sizes = whole.shape(ctx)?;
    let many = sizes.len().checked_sub(to.strides.len())?;
    let mut unused: Vec<bool> = sizes.iter().map(|&size| many > 0 && size == 1).collect();
    if unused.iter().filter(|&&unused| unused).count() == many {
        return Some(unused);
    }
    // Of several dimensions of extent 1, those are dropped whose strides do not occur in the part.
    let count = |strides: &[i64], stride: i64| strides.iter().filter(|&&other| other == stride).count();
    let mut left = from.strides.clone();
    for (dim, &stride) in from.strides.iter().enumerate() {
        if !unused[dim] {
            continue;
        }
        let (have, want) = (count(&left, stride), count(&to.strides, stride));
        if have < want {
            return None;
        }
        if have == want {
            unused[dim] = false;
        } else if let Some(at) = left.iter().position(|&other| other == stride) {
            left.swap_remove(at);
        }
    }
    (unused.iter().filter(|&&unused| unused).count() == many).then_some(unused)
}

fn verify_subview(body: &Body, op: Op, errors: &mut Violations) {
    if let Err(message) = subview_fits(body.op(op)) {
        errors.push(bare(message));
    }
}

fn subview_fits(op: OpRef<'_>) -> Result<(), String> {
    let (body, ctx) = (op.body(), op.context());
    let (source, part) = (body.ty(op.operand(0)), body.ty(op.result(0)));
    let shape = source.shape(ctx).unwrap_or(&[]);
    verify_slice(op, 1, shape.len())?;
    let (show, lists) = (|ty| print_type(ctx, ty), SLICE_NAMES.map(|name| numbers(op, name)));
    if source.memory_space(ctx) != part.memory_space(ctx) {
        return Err(format!(
            "different memory spaces specified for base memref type '{}' and subview memref type '{}'",
            show(source),
            show(part)
        ));
    }
    let Some(whole) = SubView::whole_type(ctx, source, lists.each_ref().map(Vec::as_slice)) else {
        return Err(format!("base type '{}' is not strided", show(source)));
    };
    let mismatch = |what: &str| {
        let (whole, part) = (show(whole), show(part));
        Err(format!(
            "expected result type to be '{whole}' or a rank-reduced version. (mismatch of result {what}), but got '{part}'"
        ))
    };
    let reduced = part.shape(ctx).unwrap_or(&[]);
    if reduced.len() > shape.len() {
        let part = show(part);
        return Err(format!(
            "expected result rank to be smaller or equal to the source rank, but got '{part}'"
        ));
    }
    if dropped_dims(&lists[1], reduced).is_none() {
        return mismatch("sizes");
    }
    if source.element(ctx) != part.element(ctx) {
        let (element, part) = (show(source.element_or_self(ctx)), show(part));
        return Err(format!("expected result element type to be '{element}', but got '{part}'"));
    }
    let layouts = Strided::of(ctx, whole).zip(Strided::of(ctx, part));
    let Some((want, have)) = layouts.filter(|(want, have)| want.offset == have.offset) else {
        return mismatch("layout");
    };
    let Some(unused) = unused_dims(ctx, whole, part) else { return mismatch("layout") };
    let kept = want.strides.iter().zip(&unused).filter(|(_, unused)| !**unused).map(|(stride, _)| stride);
    if !kept.eq(&have.strides) {
        return mismatch("layout");
    }
    verify_in_bounds(op, shape)
}

slice_op! {
    /// Views the memory of a buffer with the given offset, extents and strides, relative to its base.
    ///
    /// `memref.reinterpret_cast %m to offset: [%o], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32, ..>`.
    #[op(
        "memref.reinterpret_cast",
        traits(PURE, OPERAND_SEGMENTS),
        assembly = custom(parse_reinterpret, print_reinterpret),
        verify = verify_reinterpret,
        services(
            Evaluate = evaluate_views::EvaluateReinterpretCast,
            Fold = FoldFn(fold::fold_reinterpret),
            AsmNames = names::Named("reinterpret_cast"),
            AliasModel = buffers::ViewsOperand,
        )
    )]
    pub struct ReinterpretCast {
        operands {
            /// The buffer, whose own layout is ignored.
            source: Operand<ANY_MEMREF>,
        }
        results {
            /// The view.
            result: OpResult<STRIDED_MEMREF>,
        }
    }
}

const WORDS: [&str; 3] = ["offset", "sizes", "strides"];

fn parse_reinterpret(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    parse_slice_cast(p, Some("to"), Some(WORDS))
}

fn print_reinterpret(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    p.text(" to");
    print_slice(p, 1, Some(WORDS));
    print_from_to(p);
}

fn verify_reinterpret(body: &Body, op: Op, errors: &mut Violations) {
    if let Err(message) = reinterpret_fits(body.op(op)) {
        errors.push(bare(message));
    }
}

fn reinterpret_fits(op: OpRef<'_>) -> Result<(), String> {
    let (body, ctx) = (op.body(), op.context());
    let (source, result) = (body.ty(op.operand(0)), body.ty(op.result(0)));
    let (shape, lists) = (result.shape(ctx).unwrap_or(&[]), SLICE_NAMES.map(|name| numbers(op, name)));
    for (at, (what, rank)) in
        [("offset", 1), ("size", shape.len()), ("stride", shape.len())].iter().enumerate()
    {
        let (have, values) = (&lists[at], op.operand_group(at + 1).len());
        if have.len() != *rank {
            return Err(format!("expected {rank} {what} values, got {}", have.len()));
        }
        let dynamic = have.iter().filter(|&&number| number == DYNAMIC).count();
        if dynamic != values {
            return Err(format!("expected {dynamic} dynamic {what} values"));
        }
    }
    let pair = || (print_type(ctx, source), print_type(ctx, result));
    for (differ, what) in [
        (source.memory_space(ctx) != result.memory_space(ctx), "memory spaces"),
        (source.element(ctx) != result.element(ctx), "element types"),
    ] {
        if differ {
            let (source, result) = pair();
            return Err(format!(
                "different {what} specified for source type '{source}' and result memref type '{result}'"
            ));
        }
    }
    let layout = Strided::of(ctx, result).ok_or_else(|| {
        format!("expected result type to have strided layout but found '{}'", print_type(ctx, result))
    })?;
    let place = |what: &str, have: &[i64], want: &[i64], numbered: bool| {
        let wrong = have.iter().zip(want).position(|(have, want)| *have != DYNAMIC && have != want);
        let Some(at) = wrong else { return Ok(()) };
        let want = if want[at] == DYNAMIC { "dynamic".to_owned() } else { want[at].to_string() };
        let end = if numbered { format!(" in dim = {at}") } else { String::new() };
        Err(format!("expected result type with {what} = {want} instead of {}{end}", have[at]))
    };
    place("size", shape, &lists[1], true)?;
    place("offset", &[layout.offset], &lists[0], false)?;
    place("stride", &layout.strides, &lists[2], true)
}

/// A buffer with permuted dimensions.
///
/// `memref.transpose %m (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>`.
#[op(
    "memref.transpose",
    traits(PURE),
    assembly = custom(parse_transpose, print_transpose),
    verify = verify_transpose,
    services(
        Evaluate = evaluate_views::EvaluateTranspose,
        Fold = FoldFn(fold::fold_transpose),
        AsmNames = names::Named("transpose"),
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct Transpose {
    /// The buffer.
    r#in: Operand<STRIDED_MEMREF>,
    /// The dimension of the buffer for each dimension of the result.
    permutation: AffineMap,
    /// The permuted view.
    result: OpResult<STRIDED_MEMREF>,
}

fn parse_transpose(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let source = p.operand()?;
    let map = p.affine_map()?;
    p.set_attr("permutation", map);
    p.attr_dict()?;
    p.punct(":")?;
    let from = p.ty()?;
    p.add_operands(&[source], &[from])?;
    p.keyword("to")?;
    let to = p.ty()?;
    p.add_result(to);
    Ok(())
}

fn print_transpose(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    p.text(" ");
    p.value(op.operand(0));
    if let Some(map) = op.attr_named("permutation").and_then(|attr| attr.as_affine_map(ctx)) {
        p.text(&format!(" {map}"));
    }
    p.attr_dict(&["permutation"]);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" to ");
    p.types(&op.result_types().collect::<Vec<_>>());
}

impl Transpose {
    /// The dimension of the buffer for each dimension of the result; `None` if the map is not a permutation.
    pub fn dims(self, body: &Body) -> Option<Vec<usize>> {
        let map = self.permutation(body);
        let dims = map.as_projection()?;
        (map.symbols == 0 && dims.len() == map.dims as usize)
            .then(|| dims.into_iter().map(|dim| dim as usize).collect())
    }
}

fn verify_transpose(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (source, result) = (body.ty(view.operand(0)), body.ty(view.result(0)));
    let Some(dims) = Transpose::from_op_unchecked(op).dims(body) else {
        return errors.push("expected a permutation map");
    };
    let (Some(shape), Some(from), Some(to)) =
        (source.shape(ctx), Strided::of(ctx, source), Strided::of(ctx, result))
    else {
        return;
    };
    if dims.len() != shape.len() {
        return errors.push("expected a permutation map of same rank as the input");
    }
    let sizes: Vec<i64> = dims.iter().map(|&dim| shape[dim]).collect();
    let strides = dims.iter().map(|&dim| from.strides[dim]).collect();
    let want = Strided { offset: from.offset, strides };
    let same = result.with_layout(ctx, &sizes, None)
        == result.with_layout(ctx, result.shape(ctx).unwrap_or(&[]), None);
    if !same
        || want != to
        || source.element(ctx) != result.element(ctx)
        || source.memory_space(ctx) != result.memory_space(ctx)
    {
        let want = print_type(ctx, want.canonical_type(ctx, source, &sizes));
        errors.push(format!(
            "result type '{}' is not equivalent to the canonical transposed input type '{want}'",
            print_type(ctx, result)
        ));
    }
}
