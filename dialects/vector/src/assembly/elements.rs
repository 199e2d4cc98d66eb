//! Assembly of extraction, insertion and construction from elements.

use super::{Parsed, indices, operand_and_comma, vector_type};
use crate::types::{Parts, quoted};
use minoan_ir::Attr;
use minoan_ir::text::{OpParser, OpPrinter, Unresolved};
use minoan_memref::slices::numbers;

/// Parses the position `[1, %i]` of an extraction or insertion and sets the attribute.
fn position(p: &mut OpParser<'_, '_>) -> Parsed<Vec<Unresolved>> {
    let (values, numbers) = p.index_list("[", "]")?;
    let numbers = Attr::dense_i64(p.ctx(), &numbers);
    p.set_attr("static_position", numbers);
    Ok(values)
}

fn print_position(p: &mut OpPrinter<'_, '_>, group: usize) {
    let op = p.op();
    p.text("[");
    p.index_list(&op.operand_group(group), &numbers(op, "static_position"));
    p.text("]");
}

pub(crate) fn parse_extract(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let source = p.operand()?;
    let values = position(p)?;
    p.attr_dict()?;
    p.punct(":")?;
    let part = p.ty()?;
    p.keyword("from")?;
    let whole = vector_type(p)?;
    p.add_operands(&[source], &[whole])?;
    indices(p, &values)?;
    p.add_result(part);
    Ok(())
}

pub(crate) fn print_extract(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    print_position(p, 1);
    p.attr_dict(&["static_position"]);
    p.text(" : ");
    p.ty(p.body().ty(op.result(0)));
    p.text(" from ");
    p.ty(p.body().ty(op.operand(0)));
}

pub(crate) fn parse_insert(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let part = operand_and_comma(p)?;
    let dest = p.operand()?;
    let values = position(p)?;
    p.attr_dict()?;
    p.punct(":")?;
    let part_type = p.ty()?;
    p.keyword("into")?;
    let whole = vector_type(p)?;
    p.add_operands(&[part, dest], &[part_type, whole])?;
    indices(p, &values)?;
    p.add_result(whole);
    Ok(())
}

pub(crate) fn print_insert(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.values(&[op.operand(0), op.operand(1)]);
    p.text(" ");
    print_position(p, 2);
    p.attr_dict(&["static_position"]);
    p.text(" : ");
    p.ty(p.body().ty(op.operand(0)));
    p.text(" into ");
    p.ty(p.body().ty(op.operand(1)));
}

pub(crate) fn parse_from_elements(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let elements = p.operand_list()?;
    p.attr_dict()?;
    p.punct(":")?;
    let ty = vector_type(p)?;
    let parts = Parts::of_any(p.ctx(), ty);
    if parts.is_scalable() {
        let found = quoted(p.ctx(), ty);
        return Err(p.error_at_name(format!(
            "'dest' must be fixed-length vector of any type values, but got {found}"
        )));
    }
    let (have, want) = (elements.len(), parts.count());
    if have as i64 != want {
        let span = elements.first().map_or(p.span(), |element| element.span);
        return Err(p.error_at(
            span,
            format!("number of operands and types do not match: got {have} operands and {want} types"),
        ));
    }
    p.add_operands(&elements, &vec![parts.element; have])?;
    p.add_result(ty);
    Ok(())
}

pub(crate) fn print_from_elements(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let elements: Vec<_> = op.operands().collect();
    if !elements.is_empty() {
        p.text(" ");
    }
    p.values(&elements);
    p.attr_dict(&[]);
    p.text(" : ");
    p.ty(p.body().ty(op.result(0)));
}
