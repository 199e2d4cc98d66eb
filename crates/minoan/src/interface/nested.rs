//! Tensors of tuples, of strings and of tensors at the boundary: the scalars and tensors that represent them.
//!
//! The elements of a tensor are stored by component: a tensor of tuples as the components of its parts, and a tensor
//! of tensors or strings as
//!
//! * `offsets`, of rank 1 and one longer than there are elements: element `p`, in row-major order, consists of the
//!   elements `offsets[p] .. offsets[p + 1]` of what follows;
//! * `shapes`, with a row of extents for each element, if the elements are of a rank above 1;
//! * the components of all elements of the elements, concatenated.
//!
//! A tensor without a component that has its rank begins with its extents, as 64-bit integers.

use super::document::Node;
use super::read::scalar;
use super::{DataType, ElementType, ValueType};
use minoan_diag::Diagnostic;
use minoan_services::{Datum, Tensor, TensorData};

const INTEGER: ElementType = ElementType::Signed(64);
const BYTE: ValueType = ValueType::Scalar(ElementType::Signed(8));

/// Rank and element type of elements that are tensors or strings.
fn row(ty: &ValueType) -> Option<(usize, ValueType)> {
    match ty {
        ValueType::String => Some((1, BYTE)),
        ValueType::Tensor { shape, element } => Some((shape.len(), ValueType::Scalar(*element))),
        ValueType::Nested { rank, element } => Some((*rank, ValueType::clone(element))),
        ValueType::Scalar(_) | ValueType::Data(_) | ValueType::Tuple(_) => None,
    }
}

/// Whether a tensor of these elements begins with its extents.
fn says_extents(element: &ValueType) -> bool {
    match element {
        ValueType::Tuple(parts) => parts.iter().all(says_extents),
        other => row(other).is_some(),
    }
}

/// Appends the types of the scalars and tensors that represent a tensor.
pub(super) fn leaves(rank: usize, element: &ValueType, out: &mut Vec<ValueType>) {
    if says_extents(element) {
        out.extend(vec![ValueType::Scalar(INTEGER); rank]);
    }
    items(rank, element, out);
}

fn items(rank: usize, element: &ValueType, out: &mut Vec<ValueType>) {
    match (element, row(element)) {
        (ValueType::Tuple(parts), _) => parts.iter().for_each(|part| items(rank, part, out)),
        (ValueType::Scalar(element), _) => out.push(ValueType::tensor(rank, *element)),
        (_, Some((row_rank, inner))) => {
            out.push(ValueType::tensor(1, INTEGER));
            if row_rank > 1 {
                out.push(ValueType::tensor(2, INTEGER));
            }
            items(1, &inner, out);
        }
        _ => {}
    }
}

/// A scalar or tensor of a tangent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TangentLeaf {
    /// Separate numbers.
    Float,
    /// The extents or the offsets of a tensor, which are those of the value.
    Structure,
    /// The extent along a dimension of a component of the value that the tangent does not have.
    Extent(usize),
}

/// The scalars and tensors that represent the tangent of a tensor with floats in its elements, each with the number of the one
/// of the tensor that it belongs to.
pub(crate) fn tangent_leaves(rank: usize, element: &ValueType) -> Vec<(usize, TangentLeaf)> {
    let mut found = Vec::new();
    if says_extents(&element.tangent()) {
        found.extend((0..rank).map(|dim| match first_numbers(element) {
            Ok(at) => (at, TangentLeaf::Extent(dim)),
            Err(_) => (dim, TangentLeaf::Structure),
        }));
    }
    let mut number = if says_extents(element) { rank } else { 0 };
    tangent_items(element, &mut number, &mut found);
    found
}

fn tangent_items(element: &ValueType, number: &mut usize, found: &mut Vec<(usize, TangentLeaf)>) {
    if !element.has_floats() {
        let mut own = Vec::new();
        items(1, element, &mut own);
        *number += own.len();
        return;
    }
    let mut next = |leaf| {
        found.push((*number, leaf));
        *number += 1;
    };
    match (element, row(element)) {
        (ValueType::Tuple(parts), _) => parts.iter().for_each(|part| tangent_items(part, number, found)),
        (_, Some((rank, inner))) => {
            next(TangentLeaf::Structure);
            if rank > 1 {
                next(TangentLeaf::Structure);
            }
            tangent_items(&inner, number, found);
        }
        _ => next(TangentLeaf::Float),
    }
}

/// Elements, by component.
enum Items {
    Numbers(ElementType, TensorData),
    Tuples(Vec<Items>),
    Rows { is_text: bool, rank: usize, offsets: Vec<i64>, shapes: Vec<i64>, items: Box<Items> },
}

impl Items {
    fn none(element: &ValueType) -> Items {
        match (element, row(element)) {
            (ValueType::Tuple(parts), _) => Items::Tuples(parts.iter().map(Items::none).collect()),
            (ValueType::Scalar(element), _) => Items::Numbers(*element, element.no_elements()),
            (_, Some((rank, inner))) => Items::Rows {
                is_text: *element == ValueType::String,
                rank,
                offsets: vec![0],
                shapes: Vec::new(),
                items: Box::new(Items::none(&inner)),
            },
            _ => Items::Tuples(Vec::new()),
        }
    }

    fn push(&mut self, element: &ValueType, node: Node<'_>, name: &str) -> Result<(), Diagnostic> {
        match self {
            Items::Numbers(element, data) => {
                let datum = scalar(*element, node).map_err(|found| node.error(format!("{name}: {found}")))?;
                data.push(&datum).map_err(|trap| node.error(format!("{name}: {}", trap.message)))
            }
            Items::Tuples(parts) => {
                let ValueType::Tuple(types) = element else { return Ok(()) };
                let values = super::read::tuple(element, types.len(), node, name)?;
                for (at, (part, (ty, value))) in parts.iter_mut().zip(types.iter().zip(values)).enumerate() {
                    part.push(ty, value, &format!("{name}, component {}", at + 1))?;
                }
                Ok(())
            }
            Items::Rows { is_text: true, offsets, items, .. } => {
                let Some(text) = node.string() else {
                    return Err(node.error(format!("{name}: expected a string, found {}", node.describe())));
                };
                if let Items::Numbers(_, TensorData::Int(bytes)) = &mut **items {
                    bytes.extend(text.bytes().map(|byte| i64::from(byte as i8)));
                    offsets.push(bytes.len() as i64);
                }
                Ok(())
            }
            Items::Rows { rank, offsets, shapes, items, .. } => {
                let Some((_, inner)) = row(element) else { return Ok(()) };
                let extents = nest(node, *rank, name, &mut |node, name| items.push(&inner, node, name))?;
                let count: usize = extents.iter().product();
                offsets.push(offsets.last().copied().unwrap_or(0) + count as i64);
                if *rank > 1 {
                    shapes.extend(extents.iter().map(|&extent| extent as i64));
                }
                Ok(())
            }
        }
    }

    fn finish(self, shape: &[usize], out: &mut Vec<Datum>) {
        match self {
            Items::Numbers(_, data) => out.push(Tensor { shape: shape.to_vec(), data }.into()),
            Items::Tuples(parts) => parts.into_iter().for_each(|part| part.finish(shape, out)),
            Items::Rows { rank, offsets, shapes, items, .. } => {
                let (ends, count) = (offsets.len(), offsets.last().copied().unwrap_or(0) as usize);
                out.push(Tensor { shape: vec![ends], data: TensorData::Int(offsets) }.into());
                if rank > 1 {
                    out.push(Tensor { shape: vec![ends - 1, rank], data: TensorData::Int(shapes) }.into());
                }
                items.finish(&[count], out);
            }
        }
    }

    /// Elements from the data of their components.
    fn take<'a>(element: &ValueType, leaves: &mut impl Iterator<Item = &'a Datum>) -> Option<Items> {
        match (element, row(element)) {
            (ValueType::Tuple(parts), _) => {
                let mut items = Vec::new();
                for part in parts {
                    items.push(Items::take(part, leaves)?);
                }
                Some(Items::Tuples(items))
            }
            (ValueType::Scalar(element), _) => {
                Some(Items::Numbers(*element, tensor_of(leaves.next()?)?.data))
            }
            (_, Some((rank, inner))) => {
                let mut integers = || match tensor_of(leaves.next()?)?.data {
                    TensorData::Int(data) => Some(data),
                    _ => None,
                };
                let offsets = integers().filter(|offsets| !offsets.is_empty())?;
                let shapes = if rank > 1 { integers()? } else { Vec::new() };
                let items = Box::new(Items::take(&inner, leaves)?);
                Some(Items::Rows { is_text: *element == ValueType::String, rank, offsets, shapes, items })
            }
            _ => None,
        }
    }

    /// Checks that the components of `count` elements agree.
    fn check(&self, count: usize) -> Result<(), String> {
        match self {
            Items::Numbers(_, data) if data.len() < count => {
                Err(format!("{count} elements are expected, and {} are there", data.len()))
            }
            Items::Numbers(..) => Ok(()),
            Items::Tuples(parts) => parts.iter().try_for_each(|part| part.check(count)),
            Items::Rows { rank, offsets, shapes, items, .. } => {
                if offsets.len() != count + 1 || offsets[0] < 0 || !offsets.is_sorted() {
                    return Err(format!("expected {} offsets in increasing order", count + 1));
                }
                if *rank > 1 {
                    let lengths = offsets.windows(2).map(|pair| pair[1] - pair[0]);
                    let mut products = shapes.chunks_exact(*rank).map(|extents| {
                        let positive = extents.iter().all(|&extent| extent >= 0);
                        let product = extents.iter().try_fold(1i64, |all, &extent| all.checked_mul(extent));
                        product.filter(|_| positive)
                    });
                    let agree = lengths.into_iter().all(|length| products.next().flatten() == Some(length));
                    if shapes.len() != count * rank || !agree {
                        return Err("the shapes of elements do not agree with the offsets".to_owned());
                    }
                }
                items.check(offsets.last().and_then(|&last| usize::try_from(last).ok()).unwrap_or(usize::MAX))
            }
        }
    }

    fn element<F: Form>(&self, form: &F, at: usize) -> F::Out {
        match self {
            Items::Numbers(element, data) if at < data.len() => form.scalar(*element, &data.get(at)),
            Items::Numbers(..) => form.missing(),
            Items::Tuples(parts) => form.tuple(parts.iter().map(|part| part.element(form, at)).collect()),
            Items::Rows { is_text, rank, offsets, shapes, items } => {
                let offset = |at: usize| offsets.get(at).and_then(|&offset| usize::try_from(offset).ok());
                let (Some(from), Some(to)) = (offset(at), offset(at + 1)) else { return form.missing() };
                match &**items {
                    Items::Numbers(_, data) if *is_text && from <= to && to <= data.len() => {
                        let byte = |at| data.get(at).int().unwrap_or(0) as u8;
                        form.string(String::from_utf8_lossy(&(from..to).map(byte).collect::<Vec<_>>()).into())
                    }
                    items => {
                        let shape: Vec<usize> = match rank {
                            1 => vec![to.saturating_sub(from)],
                            rank => shapes
                                .iter()
                                .skip(at * rank)
                                .take(*rank)
                                .map(|&it| it.max(0) as usize)
                                .collect(),
                        };
                        arrays(form, &shape, from, &mut |at| items.element(form, at))
                    }
                }
            }
        }
    }
}

/// The contents of a leaf that is a tensor or a buffer.
pub(super) fn tensor_of(leaf: &Datum) -> Option<Tensor> {
    match leaf {
        Datum::Tensor(tensor) => Some(Tensor::clone(tensor)),
        Datum::Buffer(buffer) => buffer.read(|tensor| Ok(tensor.clone())).ok(),
        _ => None,
    }
}

/// A way to show values.
pub(super) trait Form {
    type Out;
    fn scalar(&self, element: ElementType, datum: &Datum) -> Self::Out;
    fn string(&self, text: String) -> Self::Out;
    fn tuple(&self, parts: Vec<Self::Out>) -> Self::Out;
    fn array(&self, elements: Vec<Self::Out>) -> Self::Out;
    fn data(&self, ty: &DataType, datum: &Datum) -> Self::Out;
    /// A placeholder for a value without data.
    fn missing(&self) -> Self::Out;
}

/// Elements from number `start` on as nested arrays of these extents.
pub(super) fn arrays<F: Form>(
    form: &F,
    shape: &[usize],
    start: usize,
    element: &mut dyn FnMut(usize) -> F::Out,
) -> F::Out {
    let Some((&extent, rest)) = shape.split_first() else { return element(start) };
    let stride: usize = rest.iter().product();
    form.array((0..extent).map(|at| arrays(form, rest, start + at * stride, element)).collect())
}

/// The number of leaves before the first with one number per element; `Err` with the number of all leaves if there is
/// none.
fn first_numbers(element: &ValueType) -> Result<usize, usize> {
    match element {
        ValueType::Scalar(_) => Ok(0),
        ValueType::Tuple(parts) => {
            let mut before = 0;
            for part in parts {
                match first_numbers(part) {
                    Ok(at) => return Ok(before + at),
                    Err(count) => before += count,
                }
            }
            Err(before)
        }
        _ => {
            let mut own = Vec::new();
            items(1, element, &mut own);
            Err(own.len())
        }
    }
}

/// The extents and the elements of a tensor, from the data of its leaves.
fn parts(rank: usize, element: &ValueType, leaves: &[&Datum]) -> Option<(Vec<usize>, Items)> {
    let (shape, rest) = match first_numbers(element) {
        Ok(at) => (tensor_of(leaves.get(at)?)?.shape, leaves),
        Err(_) => {
            let (extents, rest) = leaves.split_at_checked(rank)?;
            let extent = |leaf: &&Datum| usize::try_from(leaf.int().ok()?).ok();
            (extents.iter().map(extent).collect::<Option<_>>()?, rest)
        }
    };
    (shape.len() == rank).then_some(())?;
    Some((shape, Items::take(element, &mut rest.iter().copied())?))
}

/// A tensor in a form.
pub(super) fn show<'a, F: Form>(
    form: &F,
    rank: usize,
    element: &ValueType,
    leaves: &mut impl Iterator<Item = &'a Datum>,
) -> F::Out {
    let own: Vec<&Datum> = leaves.collect();
    match parts(rank, element, &own) {
        Some((shape, items)) => arrays(form, &shape, 0, &mut |at| items.element(form, at)),
        None => form.missing(),
    }
}

/// Checks that the leaves of the tensors of a value agree with each other.
///
/// # Errors
/// The disagreement.
pub(super) fn check<'a>(ty: &ValueType, leaves: &mut std::slice::Iter<'a, Datum>) -> Result<(), String> {
    match ty {
        ValueType::Tuple(parts) => parts.iter().try_for_each(|part| check(part, leaves)),
        ValueType::Nested { rank, element } => {
            let count = ty.leaves().len();
            let own: Vec<&Datum> = leaves.by_ref().take(count).collect();
            let disagree = || format!("the parts of {} do not agree", ty.describe());
            let (shape, items) = parts(*rank, element, &own).ok_or_else(disagree)?;
            let count = shape.iter().try_fold(1usize, |all, &extent| all.checked_mul(extent));
            items.check(count.ok_or_else(disagree)?)
        }
        _ => {
            leaves.next();
            Ok(())
        }
    }
}

/// Reads a tensor from nested arrays.
///
/// # Errors
/// A value of another type, arrays of different lengths where the tensor is regular.
pub(super) fn read(
    rank: usize,
    element: &ValueType,
    node: Node<'_>,
    name: &str,
    leaves: &mut Vec<Datum>,
) -> Result<(), Diagnostic> {
    let mut items = Items::none(element);
    let shape = nest(node, rank, name, &mut |node, name| items.push(element, node, name))?;
    if says_extents(element) {
        leaves.extend(shape.iter().map(|&extent| Datum::Int(extent as i64)));
    }
    items.finish(&shape, leaves);
    Ok(())
}

/// The extents of regular arrays nested `rank` deep, after an extent of 0 zeros; `each` reads an element.
fn nest(
    node: Node<'_>,
    rank: usize,
    name: &str,
    each: &mut dyn FnMut(Node<'_>, &str) -> Result<(), Diagnostic>,
) -> Result<Vec<usize>, Diagnostic> {
    fn level(
        node: Node<'_>,
        depth: usize,
        name: &str,
        extents: &mut [Option<usize>],
        each: &mut dyn FnMut(Node<'_>, &str) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        if depth == extents.len() {
            return each(node, name);
        }
        let Some(values) = node.array() else {
            return Err(node.error(format!("{name}: expected an array, found {}", node.describe())));
        };
        match extents[depth].replace(values.len()) {
            Some(other) if other != values.len() => {
                let found = values.len();
                let message = format!("{name}: expected an array of {other} values as before, found {found}");
                return Err(node.error(message));
            }
            _ => {}
        }
        for (index, value) in values.into_iter().enumerate() {
            level(value, depth + 1, &format!("{name}[{index}]"), extents, each)?;
        }
        Ok(())
    }
    let mut extents = vec![None; rank];
    level(node, 0, name, &mut extents, each)?;
    Ok(extents.into_iter().map(Option::unwrap_or_default).collect())
}
