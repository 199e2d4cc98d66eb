//! Element types of the raw ABI.

use std::fmt;

/// A numeric type. The discriminant is its code in a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[repr(u8)]
pub enum ScalarType {
    /// IEEE single precision, the default.
    #[default]
    Float32 = 0,
    /// IEEE half precision.
    Float16 = 1,
    /// IEEE double precision.
    Float64 = 2,
    /// bfloat16: the upper half of a single.
    BFloat16 = 3,
    /// Signed, 8 bits; also used for booleans.
    SInt8 = 4,
    /// Signed, 16 bits.
    SInt16 = 5,
    /// Signed, 32 bits.
    SInt32 = 6,
    /// Signed, 64 bits.
    SInt64 = 7,
    /// Unsigned, 8 bits.
    UInt8 = 8,
    /// Unsigned, 16 bits.
    UInt16 = 9,
    /// Unsigned, 32 bits.
    UInt32 = 10,
    /// Unsigned, 64 bits.
    UInt64 = 11,
}

impl ScalarType {
    /// All types, indexed by code.
    pub const ALL: [ScalarType; 12] = [
        Self::Float32,
        Self::Float16,
        Self::Float64,
        Self::BFloat16,
        Self::SInt8,
        Self::SInt16,
        Self::SInt32,
        Self::SInt64,
        Self::UInt8,
        Self::UInt16,
        Self::UInt32,
        Self::UInt64,
    ];

    /// The type with this code; `None` for negative codes and codes from 12 on.
    pub fn from_code(code: i32) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }

    /// The code in a signature.
    pub fn code(self) -> i32 {
        i32::from(self as u8)
    }

    /// The size of a value in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::SInt8 | Self::UInt8 => 1,
            Self::Float16 | Self::BFloat16 | Self::SInt16 | Self::UInt16 => 2,
            Self::Float32 | Self::SInt32 | Self::UInt32 => 4,
            Self::Float64 | Self::SInt64 | Self::UInt64 => 8,
        }
    }

    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Float32 => "float32",
            Self::Float16 => "float16",
            Self::Float64 => "float64",
            Self::BFloat16 => "bfloat16",
            Self::SInt8 => "sint8",
            Self::SInt16 => "sint16",
            Self::SInt32 => "sint32",
            Self::SInt64 => "sint64",
            Self::UInt8 => "uint8",
            Self::UInt16 => "uint16",
            Self::UInt32 => "uint32",
            Self::UInt64 => "uint64",
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}
