//! Metadata of buffers, and assumptions about them.

use crate::{buffers, evaluate_views, fold, names};
use minoan_ir::constraints::{INDEX, MEMREF, POSITIVE_I32, STRIDED_MEMREF};
use minoan_ir::text::{AsmNames, OpParser, OpPrinter, ParseError};
use minoan_ir::{
    Attr, AttrConstraint, AttrSyntax, Body, Context, InferInput, Op, OpRef, Type, Violations, op,
};
use minoan_services::{AliasModel, EffectSet, Effects, Evaluate, Fold, FoldFn};
use std::ops::Range;

/// The base buffer of a memref, and its offset, sizes and strides.
///
/// The results are the base buffer, the offset, the sizes and the strides: `memref.extract_strided_metadata %m :
/// memref<4xf32> -> memref<f32>, index, index, index`.
#[op(
    "memref.extract_strided_metadata",
    traits(PURE),
    assembly = "$source `:` type($source) `->` type(results) attr-dict",
    infer = infer_metadata,
    services(
        Evaluate = evaluate_views::EvaluateMetadata,
        AsmNames = names::NamedMetadata,
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct ExtractStridedMetadata {
    /// The buffer.
    source: Operand<STRIDED_MEMREF>,
    /// The base buffer, as a rank-0 memref.
    base_buffer: OpResult<minoan_ir::constraints::STRIDED_MEMREF_0D>,
    /// The offset.
    offset: OpResult<INDEX>,
    /// The sizes of all dimensions, then the strides.
    sizes_and_strides: Vec<OpResult<INDEX>>,
}

impl ExtractStridedMetadata {
    /// The types of the results.
    pub fn result_types(ctx: &Context, source: Type) -> Vec<Type> {
        let mut types = vec![source.with_layout(ctx, &[], None)];
        types.resize(2 + 2 * source.rank(ctx).unwrap_or(0), Type::INDEX);
        types
    }
}

fn infer_metadata(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let source = input.operands.first().ok_or("requires a single operand")?;
    Ok(ExtractStridedMetadata::result_types(input.ctx, *source))
}

/// Asserts that the address of a buffer is aligned.
#[op(
    "memref.assume_alignment",
    traits(PURE, SAME_OPERANDS_AND_RESULT),
    assembly = "$memref `,` $alignment attr-dict `:` type($memref)",
    verify = verify_alignment,
    services(
        Evaluate = evaluate_views::EvaluateSame,
        AsmNames = names::Named("assume_align"),
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct AssumeAlignment {
    /// The buffer.
    memref: Operand<MEMREF>,
    /// The alignment in bytes, a power of two.
    #[attr(POSITIVE_I32)]
    alignment: i32,
    /// The same buffer.
    result: OpResult<MEMREF>,
}

fn verify_alignment(body: &Body, op: Op, errors: &mut Violations) {
    let alignment = body.op(op).attr_named("alignment").and_then(|attr| attr.as_i64(body.context()));
    if !alignment.is_some_and(|bytes| bytes > 0 && bytes & (bytes - 1) == 0) {
        errors.push("alignment must be power of 2");
    }
}

/// Asserts that buffers do not overlap.
#[op(
    "memref.distinct_objects",
    traits(PURE),
    assembly = custom(parse_distinct, print_distinct),
    verify = verify_distinct,
    services(Evaluate = evaluate_views::EvaluateSame, AliasModel = buffers::ViewsOperand)
)]
pub struct DistinctObjects {
    /// The buffers.
    operands: Vec<Operand<MEMREF>>,
    /// The same buffers.
    results: Vec<OpResult<MEMREF>>,
}

fn parse_distinct(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let operands = p.operand_list()?;
    p.attr_dict()?;
    p.punct(":")?;
    let types = p.type_list()?;
    p.add_operands(&operands, &types)?;
    p.add_results(&types);
    Ok(())
}

fn print_distinct(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.values(&op.operands().collect::<Vec<_>>());
    p.attr_dict(&[]);
    p.text(" : ");
    p.types(&op.operand_types().collect::<Vec<_>>());
}

fn verify_distinct(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    if view.n_operands() == 0 {
        errors.push("expected at least one operand");
    } else if !view.operand_types().eq(view.result_types()) {
        errors.push("operand types and result types must match");
    }
}

/// Prefetches an element: `memref.prefetch %m[%i], read, locality<3>, data : memref<4xf32>`.
#[op(
    "memref.prefetch",
    assembly = custom(parse_prefetch, print_prefetch),
    verify = verify_prefetch,
    services(
        Evaluate = evaluate_views::EvaluateNothing,
        Effects = EffectSet::WRITE,
        Fold = FoldFn(|op, _| fold::without_cast(op, 0)),
    )
)]
pub struct Prefetch {
    /// The buffer.
    memref: Operand<MEMREF>,
    /// One index per dimension.
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
}

static LOCALITY: AttrConstraint = AttrConstraint {
    description: "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    check: |ctx, attr| {
        attr.value_type(ctx) == Some(Type::I32)
            && attr.as_i64(ctx).is_some_and(|hint| (0..=3).contains(&hint))
    },
    syntax: AttrSyntax::Typed(Type::I32),
};

/// Parses one of two keywords; returns whether it is the second.
fn either(p: &mut OpParser<'_, '_>, words: [&str; 2], error: &str) -> Result<Attr, ParseError> {
    if p.optional_keyword(words[0]) {
        Ok(Attr::FALSE)
    } else if p.optional_keyword(words[1]) {
        Ok(Attr::TRUE)
    } else {
        Err(p.error(error))
    }
}

fn parse_prefetch(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let memref = p.operand()?;
    let indices = p.bracketed_operands()?;
    p.punct(",")?;
    let write = either(p, ["read", "write"], "rw specifier has to be 'read' or 'write'")?;
    p.set_attr("isWrite", write);
    p.punct(",")?;
    p.keyword("locality")?;
    p.punct("<")?;
    let hint = p.attribute_of_type(Type::I32)?;
    p.set_attr("localityHint", hint);
    p.punct(">")?;
    p.punct(",")?;
    let data = either(p, ["instr", "data"], "cache type has to be 'data' or 'instr'")?;
    p.set_attr("isDataCache", data);
    p.attr_dict()?;
    p.punct(":")?;
    let ty = p.ty()?;
    p.add_operands(&[memref], &[ty])?;
    p.add_operands(&indices, &vec![Type::INDEX; indices.len()])
}

fn print_prefetch(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let is = |op: OpRef<'_>, name: &str| op.attr_named(name) == Some(Attr::TRUE);
    p.text(" ");
    print_place(p, 0..op.n_operands());
    p.text(if is(op, "isWrite") { ", write" } else { ", read" });
    p.text(", locality<");
    if let Some(hint) = op.attr_named("localityHint") {
        p.attr_without_type(hint);
    }
    p.text(if is(op, "isDataCache") { ">, data" } else { ">, instr" });
    p.attr_dict(&["localityHint", "isWrite", "isDataCache"]);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
}

/// Prints `%m[%i, %j]` for a range of operands.
pub(crate) fn print_place(p: &mut OpPrinter<'_, '_>, range: Range<usize>) {
    let operands: Vec<_> = p.op().operands().take(range.end).skip(range.start).collect();
    if let Some((&memref, indices)) = operands.split_first() {
        p.value(memref);
        p.text("[");
        p.values(indices);
        p.text("]");
    }
}

fn verify_prefetch(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let rank = body.ty(view.operand(0)).rank(body.context());
    if rank.is_some_and(|rank| rank != view.n_operands() - 1) {
        errors.push("too few indices");
    }
}
