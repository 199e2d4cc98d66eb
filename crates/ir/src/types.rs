//! Types: builtin types, types declared by dialects, and opaque types of dialects that are not loaded.

use crate::{Attr, Context, Declared, Name};

/// An interned type: two types of one [`Context`] are equal if and only if their handles are.
///
/// The scalar types have fixed handles and need no context: [`Type::I64`], [`Type::F32`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Type(pub(crate) u32);

/// The signedness of an integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `i32`: determined by the operation.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

/// The floating-point formats of MLIR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are the formats'")]
pub enum FloatKind {
    F16,
    BF16,
    F32,
    F64,
    TF32,
    F80,
    F128,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    F8E8M0FNU,
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
}

impl FloatKind {
    /// All formats, in order of declaration.
    pub const ALL: [FloatKind; 18] = {
        use FloatKind::*;
        [
            F16,
            BF16,
            F32,
            F64,
            TF32,
            F80,
            F128,
            F8E5M2,
            F8E4M3,
            F8E4M3FN,
            F8E5M2FNUZ,
            F8E4M3FNUZ,
            F8E4M3B11FNUZ,
            F8E3M4,
            F8E8M0FNU,
            F4E2M1FN,
            F6E2M3FN,
            F6E3M2FN,
        ]
    };

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            FloatKind::F16 => "f16",
            FloatKind::BF16 => "bf16",
            FloatKind::F32 => "f32",
            FloatKind::F64 => "f64",
            FloatKind::TF32 => "tf32",
            FloatKind::F80 => "f80",
            FloatKind::F128 => "f128",
            FloatKind::F8E5M2 => "f8E5M2",
            FloatKind::F8E4M3 => "f8E4M3",
            FloatKind::F8E4M3FN => "f8E4M3FN",
            FloatKind::F8E5M2FNUZ => "f8E5M2FNUZ",
            FloatKind::F8E4M3FNUZ => "f8E4M3FNUZ",
            FloatKind::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
            FloatKind::F8E3M4 => "f8E3M4",
            FloatKind::F8E8M0FNU => "f8E8M0FNU",
            FloatKind::F4E2M1FN => "f4E2M1FN",
            FloatKind::F6E2M3FN => "f6E2M3FN",
            FloatKind::F6E3M2FN => "f6E3M2FN",
        }
    }

    /// The width in bits.
    pub fn width(self) -> u32 {
        match self {
            FloatKind::F16 | FloatKind::BF16 => 16,
            FloatKind::F32 => 32,
            FloatKind::TF32 => 19,
            FloatKind::F64 => 64,
            FloatKind::F80 => 80,
            FloatKind::F128 => 128,
            FloatKind::F4E2M1FN => 4,
            FloatKind::F6E2M3FN | FloatKind::F6E3M2FN => 6,
            _ => 8,
        }
    }
}

/// A dynamic extent, printed as `?`.
pub const DYNAMIC: i64 = i64::MIN;

/// The data of a [`Type`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeData {
    /// `none`.
    None,
    /// `index`: an integer with the width of an address.
    Index,
    /// `i32`, `si8`, `ui64`.
    Integer {
        /// The width in bits, at most 2^24 - 1.
        width: u32,
        /// The signedness.
        signedness: Signedness,
    },
    /// `f32` and other formats.
    Float(FloatKind),
    /// `complex<f32>`.
    Complex(Type),
    /// `(i32) -> f32`.
    Function {
        /// Types of the arguments.
        inputs: Box<[Type]>,
        /// Types of the results.
        results: Box<[Type]>,
    },
    /// `tuple<i32, f32>`.
    Tuple(Box<[Type]>),
    /// `vector<4x[8]xf32>`.
    Vector {
        /// Extents.
        shape: Box<[i64]>,
        /// Whether each dimension is scalable (`[8]`).
        scalable: Box<[bool]>,
        /// The element type.
        element: Type,
    },
    /// `tensor<4x?xf32, #encoding>`.
    RankedTensor {
        /// Extents; [`DYNAMIC`] if dynamic.
        shape: Box<[i64]>,
        /// The element type.
        element: Type,
        /// The encoding, if any.
        encoding: Option<Attr>,
    },
    /// `tensor<*xf32>`.
    UnrankedTensor(Type),
    /// `memref<4x?xf32, #layout, 1>`.
    MemRef {
        /// Extents; [`DYNAMIC`] if dynamic.
        shape: Box<[i64]>,
        /// The element type.
        element: Type,
        /// The layout, unless it is the identity.
        layout: Option<Attr>,
        /// The memory space, unless it is the default one.
        space: Option<Attr>,
    },
    /// `memref<*xf32, 1>`.
    UnrankedMemRef {
        /// The element type.
        element: Type,
        /// The memory space, unless it is the default one.
        space: Option<Attr>,
    },
    /// `!dialect.mnemonic<..>`: a type that a loaded dialect declares.
    Declared(Declared),
    /// `!dialect.text` or `!dialect<text>`: a type of a dialect that is not loaded, represented by its text.
    Opaque {
        /// The dialect's namespace.
        dialect: Name,
        /// The text after the namespace, including its dot or angle brackets: `.string`, `<"text">`.
        text: Name,
    },
}

/// The shaped types, by their permitted element types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shaped {
    Tensor,
    MemRef,
    Vector,
}

impl Shaped {
    /// The error for an invalid element type, in MLIR's words.
    pub(crate) fn wrong_element(self) -> &'static str {
        match self {
            Shaped::Tensor => "invalid tensor element type",
            Shaped::MemRef => "invalid memref element type",
            Shaped::Vector => "failed to verify 'elementType': VectorElementTypeInterface instance",
        }
    }
}

macro_rules! fixed_types {
    ($($id:literal $name:ident $doc:literal $data:expr;)*) => {
        impl Type {
            $(#[doc = $doc] pub const $name: Type = Type($id);)*
        }

        /// The types with fixed handles, in order.
        pub(crate) fn fixed_types() -> impl Iterator<Item = TypeData> {
            [$($data),*].into_iter()
        }
    };
}

const fn signless(width: u32) -> TypeData {
    TypeData::Integer { width, signedness: Signedness::Signless }
}

fixed_types! {
    0 NONE "`none`." TypeData::None;
    1 INDEX "`index`." TypeData::Index;
    2 I1 "`i1`." signless(1);
    3 I8 "`i8`." signless(8);
    4 I16 "`i16`." signless(16);
    5 I32 "`i32`." signless(32);
    6 I64 "`i64`." signless(64);
    7 F16 "`f16`." TypeData::Float(FloatKind::F16);
    8 BF16 "`bf16`." TypeData::Float(FloatKind::BF16);
    9 F32 "`f32`." TypeData::Float(FloatKind::F32);
    10 F64 "`f64`." TypeData::Float(FloatKind::F64);
}

impl Type {
    /// The data of the type.
    #[inline]
    pub fn data(self, ctx: &Context) -> &TypeData {
        ctx.type_data(self)
    }

    /// A small dense number, for tables indexed by type.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// A signless integer type.
    pub fn integer(ctx: &Context, width: u32) -> Type {
        ctx.intern_type(signless(width))
    }

    /// A function type.
    pub fn function(ctx: &Context, inputs: &[Type], results: &[Type]) -> Type {
        ctx.intern_type(TypeData::Function { inputs: inputs.into(), results: results.into() })
    }

    /// A tuple type.
    pub fn tuple(ctx: &Context, elements: &[Type]) -> Type {
        ctx.intern_type(TypeData::Tuple(elements.into()))
    }

    /// A ranked tensor without encoding; [`DYNAMIC`] is a dynamic extent.
    pub fn tensor(ctx: &Context, shape: &[i64], element: Type) -> Type {
        ctx.intern_type(TypeData::RankedTensor { shape: shape.into(), element, encoding: None })
    }

    /// A ranked memref with identity layout in the default memory space.
    pub fn memref(ctx: &Context, shape: &[i64], element: Type) -> Type {
        ctx.intern_type(TypeData::MemRef { shape: shape.into(), element, layout: None, space: None })
    }

    /// A vector of fixed length.
    pub fn vector(ctx: &Context, shape: &[i64], element: Type) -> Type {
        let scalable = vec![false; shape.len()].into();
        ctx.intern_type(TypeData::Vector { shape: shape.into(), scalable, element })
    }

    /// A type of a dialect that is not loaded: `Type::opaque(ctx, "llvm", ".ptr")` is `!llvm.ptr`. A type of a loaded
    /// dialect is created by its declaration and is equal to no text.
    pub fn opaque(ctx: &Context, dialect: &str, text: &str) -> Type {
        ctx.intern_type(TypeData::Opaque { dialect: ctx.name(dialect), text: ctx.name(text) })
    }

    /// The text of a type of a dialect that is not loaded, in the form of [`Type::opaque`]: `.ptr<1>` for `!llvm.ptr<1>`
    /// and `llvm`.
    pub fn as_opaque<'c>(self, ctx: &'c Context, dialect: &str) -> Option<&'c str> {
        match self.data(ctx) {
            TypeData::Opaque { dialect: found, text } if found.as_str(ctx) == dialect => {
                Some(text.as_str(ctx))
            }
            _ => None,
        }
    }

    /// The element type of a tensor, memref, vector or complex type.
    pub fn element(self, ctx: &Context) -> Option<Type> {
        match *self.data(ctx) {
            TypeData::Vector { element, .. }
            | TypeData::RankedTensor { element, .. }
            | TypeData::UnrankedTensor(element)
            | TypeData::MemRef { element, .. }
            | TypeData::UnrankedMemRef { element, .. } => Some(element),
            _ => None,
        }
    }

    /// Whether a shaped type may have this element type. Types of dialects that are not loaded are permitted.
    pub(crate) fn may_be_element(self, ctx: &Context, of: Shaped) -> bool {
        match (self.data(ctx), of) {
            (
                TypeData::Integer { .. }
                | TypeData::Index
                | TypeData::Float(_)
                | TypeData::Declared(_)
                | TypeData::Opaque { .. },
                _,
            ) => true,
            (_, Shaped::Vector) => false,
            (TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. }, of) => of == Shaped::MemRef,
            (data, _) => !matches!(
                data,
                TypeData::Function { .. }
                    | TypeData::None
                    | TypeData::Tuple(_)
                    | TypeData::RankedTensor { .. }
                    | TypeData::UnrankedTensor(_)
            ),
        }
    }

    /// Whether vectors may have this element type. Types of dialects are permitted.
    pub fn may_be_vector_element(self, ctx: &Context) -> bool {
        self.may_be_element(ctx, Shaped::Vector)
    }

    /// Checks the element type, if this is a shaped type.
    ///
    /// # Errors
    /// The error in MLIR's words.
    pub(crate) fn check_element(self, ctx: &Context) -> Result<(), String> {
        let (of, element) = match *self.data(ctx) {
            TypeData::RankedTensor { element, .. } | TypeData::UnrankedTensor(element) => {
                (Shaped::Tensor, element)
            }
            TypeData::MemRef { element, .. } | TypeData::UnrankedMemRef { element, .. } => {
                (Shaped::MemRef, element)
            }
            TypeData::Vector { element, .. } => (Shaped::Vector, element),
            _ => return Ok(()),
        };
        if element.may_be_element(ctx, of) { Ok(()) } else { Err(of.wrong_element().to_owned()) }
    }

    /// The element type of a shaped type, otherwise the type itself.
    pub fn element_or_self(self, ctx: &Context) -> Type {
        self.element(ctx).unwrap_or(self)
    }

    /// The extents of a ranked shaped type.
    pub fn shape(self, ctx: &Context) -> Option<&[i64]> {
        match self.data(ctx) {
            TypeData::Vector { shape, .. }
            | TypeData::RankedTensor { shape, .. }
            | TypeData::MemRef { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// The number of dimensions of a ranked shaped type.
    pub fn rank(self, ctx: &Context) -> Option<usize> {
        self.shape(ctx).map(<[i64]>::len)
    }

    /// The same shaped type with another element type; `None` for other types.
    pub fn with_element(self, ctx: &Context, new: Type) -> Option<Type> {
        let mut data = self.data(ctx).clone();
        match &mut data {
            TypeData::Vector { element, .. }
            | TypeData::RankedTensor { element, .. }
            | TypeData::UnrankedTensor(element)
            | TypeData::MemRef { element, .. }
            | TypeData::UnrankedMemRef { element, .. } => *element = new,
            _ => return None,
        }
        Some(ctx.intern_type(data))
    }

    /// The same tensor or memref type with other extents; `None` for other types, and for a memref with a layout.
    pub fn with_shape(self, ctx: &Context, new: &[i64]) -> Option<Type> {
        let mut data = self.data(ctx).clone();
        match &mut data {
            TypeData::RankedTensor { shape, .. } | TypeData::MemRef { shape, layout: None, .. } => {
                *shape = new.into();
            }
            _ => return None,
        }
        Some(ctx.intern_type(data))
    }

    /// The inputs and results of a function type.
    pub fn as_function(self, ctx: &Context) -> Option<(&[Type], &[Type])> {
        match self.data(ctx) {
            TypeData::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }

    /// The elements of a tuple type.
    pub fn as_tuple(self, ctx: &Context) -> Option<&[Type]> {
        match self.data(ctx) {
            TypeData::Tuple(elements) => Some(elements),
            _ => None,
        }
    }

    /// The width of an integer type of any signedness.
    pub fn integer_width(self, ctx: &Context) -> Option<u32> {
        match *self.data(ctx) {
            TypeData::Integer { width, .. } => Some(width),
            _ => None,
        }
    }

    /// The format of a floating-point type.
    pub fn float_kind(self, ctx: &Context) -> Option<FloatKind> {
        match *self.data(ctx) {
            TypeData::Float(kind) => Some(kind),
            _ => None,
        }
    }

    /// Whether this is a signless integer type.
    pub fn is_signless_integer(self, ctx: &Context) -> bool {
        matches!(self.data(ctx), TypeData::Integer { signedness: Signedness::Signless, .. })
    }

    /// Whether this is a floating-point type.
    pub fn is_float(self, ctx: &Context) -> bool {
        self.float_kind(ctx).is_some()
    }

    /// Whether this is a ranked or unranked tensor.
    pub fn is_tensor(self, ctx: &Context) -> bool {
        matches!(self.data(ctx), TypeData::RankedTensor { .. } | TypeData::UnrankedTensor(_))
    }

    /// Whether this is a ranked or unranked memref.
    pub fn is_memref(self, ctx: &Context) -> bool {
        matches!(self.data(ctx), TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. })
    }

    /// Whether this is a vector.
    pub fn is_vector(self, ctx: &Context) -> bool {
        matches!(self.data(ctx), TypeData::Vector { .. })
    }
}
