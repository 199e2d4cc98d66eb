//! Evaluation of `vector.print`, by the functions of the runtime that compiled code calls.

use crate::attributes::Punctuation;
use minoan_ir::{AttrData, OpRef, Signedness, Type, TypeData};
use minoan_services::{Datum, Flow, Machine, Tensor, TensorData, Trap};

pub(crate) fn print(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let ctx = op.context();
    if let Some(AttrData::String { bytes, .. }) = op.attr_named("stringLiteral").map(|text| text.data(ctx)) {
        write(op, bytes, machine)?;
        return Ok(Flow::Next(Vec::new()));
    }
    if let (Some(value), Some(ty)) = (operands.first(), op.operand_types().next()) {
        match value {
            Datum::Tensor(vector) => {
                elements(op, vector, ty.element_or_self(ctx), (0, 0), machine)?;
            }
            scalar => number(op, scalar, ty, machine)?,
        }
    }
    let after = op.attr_value::<Punctuation>("punctuation").unwrap_or(Punctuation::Newline);
    let after: &[u8] = match after {
        Punctuation::NoPunctuation => b"",
        Punctuation::Newline => b"\n",
        Punctuation::Comma => b", ",
        Punctuation::Open => b"( ",
        Punctuation::Close => b" )",
    };
    write(op, after, machine)?;
    Ok(Flow::Next(Vec::new()))
}

/// Prints the elements from the dimension `depth` on; `at` is the number of the first one.
fn elements(
    op: OpRef<'_>,
    vector: &Tensor,
    element: Type,
    (depth, at): (usize, usize),
    machine: &mut dyn Machine,
) -> Result<(), Trap> {
    let Some(&extent) = vector.shape.get(depth) else {
        let is_single = depth == 0;
        if is_single {
            write(op, b"( ", machine)?;
        }
        number(op, &vector.data.get(at), element, machine)?;
        return if is_single { write(op, b" )", machine) } else { Ok(()) };
    };
    let size: usize = vector.shape[depth + 1..].iter().product();
    write(op, b"( ", machine)?;
    for index in 0..extent {
        if index > 0 {
            write(op, b", ", machine)?;
        }
        elements(op, vector, element, (depth + 1, at + index * size), machine)?;
    }
    write(op, b" )", machine)
}

fn number(op: OpRef<'_>, value: &Datum, ty: Type, machine: &mut dyn Machine) -> Result<(), Trap> {
    let ctx = op.context();
    let is_unsigned = ty == Type::INDEX
        || matches!(ty.data(ctx), TypeData::Integer { signedness: Signedness::Unsigned, .. });
    let function = match value {
        Datum::Poison => return Err(Trap::undefined("poison is printed")),
        Datum::F32(_) => "minoan_print_f32",
        Datum::F64(_) => "minoan_print_f64",
        Datum::Int(_) if ty == Type::I1 => "minoan_print_i1",
        Datum::Int(_) if is_unsigned => "minoan_print_u64",
        Datum::Int(_) => "minoan_print_i64",
        _ => return Err(Trap::new("integers of more than 64 bits are not printed")),
    };
    machine.call(function, std::slice::from_ref(value), op.loc()).map(drop)
}

fn write(op: OpRef<'_>, text: &[u8], machine: &mut dyn Machine) -> Result<(), Trap> {
    let bytes = text.iter().map(|&byte| i64::from(byte as i8)).collect();
    let text = Tensor { shape: vec![text.len()], data: TensorData::Int(bytes) };
    machine.call("minoan_print_text", &[text.into()], op.loc()).map(drop)
}
