//! Random operations on buffers. All elements are written before they are read, and buffers are freed after their
//! last use. Dynamic extents are always [`OPEN_EXTENT`].

use crate::slices::SLICE;
use crate::{Cast, Copy, Dealloc, Dim, Store, SubView};
use minoan_ir::{Attr, Builder, Context, DYNAMIC, Op, OpDef, OpKind, OpState, Type, TypeData, Value};
use minoan_services::{Generate, Inside, Maker, OPEN_EXTENT};

/// A random in-bounds slice with static or dynamic offsets and static sizes and strides.
pub struct RandomSlice {
    /// Offsets, sizes and strides; [`DYNAMIC`] for a dynamic offset.
    pub numbers: [Vec<i64>; 3],
    /// The dynamic offsets.
    pub offsets: Vec<Value>,
}

impl RandomSlice {
    /// A random slice, of the given sizes if any; `None` if they are too large.
    pub fn of(
        b: &mut Builder<'_>,
        maker: &mut dyn Maker,
        extents: &[i64],
        sizes: Option<&[i64]>,
    ) -> Option<RandomSlice> {
        let mut slice = RandomSlice { numbers: Default::default(), offsets: Vec::new() };
        for (dim, &extent) in extents.iter().enumerate() {
            let size = match sizes {
                Some(sizes) => *sizes.get(dim)?,
                None => 1 + maker.below(usize::try_from(extent).ok().filter(|&extent| extent > 0)?) as i64,
            };
            let stride = if maker.below(3) == 0 && (size - 1) * 2 < extent { 2 } else { 1 };
            let places = extent - (size - 1) * stride;
            if places < 1 || size < 1 {
                return None;
            }
            let offset = if maker.below(2) == 0 {
                slice.offsets.push(maker.index_in(b, 0..places)?);
                DYNAMIC
            } else {
                maker.below(places as usize) as i64
            };
            slice.numbers.iter_mut().zip([offset, size, stride]).for_each(|(list, number)| list.push(number));
        }
        Some(slice)
    }

    /// The attributes of an operation that has `own` operands before those of the slice.
    pub fn props(&self, b: &Builder<'_>, own: usize) -> Attr {
        let ctx = b.context();
        let segments = [&vec![1; own][..], &[self.offsets.len() as i32, 0, 0]].concat();
        let numbers = |at: usize| Some(Attr::dense_i64(&ctx, &self.numbers[at]));
        b.dictionary(&[
            ("operandSegmentSizes", Some(Attr::dense_i32(&ctx, &segments))),
            (SLICE[0].0, numbers(0)),
            (SLICE[1].0, numbers(1)),
            (SLICE[2].0, numbers(2)),
        ])
    }
}

pub(crate) struct AnySubView;

impl Generate for AnySubView {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        2
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (source, ty) = storage(b, maker)?;
        let slice = RandomSlice::of(b, maker, &extents(&ctx, ty)?, None)?;
        let result = SubView::whole_type(&ctx, ty, slice.numbers.each_ref().map(Vec::as_slice))?;
        let props = slice.props(b, 1);
        let state = OpState::new(kind).operands(&[source]).operands(&slice.offsets);
        Some(b.create(state.props(props).results(&[result])))
    }
}

pub(crate) fn types(ctx: &Context) -> Vec<Type> {
    let shapes: [&[i64]; 4] = [&[], &[OPEN_EXTENT], &[DYNAMIC], &[2, OPEN_EXTENT]];
    shapes.map(|shape| Type::memref(ctx, shape, Type::I32)).to_vec()
}

/// The extents of a buffer at run time.
fn extents(ctx: &Context, ty: Type) -> Option<Vec<i64>> {
    let TypeData::MemRef { shape, .. } = ty.data(ctx) else { return None };
    Some(shape.iter().map(|&extent| if extent == DYNAMIC { OPEN_EXTENT } else { extent }).collect())
}

/// An existing buffer.
fn storage(b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<(Value, Type)> {
    let ctx = b.context();
    let storage = maker.existing(b, &|ty| extents(&ctx, ty).is_some())?;
    Some((storage, b.ty(storage)))
}

/// Random indices of an element.
fn indices(b: &mut Builder<'_>, maker: &mut dyn Maker, ty: Type) -> Option<Vec<Value>> {
    let extents = extents(&b.context(), ty)?;
    extents.into_iter().map(|extent| maker.index_in(b, 0..extent)).collect()
}

fn store(b: &mut Builder<'_>, value: Value, memref: Value, indices: &[Value]) -> Op {
    b.create(OpState::new(b.context().kind_of::<Store>()).operands(&[value, memref]).operands(indices))
}

/// Creates an allocation and initializes every element.
pub(crate) struct Storage {
    pub(crate) on_stack: bool,
}

impl Generate for Storage {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        if self.on_stack { 2 } else { 1 }
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let ty = maker.ty(&|ty| extents(&ctx, ty).is_some())?;
        let shape = ty.shape(&ctx)?;
        let open = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
        let sizes: Vec<Value> =
            (0..open).map(|_| maker.number(b, OPEN_EXTENT, Type::INDEX)).collect::<Option<_>>()?;
        let mut places = vec![Vec::new()];
        for extent in extents(&ctx, ty)? {
            let numbers =
                (0..extent).map(|at| maker.number(b, at, Type::INDEX)).collect::<Option<Vec<Value>>>()?;
            let longer = |place: &Vec<Value>| {
                let place = place.clone();
                numbers.iter().map(move |&at| [place.clone(), vec![at]].concat()).collect::<Vec<_>>()
            };
            places = places.iter().flat_map(longer).collect();
        }
        let contents = maker.value(b, ty.element_or_self(&ctx))?;
        let gives = maker.types(b, 3);
        let props = Attr::dense_i32(&ctx, &[sizes.len() as i32, 0]);
        let props = b.dictionary(&[("operandSegmentSizes", Some(props))]);
        let op = b.create(OpState::new(kind).operands(&sizes).results(&[ty]).props(props));
        let memref = b.body().op(op).result(0);
        for place in places {
            store(b, contents, memref, &place);
        }
        if !self.on_stack {
            let blocks = maker.may_branch();
            let values = maker.inside(b, &Inside { args: &[memref], gives: &gives, blocks, ..Inside::ONCE });
            let free = Dealloc::build(b, memref);
            values.into_iter().for_each(|value| maker.add(value));
            // The buffer itself cannot be used any more.
            return Some(free.op());
        }
        Some(op)
    }
}

pub(crate) struct AnyLoad;

impl Generate for AnyLoad {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        5
    }

    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (memref, ty) = storage(b, maker)?;
        let indices = indices(b, maker, ty)?;
        let element = ty.element_or_self(&b.context());
        Some(b.create(OpState::new(kind).operands(&[memref]).operands(&indices).results(&[element])))
    }
}

pub(crate) struct AnyStore;

impl Generate for AnyStore {
    fn weight(&self, _: &Context, _: OpKind) -> usize {
        5
    }

    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (memref, ty) = storage(b, maker)?;
        let indices = indices(b, maker, ty)?;
        let value = maker.value(b, ty.element_or_self(&b.context()))?;
        Some(store(b, value, memref, &indices))
    }
}

pub(crate) struct AnyCopy;

impl Generate for AnyCopy {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (source, ty) = storage(b, maker)?;
        let (element, shape) = (ty.element(&ctx), extents(&ctx, ty));
        // Two views could refer to overlapping parts of a buffer.
        let is_whole = |ty: Type| matches!(ty.data(&ctx), TypeData::MemRef { layout: None, .. });
        let same = |other: Type| {
            other.element(&ctx) == element
                && extents(&ctx, other) == shape
                && (is_whole(ty) || is_whole(other))
        };
        let target = maker.existing(b, &same).filter(|&target| target != source)?;
        Some(Copy::build(b, source, target).op())
    }
}

pub(crate) struct AnyDim;

impl Generate for AnyDim {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let (source, ty) = storage(b, maker)?;
        let rank = ty.rank(&b.context()).filter(|&rank| rank > 0)?;
        let index = maker.index_in(b, 0..rank as i64)?;
        Some(Dim::build(b, source, index).op())
    }
}

/// A cast to a more or less static type.
pub(crate) struct AnyCast;

impl Generate for AnyCast {
    fn generate(&self, _: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op> {
        let ctx = b.context();
        let (source, ty) = storage(b, maker)?;
        let extent = |extent: i64| {
            if extent == OPEN_EXTENT && maker.below(2) == 0 { DYNAMIC } else { extent }
        };
        let shape: Vec<i64> = extents(&ctx, ty)?.into_iter().map(extent).collect();
        let to = ty.with_shape(&ctx, &shape)?;
        Some(Cast::build(b, source, to).op())
    }
}
