//! Custom assembly that no declarative format describes.

mod arithmetic;
mod elements;
mod mask;
mod memory;
mod transfer;

pub(crate) use arithmetic::{parse_contract, parse_outerproduct, print_contract, print_outerproduct};
pub(crate) use elements::{
    parse_extract, parse_from_elements, parse_insert, print_extract, print_from_elements, print_insert,
};
pub(crate) use mask::{parse_mask, parse_print, print_mask, print_print};
pub(crate) use memory::{parse_load, parse_store, print_load, print_store};
pub(crate) use transfer::{parse_read, parse_write, print_read, print_write};

use crate::types::quoted;
use minoan_ir::text::{OpParser, OpPrinter, ParseError, Unresolved};
use minoan_ir::{Context, Type};

type Parsed<T> = Result<T, ParseError>;

fn indices(p: &mut OpParser<'_, '_>, values: &[Unresolved]) -> Parsed<()> {
    p.add_operands(values, &vec![Type::INDEX; values.len()])
}

/// Parses a vector type.
fn vector_type(p: &mut OpParser<'_, '_>) -> Parsed<Type> {
    type_of_kind(p, "vector", |ctx, ty| ty.is_vector(ctx))
}

/// Parses a builtin type of this kind.
fn type_of_kind(
    p: &mut OpParser<'_, '_>,
    kind: &str,
    is: impl FnOnce(&Context, Type) -> bool,
) -> Parsed<Type> {
    let span = p.span();
    let ty = p.ty()?;
    if is(p.ctx(), ty) {
        return Ok(ty);
    }
    let found = quoted(p.ctx(), ty);
    Err(p.error_at(
        span,
        format!("invalid kind of type specified: expected builtin.{kind}, but found {found}"),
    ))
}

fn operand_and_comma(p: &mut OpParser<'_, '_>) -> Parsed<Unresolved> {
    let operand = p.operand()?;
    p.punct(",")?;
    Ok(operand)
}

fn parse_indices(p: &mut OpParser<'_, '_>) -> Parsed<Vec<Unresolved>> {
    p.bracketed_operands()
}

/// Prints `%m[%i, %j]` of the operands from index `base` on.
fn print_place(p: &mut OpPrinter<'_, '_>, base: usize, count: usize) {
    let operands: Vec<_> = p.op().operands().skip(base).take(count + 1).collect();
    p.value(operands[0]);
    p.text("[");
    p.values(&operands[1..]);
    p.text("]");
}
