//! Values of data types in the memory of compiled code.
//!
//! The layout is that of the [data dialect](minoan_data::layout). A slot holds a scalar, a value of a data type, or a box with
//! a tensor, according to the interface.

use crate::call::{from_value, scalar_of, to_value};
use crate::interface::{Constructors, DataType, ElementType, ValueType};
use minoan_data::layout::{Component, Slots, elements_offset, extent_offset};
use minoan_diag::Diagnostic;
use minoan_llvm::{AbiType, HeapNode, HeapNodes, HeapSlot, HeapValue, MemRef, Scalar, Value};
use minoan_services::{Datum, Object, ObjectKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The slots of a constructor: the types of its components, and where they are.
struct Layout {
    leaves: Vec<Leaf>,
    slots: Slots,
}

/// A component of a value.
struct Leaf {
    ty: ValueType,
    /// The number of the data type.
    data: Option<usize>,
}

/// The constructors of data types, each of which has a number.
struct Layouts {
    types: Vec<(Arc<str>, Vec<Layout>)>,
    numbers: FxHashMap<Arc<str>, usize>,
}

impl Layouts {
    fn new(table: &BTreeMap<Arc<str>, Constructors>) -> Self {
        let numbers = table.keys().cloned().zip(0..).collect();
        let mut layouts = Self { types: Vec::new(), numbers };
        for (name, constructors) in table {
            let layout = |(_, fields): &(String, Vec<ValueType>)| {
                let leaves = fields.iter().flat_map(ValueType::leaves).map(|ty| layouts.leaf(ty));
                let leaves: Vec<Leaf> = leaves.collect();
                Layout { slots: Slots::new(leaves.iter().map(|leaf| leaf.ty.component())), leaves }
            };
            let constructors = constructors.iter().map(layout).collect();
            layouts.types.push((name.clone(), constructors));
        }
        layouts
    }

    fn leaf(&self, ty: ValueType) -> Leaf {
        let data = match &ty {
            ValueType::Data(data) => self.numbers.get(&data.name).copied(),
            _ => None,
        };
        Leaf { ty, data }
    }

    fn of(&self, data: usize, tag: i64) -> Result<&Layout, Diagnostic> {
        let (name, layouts) = &self.types[data];
        let layout = usize::try_from(tag).ok().and_then(|tag| layouts.get(tag));
        layout.ok_or_else(|| Diagnostic::error(format!("type '{name}' has no constructor {tag}")))
    }
}

fn is_object(leaf: &ValueType) -> bool {
    leaf.component() == Component::Object
}

fn mismatch(ty: &ValueType, found: &Datum) -> Diagnostic {
    Diagnostic::error(format!("expected {}, found {found:?}", ty.describe()))
}

/// The type of a component of tensors with these elements, and of how many dimensions.
fn elements(leaf: &ValueType) -> Option<(ElementType, Option<usize>)> {
    match leaf {
        ValueType::Scalar(element) => Some((*element, None)),
        ValueType::Tensor { shape, element } if shape.is_empty() => Some((*element, None)),
        ValueType::Tensor { shape, element } => Some((*element, Some(shape.len()))),
        ValueType::String => Some((ElementType::Signed(8), Some(1))),
        ValueType::Nested { .. } | ValueType::Data(_) | ValueType::Tuple(_) => None,
    }
}

/// The storage of a scalar of an object; `None` if objects cannot have it.
fn slot_of(element: ElementType) -> Option<Scalar> {
    let scalar = scalar_of(element);
    (!matches!(scalar, Scalar::Int(_))).then_some(scalar)
}

/// A value of a data type as compiled code has it.
///
/// # Errors
/// The value is not of the type.
pub(crate) fn to_heap(ty: &DataType, value: &Datum) -> Result<HeapValue, Diagnostic> {
    let layouts = Layouts::new(&ty.table);
    let root = layouts.leaf(ValueType::Data(ty.clone()));
    let too_large = || Diagnostic::error("a value of a data type has too many fields for compiled code");
    let mut nodes = HeapNodes::default();
    // The finished components of the objects in `pending`.
    let mut done: Vec<HeapSlot> = Vec::new();
    enum Step<'l> {
        Enter(&'l Leaf, Datum),
        Leave { tag: u16, objects: usize, words: Vec<u64> },
    }
    let mut pending = vec![Step::Enter(&root, value.clone())];
    while let Some(step) = pending.pop() {
        match step {
            Step::Enter(Leaf { ty, data: Some(data) }, value) => {
                let wrong = || mismatch(ty, &value);
                let object = value.object().map_err(|_| wrong())?;
                let tag = object.tag().map_err(|_| wrong())?;
                let slots = object.slots().map_err(|_| wrong())?;
                let Layout { leaves, slots: places } = layouts.of(*data, tag)?;
                if leaves.len() != slots.len() {
                    return Err(wrong());
                }
                let tag = u16::try_from(tag).map_err(|_| wrong())?;
                if slots.is_empty() {
                    done.push(HeapSlot::Immediate(tag));
                    continue;
                }
                let mut words = Vec::new();
                let mut parts = Vec::new();
                for (leaf, slot) in leaves.iter().zip(slots) {
                    match is_object(&leaf.ty) {
                        true => parts.push(Step::Enter(leaf, slot)),
                        false => words.extend(words_of(&leaf.ty, &slot)?),
                    }
                }
                pending.push(Step::Leave { tag, objects: places.pointers, words });
                pending.extend(parts.into_iter().rev());
            }
            Step::Enter(leaf, value) => {
                let bytes = boxed(&leaf.ty, &value)?;
                done.push(nodes.push(HeapNode::Raw(&bytes)).ok_or_else(too_large)?);
            }
            Step::Leave { tag, objects, words } => {
                let objects = done.split_off(done.len() - objects);
                let node = HeapNode::Cell { tag, objects: &objects, words: &words };
                done.push(nodes.push(node).ok_or_else(too_large)?);
            }
        }
    }
    done.pop().and_then(|root| HeapValue::new(nodes, root)).ok_or_else(too_large)
}

/// A scalar in its slots.
fn words_of(leaf: &ValueType, value: &Datum) -> Result<Vec<u64>, Diagnostic> {
    let (element, _) = elements(leaf).ok_or_else(|| mismatch(leaf, value))?;
    let ty = AbiType::Scalar(slot_of(element).ok_or_else(|| mismatch(leaf, value))?);
    let value = to_value(&ty, value).map_err(|_| mismatch(leaf, value))?;
    Ok(value.to_words(&ty))
}

/// The bytes of the box of a tensor.
fn boxed(leaf: &ValueType, value: &Datum) -> Result<Vec<u8>, Diagnostic> {
    let wrong = || mismatch(leaf, value);
    let contents = match value {
        Datum::Object(object) if *object.kind() == ObjectKind::Box => object.slot(0).map_err(|_| wrong())?,
        other => other.clone(),
    };
    let (element, rank) = elements(leaf).ok_or_else(wrong)?;
    let (Datum::Tensor(tensor), Some(rank), Some(scalar)) = (&contents, rank, slot_of(element)) else {
        return Err(wrong());
    };
    leaf.check(&contents).map_err(Diagnostic::error)?;
    let Value::MemRef(array) = to_value(&AbiType::memref(scalar, rank), &contents)? else {
        return Err(wrong());
    };
    let mut bytes = vec![0; elements_offset(rank) - extent_offset(0)];
    for (place, &extent) in bytes.chunks_exact_mut(8).zip(&tensor.shape) {
        place.copy_from_slice(&(extent as u64).to_le_bytes());
    }
    bytes.extend_from_slice(array.bytes());
    Ok(bytes)
}

/// A value of compiled code as the interpreter represents it.
///
/// # Errors
/// The value is not of the type.
pub(crate) fn of_heap(ty: &DataType, value: &HeapValue) -> Result<Datum, Diagnostic> {
    let layouts = Layouts::new(&ty.table);
    let nodes = value.nodes();
    let wrong = || Diagnostic::error(format!("compiled code returns no value of type '{}'", ty.title()));
    let root = layouts.leaf(ValueType::Data(ty.clone()));
    // Objects refer to earlier ones, so types spread from the last to the first, and values from the first to the last.
    let mut types: Vec<Option<&Leaf>> = vec![None; nodes.len()];
    if let HeapSlot::Node(index) = value.root() {
        types[index as usize] = Some(&root);
    }
    for (index, node) in nodes.iter().enumerate().rev() {
        if let (Some(Leaf { data: Some(data), .. }), HeapNode::Cell { tag, objects, .. }) =
            (types[index], node)
        {
            let Layout { leaves, .. } = layouts.of(*data, tag.into())?;
            for (leaf, slot) in leaves.iter().filter(|leaf| is_object(&leaf.ty)).zip(objects) {
                if let HeapSlot::Node(part) = *slot {
                    types[part as usize] = Some(leaf);
                }
            }
        }
    }
    let mut made: Vec<Object> = Vec::with_capacity(nodes.len());
    let get = |made: &[Object], slot: HeapSlot| match slot {
        HeapSlot::Immediate(tag) => Object::new(ObjectKind::Cell(tag.into()), Vec::new()),
        HeapSlot::Node(index) => made[index as usize].clone(),
    };
    for (node, leaf) in nodes.iter().zip(types) {
        made.push(match (leaf, node) {
            (Some(Leaf { data: Some(data), .. }), HeapNode::Cell { tag, objects, words }) => {
                let Layout { leaves, slots } = layouts.of(*data, tag.into())?;
                if objects.len() != slots.pointers || objects.len() + words.len() != slots.len() {
                    return Err(wrong());
                }
                let field = |(leaf, &slot): (&Leaf, &usize)| match slot.checked_sub(objects.len()) {
                    Some(at) => scalar(&leaf.ty, &words[at..]).ok_or_else(wrong),
                    None => Ok(Datum::Object(get(&made, objects[slot]))),
                };
                let mut fields = Vec::with_capacity(leaves.len());
                for place in leaves.iter().zip(&slots.of) {
                    fields.push(field(place)?);
                }
                Object::new(ObjectKind::Cell(tag.into()), fields)
            }
            (Some(leaf), HeapNode::Raw(bytes)) => {
                let tensor = unboxed(&leaf.ty, bytes).ok_or_else(wrong)?;
                Object::new(ObjectKind::Box, vec![tensor])
            }
            _ => return Err(wrong()),
        });
    }
    Ok(Datum::Object(get(&made, value.root())))
}

/// A scalar from its slots, the first of `words`.
fn scalar(leaf: &ValueType, words: &[u64]) -> Option<Datum> {
    let (element, _) = elements(leaf)?;
    Some(from_value(&Value::from_words(slot_of(element)?, words)))
}

/// The tensor in a box.
fn unboxed(leaf: &ValueType, bytes: &[u8]) -> Option<Datum> {
    let (element, rank) = elements(leaf)?;
    let rank = rank?;
    let (head, contents) = bytes.split_at_checked(elements_offset(rank) - extent_offset(0))?;
    let extent = |bytes: &[u8]| usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok();
    let shape: Vec<usize> = head.chunks_exact(8).take(rank).map(extent).collect::<Option<_>>()?;
    let mut array = MemRef::zeros(slot_of(element)?, &shape).ok()?;
    if contents.len() != array.bytes().len() {
        return None;
    }
    array.bytes_mut().copy_from_slice(contents);
    Some(from_value(&Value::MemRef(array)))
}
