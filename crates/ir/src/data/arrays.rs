//! Arrays as attributes of operations: dense ones, `array<i64: 1, 2>`, and arrays of attributes, `[1, 2]`.

use super::attr_value::{AttrValue, Dictionary, FlatSymbolRef};
use crate::affine::AffineMap;
use crate::constraints as of;
use crate::{Attr, AttrConstraint, AttrData, AttrSyntax, Context, Type};
use std::fmt;
use std::marker::PhantomData;

/// A Rust type that may be the element of a dense array.
pub trait DenseElement: Copy + PartialEq + fmt::Debug + 'static {
    /// The element type.
    const TYPE: Type;
    /// The constraint of the array.
    const CONSTRAINT: &'static AttrConstraint;
    /// The size of an element in bytes.
    const BYTES: usize;

    /// Appends the element to the data of an array.
    fn write(self, data: &mut Vec<u8>);

    /// The element with these [`Self::BYTES`] bytes.
    fn read(data: &[u8]) -> Self;
}

macro_rules! elements {
    ($($ty:ty, $of:expr, $constraint:ident;)*) => {$(
        impl DenseElement for $ty {
            const TYPE: Type = $of;
            const CONSTRAINT: &'static AttrConstraint = &of::$constraint;
            const BYTES: usize = size_of::<$ty>();

            fn write(self, data: &mut Vec<u8>) {
                data.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read(data: &[u8]) -> $ty {
                data.first_chunk().map_or(<$ty>::default(), |&bytes| <$ty>::from_le_bytes(bytes))
            }
        }
    )*};
}

elements! {
    i64, Type::I64, DENSE_I64;
    i32, Type::I32, DENSE_I32;
    f64, Type::F64, DENSE_F64;
    f32, Type::F32, DENSE_F32;
}

impl DenseElement for bool {
    const TYPE: Type = Type::I1;
    const CONSTRAINT: &'static AttrConstraint = &of::DENSE_BOOL;
    const BYTES: usize = 1;

    fn write(self, data: &mut Vec<u8>) {
        data.push(self.into());
    }

    #[inline]
    fn read(data: &[u8]) -> bool {
        data.first().is_some_and(|&byte| byte != 0)
    }
}

/// The elements of a dense array, read in place.
#[derive(Clone, Copy)]
pub struct DenseArray<'c, T> {
    data: &'c [u8],
    element: PhantomData<T>,
}

impl<'c, T: DenseElement> DenseArray<'c, T> {
    /// The elements of an attribute; `None` unless it is a dense array of this element type.
    pub fn of(ctx: &'c Context, attr: Attr) -> Option<Self> {
        match attr.data(ctx) {
            AttrData::DenseArray { element, data } if *element == T::TYPE => {
                Some(Self { data, element: PhantomData })
            }
            _ => None,
        }
    }

    /// The number of elements.
    pub fn len(self) -> usize {
        self.data.len() / T::BYTES
    }

    /// Whether there is no element.
    pub fn is_empty(self) -> bool {
        self.data.is_empty()
    }

    /// The element `index`; `None` beyond the last one.
    pub fn get(self, index: usize) -> Option<T> {
        self.data.chunks_exact(T::BYTES).nth(index).map(T::read)
    }

    /// The elements, in order.
    pub fn iter(self) -> DenseIter<'c, T> {
        self.data.chunks_exact(T::BYTES).map(T::read)
    }

    /// Whether an element is in the array.
    pub fn contains(self, element: T) -> bool {
        self.iter().any(|other| other == element)
    }

    /// The elements as a vector.
    pub fn to_vec(self) -> Vec<T> {
        self.iter().collect()
    }
}

/// An iterator over the elements of a [`DenseArray`].
pub type DenseIter<'c, T> = std::iter::Map<std::slice::ChunksExact<'c, u8>, fn(&[u8]) -> T>;

impl<'c, T: DenseElement> IntoIterator for DenseArray<'c, T> {
    type Item = T;
    type IntoIter = DenseIter<'c, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: DenseElement> fmt::Debug for DenseArray<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: DenseElement> PartialEq for DenseArray<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: DenseElement> PartialEq<[T]> for DenseArray<'_, T> {
    fn eq(&self, other: &[T]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl<T: DenseElement, const N: usize> PartialEq<[T; N]> for DenseArray<'_, T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self == &other[..]
    }
}

impl<T: DenseElement> PartialEq<Vec<T>> for DenseArray<'_, T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        self == &other[..]
    }
}

impl<T: DenseElement> From<DenseArray<'_, T>> for Vec<T> {
    fn from(array: DenseArray<'_, T>) -> Self {
        array.to_vec()
    }
}

impl<T: DenseElement> AttrValue for Vec<T> {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = T::CONSTRAINT;
    type Get<'c> = DenseArray<'c, T>;

    fn into_attr(self, ctx: &Context) -> Attr {
        let mut data = Vec::with_capacity(self.len() * T::BYTES);
        self.into_iter().for_each(|element| element.write(&mut data));
        ctx.intern_attr(AttrData::DenseArray { element: T::TYPE, data: data.into() })
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<DenseArray<'_, T>> {
        DenseArray::of(ctx, attr)
    }
}

/// An array of attributes, `[1, 2]`, of elements with this Rust type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Array<T>(pub Vec<T>);

impl<T, V: Into<Vec<T>>> From<V> for Array<T> {
    fn from(elements: V) -> Self {
        Self(elements.into())
    }
}

impl<T> FromIterator<T> for Array<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self(elements.into_iter().collect())
    }
}

/// A Rust type that may be the element of an [`Array`].
pub trait ArrayElement: AttrValue {
    /// The description of the constraint of the array.
    const DESCRIPTION: &'static str;
}

macro_rules! array_elements {
    ($($ty:ty, $description:literal;)*) => {$(
        impl ArrayElement for $ty {
            const DESCRIPTION: &'static str = $description;
        }
    )*};
}

array_elements! {
    Attr, "array attribute";
    i64, "64-bit integer array attribute";
    i32, "32-bit integer array attribute";
    bool, "1-bit boolean array attribute";
    String, "string array attribute";
    Type, "type array attribute";
    FlatSymbolRef, "flat symbol ref array attribute";
    AffineMap, "AffineMap array attribute";
    Dictionary, "Array of dictionary attributes";
    Array<i64>, "Array of 64-bit integer array attributes";
}

/// The elements of an array attribute, as values of their Rust type.
pub struct Elements<'c, T> {
    ctx: &'c Context,
    attrs: &'c [Attr],
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for Elements<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Elements<'_, T> {}

impl<'c, T: ArrayElement> Elements<'c, T> {
    /// The number of elements.
    pub fn len(self) -> usize {
        self.attrs.len()
    }

    /// Whether there is no element.
    pub fn is_empty(self) -> bool {
        self.attrs.is_empty()
    }

    /// The attributes.
    pub fn attrs(self) -> &'c [Attr] {
        self.attrs
    }

    /// The element `index`; `None` beyond the last one.
    ///
    /// # Panics
    /// Panics if it is of another kind, which the verifier reports.
    #[track_caller]
    pub fn get(self, index: usize) -> Option<T::Get<'c>> {
        self.attrs.get(index).map(|&attr| element::<T>(self.ctx, attr))
    }

    /// The elements, in order.
    ///
    /// # Panics
    /// The iterator panics at an element of another kind, which the verifier reports.
    pub fn iter(self) -> impl ExactSizeIterator<Item = T::Get<'c>> + DoubleEndedIterator + Clone {
        self.attrs.iter().map(move |&attr| element::<T>(self.ctx, attr))
    }
}

#[track_caller]
fn element<T: ArrayElement>(ctx: &Context, attr: Attr) -> T::Get<'_> {
    T::from_attr(ctx, attr)
        .unwrap_or_else(|| panic!("an element is not a {}", T::DEFAULT_CONSTRAINT.description))
}

impl<'c, T: ArrayElement> fmt::Debug for Elements<'c, T>
where
    T::Get<'c>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: ArrayElement> AttrValue for Array<T> {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &AttrConstraint {
        description: T::DESCRIPTION,
        check: |ctx, attr| {
            let is_element = |&element: &Attr| (T::DEFAULT_CONSTRAINT.check)(ctx, element);
            attr.as_array(ctx).is_some_and(|elements| elements.iter().all(is_element))
        },
        syntax: AttrSyntax::Any,
    };
    type Get<'c> = Elements<'c, T>;

    fn into_attr(self, ctx: &Context) -> Attr {
        let elements: Vec<Attr> = self.0.into_iter().map(|element| element.into_attr(ctx)).collect();
        Attr::array(ctx, &elements)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<Elements<'_, T>> {
        attr.as_array(ctx).map(|attrs| Elements { ctx, attrs, element: PhantomData })
    }
}
