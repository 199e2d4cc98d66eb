//! Extraction and insertion of slices.

use crate::{differentiate, evaluate, fold, generate, move_buffers, runtime_verification, shapes};
use minoan_ir::constraints::{RANKED_TENSOR, same_as};
use minoan_ir::text::{AsmNames, OpParser, OpPrinter, ParseError, print_type};
use minoan_ir::verify::bare;
use minoan_ir::{Body, Builder, Op, OpRef, OpState, Type, Value, Violations, op};
use minoan_memref::slices::{
    SLICE_NAMES, add_slice, dropped_dims, numbers, parse_part, parse_slice, print_slice, verify_in_bounds,
    verify_slice,
};
use minoan_memref::{Named, slice_op};
use minoan_scf::ParallelInsert;
use minoan_services::{
    AliasModel, DerivativeRule, Differentiate, EffectSet, Effects, ElementAgnostic, Evaluate, ExtentOf,
    ExtentsOfOperands, Fold, FoldFn, Generate, Insertion, PartInsertion, RuntimeVerification, ShapeInference,
    ToBuffers,
};

slice_op! {
    /// Extracts a slice.
    ///
    /// `tensor.extract_slice %t[%o, 0] [4, 1] [1, 1] : tensor<?x8xf32> to tensor<4xf32>`: an offset, a size and a
    /// stride for each dimension. The result may drop dimensions of extent 1.
    #[op(
        "tensor.extract_slice",
        traits(PURE, OPERAND_SEGMENTS),
        assembly = custom(parse_part, print_extract),
        verify = verify_extract,
        services(
            ElementAgnostic = (),
            Evaluate = evaluate::EvaluateExtractSlice,
            RuntimeVerification = runtime_verification::SliceFits,
            Fold = FoldFn(|op, _| fold::fold_extract_slice(op).into()),
            AsmNames = Named("extracted_slice"),
            Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::extract_slice_transpose),
            Generate = generate::AnyExtractSlice,
            AliasModel = move_buffers::SliceMayBeView,
            ToBuffers = move_buffers::BufferExtractSlice,
            ShapeInference = shapes::SliceShape,
            ExtentOf = shapes::SliceExtents,
        )
    )]
    pub struct ExtractSlice {
        operands {
            /// The tensor.
            source: Operand<RANKED_TENSOR>,
        }
        results {
            /// The slice.
            result: OpResult<RANKED_TENSOR>,
        }
    }
}

fn print_extract(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.values(&op.operand_group(0));
    print_slice(p, 1, None);
    p.attr_dict(&SLICE_NAMES);
    p.text(" : ");
    p.types(&op.operand_types().take(1).collect::<Vec<_>>());
    p.text(" to ");
    p.types(&op.result_types().collect::<Vec<_>>());
}

fn verify_extract(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let (source, part) = (body.ty(view.operand(0)), view.result_types().next());
    if let Some(Err(message)) = part.map(|part| fits(view, 1, source, part)) {
        errors.push(bare(message));
    }
}

/// Verifies a slice of `whole` with operand groups from `first` on, whose type is `part`.
fn fits(op: OpRef<'_>, first: usize, whole: Type, part: Type) -> Result<(), String> {
    let ctx = op.context();
    let (Some(shape), Some(element)) = (whole.shape(ctx), whole.element(ctx)) else { return Ok(()) };
    verify_slice(op, first, shape.len())?;
    let sizes = numbers(op, "static_sizes");
    let have = part.shape(ctx).unwrap_or(&[]);
    if have.len() > sizes.len() {
        return Err("expected rank to be smaller or equal to the other rank. ".to_owned());
    }
    if dropped_dims(&sizes, have).is_none() {
        let want = print_type(ctx, Type::tensor(ctx, &sizes, element));
        return Err(format!("expected type to be '{want}' or a rank-reduced version. (size mismatch) "));
    }
    if part.element(ctx) != Some(element) {
        return Err(format!("expected element type to be '{}'", print_type(ctx, element)));
    }
    verify_in_bounds(op, shape)
}

slice_op! {
    /// Inserts a slice.
    ///
    /// `tensor.insert_slice %s into %t[%o, 0] [4, 1] [1, 1] : tensor<4xf32> into tensor<?x8xf32>`.
    #[op(
        "tensor.insert_slice",
        traits(PURE, OPERAND_SEGMENTS),
        assembly = custom(parse_insert, print_insert),
        derive(result = same_as(dest), "expected result type to match dest type"),
        verify = verify_insert,
        services(
            ElementAgnostic = (),
            Evaluate = evaluate::EvaluateInsertSlice,
            RuntimeVerification = runtime_verification::SliceFits,
            Fold = FoldFn(fold::fold_insert_slice),
            AsmNames = Named("inserted_slice"),
            Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::insert_slice_transpose),
            Generate = generate::AnyInsertSlice,
            PartInsertion = ReplacesPart,
            AliasModel = move_buffers::InsertsSlice,
            ToBuffers = move_buffers::BufferInsertSlice,
            ShapeInference = shapes::InsertedShape,
            ExtentOf = ExtentsOfOperands { first: |_| 1 },
        )
    )]
    pub struct InsertSlice {
        operands {
            /// The inserted tensor.
            source: Operand<RANKED_TENSOR>,
            /// The destination.
            dest: Operand<RANKED_TENSOR>,
        }
        results {
            /// The updated tensor.
            result: OpResult<RANKED_TENSOR>,
        }
    }
}

slice_op! {
    /// Inserts a slice into a shared tensor of the enclosing `scf.forall`.
    #[op(
        "tensor.parallel_insert_slice",
        traits(OPERAND_SEGMENTS),
        assembly = custom(parse_parallel_insert, print_insert),
        verify = verify_insert,
        services(
            ElementAgnostic = (),
            Effects = EffectSet::NONE,
            ParallelInsert = InsertsIntoDest,
            RuntimeVerification = runtime_verification::SliceFits
        )
    )]
    pub struct ParallelInsertSlice {
        operands {
            /// The inserted tensor.
            source: Operand<RANKED_TENSOR>,
            /// The shared tensor.
            dest: Operand<RANKED_TENSOR>,
        }
        results {
        }
    }
}

/// Parses an insertion; returns the type of the destination.
fn parse_parts(p: &mut OpParser<'_, '_>) -> Result<Type, ParseError> {
    let source = p.operand()?;
    p.keyword("into")?;
    let dest = p.operand()?;
    let values = parse_slice(p, None)?;
    p.attr_dict()?;
    p.punct(":")?;
    let part = p.ty()?;
    p.keyword("into")?;
    let whole = p.ty()?;
    p.add_operands(&[source, dest], &[part, whole])?;
    add_slice(p, 2, &values)?;
    Ok(whole)
}

fn parse_insert(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let whole = parse_parts(p)?;
    p.add_result(whole);
    Ok(())
}

fn parse_parallel_insert(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    parse_parts(p).map(|_| ())
}

fn print_insert(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.values(&op.operand_group(0));
    p.text(" into ");
    p.values(&op.operand_group(1));
    print_slice(p, 2, None);
    p.attr_dict(&SLICE_NAMES);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" into ");
    p.ty(p.body().ty(op.operand(1)));
}

fn verify_insert(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let (part, whole) = (body.ty(view.operand(0)), body.ty(view.operand(1)));
    if let Err(message) = fits(view, 2, whole, part) {
        errors.push(bare(message));
    }
}

/// The destination of [`ParallelInsertSlice`].
pub(crate) struct InsertsIntoDest;

impl minoan_scf::ParallelInsert for InsertsIntoDest {
    fn destinations(&self, op: OpRef<'_>) -> Vec<Value> {
        vec![op.operand(1)]
    }

    fn insert(&self, b: &mut Builder<'_>, op: Op, into: Value) -> Value {
        let ctx = b.context();
        let view = b.body().op(op);
        let mut operands: Vec<Value> = view.operands().collect();
        operands[1] = into;
        let state = OpState::new(ctx.kind_of::<InsertSlice>()).operands(&operands).props(view.props());
        let op = b.create(state.results(&[b.ty(into)]));
        b.body().op(op).result(0)
    }
}

/// An insertion replaces a part of its destination.
pub(crate) struct ReplacesPart;

impl PartInsertion for ReplacesPart {
    fn insertion(&self, _: OpRef<'_>) -> Insertion {
        Insertion { part: 0, whole: 1 }
    }

    fn part(&self, b: &mut Builder<'_>, op: Op, whole: Value) -> Value {
        let view = b.body().op(op);
        let [offsets, sizes, strides] = [2, 3, 4].map(|group| view.operand_group(group));
        let [places, extents, steps] = SLICE_NAMES.map(|name| numbers(view, name));
        let ty = b.ty(view.operand(0));
        ExtractSlice::build(b, whole, &offsets, &sizes, &strides, places, extents, steps, ty).result(b.body())
    }
}
