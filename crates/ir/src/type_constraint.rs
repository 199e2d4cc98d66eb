//! Constraints on the types of operands and results.
//!
//! A constraint is a predicate with the words that follow "must be" in the message of a violation. Constraints combine, and
//! a combination composes its words as MLIR's TableGen does:
//!
//! ```
//! use minoan_ir::constraints::{F32, F64, INDEX};
//! use minoan_ir::{Context, Registry, Type, TypeConstraint};
//!
//! static NUMBER: TypeConstraint = TypeConstraint::any_of(&[&F32, &F64, &INDEX]);
//! static NUMBERS: TypeConstraint = TypeConstraint::tensor_of(&NUMBER);
//!
//! let ctx = Context::new(Registry::new()).expect("no dialect, no clash");
//! assert_eq!(NUMBERS.to_string(), "tensor of 32-bit float or 64-bit float or index values");
//! assert!(NUMBERS.holds(&ctx, Type::tensor(&ctx, &[2, 3], Type::F64)));
//! assert!(!NUMBERS.holds(&ctx, Type::F64));
//! ```

use crate::{Context, DataSpec, Type, TypeData, TypeOrAttr};
use std::fmt;

/// A constraint on a type. Its [`Display`](fmt::Display) form is the description, as MLIR prints it after "must be":
/// `floating-point-like`.
#[derive(Debug)]
pub struct TypeConstraint {
    rule: Rule,
}

/// The predicate of a [`TypeConstraint`].
#[derive(Debug)]
enum Rule {
    /// One type, which a format does not print.
    Only(&'static str, OnlyType),
    Predicate(&'static str, Predicate),
    AnyOf(&'static [&'static TypeConstraint]),
    Elements(Container, &'static TypeConstraint),
    Like(&'static TypeConstraint),
    Confined(&'static TypeConstraint, &'static str, Predicate),
}

type Predicate = fn(&Context, Type) -> bool;

/// A kind of shaped type.
#[derive(Clone, Copy, Debug)]
enum Container {
    Tensor,
    RankedTensor,
    Vector,
    MemRef,
}

impl TypeConstraint {
    /// A predicate, and its description.
    pub const fn new(description: &'static str, check: fn(&Context, Type) -> bool) -> Self {
        Self { rule: Rule::Predicate(description, check) }
    }

    /// A single type, and its description. An assembly format need not print the type.
    pub const fn only_type(description: &'static str, ty: OnlyType) -> Self {
        Self { rule: Rule::Only(description, ty) }
    }

    /// The types that satisfy at least one of the constraints: "`A` or `B`".
    pub const fn any_of(alternatives: &'static [&'static TypeConstraint]) -> Self {
        Self { rule: Rule::AnyOf(alternatives) }
    }

    /// Tensors, ranked or not, whose element type satisfies a constraint: "tensor of `A` values".
    pub const fn tensor_of(element: &'static TypeConstraint) -> Self {
        Self { rule: Rule::Elements(Container::Tensor, element) }
    }

    /// Ranked tensors whose element type satisfies a constraint: "ranked tensor of `A` values".
    pub const fn ranked_tensor_of(element: &'static TypeConstraint) -> Self {
        Self { rule: Rule::Elements(Container::RankedTensor, element) }
    }

    /// Vectors whose element type satisfies a constraint: "vector of `A` values".
    pub const fn vector_of(element: &'static TypeConstraint) -> Self {
        Self { rule: Rule::Elements(Container::Vector, element) }
    }

    /// Ranked memrefs whose element type satisfies a constraint: "memref of `A` values".
    pub const fn memref_of(element: &'static TypeConstraint) -> Self {
        Self { rule: Rule::Elements(Container::MemRef, element) }
    }

    /// The types that satisfy a constraint, and vectors and tensors of them: "`A`-like".
    pub const fn like(element: &'static TypeConstraint) -> Self {
        Self { rule: Rule::Like(element) }
    }

    /// The types that satisfy a constraint and, in addition, a predicate: "`A` of rank 4". `words` follow the description
    /// of the constraint.
    pub const fn confined(
        base: &'static TypeConstraint,
        words: &'static str,
        check: fn(&Context, Type) -> bool,
    ) -> Self {
        Self { rule: Rule::Confined(base, words, check) }
    }

    /// Whether a type satisfies the constraint.
    #[inline]
    pub fn holds(&self, ctx: &Context, ty: Type) -> bool {
        match self.rule {
            Rule::Only(_, only) => only.is(ctx, ty),
            Rule::Predicate(_, check) => check(ctx, ty),
            Rule::AnyOf(alternatives) => alternatives.iter().any(|one| one.holds(ctx, ty)),
            Rule::Elements(container, element) => {
                container.holds(ctx, ty) && ty.element(ctx).is_some_and(|ty| element.holds(ctx, ty))
            }
            Rule::Like(element) => !ty.is_memref(ctx) && element.holds(ctx, ty.element_or_self(ctx)),
            Rule::Confined(base, _, check) => base.holds(ctx, ty) && check(ctx, ty),
        }
    }

    /// The only type that satisfies the constraint, if there is one.
    pub fn only(&self, ctx: &Context) -> Option<Type> {
        match self.rule {
            Rule::Only(_, only) => Some(only.ty(ctx)),
            _ => None,
        }
    }

    /// Whether a single type satisfies the constraint, so that formats need not print it.
    pub const fn has_only_type(&self) -> bool {
        matches!(self.rule, Rule::Only(..))
    }
}

impl fmt::Display for TypeConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Rule::Only(words, _) | Rule::Predicate(words, _) => f.write_str(words),
            Rule::AnyOf(alternatives) => {
                for (number, one) in alternatives.iter().enumerate() {
                    write!(f, "{}{one}", if number == 0 { "" } else { " or " })?;
                }
                Ok(())
            }
            Rule::Elements(container, element) => write!(f, "{} of {element} values", container.words()),
            Rule::Like(element) => write!(f, "{element}-like"),
            Rule::Confined(base, words, _) => write!(f, "{base} {words}"),
        }
    }
}

impl Container {
    fn holds(self, ctx: &Context, ty: Type) -> bool {
        match self {
            Container::Tensor => ty.is_tensor(ctx),
            Container::RankedTensor => matches!(ty.data(ctx), TypeData::RankedTensor { .. }),
            Container::Vector => ty.is_vector(ctx),
            Container::MemRef => matches!(ty.data(ctx), TypeData::MemRef { .. }),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Container::Tensor => "tensor",
            Container::RankedTensor => "ranked tensor",
            Container::Vector => "vector",
            Container::MemRef => "memref",
        }
    }
}

/// The only type that satisfies a [`TypeConstraint`].
#[derive(Clone, Copy, Debug)]
pub enum OnlyType {
    /// A type that is the same in every context.
    Scalar(Type),
    /// A dialect's type without parameters.
    Declared(&'static DataSpec),
}

impl OnlyType {
    /// The type in a context.
    pub fn ty(self, ctx: &Context) -> Type {
        match self {
            OnlyType::Scalar(ty) => ty,
            OnlyType::Declared(spec) => match spec.intern(ctx, Box::default()) {
                TypeOrAttr::Type(ty) => ty,
                TypeOrAttr::Attr(_) => Type::NONE,
            },
        }
    }

    fn is(self, ctx: &Context, ty: Type) -> bool {
        match self {
            OnlyType::Scalar(only) => ty == only,
            OnlyType::Declared(spec) => {
                ty.declared(ctx).is_some_and(|declared| std::ptr::eq(declared.spec(), spec))
            }
        }
    }
}
