//! `tensor.pad`.

use crate::{
    Yield, buffers, differentiate, evaluate, fold, fusion, move_buffers, runtime_verification, shapes,
};
use minoan_ir::constraints::{INDEX, RANKED_TENSOR};
use minoan_ir::text::{AsmNames, OpParser, OpPrinter, ParseError, RegionStyle, print_type};
use minoan_ir::verify::bare;
use minoan_ir::{Attr, Body, Builder, DYNAMIC, Op, OpDef, OpState, Type, Value, Violations, op};
use minoan_memref::Named;
use minoan_memref::slices::numbers;
use minoan_services::{
    Differentiate, ElementAgnostic, Evaluate, ExtentOf, Fold, FoldFn, IterationDomain, RegionFlow,
    RuntimeVerification, ShapeInference, ToBuffers,
};

/// Pads a tensor at its borders.
///
/// `tensor.pad %t low[1, %n] high[0, 0] { .. } : tensor<8x?xf32> to tensor<9x?xf32>`. The region's arguments are the
/// indices; `tensor.yield` returns the padding element. `nofold` keeps a padding of zero width.
#[op(
    "tensor.pad",
    traits(PURE, OPERAND_SEGMENTS, SINGLE_BLOCK),
    assembly = custom(parse_pad, print_pad),
    verify = verify_pad,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluatePad,
        RuntimeVerification = runtime_verification::PadFits,
        Fold = FoldFn(fold::fold_pad),
        AsmNames = Named("padded"),
        Differentiate = differentiate::PadRule,
        RegionFlow = buffers::GenerateFlow,
        ToBuffers = move_buffers::BufferPad,
        ShapeInference = shapes::PadShape,
        ExtentOf = shapes::PaddedExtents,
        IterationDomain = fusion::PadDomain,
    )
)]
pub struct Pad {
    /// The tensor.
    source: Operand<RANKED_TENSOR>,
    /// Dynamic widths of the low padding.
    low: Vec<Operand<INDEX>>,
    /// Dynamic widths of the high padding.
    high: Vec<Operand<INDEX>>,
    /// Static widths of the low padding.
    static_low: Vec<i64>,
    /// Static widths of the high padding.
    static_high: Vec<i64>,
    /// Whether a padding of zero width is kept.
    #[attr(unit)]
    nofold: bool,
    /// The padded tensor.
    result: OpResult<RANKED_TENSOR>,
    /// Computes a padding element.
    #[region(non_empty)]
    region: Region,
}

impl Pad {
    /// Creates a padding of static widths by `value`, a scalar; `ty` is the type of the result.
    pub fn with(
        b: &mut Builder<'_>,
        source: Value,
        low: &[i64],
        high: &[i64],
        value: Value,
        ty: Type,
    ) -> Pad {
        Pad::with_widths(b, source, low, (high, &[]), value, ty)
    }

    /// Creates a padding by `value`, a scalar. `high` are the widths at the ends and the values of those that are
    /// [`DYNAMIC`]; `ty` is the type of the result.
    pub fn with_widths(
        b: &mut Builder<'_>,
        source: Value,
        low: &[i64],
        (high, values): (&[i64], &[Value]),
        value: Value,
        ty: Type,
    ) -> Pad {
        let ctx = b.context();
        let props = b.dictionary(&[
            ("operandSegmentSizes", Some(Attr::dense_i32(&ctx, &[1, 0, values.len() as i32]))),
            ("static_low", Some(Attr::dense_i64(&ctx, low))),
            ("static_high", Some(Attr::dense_i64(&ctx, high))),
        ]);
        let state = OpState::new(ctx.kind_of::<Pad>()).operands(&[source]).operands(values).results(&[ty]);
        let op = b.create(state.props(props).regions(1));
        b.region(op, 0, &vec![Type::INDEX; low.len()], |b, _| {
            Yield::build(b, value);
        });
        Pad::from_op_unchecked(op)
    }
}

const SIDES: [(&str, &str); 2] = [("low", "static_low"), ("high", "static_high")];

fn parse_pad(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let source = p.operand()?;
    if p.optional_keyword("nofold") {
        p.set_attr("nofold", Attr::UNIT);
    }
    let mut lists = Vec::new();
    for (word, name) in SIDES {
        p.keyword(word)?;
        let (values, numbers) = p.index_list("[", "]")?;
        let numbers = Attr::dense_i64(p.ctx(), &numbers);
        p.set_attr(name, numbers);
        lists.push(values);
    }
    p.region(&[])?;
    p.attr_dict()?;
    p.punct(":")?;
    let from = p.ty()?;
    p.keyword("to")?;
    let to = p.ty()?;
    p.add_operands(&[source], &[from])?;
    for list in &lists {
        p.add_operands(list, &vec![Type::INDEX; list.len()])?;
    }
    p.set_segments(&[1, lists[0].len(), lists[1].len()]);
    p.add_result(to);
    Ok(())
}

fn print_pad(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.values(&op.operand_group(0));
    if op.attr_named("nofold").is_some() {
        p.text(" nofold");
    }
    for (at, (word, name)) in SIDES.into_iter().enumerate() {
        p.text(&format!(" {word}["));
        p.index_list(&op.operand_group(1 + at), &numbers(op, name));
        p.text("]");
    }
    p.text(" ");
    p.region(0, RegionStyle::FULL);
    p.attr_dict(&["nofold", "static_low", "static_high"]);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" to ");
    p.types(&op.result_types().collect::<Vec<_>>());
}

fn verify_pad(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let source = body.ty(view.operand(0));
    let Some(result) = view.result_types().next() else { return };
    let (Some(shape), Some(have), Some(element)) =
        (source.shape(ctx), result.shape(ctx), source.element(ctx))
    else {
        return;
    };
    let [low, high] = SIDES.map(|(_, name)| numbers(view, name));
    let show = |ty| print_type(ctx, ty);
    if low.len() != shape.len() || high.len() != shape.len() {
        return errors.push(format!(
            "failed to infer expectedType from sourceType '{}', specified resultType is '{}'",
            show(source),
            show(result)
        ));
    }
    for (at, (list, (word, _))) in [&low, &high].into_iter().zip(SIDES).enumerate() {
        let dynamic = list.iter().filter(|&&number| number == DYNAMIC).count();
        if dynamic != view.operand_group(1 + at).len() {
            return errors.push(format!("expected {dynamic} dynamic {word} values"));
        }
    }
    let inferred: Vec<i64> = shape
        .iter()
        .zip(low.iter().zip(&high))
        .map(|(&extent, (&low, &high))| match [extent, low, high].contains(&DYNAMIC) {
            true => DYNAMIC,
            false => extent.saturating_add(low).saturating_add(high),
        })
        .collect();
    let fits = |(&want, &have): (&i64, &i64)| want == have || want == DYNAMIC;
    if have.len() != inferred.len() || !inferred.iter().zip(have).all(fits) {
        let want = Type::tensor(ctx, &inferred, element);
        return errors.push(bare(format!(
            "specified type '{}' does not match the inferred type '{}'",
            show(result),
            show(want)
        )));
    }
    let Some(entry) = body.region(view.region(0)).entry().map(|entry| body.block(entry)) else { return };
    if entry.n_args() != shape.len() {
        return errors.push(bare(format!("expected the block to have {} arguments", shape.len())));
    }
    if let Some(at) = entry.args().position(|arg| body.ty(arg) != Type::INDEX) {
        return errors.push(format!("expected block argument {} to be an index", at + 1));
    }
    match entry.last().map(|last| body.op(last)).filter(|last| last.is::<Yield>()) {
        Some(last) if last.operand_types().next() != Some(element) => {
            errors.push("expected yield type to match shape element type");
        }
        Some(_) => {}
        None => errors.push("expects regions to end with 'tensor.yield'"),
    }
}
