//! Types of values that cross the boundary of a program.

#[cfg(feature = "mlir")]
use super::ValueError;
use super::{DataType, ElementType, nested};
use minoan_data::layout::Component;
use minoan_ir::{Context, DYNAMIC, Type, TypeData};
use minoan_services::{Datum, Tensor};
use minoan_sip::{RawType, ScalarType};
use std::fmt;

/// A type of the source language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// A number or truth value.
    Scalar(ElementType),
    /// A string, in UTF-8; a tensor of bytes in the compiled function.
    String,
    /// A tensor or a vector; `None` is an extent that is known when the program runs.
    Tensor {
        /// The extents.
        shape: Vec<Option<usize>>,
        /// The type of the elements.
        element: ElementType,
    },
    /// A tensor of tuples, strings or tensors; see [`nested`](super::nested).
    Nested {
        /// The rank.
        rank: usize,
        /// The type of the elements, which are not numbers.
        element: Box<ValueType>,
    },
    /// A value of an algebraic data type, an object in the compiled function.
    Data(DataType),
    /// A tuple of any number of values; its components are values of their own in the compiled function.
    Tuple(Vec<ValueType>),
}

impl ValueType {
    /// A tensor type of dynamic extents.
    pub fn tensor(rank: usize, element: ElementType) -> ValueType {
        ValueType::Tensor { shape: vec![None; rank], element }
    }

    /// The type of an argument or result of a function from its IR type; `raw` determines which signless integers are unsigned.
    pub(crate) fn of_type(ctx: &Context, ty: Type, raw: Option<&RawType>) -> Option<ValueType> {
        let unsigned = match raw {
            Some(RawType::Scalar(element) | RawType::Buffer { element, .. }) => matches!(
                element,
                ScalarType::UInt8 | ScalarType::UInt16 | ScalarType::UInt32 | ScalarType::UInt64
            ),
            _ => false,
        };
        let scalar = |ty| match ElementType::of_type(ctx, ty)? {
            ElementType::Signed(width) if unsigned => Some(ElementType::Unsigned(width)),
            element => Some(element),
        };
        match *ty.data(ctx) {
            TypeData::RankedTensor { ref shape, element, .. }
            | TypeData::MemRef { ref shape, element, .. } => {
                let extent =
                    |&extent: &i64| if extent == DYNAMIC { None } else { usize::try_from(extent).ok() };
                let shape = shape.iter().map(extent).collect();
                Some(ValueType::Tensor { shape, element: scalar(element)? })
            }
            TypeData::Vector { ref shape, ref scalable, element } if !scalable.contains(&true) => {
                let shape = shape.iter().map(|&extent| usize::try_from(extent).ok()).collect();
                Some(ValueType::Tensor { shape, element: scalar(element)? })
            }
            _ => scalar(ty).map(ValueType::Scalar),
        }
    }

    /// The types of the scalars and tensors that a value consists of in the compiled function, in order.
    pub fn leaves(&self) -> Vec<ValueType> {
        let (mut leaves, mut pending) = (Vec::new(), vec![self]);
        while let Some(ty) = pending.pop() {
            match ty {
                ValueType::Tuple(parts) => pending.extend(parts.iter().rev()),
                ValueType::Nested { rank, element } => nested::leaves(*rank, element, &mut leaves),
                leaf => leaves.push(leaf.clone()),
            }
        }
        leaves
    }

    /// The slots of objects in which a scalar, tensor or value of a data type is stored. Tensors of rank 0 are scalars there.
    pub(crate) fn component(&self) -> Component {
        let number = |element: &ElementType| Component::Number((element.width() as usize).div_ceil(64));
        match self {
            ValueType::Scalar(element) => number(element),
            ValueType::Tensor { shape, element } if shape.is_empty() => number(element),
            _ => Component::Object,
        }
    }

    /// Whether the type is one of floats or complex numbers, or of tensors of these.
    pub fn is_float(&self) -> bool {
        match self {
            ValueType::Scalar(element) | ValueType::Tensor { element, .. } => {
                element.part().unwrap_or(*element).float_kind().is_some()
            }
            _ => false,
        }
    }

    /// Whether a value may contain floats, or complex numbers, which consist of two.
    pub(crate) fn has_floats(&self) -> bool {
        self.contains(&ValueType::is_float)
    }

    /// Whether the type has a part, or fields of its data types have one, for which `holds` is true. A part is no tuple.
    pub(crate) fn contains(&self, holds: &dyn Fn(&ValueType) -> bool) -> bool {
        match self {
            ValueType::Tuple(parts) => parts.iter().any(|part| part.contains(holds)),
            ValueType::Nested { element, .. } => element.contains(holds),
            ValueType::Data(data) => data.contains(holds),
            leaf => holds(leaf),
        }
    }

    /// The type of the tangents of values: components without floats are replaced by the empty tuple.
    pub(crate) fn tangent(&self) -> ValueType {
        match self {
            ValueType::Tuple(parts) => ValueType::Tuple(parts.iter().map(ValueType::tangent).collect()),
            other if !other.has_floats() => ValueType::Tuple(Vec::new()),
            ValueType::Nested { rank, element } => {
                ValueType::Nested { rank: *rank, element: Box::new(element.tangent()) }
            }
            leaf => leaf.clone(),
        }
    }

    /// Whether a datum is a value of this type, which is not a tuple type.
    ///
    /// # Errors
    /// A message with the expected and the actual value if they do not match.
    pub(crate) fn check(&self, datum: &Datum) -> Result<(), String> {
        match (self, datum) {
            (ValueType::Scalar(element), scalar) if element.holds(scalar) => Ok(()),
            (ValueType::Tensor { shape, element }, Datum::Tensor(tensor)) => {
                check_shape(shape, &tensor.shape)?;
                check_elements(*element, tensor)
            }
            (ValueType::String, Datum::Tensor(tensor)) if tensor.shape.len() == 1 => {
                check_elements(ElementType::Signed(8), tensor)
            }
            (ValueType::Data(ty), datum) => ty.check(datum),
            _ => Err(format!("expected {}, found {datum:?}", self.describe())),
        }
    }

    /// Whether an array of these elements and extents is a value of this type, which is not a tuple type.
    ///
    /// # Errors
    /// If it is not.
    #[cfg(feature = "mlir")]
    pub fn check_array(&self, found: ElementType, extents: &[usize]) -> Result<(), ValueError> {
        let checked = match self {
            ValueType::Tensor { shape, element } if *element == found => check_shape(shape, extents),
            ValueType::String if found == ElementType::Signed(8) => check_shape(&[None], extents),
            _ => Err(format!("expected {}, found an array of shape {extents:?} of {found}", self.describe())),
        };
        checked.map_err(ValueError::new)
    }

    /// Whether the type is or contains a tensor of tuples, strings or tensors.
    #[cfg(feature = "mlir")]
    pub(crate) fn is_nested(&self) -> bool {
        match self {
            ValueType::Nested { .. } => true,
            ValueType::Tuple(parts) => parts.iter().any(ValueType::is_nested),
            ValueType::Scalar(_) | ValueType::String | ValueType::Tensor { .. } | ValueType::Data(_) => false,
        }
    }

    /// A noun phrase for messages: `a tensor of shape [?, 3] of float32`.
    pub fn describe(&self) -> String {
        match self {
            ValueType::Scalar(element) => element.describe(),
            ValueType::String => "a string".to_owned(),
            ValueType::Tensor { shape, element } if shape.is_empty() => element.describe(),
            ValueType::Tensor { shape, element } => {
                format!("a tensor of shape {} of {element}", Shape(shape))
            }
            ValueType::Nested { rank: 1, element } => {
                format!("an array, each element {}", element.describe())
            }
            ValueType::Nested { rank, element } => {
                format!("arrays nested {rank} deep, each element {}", element.describe())
            }
            ValueType::Data(ty) => ty.describe(),
            ValueType::Tuple(parts) => format!("{{\"tuple\": [..]}} of {} values", parts.len()),
        }
    }
}

/// Whether the extents of a tensor are those of its type.
pub(super) fn check_shape(expected: &[Option<usize>], found: &[usize]) -> Result<(), String> {
    let agrees = |(wanted, found): (&Option<usize>, &usize)| wanted.is_none_or(|wanted| wanted == *found);
    if expected.len() == found.len() && expected.iter().zip(found).all(agrees) {
        return Ok(());
    }
    Err(format!("expected a tensor of shape {}, found {found:?}", Shape(expected)))
}

fn check_elements(element: ElementType, tensor: &Tensor) -> Result<(), String> {
    let count = tensor.shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
    if count != Some(tensor.data.len()) {
        let found = tensor.data.len();
        return Err(format!("a tensor of shape {:?} has {found} elements", tensor.shape));
    }
    match element.first_other(&tensor.data) {
        Some(datum) => Err(format!("expected elements of {element}, found {datum:?}")),
        None => Ok(()),
    }
}

/// Extents as messages show them: `[2, ?, 3]`.
struct Shape<'a>(&'a [Option<usize>]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extent = |extent: &Option<usize>| extent.map_or("?".to_owned(), |extent| extent.to_string());
        write!(f, "[{}]", self.0.iter().map(extent).collect::<Vec<_>>().join(", "))
    }
}
