//! Assembly of transfers.

use super::{Parsed, indices, operand_and_comma, parse_indices, print_place};
use crate::TransferRead;
use crate::transfer::{Transfer, default_map, is_minor_identity, mask_type};
use minoan_ir::text::{OpParser, OpPrinter, Unresolved};
use minoan_ir::{Attr, Type};

/// The common tail of both transfers: attributes and types.
struct TransferText {
    types: [Type; 2],
    mask: Option<(Unresolved, Type)>,
}

/// Parses a transfer from the mask on; `read` selects the order of the types.
fn transfer_tail(p: &mut OpParser<'_, '_>, read: bool) -> Parsed<TransferText> {
    let ctx = p.ctx();
    let mask = if p.optional_punct(",") { Some(p.operand()?) } else { None };
    p.attr_dict()?;
    p.punct(":")?;
    let span = p.span();
    let types = p.type_list()?;
    let &[first, second] = types.as_slice() else { return Err(p.error_at(span, "requires two types")) };
    let (base, moved) = if read { (first, second) } else { (second, first) };
    let shaped = |ty: Type| ty.rank(ctx).is_some() && !ty.is_vector(ctx);
    for of_base in [read, !read] {
        if of_base && !shaped(base) {
            return Err(p.error_at(span, "requires memref or ranked tensor type"));
        } else if !of_base && !moved.is_vector(ctx) {
            return Err(p.error_at(span, "requires vector type"));
        }
    }
    let (map, missing) = match p.get_attr("permutation_map") {
        Some(attr) => (attr.as_affine_map(ctx).cloned(), "expected an affine map as 'permutation_map'"),
        None => (
            default_map(ctx, base, moved),
            "expected a custom permutation_map when rank(source) != rank(destination)",
        ),
    };
    let map = map.ok_or_else(|| p.error_at(span, missing))?;
    if p.get_attr("in_bounds").is_none() {
        p.set_attr("in_bounds", Attr::array(ctx, &vec![Attr::FALSE; map.results.len()]));
    }
    let mask = match mask {
        Some(name) if base.element_or_self(ctx).is_vector(ctx) => {
            return Err(p.error_at(name.span, "does not support masks with vector element type"));
        }
        Some(_) if moved.rank(ctx) != Some(map.results.len()) => {
            let message = "expected the same rank for the vector and the results of the permutation map";
            return Err(p.error_at(span, message));
        }
        mask => mask.map(|name| (name, mask_type(ctx, moved, &map))),
    };
    p.set_attr("permutation_map", Attr::affine_map(ctx, map));
    Ok(TransferText { types: [base, moved], mask })
}

fn add_mask(p: &mut OpParser<'_, '_>, mask: Option<(Unresolved, Type)>) -> Parsed<usize> {
    match mask {
        Some((name, ty)) => p.add_operands(&[name], &[ty]).map(|()| 1),
        None => Ok(0),
    }
}

pub(crate) fn parse_read(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let base = p.operand()?;
    let values = parse_indices(p)?;
    p.punct(",")?;
    let padding = p.operand()?;
    let TransferText { types: [memory, vector], mask } = transfer_tail(p, true)?;
    p.add_operands(&[base], &[memory])?;
    indices(p, &values)?;
    let element = memory.element_or_self(p.ctx());
    p.add_operands(&[padding], &[element])?;
    let masks = add_mask(p, mask)?;
    p.set_segments(&[1, values.len(), 1, masks]);
    p.add_result(vector);
    Ok(())
}

pub(crate) fn parse_write(p: &mut OpParser<'_, '_>) -> Parsed<()> {
    let value = operand_and_comma(p)?;
    let base = p.operand()?;
    let values = parse_indices(p)?;
    let TransferText { types: [memory, vector], mask } = transfer_tail(p, false)?;
    p.add_operands(&[value, base], &[vector, memory])?;
    indices(p, &values)?;
    let masks = add_mask(p, mask)?;
    p.set_segments(&[1, 1, values.len(), masks]);
    if memory.is_tensor(p.ctx()) {
        p.add_result(memory);
    }
    Ok(())
}

/// Prints the mask, the non-default attributes, and the types.
fn print_transfer(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let Some(transfer) = Transfer::of(op) else { return };
    if let Some(&mask) = op.operand_group(3).first() {
        p.text(", ");
        p.value(mask);
    }
    let mut elided = Vec::new();
    if is_minor_identity(&transfer.map) {
        elided.push("permutation_map");
    }
    if !transfer.in_bounds.contains(&true) {
        elided.push("in_bounds");
    }
    p.attr_dict(&elided);
    p.text(" : ");
    let (base, vector) = (transfer.base, transfer.vector);
    p.types(&if op.is::<TransferRead>() { [base, vector] } else { [vector, base] });
}

pub(crate) fn print_read(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    print_place(p, 0, op.operand_group(1).len());
    p.text(", ");
    p.values(&op.operand_group(2));
    print_transfer(p);
}

pub(crate) fn print_write(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    p.text(" ");
    p.value(op.operand(0));
    p.text(", ");
    print_place(p, 1, op.operand_group(2).len());
    print_transfer(p);
}
