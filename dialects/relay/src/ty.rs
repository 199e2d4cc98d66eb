//! Relay types in type relations: tensors, tuples, and unknowns.

use std::fmt;

/// An element type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DType {
    /// A signed integer with this many bits.
    Int(u8),
    /// An unsigned integer with this many bits.
    UInt(u8),
    /// An IEEE 754 binary floating-point number with this many bits.
    Float(u8),
    /// A floating-point number with the exponent range of `float32` and fewer digits.
    BFloat(u8),
    /// `True` or `False`.
    Bool,
    /// No type: an attribute that leaves the choice to the operator.
    Void,
}

impl DType {
    /// `int32`.
    pub const I32: DType = DType::Int(32);
    /// `int64`.
    pub const I64: DType = DType::Int(64);
    /// `float32`.
    pub const F32: DType = DType::Float(32);

    /// Parses a type name: `int8`, `float32`, `bool`, `uint16`.
    pub fn parse(name: &str) -> Option<DType> {
        if matches!(name, "bool" | "uint1") {
            return Some(DType::Bool);
        }
        if matches!(name, "void" | "") {
            return Some(DType::Void);
        }
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (kind, bits) = name.split_at(digits);
        if bits.starts_with('0') {
            return None;
        }
        let bits = if bits.is_empty() { 32 } else { bits.parse().ok().filter(|&bits: &u8| bits <= 64)? };
        match (kind, bits) {
            ("int", _) => Some(DType::Int(bits)),
            ("uint", _) => Some(DType::UInt(bits)),
            ("float", 16 | 32 | 64) => Some(DType::Float(bits)),
            ("bfloat", 16) => Some(DType::BFloat(bits)),
            _ => None,
        }
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, DType::Float(_) | DType::BFloat(_))
    }

    /// Whether this is an integer type; `bool` is not.
    pub fn is_int(self) -> bool {
        matches!(self, DType::Int(_) | DType::UInt(_))
    }

    /// The bit width.
    pub fn bits(self) -> u8 {
        match self {
            DType::Int(bits) | DType::UInt(bits) | DType::Float(bits) | DType::BFloat(bits) => bits,
            DType::Bool => 1,
            DType::Void => 0,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DType::Int(bits) => write!(f, "int{bits}"),
            DType::UInt(bits) => write!(f, "uint{bits}"),
            DType::Float(bits) => write!(f, "float{bits}"),
            DType::BFloat(bits) => write!(f, "bfloat{bits}"),
            DType::Bool => f.write_str("bool"),
            DType::Void => f.write_str("void"),
        }
    }
}

/// The extent of a tensor along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    /// A static extent.
    Known(i64),
    /// A dynamic extent.
    Any,
    /// An unknown extent during inference.
    Hole(u32),
}

impl Dim {
    /// The extent if it is static.
    pub fn known(self) -> Option<i64> {
        match self {
            Dim::Known(extent) => Some(extent),
            Dim::Any | Dim::Hole(_) => None,
        }
    }

    /// Whether the extent is still unknown.
    pub fn is_hole(self) -> bool {
        matches!(self, Dim::Hole(_))
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Known(extent) => write!(f, "{extent}"),
            Dim::Any => f.write_str("?"),
            Dim::Hole(_) => f.write_str("_"),
        }
    }
}

impl From<i64> for Dim {
    fn from(extent: i64) -> Dim {
        Dim::Known(extent)
    }
}

/// A tensor type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TensorType {
    /// The extents.
    pub shape: Vec<Dim>,
    /// The element type.
    pub dtype: DType,
}

impl TensorType {
    /// Creates a tensor type.
    pub fn new(shape: impl IntoIterator<Item = Dim>, dtype: DType) -> TensorType {
        TensorType { shape: shape.into_iter().collect(), dtype }
    }

    /// The type of scalars.
    pub fn scalar(dtype: DType) -> TensorType {
        TensorType { shape: Vec::new(), dtype }
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of bytes of the known extents, at least one for each element; `None` if an `i64` does not hold it.
    pub fn bytes(&self) -> Option<i64> {
        let known = || self.shape.iter().filter_map(|dim| dim.known());
        if known().any(|extent| extent == 0) {
            return Some(0);
        }
        let element = i64::from(self.dtype.bits().div_ceil(8));
        known().try_fold(element, |bytes, extent| bytes.checked_mul(extent))
    }

    /// The extents, when all are known.
    pub fn known_shape(&self) -> Option<Vec<i64>> {
        self.shape.iter().map(|dim| dim.known()).collect()
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shape.is_empty() {
            return write!(f, "{}", self.dtype);
        }
        write!(f, "Tensor[{}, {}]", ShapeText(&self.shape), self.dtype)
    }
}

/// Displays a shape as `(2, ?, 3)`.
pub struct ShapeText<'a>(pub &'a [Dim]);

impl fmt::Display for ShapeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, dim) in self.0.iter().enumerate() {
            write!(f, "{}{dim}", if index == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A tensor type.
    Tensor(TensorType),
    /// A tuple type.
    Tuple(Vec<Type>),
    /// An unknown type during inference.
    Hole(u32),
    /// A type that operators treat as opaque, with its name.
    Other(String),
}

impl Type {
    /// Creates a tensor type.
    pub fn tensor(shape: impl IntoIterator<Item = Dim>, dtype: DType) -> Type {
        Type::Tensor(TensorType::new(shape, dtype))
    }

    /// The type of scalars.
    pub fn scalar(dtype: DType) -> Type {
        Type::Tensor(TensorType::scalar(dtype))
    }

    /// The tensor type, if it is one.
    pub fn as_tensor(&self) -> Option<&TensorType> {
        match self {
            Type::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The components, if it is a tuple type.
    pub fn as_tuple(&self) -> Option<&[Type]> {
        match self {
            Type::Tuple(parts) => Some(parts),
            _ => None,
        }
    }
}

impl From<TensorType> for Type {
    fn from(tensor: TensorType) -> Type {
        Type::Tensor(tensor)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Tensor(tensor) => tensor.fmt(f),
            Type::Hole(_) => f.write_str("_"),
            Type::Other(text) => f.write_str(text),
            Type::Tuple(parts) => {
                f.write_str("(")?;
                for (index, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str(if parts.len() == 1 { ",)" } else { ")" })
            }
        }
    }
}
