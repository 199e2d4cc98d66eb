//! Assembly of loads and stores.

use super::{Parsed, indices, operand_and_comma, parse_indices, print_place, type_of_kind, vector_type};
use minoan_ir::text::{OpParser, OpPrinter};
use minoan_ir::{Attr, Type};

/// Prints the attribute dictionary of a load or store without default values.
fn access_attrs(p: &mut OpPrinter<'_, '_>) {
    let temporal = p.op().attr_named("nontemporal") == Some(Attr::FALSE);
    p.attr_dict(if temporal { &["nontemporal"] } else { &[] });
}

/// Parses the dictionary and the types of the memref and the vector.
fn access_types(p: &mut OpParser<'_, '_>) -> Parsed<(Type, Type)> {
    p.attr_dict()?;
    p.punct(":")?;
    let memref = type_of_kind(p, "memref", |ctx, ty| ty.is_memref(ctx))?;
    p.punct(",")?;
    Ok((memref, vector_type(p)?))
}

pub(crate) fn parse_load(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let base = p.operand()?;
    let values = parse_indices(p)?;
    let (memref, result) = access_types(p)?;
    p.add_operands(&[base], &[memref])?;
    indices(p, &values)?;
    p.add_result(result);
    Ok(())
}

pub(crate) fn print_load(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    print_place(p, 0, op.n_operands() - 1);
    access_attrs(p);
    p.text(" : ");
    p.types(&[p.body().ty(op.operand(0)), p.body().ty(op.result(0))]);
}

pub(crate) fn parse_store(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let value = operand_and_comma(p)?;
    let base = p.operand()?;
    let values = parse_indices(p)?;
    let (memref, stored) = access_types(p)?;
    p.add_operands(&[value, base], &[stored, memref])?;
    indices(p, &values)
}

pub(crate) fn print_store(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    p.text(", ");
    print_place(p, 1, op.n_operands() - 2);
    access_attrs(p);
    p.text(" : ");
    p.types(&[p.body().ty(op.operand(1)), p.body().ty(op.operand(0))]);
}
