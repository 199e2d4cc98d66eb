//! Kinds of atomic updates.

use minoan_ir::AttrEnum;

/// The operation that combines the old element with a value: `addf`, `assign`. The discriminants are the attribute's
/// values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, AttrEnum)]
#[attr_enum(
    describe = "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15"
)]
#[allow(missing_docs, reason = "the names are the operations'")]
pub enum AtomicKind {
    #[keyword("addf")]
    AddF,
    #[keyword("addi")]
    AddI,
    #[keyword("andi")]
    AndI,
    Assign,
    #[keyword("maximumf")]
    MaximumF,
    #[keyword("maxnumf")]
    MaxNumF,
    #[keyword("maxs")]
    MaxS,
    #[keyword("maxu")]
    MaxU,
    #[keyword("minimumf")]
    MinimumF,
    #[keyword("minnumf")]
    MinNumF,
    #[keyword("mins")]
    MinS,
    #[keyword("minu")]
    MinU,
    #[keyword("mulf")]
    MulF,
    #[keyword("muli")]
    MulI,
    #[keyword("ori")]
    OrI,
    #[keyword("xori")]
    XOrI,
}

/// The types that an atomic update supports.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOperands {
    /// Floats.
    Floats,
    /// Integers.
    Integers,
    /// Either.
    Any,
}

impl AtomicKind {
    /// The supported types.
    pub fn operands(self) -> AtomicOperands {
        use AtomicKind::*;
        match self {
            AddF | MaximumF | MaxNumF | MinimumF | MinNumF | MulF => AtomicOperands::Floats,
            AddI | AndI | MaxS | MaxU | MinS | MinU | MulI | OrI | XOrI => AtomicOperands::Integers,
            Assign => AtomicOperands::Any,
        }
    }

    /// The operation that combines the old element and the value; `None` if the result is the value.
    pub fn operation(self) -> Option<&'static str> {
        use AtomicKind::*;
        Some(match self {
            Assign => return None,
            AddF => "arith.addf",
            AddI => "arith.addi",
            AndI => "arith.andi",
            MaximumF => "arith.maximumf",
            MaxNumF => "arith.maxnumf",
            MaxS => "arith.maxsi",
            MaxU => "arith.maxui",
            MinimumF => "arith.minimumf",
            MinNumF => "arith.minnumf",
            MinS => "arith.minsi",
            MinU => "arith.minui",
            MulF => "arith.mulf",
            MulI => "arith.muli",
            OrI => "arith.ori",
            XOrI => "arith.xori",
        })
    }
}
