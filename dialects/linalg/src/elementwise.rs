//! `linalg.elementwise`: all elementwise computations in one operation.

use crate::attributes::{ElementwiseKind, ElementwiseKindAttr, TypeFn};
use crate::named_text::{make_region, parse_maps, parse_operands, print_maps, print_operation};
use crate::scalar::Combine;
use crate::{services, structured};
use minoan_ir::affine::AffineMap;
use minoan_ir::constraints::{ANY, RANKED_TENSOR, SHAPED};
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{Array, Attr, Context, OpRef, Type, op};

/// An elementwise computation, selected by its kind.
///
/// `linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %b : t, t) outs(%c : t) -> t`. The kind may be
/// followed by maps from the indices of the output to those of each operand: `indexing_maps = [#map, #map, #map1]`.
#[op(
    "linalg.elementwise",
    traits(OPERAND_SEGMENTS, SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(parse, print),
    verify = structured::verify,
    services(services::computed)
)]
pub struct Elementwise {
    /// The inputs.
    inputs: Vec<Operand<ANY>>,
    /// The outputs.
    outputs: Vec<Operand<SHAPED>>,
    /// The computation.
    kind: ElementwiseKind,
    /// The indexing map of each operand.
    indexing_maps: Option<Array<AffineMap>>,
    /// The updated outputs, if they are tensors.
    result_tensors: Vec<OpResult<RANKED_TENSOR>>,
    /// The scalar computation; determined by the kind and not printed.
    #[region(non_empty)]
    region: Region,
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
    let Some(combine) = ElementwiseKindAttr::cast(ctx, kind).map(|kind| Combine::from(kind.value(ctx)))
    else {
        return Err(p.error_at(span, "expected ElementwiseKind attribute"));
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
    make_region(p, combine, &types, TypeFn::CastSigned, span)
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
