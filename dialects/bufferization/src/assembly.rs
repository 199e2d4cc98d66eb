//! Custom assembly.

use crate::{AllocTensor, Dealloc};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, Unresolved};
use minoan_ir::{OpDef, Type, Value};

const SEGMENTS: &str = "operandSegmentSizes";

/// Parses `(%a, %b)`.
fn operands(p: &mut OpParser<'_, '_>) -> Result<Vec<Unresolved>, ParseError> {
    p.punct("(")?;
    let names = p.operand_list()?;
    p.punct(")")?;
    Ok(names)
}

/// Parses `(%n) copy(%t) size_hint=%h {..} : tensor<?xf32>`.
pub(crate) fn parse_alloc_tensor(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let sizes = operands(p)?;
    let mut copy = None;
    if p.optional_keyword("copy") {
        p.punct("(")?;
        copy = Some(p.operand()?);
        p.punct(")")?;
    }
    let mut hint = None;
    if p.optional_keyword("size_hint") {
        p.punct("=")?;
        hint = Some(p.operand()?);
    }
    p.attr_dict()?;
    p.punct(":")?;
    let span = p.span();
    let ty = p.ty()?;
    if !ty.is_tensor(p.ctx()) {
        return Err(p.error_at(span, format!("custom op '{}' invalid kind of type specified", p.op_name())));
    }
    p.add_result(ty);
    p.add_operands(&sizes, &vec![Type::INDEX; sizes.len()])?;
    p.add_operands(copy.as_slice(), &vec![ty; copy.iter().len()])?;
    p.add_operands(hint.as_slice(), &vec![Type::INDEX; hint.iter().len()])?;
    p.set_segments(&[sizes.len(), copy.iter().len(), hint.iter().len()]);
    Ok(())
}

pub(crate) fn print_alloc_tensor(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (AllocTensor::from_op_unchecked(p.op().id()), p.body());
    p.text("(");
    p.values(&op.dynamic_sizes(body));
    p.text(")");
    if let Some(copy) = op.copy(body) {
        p.text(" copy(");
        p.value(copy);
        p.text(")");
    }
    if let Some(hint) = op.size_hint(body) {
        p.text(" size_hint=");
        p.value(hint);
    }
    p.attr_dict(&[SEGMENTS]);
    p.text(" : ");
    p.ty(body.ty(op.result(body)));
}

/// Operands, and their types.
type TypedList = (Vec<Unresolved>, Vec<Type>);

/// Parses `(%a, %b : memref<2xf32>, memref<f32>)`.
fn typed_list(p: &mut OpParser<'_, '_>) -> Result<TypedList, ParseError> {
    p.punct("(")?;
    let names = p.operand_list()?;
    p.punct(":")?;
    let types = p.type_list()?;
    p.punct(")")?;
    Ok((names, types))
}

/// Parses `(%a : memref<2xf32>) if (%c) retain (%r : memref<2xf32>) {..}`.
pub(crate) fn parse_dealloc(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let (mut freed, mut retained) = (TypedList::default(), TypedList::default());
    let mut conditions = Vec::new();
    if p.at_punct("(") {
        freed = typed_list(p)?;
        p.keyword("if")?;
        conditions = operands(p)?;
    }
    if p.optional_keyword("retain") {
        retained = typed_list(p)?;
    }
    p.attr_dict()?;
    p.add_operands(&freed.0, &freed.1)?;
    p.add_operands(&conditions, &vec![Type::I1; conditions.len()])?;
    p.add_operands(&retained.0, &retained.1)?;
    p.set_segments(&[freed.0.len(), conditions.len(), retained.0.len()]);
    p.add_results(&vec![Type::I1; retained.0.len()]);
    Ok(())
}

fn print_typed_list(p: &mut OpPrinter<'_, '_>, values: &[Value]) {
    p.text(" (");
    p.values(values);
    p.text(" : ");
    let types: Vec<Type> = values.iter().map(|&value| p.body().ty(value)).collect();
    p.types(&types);
    p.text(")");
}

pub(crate) fn print_dealloc(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (Dealloc::from_op_unchecked(p.op().id()), p.body());
    let (freed, retained) = (op.memrefs(body), op.retained(body));
    if !freed.is_empty() {
        print_typed_list(p, &freed);
        p.text(" if (");
        p.values(&op.conditions(body));
        p.text(")");
    }
    if !retained.is_empty() {
        p.text(" retain");
        print_typed_list(p, &retained);
    }
    p.attr_dict(&[SEGMENTS]);
}
