//! Representation of builtin types in the raw ABI.

use minoan_ir::{Context, DYNAMIC, FloatKind, Signedness, Type, TypeData};
use minoan_services::RawAbi;
use minoan_sip::{RawType, ScalarType};

/// Numbers are scalars, ranked tensors of numbers are buffers; other types have no representation.
pub(crate) struct BuiltinTypes;

impl RawAbi for BuiltinTypes {
    fn raw_type(&self, ctx: &Context, ty: Type) -> Option<RawType> {
        match ty.data(ctx) {
            TypeData::RankedTensor { shape, element, encoding: None } => {
                let extent = |&extent: &i64| (extent != DYNAMIC).then_some(extent.unsigned_abs());
                Some(RawType::buffer(scalar(ctx, *element)?, shape.iter().map(extent)))
            }
            _ => scalar(ctx, ty).map(RawType::Scalar),
        }
    }
}

fn scalar(ctx: &Context, ty: Type) -> Option<ScalarType> {
    let scalar = match *ty.data(ctx) {
        TypeData::Float(FloatKind::F16) => ScalarType::Float16,
        TypeData::Float(FloatKind::BF16) => ScalarType::BFloat16,
        TypeData::Float(FloatKind::F32) => ScalarType::Float32,
        TypeData::Float(FloatKind::F64) => ScalarType::Float64,
        TypeData::Integer { width, signedness: Signedness::Unsigned } => match width {
            8 => ScalarType::UInt8,
            16 => ScalarType::UInt16,
            32 => ScalarType::UInt32,
            64 => ScalarType::UInt64,
            _ => return None,
        },
        TypeData::Integer { width, .. } => match width {
            // A boolean is a byte.
            1 | 8 => ScalarType::SInt8,
            16 => ScalarType::SInt16,
            32 => ScalarType::SInt32,
            64 => ScalarType::SInt64,
            _ => return None,
        },
        _ => return None,
    };
    Some(scalar)
}
