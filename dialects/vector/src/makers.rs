//! Vector operations for passes.

use crate::*;
use minoan_arith::FastMath;
use minoan_ir::{AttrEnum, Builder, DYNAMIC, Flags, Type, Value};
use minoan_services::{CombineKind, Masked, VectorOps};

pub(crate) struct Vectors;

/// A mask of type `ty` without inactive elements.
fn all_active(b: &mut Builder<'_>, ty: Type) -> Value {
    let ctx = b.context();
    let shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    let mask = Type::vector(&ctx, &shape, Type::I1);
    constant_mask(b, shape, mask)
}

impl VectorOps for Vectors {
    fn load(
        &self,
        b: &mut Builder<'_>,
        ty: Type,
        buffer: Value,
        at: &[Value],
        masked: Option<Masked>,
    ) -> Value {
        match masked {
            None => load(b, buffer, at, ty),
            Some(Masked { mask, otherwise }) => maskedload(b, buffer, at, mask, otherwise, ty),
        }
    }

    fn store(
        &self,
        b: &mut Builder<'_>,
        vector: Value,
        buffer: Value,
        at: &[Value],
        mask: Option<Value>,
        nontemporal: bool,
    ) {
        match mask {
            None => {
                let nontemporal = nontemporal.then_some(true);
                Store::build(b, vector, buffer, at, nontemporal, None);
            }
            Some(mask) => {
                MaskedStore::build(b, buffer, at, mask, vector, None);
            }
        }
    }

    fn gather(
        &self,
        b: &mut Builder<'_>,
        ty: Type,
        buffer: Value,
        at: &[Value],
        offsets: Value,
        masked: Option<Masked>,
    ) -> Value {
        let (mask, otherwise) = match masked {
            Some(Masked { mask, otherwise }) => (mask, otherwise),
            None => {
                let ctx = b.context();
                let element = ty.element_or_self(&ctx);
                let zero = match element.is_float(&ctx) {
                    true => minoan_arith::constant_float(b, 0.0, ty),
                    false => minoan_arith::constant_int(b, 0, ty),
                };
                (all_active(b, ty), zero)
            }
        };
        gather(b, buffer, at, offsets, mask, otherwise, ty)
    }

    fn scatter(
        &self,
        b: &mut Builder<'_>,
        vector: Value,
        buffer: Value,
        at: &[Value],
        offsets: Value,
        mask: Option<Value>,
    ) {
        let ty = b.ty(vector);
        let mask = mask.unwrap_or_else(|| all_active(b, ty));
        Scatter::build(b, buffer, at, offsets, mask, vector, None, None);
    }

    fn splat(&self, b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
        if b.ty(value) == ty { value } else { broadcast(b, value, ty) }
    }

    fn join(&self, b: &mut Builder<'_>, elements: &[Value], ty: Type) -> Value {
        from_elements(b, elements, ty)
    }

    fn extract(&self, b: &mut Builder<'_>, vector: Value, position: &[i64]) -> Value {
        Extract::build(b, vector, &[], position).result(b.body())
    }

    fn insert(&self, b: &mut Builder<'_>, value: Value, vector: Value, position: &[i64]) -> Value {
        Insert::build(b, value, vector, &[], position).result(b.body())
    }

    fn extract_at(&self, b: &mut Builder<'_>, vector: Value, index: Value) -> Value {
        Extract::build(b, vector, &[index], [DYNAMIC]).result(b.body())
    }

    fn insert_at(&self, b: &mut Builder<'_>, value: Value, vector: Value, index: Value) -> Value {
        Insert::build(b, value, vector, &[index], [DYNAMIC]).result(b.body())
    }

    fn slice(&self, b: &mut Builder<'_>, vector: Value, offsets: &[i64], sizes: &[i64]) -> Value {
        let ctx = b.context();
        let ty = b.ty(vector);
        let mut shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
        for (extent, &size) in shape.iter_mut().zip(sizes) {
            *extent = size;
        }
        let ty = Type::vector(&ctx, &shape, ty.element_or_self(&ctx));
        let strides = vec![1; sizes.len()];
        extract_strided_slice(b, vector, offsets, sizes, strides, ty)
    }

    fn shuffle(&self, b: &mut Builder<'_>, v1: Value, v2: Value, positions: &[i64]) -> Value {
        Shuffle::build(b, v1, v2, positions).vector(b.body())
    }

    fn reshape(&self, b: &mut Builder<'_>, vector: Value, shape: &[i64]) -> Value {
        let ctx = b.context();
        let ty = Type::vector(&ctx, shape, b.ty(vector).element_or_self(&ctx));
        if b.ty(vector) == ty { vector } else { shape_cast(b, vector, ty) }
    }

    fn fma(&self, b: &mut Builder<'_>, x: Value, y: Value, z: Value) -> Value {
        fma(b, x, y, z)
    }

    fn outer(&self, b: &mut Builder<'_>, column: Value, row: Value, acc: Value) -> Value {
        let ty = b.ty(acc);
        OuterProduct::build(b, column, row, Some(acc), ty).result(b.body())
    }

    fn reduce(&self, b: &mut Builder<'_>, kind: CombineKind, vector: Value, reassociate: bool) -> Value {
        let ctx = b.context();
        let element = b.ty(vector).element_or_self(&ctx);
        let combining = CombiningKind::from_keyword(kind.keyword()).unwrap_or(CombiningKind::Add);
        let reduction = Reduction::build(b, vector, None, combining, element);
        if reassociate {
            let mut flags = vec![FastMath::Reassoc];
            // The sign of a zero depends on the order. Without the flag, each step tests it.
            if matches!(kind, CombineKind::MaximumF | CombineKind::MinimumF) {
                flags.push(FastMath::NoSignedZero);
            }
            reduction.set_fastmath(b.body_mut(), flags.into_iter().collect::<Flags<FastMath>>());
        }
        reduction.dest(b.body())
    }

    fn mask(&self, b: &mut Builder<'_>, ty: Type, bounds: &[Value]) -> Value {
        create_mask(b, bounds, ty)
    }

    fn bitcast(&self, b: &mut Builder<'_>, vector: Value, ty: Type) -> Value {
        if b.ty(vector) == ty { vector } else { bitcast(b, vector, ty) }
    }

    fn step(&self, b: &mut Builder<'_>, lanes: i64) -> Value {
        let ty = Type::vector(&b.context(), &[lanes], Type::INDEX);
        step(b, ty)
    }
}
