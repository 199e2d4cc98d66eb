//! The raw ABI: the types of the raw values.
//!
//! ```text
//! signature ::= 'I' span(type*) 'R' span(type*)
//! type      ::= 'B' span(elt? dim*)     buffer
//!             | 'S' span(elt?)          scalar
//!             | 'O' span()              reference object
//!             | 'U' span()              unrecognized
//! elt       ::= 't' code                left out when it is float32
//! dim       ::= 'd' integer             -1 is dynamic
//! ```

use crate::component::{Component, SignatureBuilder, Value};
use crate::error::{Code, Error};
use crate::function::{Function, Judge, Mode, Parsed};
use crate::scalar::ScalarType;
use std::fmt;

/// An extent of a buffer: a number up to `i32::MAX`, or dynamic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Dim(i32);

impl Dim {
    /// A dynamic extent.
    pub const DYNAMIC: Dim = Dim(-1);

    /// A static extent; `None` above `i32::MAX`, which the encoding cannot represent.
    pub fn new(extent: u64) -> Option<Self> {
        i32::try_from(extent).ok().map(Self)
    }

    /// The extent if it is static.
    pub fn extent(self) -> Option<u32> {
        u32::try_from(self.0).ok()
    }
}

/// A type in the raw ABI.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum RawType {
    /// A tensor.
    Buffer {
        /// The type of its elements.
        element: ScalarType,
        /// Its extents; empty for rank 0.
        dims: Vec<Dim>,
    },
    /// A scalar.
    Scalar(ScalarType),
    /// A reference to an opaque object.
    RefObject,
    /// A type without a representation in the raw ABI.
    Unrecognized,
}

impl RawType {
    /// A tensor with these extents, where `None` is dynamic. `Unrecognized` if an extent exceeds `i32::MAX`.
    pub fn buffer(element: ScalarType, extents: impl IntoIterator<Item = Option<u64>>) -> Self {
        let dims = extents.into_iter().map(|extent| extent.map_or(Some(Dim::DYNAMIC), Dim::new));
        match dims.collect() {
            Some(dims) => Self::Buffer { element, dims },
            None => Self::Unrecognized,
        }
    }

    fn write(&self, out: &mut SignatureBuilder) {
        let mut fields = SignatureBuilder::new();
        let mut element = |element: &ScalarType| {
            if *element != ScalarType::default() {
                fields.integer(b't', element.code());
            }
        };
        let tag = match self {
            Self::Buffer { element: ty, dims } => {
                element(ty);
                for dim in dims {
                    fields.integer(b'd', dim.0);
                }
                b'B'
            }
            Self::Scalar(ty) => {
                element(ty);
                b'S'
            }
            Self::RefObject => b'O',
            Self::Unrecognized => b'U',
        };
        out.nested(tag, &fields);
    }

    fn parse(component: &Component, judge: &mut Judge) -> Result<Self, Error> {
        judge.digits(component)?;
        let unexpected = match component.tag {
            b'B' => Code::UnexpectedBufferField,
            b'S' => Code::UnexpectedScalarField,
            b'O' => Code::UnexpectedObjectField,
            b'U' => Code::UnexpectedUnrecognizedField,
            _ => return Err(component.error(Code::UnexpectedType)),
        };
        let (mut element, mut dims) = (None, Vec::new());
        for field in component.components() {
            let field = field?;
            judge.digits(&field)?;
            match (field.tag, field.value, component.tag) {
                (b't', Value::Integer(code), b'B' | b'S') => {
                    let scalar =
                        ScalarType::from_code(code).ok_or_else(|| field.error(Code::UnknownScalarType))?;
                    if element.is_some() {
                        judge.deviation(Code::RepeatedElement, field.offset)?;
                    }
                    if !dims.is_empty() {
                        judge.deviation(Code::ElementAfterDim, field.offset)?;
                    }
                    if scalar == ScalarType::default() {
                        judge.deviation(Code::ExplicitDefault, field.offset)?;
                    }
                    element = Some(scalar);
                }
                (b'd', Value::Integer(extent), b'B') => {
                    if extent < -1 {
                        judge.deviation(Code::NegativeDim, field.offset)?;
                    }
                    dims.push(Dim(extent.max(-1)));
                }
                _ => return Err(field.error(unexpected)),
            }
        }
        let element = element.unwrap_or_default();
        Ok(match component.tag {
            b'B' => Self::Buffer { element, dims },
            b'S' => Self::Scalar(element),
            b'O' => Self::RefObject,
            _ => Self::Unrecognized,
        })
    }
}

impl fmt::Display for RawType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Buffer { element, dims } => {
                write!(f, "Buffer<{element}[")?;
                for (at, dim) in dims.iter().enumerate() {
                    let separator = if at == 0 { "" } else { "x" };
                    match dim.extent() {
                        Some(extent) => write!(f, "{separator}{extent}")?,
                        None => write!(f, "{separator}?")?,
                    }
                }
                f.write_str("]>")
            }
            Self::Scalar(ty) => ty.fmt(f),
            Self::RefObject => f.write_str("RefObject<?>"),
            Self::Unrecognized => f.write_str("Unrecognized<?>"),
        }
    }
}

/// The types of a function's inputs and results.
///
/// It prints as `(Buffer<float32[?x128]>, sint32) -> (RefObject<?>)`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RawSignature {
    /// The types of the inputs.
    pub inputs: Vec<RawType>,
    /// The types of the results.
    pub results: Vec<RawType>,
}

impl RawSignature {
    /// The value of the attribute `fv`.
    pub const VERSION: &str = "1";

    /// Encodes the canonical text, which is ASCII.
    ///
    /// ```
    /// use minoan_sip::{Mode, RawSignature, RawType, ScalarType};
    ///
    /// let inputs = vec![RawType::buffer(ScalarType::Float32, [None, Some(128), Some(64)])];
    /// let results = vec![RawType::Scalar(ScalarType::SInt32)];
    /// let signature = RawSignature { inputs, results };
    /// assert_eq!(signature.encode(), "I15!B11!d-1d128d64R6!S3!t6");
    /// assert_eq!(RawSignature::parse(signature.encode().as_bytes(), Mode::Strict)?.signature, signature);
    /// # Ok::<(), minoan_sip::Error>(())
    /// ```
    pub fn encode(&self) -> String {
        let mut out = SignatureBuilder::new();
        for (tag, types) in [(b'I', &self.inputs), (b'R', &self.results)] {
            let mut row = SignatureBuilder::new();
            types.iter().for_each(|ty| ty.write(&mut row));
            out.nested(tag, &row);
        }
        out.into_encoded().into_iter().map(char::from).collect()
    }

    /// Parses a text.
    ///
    /// # Errors
    /// The text is malformed or, in strict mode, not canonical.
    pub fn parse(text: &[u8], mode: Mode) -> Result<Parsed<Self>, Error> {
        let mut judge = Judge::new(text, mode);
        let function = Function::parse(text, &mut judge)?;
        let mut row = |span: Component| {
            span.components().map(|ty| RawType::parse(&ty?, &mut judge)).collect::<Result<Vec<_>, Error>>()
        };
        let signature = Self { inputs: row(function.inputs)?, results: row(function.results)? };
        Ok(Parsed { signature, deviations: judge.into_deviations() })
    }
}

impl fmt::Display for RawSignature {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let row = |types: &[RawType]| types.iter().map(RawType::to_string).collect::<Vec<_>>().join(", ");
        write!(f, "({}) -> ({})", row(&self.inputs), row(&self.results))
    }
}
