//! Makers: services through which passes create loops, vector operations, index arithmetic and iteration domains
//! without naming a dialect. A maker is a service of a dialect; `<dyn LoopOps>::any` returns the service of the first loaded
//! dialect that implements it.

use crate::{CombineKind, Domain, Extent};
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Attr, Builder, Context, Op, OpRef, Type, Value, service};

macro_rules! any {
    ($($maker:ident)*) => {$(
        impl dyn $maker {
            /// The maker of the first loaded dialect that has one.
            pub fn any(ctx: &Context) -> Option<&dyn $maker> {
                ctx.dialects().iter().find_map(|dialect| dialect.service::<dyn $maker>())
            }
        }
    )*};
}

any! { LoopOps VectorOps IndexOps DomainOps TensorOps }

/// Creates the body of a loop from its induction variable and the loop-carried values; returns the next values.
pub type LoopBody<'a> = dyn FnMut(&mut Builder<'_>, Value, &[Value]) -> Vec<Value> + 'a;

/// Creates the body of a parallel loop from its induction variables.
pub type PointBody<'a> = dyn FnMut(&mut Builder<'_>, &[Value]) + 'a;

/// Creates a branch of a conditional; returns its values.
pub type BranchBody<'a> = dyn FnMut(&mut Builder<'_>) -> Vec<Value> + 'a;

/// Creates structured loops. Bounds and steps are of type `index`; steps are positive.
pub trait LoopOps: Send + Sync {
    /// Creates a loop over `[lower, upper, step]`; returns the final loop-carried values.
    fn repeat(
        &self,
        b: &mut Builder<'_>,
        range: [Value; 3],
        init: &[Value],
        body: &mut LoopBody<'_>,
    ) -> Vec<Value>;
    /// Creates a loop with unordered, possibly concurrent iterations over the product of `[lower, upper, step]`.
    fn parallel(&self, b: &mut Builder<'_>, ranges: &[[Value; 3]], body: &mut PointBody<'_>);
    /// Creates a conditional on a value of type `i1` with results of the given types.
    fn choose(
        &self,
        b: &mut Builder<'_>,
        condition: Value,
        types: &[Type],
        then: &mut BranchBody<'_>,
        otherwise: &mut BranchBody<'_>,
    ) -> Vec<Value>;
}
service!(dyn LoopOps, "LoopOps", Optional);

/// A mask with the vector that replaces inactive elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Masked {
    /// The active elements, a vector of `i1`.
    pub mask: Value,
    /// The elements where the mask is not set.
    pub otherwise: Value,
}

/// Creates vector operations.
pub trait VectorOps: Send + Sync {
    /// Loads contiguous elements of a buffer, along its last dimensions; masked elements are not accessed.
    fn load(
        &self,
        b: &mut Builder<'_>,
        ty: Type,
        buffer: Value,
        at: &[Value],
        masked: Option<Masked>,
    ) -> Value;
    /// Stores contiguous elements; those that are masked out are not accessed. `nontemporal` bypasses the caches.
    fn store(
        &self,
        b: &mut Builder<'_>,
        vector: Value,
        buffer: Value,
        at: &[Value],
        mask: Option<Value>,
        nontemporal: bool,
    );
    /// Loads the elements of a buffer at `at`, with `offsets`, a vector of integers or `index`, added to the last index.
    fn gather(
        &self,
        b: &mut Builder<'_>,
        ty: Type,
        buffer: Value,
        at: &[Value],
        offsets: Value,
        masked: Option<Masked>,
    ) -> Value;
    /// Stores elements at the positions of [`gather`](Self::gather); of equal positions, the last wins.
    fn scatter(
        &self,
        b: &mut Builder<'_>,
        vector: Value,
        buffer: Value,
        at: &[Value],
        offsets: Value,
        mask: Option<Value>,
    );
    /// A vector of type `ty` that repeats a scalar, or a vector along new leading dimensions.
    fn splat(&self, b: &mut Builder<'_>, value: Value, ty: Type) -> Value;
    /// A vector of type `ty` from its elements in row-major order.
    fn join(&self, b: &mut Builder<'_>, elements: &[Value], ty: Type) -> Value;
    /// The element or the subvector at a position of the leading dimensions.
    fn extract(&self, b: &mut Builder<'_>, vector: Value, position: &[i64]) -> Value;
    /// The vector with the element or the subvector at a position of the leading dimensions replaced.
    fn insert(&self, b: &mut Builder<'_>, value: Value, vector: Value, position: &[i64]) -> Value;
    /// The element of a vector of rank 1 at an index.
    fn extract_at(&self, b: &mut Builder<'_>, vector: Value, index: Value) -> Value;
    /// The vector of rank 1 with the element at an index replaced.
    fn insert_at(&self, b: &mut Builder<'_>, value: Value, vector: Value, index: Value) -> Value;
    /// The slice of a vector with the given offsets and sizes, of the same rank.
    fn slice(&self, b: &mut Builder<'_>, vector: Value, offsets: &[i64], sizes: &[i64]) -> Value;
    /// The elements of the concatenation of two vectors of rank 1 at the given positions.
    fn shuffle(&self, b: &mut Builder<'_>, v1: Value, v2: Value, positions: &[i64]) -> Value;
    /// The same elements in row-major order with another shape.
    fn reshape(&self, b: &mut Builder<'_>, vector: Value, shape: &[i64]) -> Value;
    /// `x * y + z`, rounded once.
    fn fma(&self, b: &mut Builder<'_>, x: Value, y: Value, z: Value) -> Value;
    /// `acc[i, j] + column[i] * row[j]`, rounded once.
    fn outer(&self, b: &mut Builder<'_>, column: Value, row: Value, acc: Value) -> Value;
    /// The combination of the elements of a vector of rank 1; `reassociate` permits any order of floats, otherwise
    /// they are combined from the first.
    fn reduce(&self, b: &mut Builder<'_>, kind: CombineKind, vector: Value, reassociate: bool) -> Value;
    /// A mask of type `ty` that is set where each index is below a bound.
    fn mask(&self, b: &mut Builder<'_>, ty: Type, bounds: &[Value]) -> Value;
    /// The vector of type `ty` with the same bits.
    fn bitcast(&self, b: &mut Builder<'_>, vector: Value, ty: Type) -> Value;
    /// The vector of `index` `[0, 1, ..]`.
    fn step(&self, b: &mut Builder<'_>, lanes: i64) -> Value;
}
service!(dyn VectorOps, "VectorOps", Optional);

/// Creates arithmetic on `index` and constants.
pub trait IndexOps: Send + Sync {
    /// A constant of type `index`.
    fn index(&self, b: &mut Builder<'_>, value: i64) -> Value;
    /// A constant of a scalar or vector type.
    fn constant(&self, b: &mut Builder<'_>, value: Attr) -> Value;
    /// The sum.
    fn add(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// The sum of an index and a constant.
    fn plus(&self, b: &mut Builder<'_>, value: Value, by: i64) -> Value {
        if by == 0 {
            return value;
        }
        let by = self.index(b, by);
        self.add(b, value, by)
    }
    /// The difference.
    fn sub(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// The product.
    fn mul(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// The quotient of nonnegative numbers, rounded down; the divisor is positive.
    fn div(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// The remainder of nonnegative numbers; the divisor is positive.
    fn rem(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// The minimum of signed numbers.
    fn min(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// The maximum of signed numbers.
    fn max(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// Whether the first of two signed numbers, or vectors of them, is less.
    fn less(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// Whether two numbers are equal.
    fn equal(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// Whether the first number is not negative and less than the second, which is not negative.
    fn below(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// Whether both conditions, of type `i1`, hold.
    fn and(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// Whether at least one of two conditions, of type `i1`, holds.
    fn or(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value;
    /// `condition ? yes : no`, on scalars or vectors.
    fn select(&self, b: &mut Builder<'_>, condition: Value, yes: Value, no: Value) -> Value;
    /// A value of type `index` or a vector of it, converted to signless integers of a type, or the other way round.
    fn cast(&self, b: &mut Builder<'_>, value: Value, ty: Type) -> Value;
    /// The value of an affine expression of the point `dims`; `None` if it has a symbol or a division by a number that
    /// is not a positive constant.
    fn apply(&self, b: &mut Builder<'_>, expr: &AffineExpr, dims: &[Value]) -> Option<Value>;
    /// Corrects a float or a vector of floats: the sum or the product.
    fn correct(&self, b: &mut Builder<'_>, correction: crate::Correction, value: Value, by: Value) -> Value;
    /// The correction from an old to a new value: the difference or the quotient; neutral where they are equal, also
    /// for infinities and zeros.
    fn correction(&self, b: &mut Builder<'_>, correction: crate::Correction, old: Value, new: Value)
    -> Value;
}
service!(dyn IndexOps, "IndexOps", Optional);

/// Creates the scalar computation of a domain from the elements of its reads, followed by the current elements of its
/// outputs; returns the new elements. The last argument creates the index of a dimension.
pub type ScalarBody<'a> =
    dyn FnMut(&mut Builder<'_>, &[Value], &mut dyn FnMut(&mut Builder<'_>, u32) -> Value) -> Vec<Value> + 'a;

/// Creates computations over iteration domains.
pub trait DomainOps: Send + Sync {
    /// Creates an operation on tensors or buffers that computes a domain: read `i` of the domain is of `ins[i]`, and
    /// write `j` updates `outs[j]`. `None`, with nothing created, if a read may be out of bounds, or if a dimension
    /// indexes no operand directly.
    fn make(
        &self,
        b: &mut Builder<'_>,
        domain: &Domain,
        ins: &[Value],
        outs: &[Value],
        body: &mut ScalarBody<'_>,
    ) -> Option<Op>;
}
service!(dyn DomainOps, "DomainOps", Optional);

/// Creates the computation of an element of a tensor from its indices; returns the element.
pub type ElementBody<'a> = dyn FnMut(&mut Builder<'_>, &[Value]) -> Value + 'a;

/// Creates tensors, parts of them, and reads of their elements.
pub trait TensorOps: Send + Sync {
    /// A tensor of a type with arbitrary elements; `sizes` are its dynamic extents.
    fn empty(&self, b: &mut Builder<'_>, ty: Type, sizes: &[Value]) -> Value;
    /// Whether an operation creates a tensor with arbitrary elements.
    fn is_empty(&self, op: OpRef<'_>) -> bool;
    /// A tensor of a type whose elements are all `value`; `sizes` are its dynamic extents.
    fn splat(&self, b: &mut Builder<'_>, value: Value, ty: Type, sizes: &[Value]) -> Value;
    /// A tensor of a type; `element` computes each element from its indices. `sizes` are its dynamic extents.
    fn generate(
        &self,
        b: &mut Builder<'_>,
        ty: Type,
        sizes: &[Value],
        element: &mut ElementBody<'_>,
    ) -> Value;
    /// The element at given indices.
    fn extract(&self, b: &mut Builder<'_>, tensor: Value, indices: &[Value]) -> Value;
    /// The extent of a dimension.
    fn extent(&self, b: &mut Builder<'_>, tensor: Value, dim: usize) -> Value;
    /// An extent of the iteration domain of an operation with these operands, as a value.
    fn extent_value(
        &self,
        b: &mut Builder<'_>,
        index: &dyn IndexOps,
        extent: Extent,
        operands: &[Value],
    ) -> Value {
        match extent {
            Extent::Known(extent) => index.index(b, extent),
            Extent::Of { operand, dim } => self.extent(b, operands[operand], dim),
            Extent::Plus { operand, dim, by } => {
                let extent = self.extent(b, operands[operand], dim);
                index.plus(b, extent, by)
            }
            Extent::Value(value) => value,
        }
    }
    /// The contiguous part that begins at `offsets`: for each dimension its size, which is static if it is a constant, or `None`
    /// for the single index of a dimension that the result drops.
    fn slice(&self, b: &mut Builder<'_>, tensor: Value, offsets: &[Value], sizes: &[Option<Value>]) -> Value;
    /// The tensor with each group of consecutive dimensions merged to one.
    fn collapse(&self, b: &mut Builder<'_>, tensor: Value, groups: &[Vec<i64>]) -> Value;
    /// The inverse of [`collapse`](Self::collapse): a view of type `ty`; `sizes` are its dynamic extents.
    fn expand(
        &self,
        b: &mut Builder<'_>,
        tensor: Value,
        groups: &[Vec<i64>],
        ty: Type,
        sizes: &[Value],
    ) -> Value;
    /// The tensor with a part of it, as [`slice`](Self::slice) takes it, replaced by another tensor, or with one element replaced
    /// by a scalar if the part drops all dimensions.
    fn replace_slice(
        &self,
        b: &mut Builder<'_>,
        part: Value,
        tensor: Value,
        offsets: &[Value],
        sizes: &[Option<Value>],
    ) -> Value;
}
service!(dyn TensorOps, "TensorOps", Optional);
