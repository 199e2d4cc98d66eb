//! Kinds of atomic updates.

use minoan_ir::{AttrConstraint, AttrSyntax, Type};

/// The operation that combines the old element with a value: `addf`, `assign`. The discriminants are the attribute's
/// values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the operations'")]
pub enum AtomicKind {
    AddF,
    AddI,
    AndI,
    Assign,
    MaximumF,
    MaxNumF,
    MaxS,
    MaxU,
    MinimumF,
    MinNumF,
    MinS,
    MinU,
    MulF,
    MulI,
    OrI,
    XOrI,
}

const KINDS: &[(&str, i64)] = &[
    ("addf", 0),
    ("addi", 1),
    ("andi", 2),
    ("assign", 3),
    ("maximumf", 4),
    ("maxnumf", 5),
    ("maxs", 6),
    ("maxu", 7),
    ("minimumf", 8),
    ("minnumf", 9),
    ("mins", 10),
    ("minu", 11),
    ("mulf", 12),
    ("muli", 13),
    ("ori", 14),
    ("xori", 15),
];

/// An [`AtomicKind`], as a number of type `i64`.
pub static ATOMIC_KIND: AttrConstraint = AttrConstraint {
    description: "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    check: |ctx, attr| {
        attr.value_type(ctx) == Some(Type::I64) && attr.as_i64(ctx).and_then(AtomicKind::of).is_some()
    },
    syntax: AttrSyntax::EnumInteger(Type::I64, KINDS),
};

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
    const ALL: [AtomicKind; 16] = {
        use AtomicKind::*;
        [
            AddF, AddI, AndI, Assign, MaximumF, MaxNumF, MaxS, MaxU, MinimumF, MinNumF, MinS, MinU, MulF,
            MulI, OrI, XOrI,
        ]
    };

    /// The kind with this number.
    pub fn of(number: i64) -> Option<AtomicKind> {
        usize::try_from(number).ok().and_then(|at| Self::ALL.get(at)).copied()
    }

    /// The keyword, such as `addf`.
    pub fn keyword(self) -> &'static str {
        KINDS[self as usize].0
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_keywords_agree() {
        for (number, (keyword, value)) in KINDS.iter().enumerate() {
            assert_eq!(*value, number as i64);
            let kind = AtomicKind::of(*value).expect("every number has a kind");
            assert_eq!((kind.keyword(), kind as usize), (*keyword, number));
        }
        assert_eq!(AtomicKind::of(16), None);
        assert_eq!(AtomicKind::of(-1), None);
    }
}
