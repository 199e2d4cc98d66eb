//! What an operation declares of itself: operands, results, attributes, regions, traits, assembly.
//!
//! A spec is static data, written by `#[op]`. The verifier, the parser, the printer and the documentation read it;
//! none of them knows an operation by name.

use crate::text::{OpParser, OpPrinter};
use crate::verify::Violations;
use crate::{Attr, AttrData, Body, Context, Loc, Op, Type};

/// Properties of an operation that passes test as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Traits(u32);

macro_rules! traits {
    ($($bit:literal $name:ident $doc:literal)*) => {
        impl Traits {
            $(#[doc = $doc] pub const $name: Traits = Traits(1 << $bit);)*

            /// Names of the traits that are set, in the order of their bits.
            pub fn names(self) -> impl Iterator<Item = &'static str> {
                [$((Traits(1 << $bit), stringify!($name))),*]
                    .into_iter()
                    .filter(move |(bit, _)| self.has(*bit))
                    .map(|(_, name)| name)
            }
        }
    };
}

traits! {
    0 TERMINATOR "Ends a block, and stands nowhere else."
    1 ISOLATED "Its regions see no value from outside; it owns the storage of everything inside."
    2 PURE "No effect on memory and no way to fail: may be removed, repeated and moved."
    3 COMMUTATIVE "Operands may be swapped."
    4 CONSTANT_LIKE "Its one result is the constant in its `value` attribute."
    5 SYMBOL "Declares the symbol in its `sym_name` attribute."
    6 SYMBOL_TABLE "Symbols declared directly inside it are unique."
    7 SINGLE_BLOCK "Each region has at most one block."
    8 NO_TERMINATOR "Its blocks need no terminator."
    9 GRAPH_REGION "Its regions have no order: a value may be used before it is defined."
    10 NO_REGION_ARGS "The entry blocks of its regions have no arguments."
    11 SAME_OPERANDS "All operands have the same type."
    12 SAME_OPERANDS_AND_RESULT "All operands and results have the same type."
    13 OPERAND_SEGMENTS "`operandSegmentSizes` says how many operands each group has."
    14 RETURN_LIKE "Gives its operands to the operation around it, or to the caller."
    15 ELEMENTWISE "Works element by element on vectors and tensors."
    16 FUNCTION_LIKE "A function: `sym_name`, `function_type`, one region. Inside it the text leaves out its dialect before the names of operations."
    17 RECURSIVE_EFFECTS "Its effects are those of the operations in its regions."
    18 IMPLICIT_TERMINATOR "The text leaves out its terminator when that has no operands."
    19 SAME_SHAPE "Operands and results have the same shape."
    20 IDEMPOTENT "Applying it to its own result changes nothing."
    21 INVOLUTION "Applying it to its own result gives back the operand."
    22 RESULT_SEGMENTS "`resultSegmentSizes` says how many results each group has."
    23 SPECULATABLE "May be executed where it was not, though it reads or allocates memory."
    24 ALLOCATION_SCOPE "What is allocated on the stack in its regions is freed when they end."
    25 ALLOCATES_ON_STACK "Stands in an allocation scope, or a function."
}

impl Traits {
    /// No trait.
    pub const NONE: Traits = Traits(0);

    /// Both sets.
    pub const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// Whether all of `other` are set.
    #[inline]
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }
}

/// How many values a named operand or result stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arity {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// A condition on a type.
#[derive(Debug)]
pub struct TypeConstraint {
    /// What must hold, as MLIR words it after "must be": `floating-point-like`.
    pub description: &'static str,
    /// Whether it holds; asked by [`TypeConstraint::holds`], unless just one type satisfies it.
    pub check: fn(&Context, Type) -> bool,
    /// The one type that satisfies it, where there is just one: the text then leaves it out.
    pub only: Option<OnlyType>,
}

impl TypeConstraint {
    /// A type of a dialect, and no other: `TypeConstraint::of("quantum", ".qubit", "a qubit")` for `!quantum.qubit`. The text
    /// leaves it out.
    pub const fn of(dialect: &'static str, text: &'static str, description: &'static str) -> Self {
        Self { description, check: |_, _| true, only: Some(OnlyType::Dialect { dialect, text }) }
    }

    /// Whether a type satisfies it.
    #[inline]
    pub fn holds(&self, ctx: &Context, ty: Type) -> bool {
        match self.only {
            Some(only) => only.is(ctx, ty),
            None => (self.check)(ctx, ty),
        }
    }

    /// The one type that satisfies it, where there is just one.
    pub fn only(&self, ctx: &Context) -> Option<Type> {
        Some(self.only?.ty(ctx))
    }
}

/// The type that alone satisfies a [`TypeConstraint`].
#[derive(Clone, Copy, Debug)]
pub enum OnlyType {
    /// One that is the same in every context.
    Scalar(Type),
    /// A dialect's type by its text, as in [`Type::opaque`].
    Dialect {
        /// Namespace.
        dialect: &'static str,
        /// What follows it, with its dot.
        text: &'static str,
    },
}

impl OnlyType {
    /// The type in a context.
    pub fn ty(self, ctx: &Context) -> Type {
        match self {
            OnlyType::Scalar(ty) => ty,
            OnlyType::Dialect { dialect, text } => Type::opaque(ctx, dialect, text),
        }
    }

    fn is(self, ctx: &Context, ty: Type) -> bool {
        match self {
            OnlyType::Scalar(only) => ty == only,
            OnlyType::Dialect { dialect, text } => ty.as_opaque(ctx, dialect) == Some(text),
        }
    }
}

/// A named operand or result.
#[derive(Debug)]
pub struct ValueSpec {
    /// Its name.
    pub name: &'static str,
    /// How many values.
    pub arity: Arity,
    /// What type.
    pub constraint: &'static TypeConstraint,
}

/// How an attribute is written in an assembly format.
#[derive(Clone, Copy, Debug)]
pub enum AttrSyntax {
    /// As any attribute, type included: `1 : i32`.
    Any,
    /// A typed attribute whose type is this one and is left out: `4`.
    Typed(Type),
    /// A declared symbol: `@name`, kept as a string.
    SymbolName,
    /// A reference to a symbol: `@name`.
    SymbolRef,
    /// A type: `f32`.
    Type,
    /// Written by its presence alone.
    Unit,
    /// A keyword for an `i64` number: `slt`, stored as `2 : i64` (or of the given type).
    EnumInteger(Type, &'static [(&'static str, i64)]),
    /// A keyword or list for `#dialect.mnemonic<keyword>`: `<fast>`, stored as an opaque attribute.
    EnumOpaque {
        /// Namespace.
        dialect: &'static str,
        /// The attribute's name in it.
        mnemonic: &'static str,
        /// The keywords, in the order in which several are written.
        cases: &'static [&'static str],
        /// What is written between keywords, where several may be given: `", "`. A keyword `none` says nothing beside
        /// others.
        flags: Option<&'static str>,
        /// The keyword that is short for all others together: `fast`.
        all: Option<&'static str>,
    },
    /// `array<i64: 1, 2>` written `[1, 2]`.
    DenseArray(Type),
}

/// A condition on an attribute.
#[derive(Debug)]
pub struct AttrConstraint {
    /// What must hold, as MLIR words it: `64-bit signless integer attribute`.
    pub description: &'static str,
    /// Whether it holds.
    pub check: fn(&Context, Attr) -> bool,
    /// How an assembly format writes it.
    pub syntax: AttrSyntax,
}

impl AttrConstraint {
    /// Whether an attribute is of the kind that is asked for, though perhaps not such a one: an integer of another width.
    pub fn is_of_kind(&self, ctx: &Context, attr: Attr) -> bool {
        if (self.check)(ctx, attr) {
            return true;
        }
        let data = attr.data(ctx);
        match self.syntax {
            AttrSyntax::Typed(ty) if ty.is_float(ctx) => matches!(data, AttrData::Float { .. }),
            AttrSyntax::Typed(_) => matches!(data, AttrData::Integer { .. }),
            AttrSyntax::Type => attr.as_type(ctx).is_some(),
            AttrSyntax::DenseArray(Type::I64) => attr.as_dense_i64(ctx).is_some(),
            AttrSyntax::DenseArray(Type::I32) => attr.as_dense_i32(ctx).is_some(),
            // An array of something may be empty.
            AttrSyntax::Any if attr.as_array(ctx).is_some() => (self.check)(ctx, Attr::array(ctx, &[])),
            // So MLIR words what is kept as elements.
            AttrSyntax::Any if self.description.contains("elements attribute") => match data {
                AttrData::DenseElements { ty, .. } => !ty.element_or_self(ctx).is_float(ctx),
                _ => false,
            },
            _ => false,
        }
    }
}

/// A named attribute.
#[derive(Debug)]
pub struct AttrSpec {
    /// Its name.
    pub name: &'static str,
    /// What it must be.
    pub constraint: &'static AttrConstraint,
    /// Whether it may be missing.
    pub optional: bool,
    /// The text of its value where it is not written: an assembly format leaves the attribute out then, and the
    /// builder and the parser put it in.
    pub default: Option<&'static str>,
}

/// A named region.
#[derive(Debug)]
pub struct RegionSpec {
    /// Its name.
    pub name: &'static str,
    /// Whether it stands for any number of regions (the last one only).
    pub variadic: bool,
    /// Whether it must have a block.
    pub non_empty: bool,
}

/// A named successor.
#[derive(Debug)]
pub struct SuccessorSpec {
    /// Its name.
    pub name: &'static str,
    /// Whether it stands for any number of blocks (the last one only).
    pub variadic: bool,
}

/// How an operation is written in custom form.
#[derive(Clone, Copy)]
pub enum Assembly {
    /// Only in generic form.
    Generic,
    /// By a declarative format, in the language of MLIR's `assemblyFormat`, which [`minoan_format`] describes:
    /// "`literal`", `$name`, `type($name)`, `attr-dict`, `functional-type(operands, results)`, `( .. $name^ .. )?`.
    Format(&'static str),
    /// By functions.
    Custom {
        /// Reads what follows the operation's name.
        parse: fn(&mut OpParser<'_, '_>) -> Result<(), crate::text::ParseError>,
        /// Writes what follows the operation's name.
        print: fn(&mut OpPrinter<'_, '_>),
    },
}

impl std::fmt::Debug for Assembly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Assembly::Generic => write!(f, "Generic"),
            Assembly::Format(text) => write!(f, "Format({text:?})"),
            Assembly::Custom { .. } => write!(f, "Custom"),
        }
    }
}

/// What result types can be inferred from.
pub struct InferInput<'a> {
    /// The context.
    pub ctx: &'a Context,
    /// Types of the operands.
    pub operands: &'a [Type],
    /// Properties: a dictionary.
    pub props: Attr,
}

/// Result types from operand types and properties; the error says what does not fit.
pub type InferFn = fn(&InferInput<'_>) -> Result<Vec<Type>, String>;

/// Whether result types go with those that are inferred: the inferred ones come first.
pub type CompatibleFn = fn(&Context, &[Type], &[Type]) -> bool;

/// Rules of one operation beyond its declared types; every violation is added.
pub type VerifyFn = fn(&Body, Op, &mut Violations);

/// A type that follows from another one: MLIR's `TypesMatchWith`. The text leaves it out.
#[derive(Debug)]
pub struct DerivedType {
    /// The operand or result whose type follows.
    pub target: &'static str,
    /// The operand or result that it follows from.
    pub source: &'static str,
    /// The type of the target from that of the source; `None` when the source does not fit.
    pub rule: fn(&Context, Type) -> Option<Type>,
    /// What must hold, as MLIR words it after "failed to verify that ".
    pub message: &'static str,
}

/// Everything an operation declares.
#[derive(Debug)]
pub struct OpSpec {
    /// Full name: `arith.addf`.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// The documentation.
    pub description: &'static str,
    /// Operands in order.
    pub operands: &'static [ValueSpec],
    /// Results in order.
    pub results: &'static [ValueSpec],
    /// Inherent attributes.
    pub attrs: &'static [AttrSpec],
    /// Regions in order.
    pub regions: &'static [RegionSpec],
    /// Successors in order.
    pub successors: &'static [SuccessorSpec],
    /// Traits.
    pub traits: Traits,
    /// Groups of operands and results (by name) whose types are equal.
    pub same_types: &'static [&'static [&'static str]],
    /// Types that follow from others.
    pub derived: &'static [DerivedType],
    /// Names of the operations one of which must be directly around it; empty for any.
    pub parents: &'static [&'static str],
    /// How it is written.
    pub assembly: Assembly,
    /// Further rules.
    pub verify: Option<VerifyFn>,
    /// How result types follow from operands, where the declaration does not fix them already.
    pub infer: Option<InferFn>,
    /// Which result types go with those that are inferred; without it, only the same.
    pub compatible: Option<CompatibleFn>,
    /// Name of the operation that ends its regions when the text leaves it out
    /// (with [`Traits::IMPLICIT_TERMINATOR`]).
    pub terminator: Option<&'static str>,
}

impl OpSpec {
    /// The result types that follow from operands and properties; `None` where [`OpSpec::infer`] is not declared.
    ///
    /// # Errors
    /// What does not fit, or that a type would have an element that no such type has: a tensor of tuples.
    pub fn infer_types(&self, input: &InferInput<'_>) -> Option<Result<Vec<Type>, String>> {
        let types = self.infer?(input);
        let check = |types: Vec<Type>| {
            types.iter().try_for_each(|ty| ty.check_element(input.ctx))?;
            Ok(types)
        };
        Some(types.and_then(check))
    }
}

/// A declared operation: a handle that knows its type. Implemented by `#[op]`.
pub trait OpDef: Copy {
    /// Its declaration.
    const SPEC: &'static OpSpec;
    /// The handle without a check of the kind.
    fn from_op_unchecked(op: Op) -> Self;
    /// The untyped handle.
    fn op(self) -> Op;
    /// The typed handle, when the operation is of this kind.
    fn cast(body: &Body, op: Op) -> Option<Self> {
        body.op(op).is::<Self>().then(|| Self::from_op_unchecked(op))
    }
    /// Where the operation comes from.
    fn loc(self, body: &Body) -> Loc {
        body.op(self.op()).loc()
    }
}
