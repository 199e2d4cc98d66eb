//! Strided memref layouts: an offset, and a stride for each dimension.

use crate::affine::{AffineExpr, AffineMap, AffineOp};
use crate::affine_simplify::{add, mul};
use crate::{Attr, AttrData, Context, DYNAMIC, Type, TypeData};

/// An offset and strides in elements; [`DYNAMIC`] if dynamic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strided {
    /// The position of the element with index zero.
    pub offset: i64,
    /// The distance between consecutive elements in each dimension.
    pub strides: Vec<i64>,
}

/// The sum; dynamic if an operand is dynamic, or on overflow.
pub fn dynamic_add(a: i64, b: i64) -> i64 {
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_add(b).unwrap_or(DYNAMIC) }
}

/// The product: zero if one of the factors is, otherwise unknown if one of them is or if it overflows.
pub fn dynamic_mul(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 {
        return 0;
    }
    if a == DYNAMIC || b == DYNAMIC { DYNAMIC } else { a.checked_mul(b).unwrap_or(DYNAMIC) }
}

/// Like [`dynamic_mul`], but zero if a factor is zero, as MLIR computes the offsets and strides of subviews.
pub fn saturated_mul(a: i64, b: i64) -> i64 {
    if a == 0 || b == 0 { 0 } else { dynamic_mul(a, b) }
}

impl Strided {
    /// The contiguous row-major layout.
    pub fn contiguous(shape: &[i64]) -> Strided {
        let mut strides = vec![1; shape.len()];
        for at in (1..shape.len()).rev() {
            strides[at - 1] = dynamic_mul(strides[at], shape[at]);
        }
        Strided { offset: 0, strides }
    }

    /// The layout of a ranked memref; `None` for other types, and for a layout that is not strided.
    pub fn of(ctx: &Context, ty: Type) -> Option<Strided> {
        let TypeData::MemRef { shape, layout, .. } = ty.data(ctx) else { return None };
        match layout.map(|layout| layout.data(ctx)) {
            None => Some(Strided::contiguous(shape)),
            Some(AttrData::Strided { offset, strides }) => {
                Some(Strided { offset: *offset, strides: strides.to_vec() })
            }
            Some(AttrData::AffineMap(map)) => Strided::of_map(shape, map),
            Some(_) => None,
        }
    }

    /// The layout of a map whose only result is linear in the dimensions.
    fn of_map(shape: &[i64], map: &AffineMap) -> Option<Strided> {
        if map.is_identity() {
            return Some(Strided::contiguous(shape));
        }
        let [result] = &*map.results else { return None };
        let mut sum = Strided { offset: 0, strides: vec![0; shape.len()] };
        // The terms with their coefficients.
        let mut terms = vec![(result, 1)];
        while let Some((term, factor)) = terms.pop() {
            match term {
                AffineExpr::Dim(dim) => {
                    let stride = sum.strides.get_mut(*dim as usize)?;
                    *stride = dynamic_add(*stride, factor);
                }
                AffineExpr::Constant(value) => {
                    sum.offset = dynamic_add(sum.offset, dynamic_mul(*value, factor))
                }
                AffineExpr::Symbol(_) => sum.offset = DYNAMIC,
                AffineExpr::Binary(AffineOp::Add, lhs, rhs) => {
                    terms.extend([(&**lhs, factor), (&**rhs, factor)])
                }
                AffineExpr::Binary(AffineOp::Mul, lhs, rhs) => {
                    terms.push((lhs, dynamic_mul(factor, known(rhs)?)))
                }
                AffineExpr::Binary(..) => return None,
            }
        }
        Some(sum)
    }

    /// The layout as a map from indices to a position.
    fn map(&self) -> AffineMap {
        let mut symbols = 0;
        let mut number = |number: i64| {
            if number == DYNAMIC {
                symbols += 1;
                AffineExpr::Symbol(symbols - 1)
            } else {
                AffineExpr::Constant(number)
            }
        };
        let mut sum = number(self.offset);
        for (dim, &stride) in self.strides.iter().enumerate() {
            sum = add(sum, mul(AffineExpr::Dim(dim as u32), number(stride)));
        }
        AffineMap { dims: self.strides.len() as u32, symbols, results: [sum].into() }
    }

    /// A memref of this layout in upstream's canonical form for comparing layouts: with an affine map, or without a
    /// layout if it is contiguous.
    pub fn canonical_type(&self, ctx: &Context, like: Type, shape: &[i64]) -> Type {
        let plain = like.with_layout(ctx, shape, None);
        match plain.data(ctx) {
            TypeData::MemRef { shape, element, space, .. } if *self != Strided::contiguous(shape) => ctx
                .intern_type(TypeData::MemRef {
                    shape: shape.clone(),
                    element: *element,
                    layout: Some(Attr::affine_map(ctx, self.map())),
                    space: *space,
                }),
            _ => plain,
        }
    }

    /// The attribute `strided<[4, 1], offset: 2>`.
    pub fn attr(&self, ctx: &Context) -> Attr {
        ctx.intern_attr(AttrData::Strided { offset: self.offset, strides: self.strides.clone().into() })
    }
}

/// The value of a coefficient: dynamic for a symbol, `None` if it contains dimensions.
fn known(factor: &AffineExpr) -> Option<i64> {
    match factor {
        AffineExpr::Constant(value) => Some(*value),
        AffineExpr::Symbol(_) => Some(DYNAMIC),
        _ => None,
    }
}

impl Type {
    /// Whether a ranked memref has the contiguous row-major layout with offset zero, according to its type.
    pub fn is_contiguous(self, ctx: &Context) -> bool {
        let TypeData::MemRef { layout, .. } = self.data(ctx) else { return false };
        match layout.map(|layout| layout.data(ctx)) {
            None => true,
            Some(AttrData::Strided { offset, strides }) => *offset == 0 && **strides == [1],
            Some(AttrData::AffineMap(map)) => map.is_identity(),
            Some(_) => false,
        }
    }

    /// The memory space of a memref, if it is not the default one.
    pub fn memory_space(self, ctx: &Context) -> Option<Attr> {
        match *self.data(ctx) {
            TypeData::MemRef { space, .. } | TypeData::UnrankedMemRef { space, .. } => space,
            _ => None,
        }
    }

    /// A memref of the same element type and memory space with other extents and another layout.
    pub fn with_layout(self, ctx: &Context, shape: &[i64], layout: Option<&Strided>) -> Type {
        ctx.intern_type(TypeData::MemRef {
            shape: shape.into(),
            element: self.element_or_self(ctx),
            layout: layout.map(|layout| layout.attr(ctx)),
            space: self.memory_space(ctx),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AffineExpr::{Constant, Dim, Symbol};

    fn layout(symbols: u32, result: AffineExpr) -> Option<Strided> {
        Strided::of_map(&[4, 8], &AffineMap { dims: 2, symbols, results: [result].into() })
    }

    fn sum(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::binary(AffineOp::Add, lhs, rhs)
    }

    fn product(lhs: AffineExpr, rhs: AffineExpr) -> AffineExpr {
        AffineExpr::binary(AffineOp::Mul, lhs, rhs)
    }

    #[test]
    fn linear_map_is_strided() {
        let map = sum(sum(product(Dim(0), Constant(16)), Dim(1)), Constant(3));
        assert_eq!(layout(0, map), Some(Strided { offset: 3, strides: vec![16, 1] }));
        let map = sum(sum(product(Dim(0), Symbol(0)), product(Dim(1), Constant(2))), Symbol(1));
        assert_eq!(layout(2, map), Some(Strided { offset: DYNAMIC, strides: vec![DYNAMIC, 2] }));
    }

    #[test]
    fn map_with_division_is_not_strided() {
        assert_eq!(layout(0, AffineExpr::binary(AffineOp::FloorDiv, Dim(0), Constant(2))), None);
    }

    #[test]
    fn extents_give_contiguous_strides() {
        assert_eq!(Strided::contiguous(&[2, 3, 4]).strides, [12, 4, 1]);
        assert_eq!(Strided::contiguous(&[2, DYNAMIC, 4]).strides, [DYNAMIC, 4, 1]);
        assert_eq!(Strided::contiguous(&[2, i64::MAX, 4]).strides, [DYNAMIC, 4, 1]);
        assert_eq!(Strided::contiguous(&[]).strides, [0i64; 0]);
    }
}
