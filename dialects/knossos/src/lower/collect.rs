//! Construction of tensors of composite elements, one element after the other.
//!
//! The components under construction are loop-carried values. Those of rows grow as the rows arrive: their capacity
//! doubles, so that a tensor takes time proportional to its size.

use super::build::{extract, flat, to_i64};
use super::items::{Array, Items, row_parts, says_extents};
use super::loops::nest;
use super::slices::{collapse, dim, insert_slice, slice};
use super::{Lowering, Parts};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_functional::{choose, one};
use minoan_ir::{Builder, DYNAMIC, OpDef, Type, Value};
use minoan_tensor::{Empty, Generate, insert};

/// Computes the components of the element at given indices.
type Element<'f> = dyn FnMut(&mut Builder<'_>, &[Value]) -> Parts + 'f;

/// The components of a tensor whose elements `fill` computes from their indices.
pub(super) fn collect(b: &mut Builder<'_>, element: Type, sizes: &[Value], fill: &mut Element<'_>) -> Parts {
    let ctx = b.context();
    if crate::types::is_number(&ctx, element) {
        let ty = crate::types::array(&ctx, sizes.len(), element);
        let made = Generate::with(b, ty, sizes, |b, indices| fill(b, indices)[0]);
        return one(b.body().op(made.op()).result(0));
    }
    collect_with(b, element, sizes, &[], &mut |b, indices, _| {
        (Parts::new(), indices.to_vec().into(), fill(b, indices))
    })
    .1
}

/// Computes the next carried values, the indices of an element, and its components, from the indices of the step and the carried
/// values. Elements that are rows arrive in order.
type Step<'f> = dyn FnMut(&mut Builder<'_>, &[Value], &[Value]) -> (Parts, Parts, Parts) + 'f;

/// The last carried values, and the components of a tensor whose elements `fill` computes.
pub(super) fn collect_with(
    b: &mut Builder<'_>,
    element: Type,
    sizes: &[Value],
    carried: &[Value],
    fill: &mut Step<'_>,
) -> (Parts, Parts) {
    let mut state = carried.to_vec();
    begin(b, element, sizes, &mut state);
    let done = nest(b, sizes, &state, &mut |b, indices, state| {
        let (carried, state) = state.split_at(carried.len());
        let (mut next, place, value) = fill(b, indices, carried);
        let position = super::items::position(b, &place, sizes);
        let mut adding = Adding { state: state.iter().copied(), next: Parts::new() };
        adding.add(b, element, &place, position, &mut value.into_iter());
        next.extend(adding.next);
        next
    });
    let mut parts = Parts::new();
    if says_extents(&b.context(), element) {
        parts.extend(sizes.iter().map(|&size| to_i64(b, size)));
    }
    let mut done = done.into_iter();
    let last = done.by_ref().take(carried.len()).collect();
    finish(b, element, None, &mut done, &mut parts);
    (last, parts)
}

/// The components of a vector of the given elements.
pub(super) fn list(b: &mut Builder<'_>, element: Type, elements: &[Parts]) -> Parts {
    let ctx = b.context();
    let size = arith::constant_index(b, elements.len() as i64);
    let mut state = Vec::new();
    begin(b, element, &[size], &mut state);
    let mut state: Parts = state.into();
    for (at, value) in elements.iter().enumerate() {
        let at = arith::constant_index(b, at as i64);
        let mut adding = Adding { state: state.iter().copied(), next: Parts::new() };
        adding.add(b, element, &[at], at, &mut value.iter().copied());
        state = adding.next;
    }
    let mut parts = Parts::new();
    if says_extents(&ctx, element) {
        parts.push(to_i64(b, size));
    }
    finish(b, element, None, &mut state.into_iter(), &mut parts);
    parts
}

fn empty(b: &mut Builder<'_>, element: Type, sizes: &[Value]) -> Value {
    let ty = Type::tensor(&b.context(), &vec![DYNAMIC; sizes.len()], element);
    Empty::build(b, sizes, ty).result(b.body())
}

/// Appends the initial components of a tensor of these extents.
fn begin(b: &mut Builder<'_>, element: Type, sizes: &[Value], state: &mut Vec<Value>) {
    let ctx = b.context();
    if let Some(parts) = element.as_tuple(&ctx) {
        return parts.iter().for_each(|&part| begin(b, part, sizes, state));
    }
    let Some((rank, inner)) = row_parts(&ctx, element) else {
        return state.push(empty(b, element, sizes));
    };
    let (none, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
    let count = sizes.iter().copied().reduce(|count, size| arith::muli(b, count, size)).unwrap_or(one);
    let ends = arith::addi(b, count, one);
    let offsets = empty(b, Type::I64, &[ends]);
    let zero = arith::constant_int(b, 0, Type::I64);
    state.push(insert(b, zero, offsets, &[none]));
    if rank > 1 {
        let columns = arith::constant_index(b, rank as i64);
        state.push(empty(b, Type::I64, &[count, columns]));
    }
    state.push(none);
    begin(b, inner, &[none], state);
}

/// The components before and after elements are added.
struct Adding<I: Iterator<Item = Value>> {
    state: I,
    next: Parts,
}

impl<I: Iterator<Item = Value>> Adding<I> {
    fn take(&mut self) -> Value {
        self.state.next().expect("the state has the components of the elements")
    }

    /// Adds one element, whose place is prepared.
    fn add(
        &mut self,
        b: &mut Builder<'_>,
        element: Type,
        indices: &[Value],
        position: Value,
        value: &mut dyn Iterator<Item = Value>,
    ) {
        let ctx = b.context();
        if let Some(parts) = element.as_tuple(&ctx) {
            for &part in parts {
                self.add(b, part, indices, position, value);
            }
            return;
        }
        let Some((rank, inner)) = row_parts(&ctx, element) else {
            let (tensor, number) = (self.take(), value.next().expect("a number has one component"));
            return self.next.push(insert(b, number, tensor, indices));
        };
        let own: Vec<Value> = value.take(flat(&ctx, element).len()).collect();
        let row = Array::of(&ctx, element, &own).expect("rows are tensors or strings");
        let sizes = row.sizes(b);
        let count = product(b, &sizes);
        let one = arith::constant_index(b, 1);
        let (offsets, shapes) = (self.take(), if rank > 1 { Some(self.take()) } else { None });
        let used = self.take();
        let end = arith::addi(b, used, count);
        let (next, offset) = (arith::addi(b, position, one), to_i64(b, end));
        self.next.push(insert(b, offset, offsets, &[next]));
        if let Some(mut shapes) = shapes {
            for (dimension, &size) in sizes.iter().enumerate() {
                let (column, size) = (arith::constant_index(b, dimension as i64), to_i64(b, size));
                shapes = insert(b, size, shapes, &[position, column]);
            }
            self.next.push(shapes);
        }
        self.next.push(end);
        self.append(b, inner, [used, count], &row.items, None);
    }

    /// Appends `count` elements after the first `used`: those of `items`, starting at `from` if given.
    fn append(
        &mut self,
        b: &mut Builder<'_>,
        element: Type,
        [used, count]: [Value; 2],
        items: &Items,
        from: Option<Value>,
    ) {
        let ctx = b.context();
        let needed = arith::addi(b, used, count);
        match items {
            Items::Numbers(numbers) => {
                let tensor = self.take();
                let room = grown(b, tensor, needed);
                let source = match from {
                    None => collapse(b, *numbers),
                    Some(from) => slice(b, *numbers, from, count),
                };
                self.next.push(insert_slice(b, source, room, used, count));
            }
            Items::Tuples(items) => {
                let parts = element.as_tuple(&ctx).unwrap_or(&[]);
                for (&part, items) in parts.iter().zip(items) {
                    self.append(b, part, [used, count], items, from);
                }
            }
            Items::Rows(rows) => {
                let (none, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
                let from = from.unwrap_or(none);
                let to = arith::addi(b, from, count);
                let [first, last] = [from, to].map(|at| {
                    let offset = extract(b, rows.offsets, &[at]);
                    super::build::to_index(b, offset)
                });
                let (offsets, shapes) = (self.take(), rows.shapes.map(|_| self.take()));
                let inner_used = self.take();
                let (moved, base) = (to_i64(b, inner_used), to_i64(b, first));
                let by = arith::subi(b, moved, base);
                let ends = arith::addi(b, needed, one);
                let room = grown(b, offsets, ends);
                let offsets = nest(b, &[count], &[room], &mut |b, at, offsets| {
                    let next = arith::addi(b, at[0], one);
                    let (source, place) = (arith::addi(b, from, next), arith::addi(b, used, next));
                    let offset = extract(b, rows.offsets, &[source]);
                    let offset = arith::addi(b, offset, by);
                    minoan_functional::one(insert(b, offset, offsets[0], &[place]))
                });
                self.next.extend(offsets);
                if let (Some(shapes), Some(source)) = (shapes, rows.shapes) {
                    let (room, part) = (grown(b, shapes, needed), slice(b, source, from, count));
                    self.next.push(insert_slice(b, part, room, used, count));
                }
                let inner_count = arith::subi(b, last, first);
                self.next.push(arith::addi(b, inner_used, inner_count));
                self.append(b, rows.element, [inner_used, inner_count], &rows.items, Some(first));
            }
        }
    }
}

/// The element count of an existing tensor, which cannot overflow.
pub(super) fn product(b: &mut Builder<'_>, sizes: &[Value]) -> Value {
    let one = arith::constant_index(b, 1);
    sizes.iter().copied().reduce(|count, size| arith::muli(b, count, size)).unwrap_or(one)
}

/// A tensor with at least `needed` rows that begins with those of `tensor`.
fn grown(b: &mut Builder<'_>, tensor: Value, needed: Value) -> Value {
    let ty = b.ty(tensor);
    let capacity = dim(b, tensor, 0);
    let full = arith::cmpi(b, CmpIPredicate::Ugt, needed, capacity);
    choose(b, full, &[ty], |b, full| {
        if !full {
            return one(tensor);
        }
        let ctx = b.context();
        let twice = arith::addi(b, capacity, capacity);
        let mut sizes = vec![arith::maxui(b, twice, needed)];
        sizes.extend((1..ty.rank(&ctx).unwrap_or(1)).map(|dimension| dim(b, tensor, dimension)));
        let (room, none) = (empty(b, ty.element_or_self(&ctx), &sizes), arith::constant_index(b, 0));
        one(insert_slice(b, tensor, room, none, capacity))
    })[0]
}

/// Appends the components of the finished tensor; of rows, only `used` are.
fn finish(
    b: &mut Builder<'_>,
    element: Type,
    used: Option<Value>,
    state: &mut dyn Iterator<Item = Value>,
    out: &mut Parts,
) {
    let ctx = b.context();
    if let Some(parts) = element.as_tuple(&ctx) {
        return parts.iter().for_each(|&part| finish(b, part, used, state, out));
    }
    let (none, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
    let mut cut = |b: &mut Builder<'_>, state: &mut dyn Iterator<Item = Value>, more: bool| {
        let tensor = state.next().expect("the state has the components of the elements");
        out.push(match used {
            None => tensor,
            Some(used) => {
                let count = if more { arith::addi(b, used, one) } else { used };
                slice(b, tensor, none, count)
            }
        });
    };
    let Some((rank, inner)) = row_parts(&ctx, element) else { return cut(b, state, false) };
    cut(b, state, true);
    if rank > 1 {
        cut(b, state, false);
    }
    let used = state.next();
    finish(b, inner, used, state, out);
}

impl<'a> Lowering<'a> {
    /// The tensor that a source value is.
    pub(super) fn array(&self, value: Value) -> Array {
        use minoan_functional::Functional;
        let parts = self.parts(value);
        Array::of(&self.ctx, self.source.ty(value), &parts).expect("the verifier accepts tensors only")
    }
}
