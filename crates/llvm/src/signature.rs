//! The types of arguments and results that Rust and compiled code agree on.

use std::fmt;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// A Boolean; one byte in memory.
    I1,
    /// An 8-bit integer.
    I8,
    /// A 16-bit integer.
    I16,
    /// A 32-bit integer.
    I32,
    /// A 64-bit integer; also MLIR's `index`.
    I64,
    /// An integer of another width; in memory its upper bits are zero.
    Int(u32),
    /// IEEE half precision.
    F16,
    /// The upper half of an [`Scalar::F32`].
    BF16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// A complex number: the real and the imaginary part in single precision.
    ComplexF32,
    /// A complex number: the real and the imaginary part in double precision.
    ComplexF64,
}

impl Scalar {
    /// The size in memory in bytes.
    pub fn size(self) -> usize {
        match self {
            Scalar::I1 | Scalar::I8 => 1,
            Scalar::I16 | Scalar::F16 | Scalar::BF16 => 2,
            Scalar::I32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::F64 | Scalar::ComplexF32 => 8,
            Scalar::ComplexF64 => 16,
            // LLVM aligns it to the next power of two of bytes, at most to 16.
            Scalar::Int(width) => {
                let bytes = width.div_ceil(8) as usize;
                bytes.next_multiple_of(bytes.next_power_of_two().min(16))
            }
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
            Scalar::Int(width) => return write!(f, "i{width}"),
            Scalar::F16 => "f16",
            Scalar::BF16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
            Scalar::ComplexF32 => "complex<f32>",
            Scalar::ComplexF64 => "complex<f64>",
        })
    }
}

/// The type of an argument or result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AbiType {
    /// A scalar, passed by value.
    Scalar(Scalar),
    /// A value on the heap, passed by its address: arguments are borrowed, results are owned.
    Object,
    /// A vector, passed by value. Its slot has the elements densely, the last dimension fastest; a value is an array.
    Vector {
        /// The element type.
        element: Scalar,
        /// The extents.
        shape: Vec<usize>,
    },
    /// A strided array, passed by its descriptor.
    MemRef {
        /// The element type.
        element: Scalar,
        /// The extent of each dimension; `None` if it is read from the descriptor.
        shape: Vec<Option<usize>>,
    },
}

impl AbiType {
    /// An array of `rank` dynamic dimensions.
    pub fn memref(element: Scalar, rank: usize) -> Self {
        AbiType::MemRef { element, shape: vec![None; rank] }
    }

    /// The size in bytes of the slot of such a value: the scalar, the elements of the vector, or the descriptor.
    pub fn slot_size(&self) -> usize {
        match self {
            AbiType::Scalar(scalar) => scalar.size(),
            AbiType::Vector { element, shape } => element.size() * shape.iter().product::<usize>(),
            AbiType::Object | AbiType::MemRef { .. } => 8 * self.parameters(),
        }
    }

    /// The number of parameters of a function in MLIR's calling convention that pass a value of this type. A descriptor has two
    /// pointers, the offset, the extents and the strides.
    pub fn parameters(&self) -> usize {
        match self {
            AbiType::Scalar(_) | AbiType::Vector { .. } | AbiType::Object => 1,
            AbiType::MemRef { shape, .. } => 3 + 2 * shape.len(),
        }
    }

    /// Whether a value of type `other` can be passed as an argument of this type.
    pub fn accepts(&self, other: &AbiType) -> bool {
        match (self, other) {
            (AbiType::Scalar(this), AbiType::Scalar(other)) => this == other,
            (AbiType::Object, AbiType::Object) => true,
            (
                AbiType::Vector { element, shape },
                AbiType::MemRef { element: other_element, shape: other_shape },
            ) => element == other_element && shape.iter().copied().map(Some).eq(other_shape.iter().copied()),
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
            AbiType::Object => f.write_str("object"),
            AbiType::Vector { element, shape } => {
                f.write_str("vector<")?;
                shape.iter().try_for_each(|size| write!(f, "{size}x"))?;
                write!(f, "{element}>")
            }
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

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// The argument types.
    pub arguments: Vec<AbiType>,
    /// The result types.
    pub results: Vec<AbiType>,
}

impl Signature {
    /// Creates the type `arguments -> results`.
    pub fn new(
        arguments: impl IntoIterator<Item = AbiType>,
        results: impl IntoIterator<Item = AbiType>,
    ) -> Self {
        Self { arguments: arguments.into_iter().collect(), results: results.into_iter().collect() }
    }
}

/// An exported function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    /// The name in the program.
    pub name: String,
    /// The type.
    pub signature: Signature,
    /// Whether the function never writes to an argument, by argument; false for missing arguments.
    pub read_only: Vec<bool>,
}

impl Function {
    /// Creates the description of a function that may write to its arguments.
    pub fn new(name: impl Into<String>, signature: Signature) -> Self {
        Self { name: name.into(), signature, read_only: Vec::new() }
    }

    /// Whether the function never writes to the argument with this index.
    pub fn is_read_only(&self, argument: usize) -> bool {
        self.read_only.get(argument).copied().unwrap_or(false)
    }

    /// The symbol; see [`symbol_of`](crate::symbol_of).
    pub fn symbol(&self) -> String {
        crate::symbol_of(&self.name)
    }

    /// The symbol of its wrapper; see [`crate::pack`].
    pub fn packed_name(&self) -> String {
        format!("minoan_packed_{}", self.name)
    }
}
