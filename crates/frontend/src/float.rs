//! The type of floating-point literals and variables in languages that do not specify it.

use minoan_ir::Type;

/// The width of floats in languages that do not specify it: `Float` in Knossos, numbers in i-expressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FloatWidth {
    /// 32 bits.
    #[default]
    F32,
    /// 64 bits.
    F64,
}

impl FloatWidth {
    /// The corresponding IR type.
    pub fn ty(self) -> Type {
        match self {
            FloatWidth::F32 => Type::F32,
            FloatWidth::F64 => Type::F64,
        }
    }
}
