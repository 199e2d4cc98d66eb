//! Custom assembly of named operations: inputs and outputs, without the region.

use crate::assembly::{ins_and_outs, print_arrow, print_operands};
use crate::attributes::{TypeFn, TypeFnAttr};
use crate::named::{MEMOIZED, Named, factors, maps_attr};
use crate::scalar::{Combine, emit};
use crate::structured::scalar_type;
use minoan_diag::Span;
use minoan_ir::text::{OpParser, OpPrinter, ParseError};
use minoan_ir::{Attr, Loc, Type};

/// Parses `indexing_maps = [#map, #map1]` if present.
pub(crate) fn parse_maps(p: &mut OpParser<'_, '_>) -> Result<Option<Attr>, ParseError> {
    if !p.optional_keyword("indexing_maps") {
        return Ok(None);
    }
    p.punct("=")?;
    let (ctx, span) = (p.ctx(), p.span());
    let maps = p.attribute()?;
    match maps.as_array(ctx) {
        None => Err(p.error_at(span, "invalid kind of attribute specified: expected an array of maps")),
        Some(list) if list.iter().any(|one| one.as_affine_map(ctx).is_none()) => {
            Err(p.error_at(span, "element of indexing_maps array is not an affine_map"))
        }
        Some(_) => Ok(Some(maps)),
    }
}

/// Parses attributes, inputs, outputs and results; returns the types of the operands and checks their number. Errors
/// about the whole are reported at the operation's name.
pub(crate) fn parse_operands(
    p: &mut OpParser<'_, '_>,
    operands: usize,
    span: Span,
) -> Result<Vec<Type>, ParseError> {
    p.optional_properties()?;
    p.attr_dict()?;
    let types = ins_and_outs(p)?;
    p.check_attrs(span)?;
    p.attr_dict()?;
    let results = p.optional_arrow_types()?;
    p.add_results(&results);
    if types.len() != operands {
        let have = types.len();
        return Err(p.error(format!(
            "[parseNamedStructuredOpRegion] ods-gen generated region expects {operands} args, got {have}"
        )));
    }
    Ok(types)
}

/// Builds the region, which is not printed.
pub(crate) fn make_region(
    p: &mut OpParser<'_, '_>,
    combine: Combine,
    types: &[Type],
    cast: TypeFn,
    span: Span,
) -> Result<(), ParseError> {
    let ctx = p.ctx();
    let args: Vec<Type> = types.iter().map(|&ty| scalar_type(ctx, ty)).collect();
    let mut outcome = Ok(());
    p.build_region(&args, |b, args| {
        // As in MLIR, implicit operations have no location.
        b.set_loc(Loc::UNKNOWN);
        outcome = emit(b, combine, args, cast);
    });
    outcome.map_err(|message| p.error_at(span, message))
}

pub(crate) fn parse(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let ctx = p.ctx();
    let Some(named) = Named::of(p.op_name()) else { return Err(p.error_at_name("has no table")) };
    let maps = if named.has_maps() { parse_maps(p)? } else { None };
    if maps.is_none() && named.needs_maps() {
        return Err(p.error("expected 'indexing_maps' attribute"));
    }
    if let Some(maps) = maps {
        p.set_attr("indexing_maps", maps);
    }
    let span = p.span();
    let types = parse_operands(p, named.operands, span)?;
    let [strides, dilations] = ["strides", "dilations"].map(|name| factors(ctx, p.get_attr(name)));
    if named.has_maps() && p.get_attr("indexing_maps").is_none() {
        let maps = maps_attr(ctx, &named.maps(types.len(), 0, &[], &[]));
        p.set_attr("indexing_maps", maps);
    } else if named.memoizes() {
        let maps = maps_attr(ctx, &named.maps(types.len(), 0, &strides, &dilations));
        p.set_attr(MEMOIZED, maps);
    }
    let cast = p.get_attr("cast").and_then(|cast| TypeFnAttr::cast(ctx, cast));
    let cast = cast.map_or(TypeFn::CastSigned, |cast| cast.value(ctx));
    make_region(p, named.combine, &types, cast, span)
}

/// Prints ` indexing_maps = [#map, #map1]`.
pub(crate) fn print_maps(p: &mut OpPrinter<'_, '_>, maps: Attr) {
    p.text(" indexing_maps = ");
    p.attr(maps);
}

/// Prints the attributes that are not elided, inputs, outputs and results.
pub(crate) fn print_operation(p: &mut OpPrinter<'_, '_>, elided: &[&str]) {
    let op = p.op();
    p.attr_dict(elided);
    print_operands(p, " ins", &op.operand_group(0));
    print_operands(p, " outs", &op.operand_group(1));
    print_arrow(p);
}

pub(crate) fn print(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    if let (Some(maps), Some(named)) = (op.attr_named("indexing_maps"), Named::of(op.name()))
        && (named.needs_maps() || maps != maps_attr(ctx, &named.maps(op.n_operands(), 0, &[], &[])))
    {
        print_maps(p, maps);
    }
    print_operation(p, &["indexing_maps", MEMOIZED]);
}
