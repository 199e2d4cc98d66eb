//! Representation of tensors of tuples, of strings and of tensors by tensors of numbers.
//!
//! The elements of a tensor of rank n are stored by component:
//!
//! | element | components |
//! |---|---|
//! | number | one tensor of rank n |
//! | tuple | those of its parts |
//! | tensor of rank m, or string | *rows*: `offsets`, of rank 1; `shapes`, with m columns, if m > 1; the components of all elements of all rows, one row behind the other |
//!
//! The elements of row `p`, counted in row-major order, are at `offsets[p] .. offsets[p + 1]`, and its extents are
//! `shapes[p, ..]`. The first offset need not be 0, and there may be elements after the last one, so that a row of a
//! row is a view. A tensor without a component of rank n begins with its n extents, as `i64`.

use super::Parts;
use super::build::{dim, extract, to_i64, to_index};
use super::slices::{expand, slice};
use crate::types::{is_number, tensor_parts};
use minoan_arith as arith;
use minoan_ir::{Builder, Context, DYNAMIC, Type, Value};

/// The rank and the element type of elements that are rows.
pub(super) fn row_parts(ctx: &Context, element: Type) -> Option<(usize, Type)> {
    if element == crate::types::string_type(ctx) {
        return Some((1, Type::integer(ctx, 8)));
    }
    tensor_parts(ctx, element)
}

/// Whether elements of this type have a component of the rank of the tensor.
fn has_numbers(ctx: &Context, element: Type) -> bool {
    match element.as_tuple(ctx) {
        Some(parts) => parts.iter().any(|&part| has_numbers(ctx, part)),
        None => row_parts(ctx, element).is_none(),
    }
}

/// Whether a component of such elements is a tensor or a string.
pub(super) fn has_rows(ctx: &Context, element: Type) -> bool {
    match element.as_tuple(ctx) {
        Some(parts) => parts.iter().any(|&part| has_rows(ctx, part)),
        None => row_parts(ctx, element).is_some(),
    }
}

/// Whether a tensor of these elements begins with its extents.
pub(super) fn says_extents(ctx: &Context, element: Type) -> bool {
    !has_numbers(ctx, element)
}

/// Appends the types of the components of a value.
pub(crate) fn flatten(ctx: &Context, ty: Type, out: &mut Vec<Type>) {
    if let Some(parts) = ty.as_tuple(ctx) {
        parts.iter().for_each(|&part| flatten(ctx, part, out));
    } else if is_number(ctx, ty) {
        out.push(ty);
    } else if let Some((rank, element)) = tensor_parts(ctx, ty) {
        if says_extents(ctx, element) {
            out.extend(vec![Type::I64; rank]);
        }
        flatten_items(ctx, element, rank, out);
    } else if ty == crate::types::string_type(ctx) {
        out.push(super::build::text_type(ctx));
    } else {
        out.push(ty);
    }
}

fn flatten_items(ctx: &Context, element: Type, rank: usize, out: &mut Vec<Type>) {
    if let Some(parts) = element.as_tuple(ctx) {
        parts.iter().for_each(|&part| flatten_items(ctx, part, rank, out));
    } else if let Some((row_rank, inner)) = row_parts(ctx, element) {
        out.push(Type::tensor(ctx, &[DYNAMIC], Type::I64));
        if row_rank > 1 {
            out.push(Type::tensor(ctx, &[DYNAMIC, DYNAMIC], Type::I64));
        }
        flatten_items(ctx, inner, 1, out);
    } else {
        out.push(Type::tensor(ctx, &vec![DYNAMIC; rank], element));
    }
}

/// The components of the elements of a tensor.
#[derive(Clone)]
pub(super) enum Items {
    /// Numbers.
    Numbers(Value),
    /// Tuples.
    Tuples(Vec<Items>),
    /// Tensors or strings.
    Rows(Box<Rows>),
}

/// Elements that are tensors or strings.
#[derive(Clone)]
pub(super) struct Rows {
    /// The type of a row.
    pub row: Type,
    /// The rank of a row.
    pub rank: usize,
    /// The type of the elements of the rows.
    pub element: Type,
    pub offsets: Value,
    pub shapes: Option<Value>,
    pub items: Items,
}

/// A tensor, by its components.
#[derive(Clone)]
pub(super) struct Array {
    pub rank: usize,
    pub element: Type,
    /// The extents, as `i64`, if they are components.
    extents: Vec<Value>,
    pub items: Items,
}

impl Array {
    /// The tensor of type `ty` with these components; a string is a tensor of bytes.
    pub(super) fn of(ctx: &Context, ty: Type, parts: &[Value]) -> Option<Array> {
        let (rank, element) = row_parts(ctx, ty)?;
        let given = if says_extents(ctx, element) { rank } else { 0 };
        let (extents, rest) = parts.split_at_checked(given)?;
        let items = Items::of(ctx, element, &mut rest.iter())?;
        Some(Array { rank, element, extents: extents.to_vec(), items })
    }

    /// The extents.
    pub(super) fn sizes(&self, b: &mut Builder<'_>) -> Vec<Value> {
        match self.items.numbers().filter(|_| self.extents.is_empty()) {
            Some(numbers) => (0..self.rank).map(|dimension| dim(b, numbers, dimension)).collect(),
            None => self.extents.iter().map(|&extent| to_index(b, extent)).collect(),
        }
    }

    /// A tensor of the same extents.
    pub(super) fn with_items(&self, items: Items) -> Array {
        Array { items, ..Array::clone(self) }
    }

    /// The tensors of the components of the elements, if they are tuples.
    pub(super) fn tuples(&self, ctx: &Context) -> Vec<Array> {
        let Items::Tuples(parts) = &self.items else { return Vec::new() };
        let types = self.element.as_tuple(ctx).unwrap_or(&[]);
        let part =
            |(items, &element): (&Items, &Type)| Array { element, items: items.clone(), ..self.clone() };
        parts.iter().zip(types).map(part).collect()
    }

    /// The tensor with `sizes` among its components exactly if its type requires them.
    pub(super) fn with_sizes(self, b: &mut Builder<'_>, sizes: &[Value]) -> Array {
        let says = says_extents(&b.context(), self.element);
        let extents = if says { sizes.iter().map(|&size| to_i64(b, size)).collect() } else { Vec::new() };
        Array { extents, ..self }
    }

    /// The components of the tensor.
    pub(super) fn parts(&self) -> Parts {
        let mut parts: Parts = self.extents.iter().copied().collect();
        self.items.flat(&mut parts);
        parts
    }

    /// The tensor with `change` applied to each component of numbers.
    pub(super) fn map_numbers(&self, change: &mut dyn FnMut(Value) -> Value) -> Parts {
        Array { items: self.items.map_numbers(change), ..Array::clone(self) }.parts()
    }

    /// The components of an element.
    pub(super) fn element(&self, b: &mut Builder<'_>, indices: &[Value]) -> Parts {
        let position = match indices {
            &[index] => index,
            _ if self.items.has_rows() => {
                let sizes = self.sizes(b);
                position(b, indices, &sizes)
            }
            _ => indices[0],
        };
        let mut parts = Parts::new();
        self.items.element(b, indices, position, &mut parts);
        parts
    }
}

/// The row-major number of an element.
pub(super) fn position(b: &mut Builder<'_>, indices: &[Value], sizes: &[Value]) -> Value {
    let mut position = indices[0];
    for (&index, &size) in indices.iter().zip(sizes).skip(1) {
        let before = arith::muli(b, position, size);
        position = arith::addi(b, before, index);
    }
    position
}

impl Items {
    fn of(ctx: &Context, element: Type, parts: &mut std::slice::Iter<'_, Value>) -> Option<Items> {
        if let Some(types) = element.as_tuple(ctx) {
            let items: Option<Vec<Items>> = types.iter().map(|&part| Items::of(ctx, part, parts)).collect();
            return items.map(Items::Tuples);
        }
        let Some((rank, inner)) = row_parts(ctx, element) else {
            return parts.next().copied().map(Items::Numbers);
        };
        let offsets = *parts.next()?;
        let shapes = if rank > 1 { Some(*parts.next()?) } else { None };
        let items = Items::of(ctx, inner, parts)?;
        Some(Items::Rows(Box::new(Rows { row: element, rank, element: inner, offsets, shapes, items })))
    }

    /// A component with one number per element.
    fn numbers(&self) -> Option<Value> {
        match self {
            Items::Numbers(numbers) => Some(*numbers),
            Items::Tuples(parts) => parts.iter().find_map(Items::numbers),
            Items::Rows(_) => None,
        }
    }

    /// The same elements with `change` applied to each component of numbers.
    pub(super) fn map_numbers(&self, change: &mut dyn FnMut(Value) -> Value) -> Items {
        match self {
            Items::Numbers(numbers) => Items::Numbers(change(*numbers)),
            Items::Tuples(parts) => {
                Items::Tuples(parts.iter().map(|part| part.map_numbers(change)).collect())
            }
            Items::Rows(rows) => {
                Items::Rows(Box::new(Rows { items: rows.items.map_numbers(change), ..Rows::clone(rows) }))
            }
        }
    }

    /// Whether any elements are tensors or strings.
    pub(super) fn has_rows(&self) -> bool {
        match self {
            Items::Numbers(_) => false,
            Items::Tuples(parts) => parts.iter().any(Items::has_rows),
            Items::Rows(_) => true,
        }
    }

    /// The components, in order.
    pub(super) fn flat(&self, out: &mut Parts) {
        match self {
            Items::Numbers(numbers) => out.push(*numbers),
            Items::Tuples(parts) => parts.iter().for_each(|part| part.flat(out)),
            Items::Rows(rows) => {
                out.push(rows.offsets);
                out.extend(rows.shapes);
                rows.items.flat(out);
            }
        }
    }

    fn element(&self, b: &mut Builder<'_>, indices: &[Value], position: Value, out: &mut Parts) {
        match self {
            Items::Numbers(numbers) => out.push(extract(b, *numbers, indices)),
            Items::Tuples(parts) => parts.iter().for_each(|part| part.element(b, indices, position, out)),
            Items::Rows(rows) => rows.row(b, position, out),
        }
    }

    /// The elements `from .. from + count` of a tensor of rank 1.
    pub(super) fn slice(&self, b: &mut Builder<'_>, [from, count]: [Value; 2]) -> Items {
        match self {
            Items::Numbers(numbers) => Items::Numbers(slice(b, *numbers, from, count)),
            Items::Tuples(parts) => {
                Items::Tuples(parts.iter().map(|part| part.slice(b, [from, count])).collect())
            }
            Items::Rows(rows) => {
                let one = arith::constant_index(b, 1);
                let ends = arith::addi(b, count, one);
                let offsets = slice(b, rows.offsets, from, ends);
                let shapes = rows.shapes.map(|shapes| slice(b, shapes, from, count));
                Items::Rows(Box::new(Rows { offsets, shapes, ..Rows::clone(rows) }))
            }
        }
    }

    /// The elements `from .. from + count`, which are consecutive, as a tensor of these extents.
    fn window(&self, b: &mut Builder<'_>, [from, count]: [Value; 2], sizes: &[Value], out: &mut Parts) {
        match self {
            Items::Numbers(numbers) => {
                let part = slice(b, *numbers, from, count);
                out.push(if sizes.len() > 1 { expand(b, part, sizes) } else { part });
            }
            Items::Tuples(parts) => parts.iter().for_each(|part| part.window(b, [from, count], sizes, out)),
            Items::Rows(rows) => {
                let one = arith::constant_index(b, 1);
                let ends = arith::addi(b, count, one);
                out.push(slice(b, rows.offsets, from, ends));
                if let Some(shapes) = rows.shapes {
                    out.push(slice(b, shapes, from, count));
                }
                rows.items.flat(out);
            }
        }
    }
}

impl Rows {
    /// The rows with other components of their elements.
    pub(super) fn with_flat(&self, ctx: &Context, parts: &[Value]) -> Rows {
        let items = Items::of(ctx, self.element, &mut parts.iter());
        Rows { items: items.unwrap_or_else(|| self.items.clone()), ..self.clone() }
    }

    /// The first element of row `position`, and the end of the row.
    pub(super) fn bounds(&self, b: &mut Builder<'_>, position: Value) -> [Value; 2] {
        let one = arith::constant_index(b, 1);
        let next = arith::addi(b, position, one);
        [position, next].map(|at| {
            let offset = extract(b, self.offsets, &[at]);
            to_index(b, offset)
        })
    }

    /// Appends the components of row `position`.
    pub(super) fn row(&self, b: &mut Builder<'_>, position: Value, out: &mut Parts) {
        let ctx = b.context();
        let [from, to] = self.bounds(b, position);
        let count = arith::subi(b, to, from);
        let sizes: Vec<Value> = match self.shapes {
            None => vec![count],
            Some(shapes) => (0..self.rank)
                .map(|dimension| {
                    let dimension = arith::constant_index(b, dimension as i64);
                    let extent = extract(b, shapes, &[position, dimension]);
                    to_index(b, extent)
                })
                .collect(),
        };
        if says_extents(&ctx, self.element) {
            out.extend(sizes.iter().map(|&size| to_i64(b, size)));
        }
        self.items.window(b, [from, count], &sizes, out);
    }
}
