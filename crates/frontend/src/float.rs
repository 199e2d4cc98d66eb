//! The width of floats whose width a source leaves open.

use minoan_ir::Type;

/// The width of floats whose width the source leaves open: Knossos's `Float`, the numbers of i-expressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FloatWidth {
    /// 32 bits.
    #[default]
    F32,
    /// 64 bits.
    F64,
}

impl FloatWidth {
    /// The type in the IR.
    pub fn ty(self) -> Type {
        match self {
            FloatWidth::F32 => Type::F32,
            FloatWidth::F64 => Type::F64,
        }
    }
}
