//! JSON values as values of a type.

use super::document::Node;
use super::value_type::check_shape;
use super::{ElementType, ValueError, ValueType};
use minoan_diag::Diagnostic;
use minoan_services::{Datum, Tensor, TensorData};

/// Reads the value at `node` as a value of type `ty`; `name` identifies it in messages. Appends a datum for each scalar
/// and tensor of the value to `leaves`.
///
/// # Errors
/// The value does not belong to the type; the message names the position in the value.
pub(crate) fn read(
    ty: &ValueType,
    node: Node<'_>,
    name: &str,
    leaves: &mut Vec<Datum>,
) -> Result<(), Diagnostic> {
    match ty {
        ValueType::Scalar(element) => {
            leaves.push(scalar(*element, node).map_err(|found| node.error(format!("{name}: {found}")))?);
        }
        ValueType::String => {
            let text = node.string().ok_or_else(|| mismatch(ty, node, name))?;
            let bytes: Vec<i64> = text.bytes().map(|byte| i64::from(byte as i8)).collect();
            leaves.push(Tensor { shape: vec![bytes.len()], data: TensorData::Int(bytes) }.into());
        }
        ValueType::Tensor { shape, element } => {
            let mut elements = Elements {
                element: *element,
                name,
                extents: vec![None; shape.len()],
                data: element.no_elements(),
                at: Vec::new(),
            };
            elements.read(node)?;
            // After an extent of 0 the text does not determine the other extents.
            let extents = elements.extents.iter().zip(shape);
            let found: Vec<usize> =
                extents.map(|(found, wanted)| found.or(*wanted).unwrap_or_default()).collect();
            check_shape(shape, &found).map_err(|found| node.error(format!("{name}: {found}")))?;
            leaves.push(Tensor { shape: found, data: elements.data }.into());
        }
        ValueType::Nested { rank, element } => super::nested::read(*rank, element, node, name, leaves)?,
        ValueType::Data(ty) => leaves.push(ty.read(node, name)?),
        ValueType::Tuple(parts) => {
            let values = tuple(ty, parts.len(), node, name)?;
            for (at, (part, value)) in parts.iter().zip(values).enumerate() {
                read(part, value, &format!("{name}, component {}", at + 1), leaves)?;
            }
        }
    }
    Ok(())
}

/// The components of a tuple of `count` components, which is `{"tuple": [..]}` or an array.
pub(super) fn tuple<'n>(
    ty: &ValueType,
    count: usize,
    node: Node<'n>,
    name: &str,
) -> Result<Vec<Node<'n>>, Diagnostic> {
    let values = match node.object().transpose()?.as_deref() {
        Some([(key, value)]) if key == "tuple" => value.array(),
        Some(_) => None,
        None => node.array(),
    };
    values.filter(|values| values.len() == count).ok_or_else(|| mismatch(ty, node, name))
}

fn mismatch(ty: &ValueType, node: Node<'_>, name: &str) -> Diagnostic {
    node.error(format!("{name}: expected {}, found {}", ty.describe(), node.describe()))
}

pub(super) fn scalar(element: ElementType, node: Node<'_>) -> Result<Datum, ValueError> {
    if let Some(part) = element.part() {
        let values = node.array();
        let Some(&[re, im]) = values.as_deref() else {
            let (expected, found) = (element.describe(), node.describe());
            return Err(ValueError::new(format!("expected {expected} as [re, im], found {found}")));
        };
        return element.complex([&scalar(part, re)?, &scalar(part, im)?]);
    }
    if let Some(number) = node.number() {
        return element.parse(number);
    }
    if let (ElementType::Bool, Some(value)) = (element, node.bool()) {
        return Ok(value.into());
    }
    if let (Some(_), Some(text)) = (element.float_kind(), node.string()) {
        let value = match text.to_ascii_lowercase().trim_start_matches('+') {
            "nan" => Some(f64::NAN),
            "inf" | "infinity" => Some(f64::INFINITY),
            "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        };
        if let Some(value) = value {
            return element.float(value);
        }
    }
    Err(ValueError::new(format!("expected {}, found {}", element.describe(), node.describe())))
}

/// The elements of a tensor read so far.
struct Elements<'n> {
    element: ElementType,
    name: &'n str,
    /// The extents that the arrays have had so far.
    extents: Vec<Option<usize>>,
    data: TensorData,
    /// The indices of the current element.
    at: Vec<usize>,
}

impl Elements<'_> {
    fn read(&mut self, node: Node<'_>) -> Result<(), Diagnostic> {
        let depth = self.at.len();
        if depth == self.extents.len() {
            let datum = scalar(self.element, node).map_err(|found| self.error(node, &found.to_string()))?;
            return self.data.push(&datum).map_err(|trap| self.error(node, &trap.message));
        }
        let Some(values) = node.array() else {
            return Err(self.error(node, &format!("expected an array, found {}", node.describe())));
        };
        match self.extents[depth].replace(values.len()) {
            Some(other) if other != values.len() => {
                let found = values.len();
                let message = format!("expected an array of {other} values as before, found {found}");
                return Err(self.error(node, &message));
            }
            _ => {}
        }
        for (index, value) in values.into_iter().enumerate() {
            self.at.push(index);
            self.read(value)?;
            self.at.pop();
        }
        Ok(())
    }

    fn error(&self, node: Node<'_>, found: &str) -> Diagnostic {
        let at: String = self.at.iter().map(|index| format!("[{index}]")).collect();
        node.error(format!("{}{at}: {found}", self.name))
    }
}
