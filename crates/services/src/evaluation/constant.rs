//! Conversion between constant attributes and evaluation values.

use crate::{Datum, IntBits, Part, Scalar, Tensor, Trap, WideBits, wrap};
use half::{bf16, f16};
use minoan_ir::{Attr, AttrData, Context, Int, Type, TypeData};
use smallvec::SmallVec;
use std::rc::Rc;

/// The zero of a float, signless integer or index type.
pub fn zero_attr(ctx: &Context, ty: Type) -> Option<Attr> {
    if ty.is_float(ctx) {
        return Some(Attr::float(ctx, 0.0, ty));
    }
    (ty == Type::INDEX || ty.is_signless_integer(ctx)).then(|| Attr::integer(ctx, 0, ty))
}

impl Datum {
    /// The value of a constant: an integer, a float, the parts of a complex number as an array, or dense or sparse elements.
    ///
    /// # Errors
    /// The attribute is not such a constant, or its type is not supported by evaluation.
    pub fn of_attr(ctx: &Context, attr: Attr) -> Result<Datum, Trap> {
        match attr.data(ctx) {
            AttrData::Integer { value, ty } => {
                let scalar = Scalar::of(ctx, *ty)?;
                match value.as_i64() {
                    Some(value) => scalar.integer(value.into()),
                    None => scalar.big_integer(value.to_big()),
                }
            }
            AttrData::Float { bits, ty } => Ok(Scalar::of(ctx, *ty)?.of_bits(*bits)),
            AttrData::Array(parts) => complex(ctx, parts),
            AttrData::DenseElements { ty, data, splat } => dense(ctx, *ty, data, *splat),
            AttrData::Sparse { ty, indices, values } => sparse(ctx, *ty, *indices, *values),
            _ => Err(Trap::new("the attribute is not a constant that can be evaluated")),
        }
    }

    /// The common value of all elements of a splat constant, if its element type is supported by evaluation; the
    /// extents may be dynamic.
    pub fn of_splat(ctx: &Context, attr: Attr) -> Option<Datum> {
        match attr.data(ctx) {
            AttrData::DenseElements { ty, data, splat: true } => {
                let datum = Scalar::of(ctx, *ty).ok()?.of_bytes(data);
                // Narrow floats are stored in wider ones, which does not preserve signaling NaNs.
                (datum.to_splat(ctx, *ty) == Some(attr)).then_some(datum)
            }
            _ => None,
        }
    }

    /// The element of a dense or sparse constant at an index within its shape.
    pub fn element_of(ctx: &Context, attr: Attr, index: &[i64]) -> Option<Attr> {
        let ty = attr.value_type(ctx)?;
        let (shape, element) = (ty.shape(ctx)?, ty.element(ctx)?);
        let scalar = Scalar::of(ctx, ty).ok()?;
        if index.len() != shape.len()
            || !index.iter().zip(shape).all(|(at, extent)| (0..*extent).contains(at))
        {
            return None;
        }
        let datum = match attr.data(ctx) {
            AttrData::DenseElements { data, splat, .. } => {
                let at = match splat {
                    true => 0,
                    false => index.iter().zip(shape).fold(0, |number, (at, extent)| number * extent + at),
                };
                let (size, at) = (scalar.n_bytes(), usize::try_from(at).ok()?);
                scalar.of_bytes(data.get(at.checked_mul(size)?..)?.get(..size)?)
            }
            AttrData::Sparse { indices, values, .. } => match sparse_position(ctx, *indices, index)? {
                Some(at) => {
                    let rank = values.value_type(ctx)?.rank(ctx)?;
                    let at = [at as i64];
                    return Datum::element_of(ctx, *values, &at[..rank.min(1)]);
                }
                None => scalar.zero(),
            },
            _ => return None,
        };
        // Narrow floats are stored in wider ones, which does not preserve signaling NaNs.
        let may_change = match datum {
            Datum::F32(value) => value.is_nan(),
            Datum::Complex32(parts) => parts.iter().any(|part| part.is_nan()),
            _ => false,
        };
        datum.to_attr(ctx, element).filter(|_| !may_change)
    }

    /// The splat constant of a shaped type with this value; `None` if the value is not a scalar of the element type.
    pub fn to_splat(&self, ctx: &Context, ty: Type) -> Option<Attr> {
        let scalar = Scalar::of(ctx, ty).ok()?;
        ty.element(ctx)?;
        let data = scalar.bytes(self)?.into_vec().into();
        Some(ctx.intern_attr(AttrData::DenseElements { ty, data, splat: true }))
    }

    /// The constant of type `ty` with this value; `None` for a buffer, or if the type does not match.
    pub fn to_attr(&self, ctx: &Context, ty: Type) -> Option<Attr> {
        let scalar = Scalar::of(ctx, ty).ok()?;
        match (self, scalar) {
            (Datum::Int(value), Scalar::Int { .. }) if !scalar.is_wide() && ty.element(ctx).is_none() => {
                Some(Attr::integer(ctx, *value, ty))
            }
            (Datum::Wide(value), Scalar::Int { .. }) if scalar.is_wide() && ty.element(ctx).is_none() => {
                Some(ctx.intern_attr(AttrData::Integer { value: value.clone(), ty }))
            }
            (Datum::F32(_) | Datum::F64(_), _) if ty.element(ctx).is_none() => {
                Some(Attr::float_bits(ctx, scalar.bits(self)?, ty))
            }
            (Datum::Complex32(_) | Datum::Complex64(_), Scalar::Complex(part)) => {
                let TypeData::Complex(element) = *ty.data(ctx) else { return None };
                let bits = scalar.bits(self)?;
                let width = 8 * part.scalar().n_bytes();
                let parts = [bits & (u128::MAX >> (128 - width)), bits >> width];
                Some(Attr::array(ctx, &parts.map(|bits| Attr::float_bits(ctx, bits, element))))
            }
            (Datum::Tensor(tensor), _) => dense_attr(ctx, ty, scalar, tensor),
            _ => None,
        }
    }
}

impl Scalar {
    /// The value with these bits: that of a float, of an integer of at most 128 bits, or of a complex number, whose real part
    /// has the low bits.
    pub fn of_bits(self, bits: u128) -> Datum {
        match self {
            Scalar::F16 => Datum::F32(f16::from_bits(bits as u16).to_f32()),
            Scalar::BF16 => Datum::F32(bf16::from_bits(bits as u16).to_f32()),
            Scalar::F32 => Datum::F32(f32::from_bits(bits as u32)),
            Scalar::F64 => Datum::F64(f64::from_bits(bits as u64)),
            Scalar::Complex(part) => {
                let part = part.scalar();
                match (part.of_bits(bits), part.of_bits(bits >> (8 * part.n_bytes()))) {
                    (Datum::F64(re), Datum::F64(im)) => Datum::Complex64([re, im]),
                    (Datum::F32(re), Datum::F32(im)) => Datum::Complex32([re, im]),
                    _ => unreachable!("the parts are floats"),
                }
            }
            Scalar::Int { width } if self.is_wide() => {
                WideBits::wrapped((bits as i128).into(), width).datum()
            }
            Scalar::Int { width } => Datum::Int(wrap(bits as i128, width)),
        }
    }

    /// The value of the bytes of an element of dense data, or of a buffer of bytes: little endian.
    pub fn of_bytes(self, bytes: &[u8]) -> Datum {
        let bytes = &bytes[..bytes.len().min(self.n_bytes())];
        if let Scalar::Int { width } = self
            && self.is_wide()
        {
            return WideBits::wrapped(Int::from_le_bytes(bytes, false).to_big(), width).datum();
        }
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        self.of_bits(u128::from_le_bytes(wide))
    }

    /// The bytes of a value, little endian, with the sign of an integer in unused bits; `None` if it is not of this type.
    pub fn bytes(self, value: &Datum) -> Option<SmallVec<[u8; 16]>> {
        if let (Scalar::Int { .. }, Datum::Wide(value)) = (self, value) {
            return self.is_wide().then(|| value.to_le_bytes(self.n_bytes()).into());
        }
        Some(self.bits(value)?.to_le_bytes()[..self.n_bytes()].into())
    }

    /// The size of an element of dense data in bytes.
    pub fn n_bytes(self) -> usize {
        match self {
            Scalar::Int { width } => width.div_ceil(8) as usize,
            Scalar::F16 | Scalar::BF16 => 2,
            Scalar::F32 => 4,
            Scalar::F64 => 8,
            Scalar::Complex(part) => 2 * part.scalar().n_bytes(),
        }
    }

    /// The bits of a float, of an integer of at most 64 bits, sign-extended to 64, or of a complex number; `None` if the value is
    /// not of this type.
    pub fn bits(self, value: &Datum) -> Option<u128> {
        match (self, value) {
            (Scalar::Int { .. }, Datum::Int(value)) if !self.is_wide() => Some((*value as u64).into()),
            (Scalar::F16, Datum::F32(value)) => Some(f16::from_f32(*value).to_bits().into()),
            (Scalar::BF16, Datum::F32(value)) => Some(bf16::from_f32(*value).to_bits().into()),
            (Scalar::F32, Datum::F32(value)) => Some(value.to_bits().into()),
            (Scalar::F64, Datum::F64(value)) => Some(value.to_bits().into()),
            (Scalar::Complex(part), &Datum::Complex32([re, im])) => {
                let part = part.scalar();
                Some(part.bits(&re.into())? | part.bits(&im.into())? << (8 * part.n_bytes()))
            }
            (Scalar::Complex(Part::F64), Datum::Complex64([re, im])) => {
                Some(u128::from(re.to_bits()) | u128::from(im.to_bits()) << 64)
            }
            _ => None,
        }
    }
}

/// The complex number with these parts, the value of `complex.constant`.
fn complex(ctx: &Context, parts: &[Attr]) -> Result<Datum, Trap> {
    let parts: Vec<Datum> = parts.iter().map(|&part| Datum::of_attr(ctx, part)).collect::<Result<_, _>>()?;
    match parts[..] {
        [Datum::F32(re), Datum::F32(im)] => Ok(Datum::Complex32([re, im])),
        [Datum::F64(re), Datum::F64(im)] => Ok(Datum::Complex64([re, im])),
        _ => Err(Trap::new("a complex number has two parts that are floats of one type")),
    }
}

/// The position of an index in the list of a sparse constant; `None` if the list cannot be read.
#[expect(clippy::option_option, reason = "an index that is not listed is a result, too")]
fn sparse_position(ctx: &Context, indices: Attr, index: &[i64]) -> Option<Option<usize>> {
    let Ok(Datum::Tensor(positions)) = Datum::of_attr(ctx, indices) else { return None };
    let count = positions.data.len().checked_div(index.len()).unwrap_or(0);
    let is_at = |row: usize| {
        let row = (0..index.len()).map(|dim| positions.data.get(row * index.len() + dim).int().ok());
        row.eq(index.iter().copied().map(Some))
    };
    Some((0..count).find(|&row| is_at(row)))
}

/// The elements of a sparse constant: zero, except for the listed ones.
fn sparse(ctx: &Context, ty: Type, indices: Attr, values: Attr) -> Result<Datum, Trap> {
    const WRONG: &str = "a sparse constant whose positions and values do not fit";
    let wrong = || Trap::new(WRONG);
    let scalar = Scalar::of(ctx, ty)?;
    let Datum::Tensor(mut tensor) = dense(ctx, ty, &vec![0; scalar.n_bytes()], true)? else {
        return Err(wrong());
    };
    let (positions, values) = (Datum::of_attr(ctx, indices)?, Datum::of_attr(ctx, values)?);
    let (positions, rank) = (positions.tensor()?, tensor.shape.len());
    let all = Rc::make_mut(&mut tensor);
    for row in 0..positions.data.len().checked_div(rank).unwrap_or(0) {
        let index = (0..rank).map(|dim| positions.data.get(row * rank + dim).int());
        let at = all.offset(&index.collect::<Result<Vec<_>, _>>()?)?;
        let value = match &values {
            Datum::Tensor(values) if row < values.data.len() => values.data.get(row),
            Datum::Tensor(_) => return Err(wrong()),
            scalar => scalar.clone(),
        };
        all.data.set(at, &value)?;
    }
    Ok(Datum::Tensor(tensor))
}

fn dense(ctx: &Context, ty: Type, data: &[u8], splat: bool) -> Result<Datum, Trap> {
    let scalar = Scalar::of(ctx, ty)?;
    let shape: Option<Vec<usize>> =
        ty.shape(ctx).and_then(|shape| shape.iter().map(|&extent| usize::try_from(extent).ok()).collect());
    let shape = shape.ok_or_else(|| Trap::new("the extents of a constant must be known"))?;
    if splat {
        return Tensor::splat(&shape, &scalar.of_bytes(data)).map(Datum::from);
    }
    let size = scalar.n_bytes();
    let mut elements = scalar.with_capacity(data.len() / size);
    for bytes in data.chunks_exact(size) {
        elements.push(&scalar.of_bytes(bytes))?;
    }
    Ok(Tensor { shape, data: elements }.into())
}

fn dense_attr(ctx: &Context, ty: Type, scalar: Scalar, tensor: &Rc<Tensor>) -> Option<Attr> {
    let shape = ty.shape(ctx)?;
    let fits = shape.len() == tensor.shape.len()
        && shape.iter().zip(&tensor.shape).all(|(&want, &have)| usize::try_from(want) == Ok(have));
    if !fits {
        return None;
    }
    let size = scalar.n_bytes();
    let mut data = Vec::with_capacity(tensor.data.len() * size);
    for index in 0..tensor.data.len() {
        data.extend_from_slice(&scalar.bytes(&tensor.data.get(index))?);
    }
    let first = data.get(..size).map(<[u8]>::to_vec);
    let splat = first.as_ref().is_some_and(|first| data.chunks_exact(size).all(|bytes| bytes == first));
    let data = if splat { first.unwrap_or_default() } else { data };
    Some(ctx.intern_attr(AttrData::DenseElements { ty, data: data.into(), splat }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TensorData;

    #[test]
    fn constants_round_trip() {
        let ctx = Context::bare();
        let i8x3 = Type::tensor(&ctx, &[3], Type::I8);
        let f16x2 = Type::vector(&ctx, &[2], Type::F16);
        let i129x2 = Type::vector(&ctx, &[2], Type::integer(&ctx, 129));
        let complex = |part| ctx.intern_type(TypeData::Complex(part));
        let wide: Int = "-340282366920938463463374607431768211456".parse().expect("a number");
        let values = [
            (Datum::Int(-3), Type::I32),
            (Datum::Int(1), Type::I1),
            (Datum::F32(1.5), Type::BF16),
            (Datum::F64(0.1), Type::F64),
            (Tensor { shape: vec![3], data: TensorData::Int(vec![1, -2, 3]) }.into(), i8x3),
            (Tensor { shape: vec![2], data: TensorData::F32(vec![0.5, 0.5]) }.into(), f16x2),
            (Datum::Wide(Int::from(-3)), Type::integer(&ctx, 65)),
            (Datum::Complex32([1.5, -0.25]), complex(Type::F16)),
            (Datum::Complex64([0.1, -3.0]), complex(Type::F64)),
            (
                Tensor { shape: vec![2], data: TensorData::Complex32(vec![[1.0, -2.0], [0.5, 4.0]]) }.into(),
                Type::tensor(&ctx, &[2], complex(Type::F32)),
            ),
            (Datum::Wide(wide.clone()), Type::integer(&ctx, 129)),
            (Tensor { shape: vec![2], data: TensorData::Wide(vec![wide, Int::from(-1)]) }.into(), i129x2),
        ];
        for (value, ty) in values {
            let attr = value.to_attr(&ctx, ty).expect("the type fits");
            if !matches!(attr.data(&ctx), AttrData::Array(_)) {
                assert_eq!(attr.value_type(&ctx), Some(ty));
            }
            assert_eq!(Datum::of_attr(&ctx, attr), Ok(value));
        }
        assert_eq!(Datum::Int(1).to_attr(&ctx, Type::I1), Some(Attr::TRUE));
        assert_eq!(Datum::Int(1).to_attr(&ctx, Type::F32), None);
        let max = Attr::integer(&ctx, -1, Type::I64);
        assert_eq!(Datum::of_attr(&ctx, max), Ok(Datum::Int(-1)));
    }
}
