//! Types of arguments and results, as Rust and compiled code agree on them.

use std::fmt;

/// A type of number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// A truth value; one byte in memory.
    I1,
    /// 8 bits.
    I8,
    /// 16 bits.
    I16,
    /// 32 bits.
    I32,
    /// 64 bits; also MLIR's `index`.
    I64,
    /// IEEE half precision.
    F16,
    /// The upper half of an [`Scalar::F32`].
    BF16,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Scalar {
    /// Bytes in memory.
    pub fn size(self) -> usize {
        match self {
            Scalar::I1 | Scalar::I8 => 1,
            Scalar::I16 | Scalar::F16 | Scalar::BF16 => 2,
            Scalar::I32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::F64 => 8,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scalar::I1 => "i1",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::F16 => "f16",
            Scalar::BF16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        })
    }
}

/// The type of an argument or result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AbiType {
    /// A number, by value.
    Scalar(Scalar),
    /// A strided array, by its descriptor.
    MemRef {
        /// Type of the elements.
        element: Scalar,
        /// The size of each dimension; `None` where the code reads it from the descriptor.
        shape: Vec<Option<usize>>,
    },
}

impl AbiType {
    /// An array of `rank` dimensions of any size.
    pub fn memref(element: Scalar, rank: usize) -> Self {
        AbiType::MemRef { element, shape: vec![None; rank] }
    }

    /// Bytes of the slot that holds such a value: the number, or the descriptor.
    pub fn slot_size(&self) -> usize {
        match self {
            AbiType::Scalar(scalar) => scalar.size(),
            AbiType::MemRef { shape, .. } => 8 * (3 + 2 * shape.len()),
        }
    }

    /// Whether a value of type `other` may be passed where this type is asked for.
    pub fn accepts(&self, other: &AbiType) -> bool {
        match (self, other) {
            (AbiType::Scalar(this), AbiType::Scalar(other)) => this == other,
            (
                AbiType::MemRef { element, shape },
                AbiType::MemRef { element: other_element, shape: other_shape },
            ) => {
                let fits = |(this, other): (&Option<usize>, _)| this.is_none() || this == other;
                element == other_element
                    && shape.len() == other_shape.len()
                    && shape.iter().zip(other_shape).all(fits)
            }
            _ => false,
        }
    }
}

impl fmt::Display for AbiType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AbiType::Scalar(scalar) => scalar.fmt(f),
            AbiType::MemRef { element, shape } => {
                f.write_str("memref<")?;
                for size in shape {
                    match size {
                        Some(size) => write!(f, "{size}x")?,
                        None => f.write_str("?x")?,
                    }
                }
                write!(f, "{element}>")
            }
        }
    }
}

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// Types of the arguments.
    pub arguments: Vec<AbiType>,
    /// Types of the results.
    pub results: Vec<AbiType>,
}

impl Signature {
    /// `arguments -> results`.
    pub fn new(
        arguments: impl IntoIterator<Item = AbiType>,
        results: impl IntoIterator<Item = AbiType>,
    ) -> Self {
        Self { arguments: arguments.into_iter().collect(), results: results.into_iter().collect() }
    }
}

/// A function that can be called from outside.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    /// Its symbol.
    pub name: String,
    /// Its type.
    pub signature: Signature,
}

impl Function {
    /// The function of this name.
    pub fn new(name: impl Into<String>, signature: Signature) -> Self {
        Self { name: name.into(), signature }
    }

    /// The symbol of its wrapper, see [`crate::pack`].
    pub fn packed_name(&self) -> String {
        format!("minoan_packed_{}", self.name)
    }
}
