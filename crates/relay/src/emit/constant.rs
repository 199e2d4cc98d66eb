//! Emission of constants.

use crate::ast::Literal;
use crate::metadata::NdArray;
use minoan_ir::{Attr, AttrData, Context, FloatKind, Type as IrType, float_from_f64, float_from_int};
use minoan_relay_dialect::DType;

/// A splat tensor.
pub(super) fn splat(ctx: &Context, ty: IrType, dtype: DType, value: Literal) -> Option<Attr> {
    let data = element(dtype, value)?.into();
    Some(ctx.intern_attr(AttrData::DenseElements { ty, data, splat: true }))
}

/// A tensor of the metadata section.
pub(super) fn tensor(ctx: &Context, ty: IrType, dtype: DType, array: &NdArray) -> Attr {
    let width = array.element.bytes().max(1);
    let data: Box<[u8]> = match dtype {
        DType::Bool => array.data.iter().map(|&byte| truth(byte != 0)).collect(),
        _ => array.data.clone().into(),
    };
    let equal = data.len() > width && data.chunks(width).all(|one| one == &data[..width]);
    let splat = equal || data.len() == width;
    let data = if splat { data[..width].into() } else { data };
    ctx.intern_attr(AttrData::DenseElements { ty, data, splat })
}

/// The stored form of an `i1` element: sign-extended to a byte.
fn truth(value: bool) -> u8 {
    if value { 0xff } else { 0 }
}

/// The bytes of an element.
fn element(dtype: DType, value: Literal) -> Option<Vec<u8>> {
    let float = |kind: FloatKind| match value {
        Literal::Int(value, _) => float_from_int(kind, value.into()),
        Literal::Float(value, _) => float_from_f64(kind, value),
        Literal::Bool(value) => float_from_int(kind, value.into()),
    };
    let int = match value {
        Literal::Int(value, _) => value,
        Literal::Float(value, _) => value as i64,
        Literal::Bool(value) => i64::from(value),
    };
    Some(match dtype {
        DType::Bool => vec![truth(int != 0)],
        DType::Int(bits) | DType::UInt(bits) => {
            int.to_le_bytes()[..usize::from(bits).div_ceil(8).next_power_of_two()].to_vec()
        }
        DType::Float(16) => float(FloatKind::F16).to_le_bytes()[..2].to_vec(),
        DType::Float(32) => float(FloatKind::F32).to_le_bytes()[..4].to_vec(),
        DType::Float(64) => float(FloatKind::F64).to_le_bytes()[..8].to_vec(),
        DType::BFloat(16) => float(FloatKind::BF16).to_le_bytes()[..2].to_vec(),
        DType::Float(_) | DType::BFloat(_) | DType::Void => return None,
    })
}
