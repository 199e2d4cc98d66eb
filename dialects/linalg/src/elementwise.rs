//! `linalg.elementwise`: all elementwise computations in one operation.

use crate::constraints::keyword_of;
use crate::named_text::{make_region, parse_maps, parse_operands, print_maps, print_operation};
use crate::scalar::Combine;
use crate::structured;
use minoan_ir::affine::AffineMap;
use minoan_ir::constraints::{AFFINE_MAP_ARRAY, ANY, RANKED_TENSOR, SHAPED};
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{Attr, AttrConstraint, AttrSyntax, Context, OpRef, Type, op};

/// An elementwise computation, selected by its kind.
///
/// `linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %b : t, t) outs(%c : t) -> t`. The kind may be
/// followed by maps from the indices of the output to those of each operand: `indexing_maps = [#map, #map, #map1]`.
#[op(
    "linalg.elementwise",
    traits(OPERAND_SEGMENTS, SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(parse, print),
    verify = structured::verify
)]
pub struct Elementwise {
    /// The inputs.
    #[operand(ANY)]
    inputs: Vec<Value>,
    /// The outputs.
    #[operand(SHAPED)]
    outputs: Vec<Value>,
    /// The computation.
    #[attr(KIND)]
    kind: Attr,
    /// The indexing map of each operand.
    #[attr(AFFINE_MAP_ARRAY)]
    indexing_maps: Option<Attr>,
    /// The updated outputs, if they are tensors.
    #[result(RANKED_TENSOR)]
    result_tensors: Vec<Value>,
    /// The scalar computation; determined by the kind and not printed.
    #[region(non_empty)]
    region: Region,
}

const KINDS: [(&str, Combine); 24] = [
    ("exp", Combine::Exp),
    ("log", Combine::Log),
    ("abs", Combine::Abs),
    ("ceil", Combine::Ceil),
    ("floor", Combine::Floor),
    ("negf", Combine::Neg),
    ("reciprocal", Combine::Reciprocal),
    ("round", Combine::Round),
    ("sqrt", Combine::Sqrt),
    ("rsqrt", Combine::Rsqrt),
    ("square", Combine::Square),
    ("tanh", Combine::Tanh),
    ("erf", Combine::Erf),
    ("add", Combine::Add),
    ("sub", Combine::Sub),
    ("mul", Combine::Mul),
    ("div", Combine::Div),
    ("div_unsigned", Combine::DivUnsigned),
    ("max_signed", Combine::Max),
    ("min_signed", Combine::Min),
    ("max_unsigned", Combine::MaxUnsigned),
    ("min_unsigned", Combine::MinUnsigned),
    ("powf", Combine::Pow),
    ("select", Combine::Select),
];

static KIND: AttrConstraint = AttrConstraint {
    description: "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23",
    check: |ctx, attr| combine_of(ctx, attr).is_some(),
    syntax: AttrSyntax::Any,
};

fn combine_of(ctx: &Context, attr: Attr) -> Option<Combine> {
    let word = keyword_of(ctx, attr, "elementwise_kind")?;
    KINDS.iter().find(|(kind, _)| *kind == word).map(|&(_, combine)| combine)
}

/// The indexing maps of the operands.
pub(crate) fn maps(op: OpRef<'_>) -> Option<Vec<AffineMap>> {
    let maps = op.attr_named("indexing_maps").and_then(|attr| attr.as_array(op.context())).unwrap_or(&[]);
    maps.iter().map(|map| map.as_affine_map(op.context()).cloned()).collect()
}

/// Identity maps for all operands.
fn usual_maps(ctx: &Context, operands: usize, rank: usize) -> Attr {
    let map = Attr::affine_map(ctx, AffineMap::identity(rank as u32));
    Attr::array(ctx, &vec![map; operands])
}

fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    p.keyword("kind")?;
    p.punct("=")?;
    let (ctx, span) = (p.ctx(), p.span());
    let kind = p.attribute()?;
    let Some(word) = keyword_of(ctx, kind, "elementwise_kind") else {
        return Err(p.error_at(span, "expected ElementwiseKind attribute"));
    };
    let Some(combine) = combine_of(ctx, kind) else {
        let kinds = KINDS.map(|(kind, _)| kind).join(", ");
        return Err(p.error_at(
            span,
            format!("expected ::mlir::linalg::ElementwiseKind to be one of: {kinds}, but found '{word}'"),
        ));
    };
    p.set_attr("kind", kind);
    if let Some(maps) = parse_maps(p)? {
        p.set_attr("indexing_maps", maps);
    }
    let span = p.span();
    let types = parse_operands(p, 1 + combine.inputs(), span)?;
    if p.get_attr("indexing_maps").is_none() {
        let Some(rank) = types.last().and_then(|ty: &Type| ty.rank(ctx)) else {
            return Err(p.error_at_name("return type needs to be shaped type"));
        };
        p.set_attr("indexing_maps", usual_maps(ctx, types.len(), rank));
    }
    make_region(p, combine, &types, false, span)
}

fn print(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    p.text(" kind=");
    if let Some(kind) = op.attr_named("kind") {
        p.attr(kind);
    }
    let rank = op.operand_types().last().and_then(|ty| ty.rank(ctx)).unwrap_or(0);
    if let Some(maps) = op.attr_named("indexing_maps")
        && maps != usual_maps(ctx, op.n_operands(), rank)
    {
        print_maps(p, maps);
    }
    print_operation(p, &["kind", "indexing_maps"]);
}
