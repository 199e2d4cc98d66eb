//! Custom assembly of `linalg.generic` and `linalg.fill`.

use crate::attributes::TypeFn;
use crate::named_text::{make_region, parse_operands, print_operation};
use crate::scalar::Combine;
use crate::{IteratorType, IteratorTypeAttr};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionStyle, Unresolved};
use minoan_ir::{Attr, AttrData, AttrEnum, Type, Value};

/// Parses `keyword(%a, %b : t, u)`; empty if the keyword is absent.
fn operands(p: &mut OpParser<'_, '_>, keyword: &str) -> Result<(Vec<Unresolved>, Vec<Type>), ParseError> {
    if !p.optional_keyword(keyword) {
        return Ok((Vec::new(), Vec::new()));
    }
    p.punct("(")?;
    let names = p.operand_list()?;
    p.punct(":")?;
    let types = p.type_list()?;
    p.punct(")")?;
    Ok((names, types))
}

/// Parses inputs and outputs and sets the segment sizes; returns the types of all operands.
pub(crate) fn ins_and_outs(p: &mut OpParser<'_, '_>) -> Result<Vec<Type>, ParseError> {
    let (types, n_inputs) = ins_and_outs_of(p)?;
    p.set_segments(&[n_inputs, types.len() - n_inputs]);
    Ok(types)
}

/// Parses inputs and outputs; returns the types of all operands and the number of inputs.
pub(crate) fn ins_and_outs_of(p: &mut OpParser<'_, '_>) -> Result<(Vec<Type>, usize), ParseError> {
    let (inputs, mut types) = operands(p, "ins")?;
    let (outputs, out_types) = operands(p, "outs")?;
    p.add_operands(&inputs, &types)?;
    p.add_operands(&outputs, &out_types)?;
    types.extend(out_types);
    Ok((types, inputs.len()))
}

/// Parses `{indexing_maps = [..], iterator_types = [..]} ins(..) outs(..) attrs = {..} { .. } -> types`. The dictionary, which
/// may be an alias, holds the inherent attributes; a second one, and the one after `attrs`, hold others.
pub(crate) fn parse_generic(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let (ctx, span) = (p.ctx(), p.span());
    for (name, value) in p.dictionary_attribute()? {
        p.set_attr(name.as_str(ctx), value);
    }
    let Some(iterators) = p.get_attr("iterator_types").and_then(|attr| attr.as_array(ctx)) else {
        return Err(p.error_at(span, "expected \"iterator_types\" array attribute"));
    };
    let mut named = Vec::with_capacity(iterators.len());
    for &attr in iterators {
        named.push(match attr.as_str(ctx).map(|name| (name, IteratorType::from_keyword(name))) {
            Some((_, Some(iterator))) => IteratorTypeAttr::get(ctx, iterator).into(),
            Some((name, None)) => return Err(p.error(format!("unexpected iterator_type ({name})"))),
            None => attr,
        });
    }
    p.set_attr("iterator_types", Attr::array(ctx, &named));
    p.optional_properties()?;
    let span = p.span();
    p.attr_dict()?;
    ins_and_outs(p)?;
    p.check_attrs(span)?;
    if p.optional_keyword("attrs") {
        p.punct("=")?;
        p.attr_dict()?;
    }
    p.region(&[])?;
    let results = p.optional_arrow_types()?;
    p.add_results(&results);
    Ok(())
}

pub(crate) fn print_operands(p: &mut OpPrinter<'_, '_>, keyword: &str, values: &[Value]) {
    if values.is_empty() {
        return;
    }
    p.text(keyword);
    p.text("(");
    p.values(values);
    p.text(" : ");
    let types: Vec<Type> = values.iter().map(|&value| p.body().ty(value)).collect();
    p.types(&types);
    p.text(")");
}

pub(crate) fn print_arrow(p: &mut OpPrinter<'_, '_>) {
    let results: Vec<Type> = p.op().result_types().collect();
    p.arrow_types(&results);
}

pub(crate) fn print_generic(p: &mut OpPrinter<'_, '_>) {
    let (op, ctx) = (p.op(), p.ctx());
    p.text(" {");
    let mut first = true;
    for name in ["doc", "indexing_maps", "iterator_types", "library_call"] {
        let Some(attr) = op.attr_named(name) else { continue };
        p.text(if std::mem::take(&mut first) { "" } else { ", " });
        p.text(name);
        p.text(" = ");
        match attr.data(ctx) {
            AttrData::Array(iterators) if name == "iterator_types" => {
                p.text("[");
                for (index, &iterator) in iterators.iter().enumerate() {
                    p.text(if index > 0 { ", " } else { "" });
                    match IteratorTypeAttr::cast(ctx, iterator) {
                        Some(iterator) => p.string(iterator.value(ctx).keyword().as_bytes()),
                        None => p.attr(iterator),
                    }
                }
                p.text("]");
            }
            _ => p.attr(attr),
        }
    }
    p.text("}");
    print_operands(p, " ins", &op.operand_group(0));
    print_operands(p, " outs", &op.operand_group(1));
    if op.attrs() != Attr::EMPTY {
        // MLIR prints two spaces here.
        p.text(" attrs =  ");
        p.attr(op.attrs());
    }
    p.text(" ");
    p.region(0, RegionStyle::FULL);
    print_arrow(p);
}

pub(crate) fn parse_fill(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let span = p.span();
    let types = parse_operands(p, 2, span)?;
    // The verifier reports a value of another type; the region is built nevertheless.
    make_region(p, Combine::First, &types, TypeFn::CastSigned, span)
}

pub(crate) fn print_fill(p: &mut OpPrinter<'_, '_>) {
    print_operation(p, &[]);
}
