//! Types and attributes that dialects declare: a declaration and the values of its parameters.
//!
//! [`#[ty]`](macro@crate::ty) and [`#[attr]`](macro@crate::attr) generate a [`DataSpec`] and a typed handle, a
//! [`TypeDef`] or [`AttrDef`]. A [`Context`] interns a [`Declared`], which is a spec and its [`Param`]s, so that equal
//! parameters have equal handles.
//!
//! Guarantees:
//! * A parameter has the [`ParamKind`] that the spec declares: only [`Parameter::store`] and the parser create one.
//! * Types and attributes in parameters are sub-elements: aliases, symbol uses and [`Replacer`] find them.
//! * What `get`, `checked` and the parser return satisfies the verifier of the declaration.

mod arrays;
mod attr_value;
mod enums;
mod parameter;
mod sub_elements;

pub use arrays::{Array, ArrayElement, DenseArray, DenseElement, DenseIter, Elements};
pub use attr_value::{
    AttrValue, Dictionary, FlagEnum, FlatSymbolRef, Index, SymbolName, enum_constraint, unwrap, wrap,
};
pub use enums::{AttrEnum, EnumSpec, Flags};
pub use parameter::{Parameter, SymbolRef};
pub use sub_elements::{Replacer, TypeOrAttr};

use crate::text::{AttrParser, AttrPrinter, ParseError};
use crate::{
    Attr, AttrConstraint, AttrData, AttrSyntax, Context, Name, OnlyType, Type, TypeConstraint, TypeData,
};
use std::hash::{Hash, Hasher};

/// The value of a parameter, as its [`ParamKind`] stores it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Param {
    /// An optional parameter without value.
    Absent,
    /// An integer, a boolean (0 or 1), the bits of an `f64`, the value of an enum case, or a set of cases.
    Int(i64),
    /// A string.
    Name(Name),
    /// A type.
    Type(Type),
    /// An attribute; also a symbol reference and an affine map.
    Attr(Attr),
    /// The elements of an array.
    Array(Box<[Param]>),
}

/// The kind of a parameter: how it is stored, parsed and printed.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// `true` or `false`.
    Bool,
    /// An integer of this width.
    Int {
        /// The width in bits, at most 64.
        bits: u32,
        /// Whether it may be negative.
        signed: bool,
    },
    /// A float, `1.5`.
    F64,
    /// A quoted string.
    String,
    /// Any type.
    Type,
    /// Any attribute.
    Attr,
    /// `@root::@nested`.
    Symbol,
    /// `affine_map<(d0) -> (d0)>`.
    AffineMap,
    /// One keyword.
    Enum(&'static EnumSpec),
    /// A set of keywords.
    Flags(&'static EnumSpec),
    /// A declared type or attribute, written without its prefix.
    Declared(&'static DataSpec),
    /// Any number of elements, separated by commas.
    Array(&'static ParamKind),
    /// Absent or a value.
    Optional(&'static ParamKind),
}

/// The declaration of a parameter.
#[derive(Debug)]
pub struct ParamSpec {
    /// The name.
    pub name: &'static str,
    /// The kind.
    pub kind: ParamKind,
    /// The default value: an optional group of the format is absent if its anchor has it.
    pub default: Option<fn(&Context) -> Param>,
    /// Whether types and attributes in it are printed without aliases.
    pub unaliased: bool,
}

impl ParamSpec {
    /// Whether a value is printed: optional groups and `struct` omit an absent value and the default.
    pub(crate) fn is_present(&self, ctx: &Context, param: &Param) -> bool {
        let is_empty = match param {
            Param::Absent => true,
            Param::Array(elements) => elements.is_empty(),
            _ => false,
        };
        !is_empty && self.default.is_none_or(|default| default(ctx) != *param)
    }

    /// The value of an absent parameter; `None` if it must be given.
    pub(crate) fn absent(&self, ctx: &Context) -> Option<Param> {
        match (self.default, self.kind) {
            (Some(default), _) => Some(default(ctx)),
            (None, ParamKind::Optional(_)) => Some(Param::Absent),
            (None, ParamKind::Array(_)) => Some(Param::Array([].into())),
            _ => None,
        }
    }
}

/// An element of a declared assembly, with the spaces of upstream's printers.
#[derive(Debug)]
pub enum DataElement {
    /// A literal, and whether it is preceded by a space.
    Literal(bool, &'static str),
    /// Whether a space is printed here; ignored by the parser.
    Space(bool),
    /// The parameter with this index, and whether it is preceded by a space.
    Param(bool, usize),
    /// The given parameters, separated by commas, and whether the first is preceded by a space.
    Params(bool, &'static [usize]),
    /// `name = value` for each of the given parameters that is present, in any order.
    Struct(bool, &'static [usize]),
    /// The first elements if the parameter with this index is present, otherwise the second ones.
    Group(usize, &'static [DataElement], &'static [DataElement]),
}

/// Parses a custom assembly: the part after the mnemonic.
pub type ParseData = fn(&mut AttrParser<'_, '_>) -> Result<TypeOrAttr, ParseError>;

/// The assembly of a declared type or attribute after its mnemonic.
#[derive(Clone, Copy)]
pub enum DataAssembly {
    /// A declarative format.
    Format(&'static [DataElement]),
    /// Functions.
    Custom {
        /// Parses the part after the mnemonic.
        parse: ParseData,
        /// Prints the part after the mnemonic.
        print: fn(&mut AttrPrinter<'_, '_>),
    },
}

impl std::fmt::Debug for DataAssembly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DataAssembly::Format(elements) => write!(f, "Format({elements:?})"),
            DataAssembly::Custom { .. } => write!(f, "Custom"),
        }
    }
}

/// The declaration of a dialect's type or attribute, generated by `#[ty]` and `#[attr]`.
#[derive(Debug)]
pub struct DataSpec {
    /// The namespace.
    pub dialect: &'static str,
    /// The mnemonic: `reg` for `!quantum.reg<4>`.
    pub mnemonic: &'static str,
    /// The description in messages, as MLIR prints it after "must be".
    pub constraint: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// The documentation.
    pub description: &'static str,
    /// Whether it is a type; otherwise an attribute.
    pub is_type: bool,
    /// The parameters.
    pub params: &'static [ParamSpec],
    /// The assembly.
    pub assembly: DataAssembly,
    /// The prefix of its alias, if it is printed by alias.
    pub alias: Option<&'static str>,
    /// The parameter that is the type of a typed attribute, printed after it: `#quantum.phase<1> : f32`.
    pub self_type: Option<usize>,
    /// Verifies the parameters.
    pub verify: Option<VerifyData>,
}

/// Verifies the parameters of a declared type or attribute.
pub type VerifyData = fn(&Context, &[Param]) -> Result<(), InvalidParams>;

/// An error in the parameters of a type or attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidParams {
    /// The message.
    pub message: String,
}

impl From<String> for InvalidParams {
    fn from(message: String) -> Self {
        Self { message }
    }
}

impl From<&str> for InvalidParams {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl std::error::Error for InvalidParams {}

impl std::fmt::Display for InvalidParams {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// A type or attribute of a dialect: its declaration and the values of its parameters.
#[derive(Clone, Debug)]
pub struct Declared {
    spec: &'static DataSpec,
    params: Box<[Param]>,
}

impl PartialEq for Declared {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.spec, other.spec) && self.params == other.params
    }
}

impl Eq for Declared {}

impl Hash for Declared {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.spec, state);
        self.params.hash(state);
    }
}

impl Declared {
    /// The declaration.
    pub fn spec(&self) -> &'static DataSpec {
        self.spec
    }

    /// The values of the parameters, in order of declaration.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// With other values of the same kinds.
    pub(crate) fn with(&self, params: Box<[Param]>) -> Self {
        Self { spec: self.spec, params }
    }

    /// The type of a typed attribute.
    pub(crate) fn self_type(&self) -> Option<Type> {
        match self.params.get(self.spec.self_type?) {
            Some(&Param::Type(ty)) if ty != Type::NONE => Some(ty),
            _ => None,
        }
    }
}

impl DataSpec {
    /// Verifies parameters.
    ///
    /// # Errors
    /// The error of the declaration's verifier.
    pub(crate) fn check(&self, ctx: &Context, params: &[Param]) -> Result<(), InvalidParams> {
        self.verify.map_or(Ok(()), |verify| verify(ctx, params))
    }

    /// Interns a type or attribute whose parameters are valid.
    pub(crate) fn intern(&'static self, ctx: &Context, params: Box<[Param]>) -> TypeOrAttr {
        let declared = Declared { spec: self, params };
        match self.is_type {
            true => TypeOrAttr::Type(ctx.intern_type(TypeData::Declared(declared))),
            false => TypeOrAttr::Attr(ctx.intern_attr(AttrData::Declared(declared))),
        }
    }

    /// Whether the dotted form needs no angle bracket to be parsed: a body begins with one, or there is none.
    pub(crate) fn may_be_bare(&self) -> bool {
        match self.assembly {
            DataAssembly::Custom { .. } => true,
            DataAssembly::Format(elements) => {
                matches!(elements.first(), None | Some(DataElement::Literal(_, "<") | DataElement::Group(..)))
            }
        }
    }

    /// The full name: `quantum.reg`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.dialect, self.mnemonic)
    }
}

/// A declared type: a typed handle. Implemented by `#[ty]`.
pub trait TypeDef: Copy + Into<Type> {
    /// The declaration.
    const SPEC: &'static DataSpec;

    /// The constraint that admits this type only; `#[operand(Reg)]` refers to it by the type's name.
    const CONSTRAINT: TypeConstraint = match Self::SPEC.params {
        [] => TypeConstraint::only_type(Self::SPEC.constraint, OnlyType::Declared(Self::SPEC)),
        _ => TypeConstraint::new(Self::SPEC.constraint, |ctx, ty| Self::cast(ctx, ty).is_some()),
    };

    /// Creates the handle without checking the declaration.
    fn from_type_unchecked(ty: Type) -> Self;

    /// Downcasts to the typed handle; `None` if the type is another one.
    #[inline]
    fn cast(ctx: &Context, ty: Type) -> Option<Self> {
        ty.declared(ctx)
            .is_some_and(|found| std::ptr::eq(found.spec, Self::SPEC))
            .then(|| Self::from_type_unchecked(ty))
    }
}

/// A declared attribute: a typed handle. Implemented by `#[attr]`.
pub trait AttrDef: Copy + Into<Attr> {
    /// The declaration.
    const SPEC: &'static DataSpec;

    /// The constraint that admits this attribute only, which formats print without its prefix.
    const CONSTRAINT: AttrConstraint = AttrConstraint {
        description: Self::SPEC.constraint,
        check: |ctx, attr| Self::cast(ctx, attr).is_some(),
        syntax: AttrSyntax::Declared(Self::SPEC),
    };

    /// Creates the handle without checking the declaration.
    fn from_attr_unchecked(attr: Attr) -> Self;

    /// Downcasts to the typed handle; `None` if the attribute is another one.
    #[inline]
    fn cast(ctx: &Context, attr: Attr) -> Option<Self> {
        attr.declared(ctx)
            .is_some_and(|found| std::ptr::eq(found.spec, Self::SPEC))
            .then(|| Self::from_attr_unchecked(attr))
    }
}

impl Type {
    /// The declaration and parameters of a dialect's type.
    #[inline]
    pub fn declared(self, ctx: &Context) -> Option<&Declared> {
        match self.data(ctx) {
            TypeData::Declared(declared) => Some(declared),
            _ => None,
        }
    }

    /// The dialect of the type; `None` for a builtin one.
    pub fn dialect(self, ctx: &Context) -> Option<&str> {
        match self.data(ctx) {
            TypeData::Declared(declared) => Some(declared.spec.dialect),
            TypeData::Opaque { dialect, .. } => Some(dialect.as_str(ctx)),
            _ => None,
        }
    }
}

impl Attr {
    /// The declaration and parameters of a dialect's attribute.
    #[inline]
    pub fn declared(self, ctx: &Context) -> Option<&Declared> {
        match self.data(ctx) {
            AttrData::Declared(declared) => Some(declared),
            _ => None,
        }
    }

    /// The dialect of the attribute; `None` for a builtin one.
    pub fn dialect(self, ctx: &Context) -> Option<&str> {
        match self.data(ctx) {
            AttrData::Declared(declared) => Some(declared.spec.dialect),
            AttrData::Opaque { dialect, .. } | AttrData::Structured { dialect, .. } => {
                Some(dialect.as_str(ctx))
            }
            _ => None,
        }
    }
}
