//! Storage for the values of iterations that a reverse sweep needs: a tensor with an additional first dimension.

use crate::space::extent;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_data::assert_values;
use minoan_ir::{Builder, Context, DYNAMIC, OpDef, Type, Value};
use minoan_scf::If;
use minoan_services::is_number;
use minoan_tensor as tensor;

/// The initial capacity of a storage that grows, allocated with its first value.
const FIRST_ROOM: i64 = 16;

/// The type of a storage of values of a type.
fn storage_type(ctx: &Context, ty: Type) -> Option<Type> {
    let mut shape = vec![DYNAMIC];
    if ty.is_tensor(ctx) {
        shape.extend(ty.shape(ctx)?);
    } else if !is_number(ctx, ty) {
        return None;
    }
    Some(Type::tensor(ctx, &shape, ty.element_or_self(ctx)))
}

/// Creates storage for `count` values like `value`.
pub(crate) fn create(b: &mut Builder<'_>, count: Value, value: Value) -> Option<Value> {
    let ctx = b.context();
    let ty = storage_type(&ctx, b.ty(value))?;
    let mut sizes = vec![count];
    if b.ty(value).is_tensor(&ctx) {
        sizes.extend(crate::space::dynamic_extents(b, value));
    }
    Some(tensor::Empty::build(b, &sizes, ty).result(b.body()))
}

/// Creates storage for `count` values of a type with dynamic extents `sizes`.
pub(crate) fn create_sized(b: &mut Builder<'_>, count: Value, ty: Type, sizes: &[Value]) -> Option<Value> {
    let ty = storage_type(&b.context(), ty)?;
    Some(tensor::Empty::build(b, &[&[count], sizes].concat(), ty).result(b.body()))
}

/// Creates storage without room. The first value determines its extents, if `sizes` do not.
pub(crate) fn create_empty(b: &mut Builder<'_>, ty: Type, sizes: Option<&[Value]>) -> Option<Value> {
    let zero = arith::constant_index(b, 0);
    let dynamic = ty.shape(&b.context()).unwrap_or(&[]).iter().filter(|&&extent| extent == DYNAMIC).count();
    create_sized(b, zero, ty, sizes.unwrap_or(&vec![zero; dynamic]))
}

/// The slice at a position: offsets, sizes and strides, static and dynamic, in the order of the builders.
struct Slice {
    offsets: Vec<Value>,
    sizes: Vec<Value>,
    static_offsets: Vec<i64>,
    static_sizes: Vec<i64>,
    static_strides: Vec<i64>,
}

/// The slice of values with dynamic extents `known`, or those of the storage.
fn slice(
    b: &mut Builder<'_>,
    storage: Value,
    position: Option<Value>,
    count: Option<Value>,
    known: Option<&[Value]>,
) -> Slice {
    let ctx = b.context();
    let shape: Vec<i64> = b.ty(storage).shape(&ctx).unwrap_or(&[]).to_vec();
    let (mut static_offsets, mut static_sizes) = (vec![0; shape.len()], shape.clone());
    let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
    if let Some(position) = position {
        static_offsets[0] = DYNAMIC;
        offsets.push(position);
    }
    static_sizes[0] = 1;
    if let Some(count) = count {
        static_sizes[0] = DYNAMIC;
        sizes.push(count);
    }
    match known {
        Some(known) => sizes.extend(known),
        None => {
            for (dim, _) in shape.iter().enumerate().skip(1).filter(|&(_, &extent)| extent == DYNAMIC) {
                sizes.push(extent(b, storage, dim));
            }
        }
    }
    let static_strides = vec![1; shape.len()];
    Slice { offsets, sizes, static_offsets, static_sizes, static_strides }
}

fn insert(b: &mut Builder<'_>, source: Value, dest: Value, at: &Slice) -> Value {
    let made = tensor::InsertSlice::build(
        b,
        source,
        dest,
        &at.offsets,
        &at.sizes,
        &[],
        &at.static_offsets[..],
        &at.static_sizes[..],
        &at.static_strides[..],
    );
    made.result(b.body())
}

/// Replaces the value at a position, which has dynamic extents `sizes`; checks its extents if these are not known.
pub(crate) fn save(
    b: &mut Builder<'_>,
    storage: Value,
    position: Value,
    value: Value,
    sizes: Option<&[Value]>,
) -> Value {
    let unknown = if sizes.is_some() { Vec::new() } else { dynamic_dims(b, value) };
    for dim in unknown {
        check_extent(b, storage, value, dim, None);
    }
    replace(b, storage, position, value, sizes)
}

/// Stops the program if a value does not have the extent of the values in a storage, unless the storage has none yet.
fn check_extent(b: &mut Builder<'_>, storage: Value, value: Value, dim: usize, is_first: Option<Value>) {
    let (have, want) = (extent(b, value, dim), extent(b, storage, dim + 1));
    let mut fits = arith::cmpi(b, CmpIPredicate::Eq, have, want);
    if let Some(is_first) = is_first {
        fits = arith::ori(b, fits, is_first);
    }
    let message = format!(
        "a derivative needs a tensor that changes its extents in a loop: extent {{}} along axis {dim}, and {{}} before"
    );
    assert_values(b, fits, &message, &[have, want]);
}

/// The dynamic dimensions of a value.
fn dynamic_dims(b: &Builder<'_>, value: Value) -> Vec<usize> {
    let ctx = b.context();
    let shape = b.ty(value).shape(&ctx).unwrap_or(&[]);
    shape.iter().enumerate().filter(|&(_, &extent)| extent == DYNAMIC).map(|(dim, _)| dim).collect()
}

fn replace(
    b: &mut Builder<'_>,
    storage: Value,
    position: Value,
    value: Value,
    sizes: Option<&[Value]>,
) -> Value {
    if !b.ty(value).is_tensor(&b.context()) {
        return tensor::Insert::build(b, value, storage, &[position]).result(b.body());
    }
    let at = slice(b, storage, Some(position), None, sizes);
    insert(b, value, storage, &at)
}

/// The value at a position.
pub(crate) fn restore(
    b: &mut Builder<'_>,
    storage: Value,
    position: Value,
    ty: Type,
    sizes: Option<&[Value]>,
) -> Value {
    let ctx = b.context();
    if !ty.is_tensor(&ctx) {
        return tensor::Extract::build(b, storage, &[position]).result(b.body());
    }
    let at = slice(b, storage, Some(position), None, sizes);
    let made = tensor::ExtractSlice::build(
        b,
        storage,
        &at.offsets,
        &at.sizes,
        &[],
        at.static_offsets,
        at.static_sizes,
        at.static_strides,
        ty,
    );
    made.result(b.body())
}

/// Replaces the value at a position of a storage, whose capacity at least doubles if it was too small.
pub(crate) fn save_growing(
    b: &mut Builder<'_>,
    storage: Value,
    position: Value,
    value: Value,
    sizes: Option<&[Value]>,
) -> Value {
    let capacity = extent(b, storage, 0);
    let dims = dynamic_dims(b, value);
    if !dims.is_empty() && sizes.is_none() {
        let zero = arith::constant_index(b, 0);
        let is_first = arith::cmpi(b, CmpIPredicate::Eq, capacity, zero);
        for &dim in &dims {
            check_extent(b, storage, value, dim, Some(is_first));
        }
    }
    let is_full = arith::cmpi(b, CmpIPredicate::Sge, position, capacity);
    let ty = b.ty(storage);
    let larger = |b: &mut Builder<'_>| {
        let (two, least) = (arith::constant_index(b, 2), arith::constant_index(b, FIRST_ROOM));
        let doubled = arith::muli(b, capacity, two);
        let mut extents = vec![arith::maxsi(b, doubled, least)];
        match sizes {
            Some(sizes) => extents.extend(sizes),
            None => extents.extend(dims.iter().map(|&dim| extent(b, value, dim)).collect::<Vec<_>>()),
        }
        let larger = tensor::Empty::build(b, &extents, ty).result(b.body());
        let at = slice(b, storage, None, Some(capacity), sizes);
        vec![insert(b, storage, larger, &at)]
    };
    let made = If::with(b, is_full, &[ty], larger, |_| vec![storage]);
    let storage = b.body().op(made.op()).result(0);
    replace(b, storage, position, value, sizes)
}
