//! Constants.

use super::Writer;
use crate::ast::{Literal, Suffix};
use crate::literal;
use crate::metadata::{ElementType, NdArray};
use minoan_ir::{Attr, AttrData};
use minoan_relay_dialect::{DType, Type, from_ir};

impl Writer<'_> {
    /// A literal, or a reference to a tensor of the metadata section.
    pub(super) fn constant(&mut self, value: Attr) -> Option<String> {
        let AttrData::DenseElements { ty, data, .. } = value.data(self.ctx) else { return None };
        let Type::Tensor(tensor) = from_ir(self.ctx, *ty) else { return None };
        let literal = if tensor.shape.is_empty() { scalar(tensor.dtype, data) } else { None };
        literal.or_else(|| self.tensor(value))
    }

    /// A reference to a tensor of the metadata section.
    pub(super) fn tensor(&mut self, value: Attr) -> Option<String> {
        let AttrData::DenseElements { ty, data, splat } = value.data(self.ctx) else { return None };
        let Type::Tensor(tensor) = from_ir(self.ctx, *ty) else { return None };
        let shape: Vec<i64> = tensor.shape.iter().map(|dim| dim.known()).collect::<Option<_>>()?;
        let (code, bits) = match tensor.dtype {
            DType::Int(bits) => (0, bits),
            DType::UInt(bits) => (1, bits),
            DType::Bool => (1, 1),
            DType::Float(bits) => (2, bits),
            DType::BFloat(bits) => (4, bits),
            DType::Void => return None,
        };
        let count = usize::try_from(shape.iter().product::<i64>()).ok()?;
        let mut data = if *splat { data.repeat(count) } else { data.to_vec() };
        if tensor.dtype == DType::Bool {
            data.iter_mut().for_each(|byte| *byte &= 1);
        }
        let element = ElementType { code, bits, lanes: 1 };
        let index = self.metadata.add_constant(NdArray { element, shape, data });
        Some(format!("meta[relay.Constant][{index}]"))
    }
}

/// The literal of a number, if there is one.
fn scalar(dtype: DType, data: &[u8]) -> Option<String> {
    let literal = match dtype {
        DType::Bool => Literal::Bool(*data.first()? != 0),
        DType::Int(16) => {
            Literal::Int(i16::from_le_bytes(data.try_into().ok()?).into(), Some(Suffix::Int(16)))
        }
        DType::Int(32) => {
            Literal::Int(i32::from_le_bytes(data.try_into().ok()?).into(), Some(Suffix::Int(32)))
        }
        DType::Int(64) => Literal::Int(i64::from_le_bytes(data.try_into().ok()?), Some(Suffix::Int(64))),
        DType::Float(32) => {
            let value = f32::from_le_bytes(data.try_into().ok()?);
            Literal::Float(value.into(), Some(Suffix::Float(32)))
        }
        DType::Float(64) => {
            Literal::Float(f64::from_le_bytes(data.try_into().ok()?), Some(Suffix::Float(64)))
        }
        _ => return None,
    };
    match literal {
        // TVM has no spelling for these.
        Literal::Float(value, _) if !value.is_finite() => None,
        Literal::Int(value, _) if value == i64::MIN => None,
        _ => Some(literal::text(literal)),
    }
}
