//! Lowering of construction of and access to tensors.

use super::build::{
    assert_values, check_extents, choose, dims, dummy, elementwise, extents, filled, flat, same_extents,
    to_i64, to_index, zero,
};
use super::collect::collect;
use super::extents::is_plain;
use super::items::Array;
use super::{Lowering, Parts, prelude};
use crate::types::{array, element_type, is_number, tensor_parts};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_functional::{Functional, one, result_type};
use minoan_ir::{Builder, OpRef, Type, Value};
use minoan_tensor::{Cast, FromElements};

impl<'a> Lowering<'a> {
    pub(super) fn build(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let sizes = self.singles(op.operands());
        let sizes = extents(b, &sizes, "build");
        collect(b, element_of(op), &sizes, &mut |b, indices| self.at(b, op, indices))
    }

    /// Lowers scalar arithmetic to linalg, which enables further optimization; anything else to a loop nest.
    pub(super) fn map(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let tensors: Vec<Array> = op.operands().map(|tensor| self.array(tensor)).collect();
        let sizes = tensors[0].sizes(b);
        if let Some(other) = tensors.get(1) {
            let others = other.sizes(b);
            if op.operand(0) != op.operand(1) {
                check_extents(b, &sizes, &others, "map2 of tensors of different sizes");
            }
        }
        let plain = op.operand_types().chain(op.result_types()).all(|ty| is_plain(&self.ctx, ty));
        if plain && self.is_scalar(op) {
            let tensors = self.singles(op.operands());
            return one(elementwise(b, &tensors, element_of(op), |b, elements| {
                self.region(b, op, 0, elements)[0]
            }));
        }
        collect(b, element_of(op), &sizes, &mut |b, indices| {
            let args: Vec<Value> = tensors.iter().flat_map(|tensor| tensor.element(b, indices)).collect();
            self.region(b, op, 0, &args)
        })
    }

    /// Whether the region of an operation is scalar arithmetic that cannot fail.
    fn is_scalar(&self, op: OpRef<'a>) -> bool {
        let Some(entry) = self.source.region(op.region(0)).entry() else { return false };
        self.source.block(entry).ops().all(|op| {
            let op = self.source.op(op);
            match op.name() {
                "knossos.constant" | "knossos.tuple" | "knossos.get" | "knossos.yield" => true,
                "knossos.prelude" => prelude::find(op).is_some_and(|function| function.is_arithmetic()),
                _ => false,
            }
        })
    }

    pub(super) fn index(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let tensor = self.array(op.operand(0));
        let indices = self.singles(op.operands().skip(1));
        let indices: Vec<Value> = indices.iter().map(|&index| to_index(b, index)).collect();
        if self.check_bounds {
            let sizes = tensor.sizes(b);
            for (axis, (&index, extent)) in indices.iter().zip(sizes).enumerate() {
                check_index(b, index, extent, axis, "");
            }
        }
        tensor.element(b, &indices)
    }

    pub(super) fn size(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let sizes = self.array(op.operand(0)).sizes(b);
        sizes.into_iter().map(|size| to_i64(b, size)).collect()
    }

    pub(super) fn const_vec(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let value = self.parts(op.operand(0));
        let sizes = self.singles(op.operands().skip(1));
        let sizes = extents(b, &sizes, "constVec");
        let element = element_of(op);
        if is_number(&self.ctx, element) {
            return one(filled(b, result_type(op), &sizes, value[0]));
        }
        collect(b, element, &sizes, &mut |_, _| value.clone())
    }

    pub(super) fn delta_vec(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let value = self.parts(op.operand(0));
        let sizes = self.singles(op.operand_group(1).into_iter());
        let place = self.singles(op.operand_group(2).into_iter());
        let sizes = extents(b, &sizes, "deltaVec");
        let place: Vec<Value> = place.iter().map(|&index| to_index(b, index)).collect();
        let (ty, element) = (result_type(op), element_of(op));
        if !is_number(&self.ctx, element) {
            let (types, nothing) = (flat(&self.ctx, element), zero_like(b, element, &value));
            return collect(b, element, &sizes, &mut |b, indices| {
                let here = same_extents(b, indices, &place);
                choose(b, here, &types, |_, here| if here { value.clone() } else { nothing.clone() })
            });
        }
        let nothing = zero(b, element);
        let zeros = filled(b, ty, &sizes, nothing);
        let mut inside = None;
        for (&index, &size) in place.iter().zip(&sizes) {
            let fits = arith::cmpi(b, CmpIPredicate::Ult, index, size);
            inside = Some(match inside {
                None => fits,
                Some(inside) => arith::andi(b, inside, fits),
            });
        }
        let inside = inside.unwrap_or_else(|| arith::constant_bool(b, false));
        choose(b, inside, &[ty], |b, inside| {
            one(if inside { minoan_tensor::insert(b, value[0], zeros, &place) } else { zeros })
        })
    }

    pub(super) fn delta(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let same = self.equal(b, op.operand(0), op.operand(1));
        let (ty, values) = (result_type(op), self.parts(op.operand(2)));
        let types: Vec<Type> = values.iter().map(|&value| b.ty(value)).collect();
        if types.iter().any(|ty| ty.is_tensor(&self.ctx)) {
            return choose(
                b,
                same,
                &types,
                |b, same| if same { values.clone() } else { zero_like(b, ty, &values) },
            );
        }
        let zeros = zero_like(b, ty, &values);
        values.iter().zip(zeros).map(|(&value, zero)| arith::select(b, same, value, zero)).collect()
    }

    pub(super) fn vec_init(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let element = element_of(op);
        if is_number(&self.ctx, element) {
            let elements = self.singles(op.operands());
            let ty = Type::tensor(&self.ctx, &[elements.len() as i64], element);
            let known = FromElements::build(b, &elements, ty).result(b.body());
            return one(Cast::build(b, known, array(&self.ctx, 1, element)).dest(b.body()));
        }
        let elements: Vec<Parts> = op.operands().map(|element| self.parts(element)).collect();
        super::collect::list(b, element, &elements)
    }

    /// The tensors of the components of a tensor of tuples, which stores them apart.
    pub(super) fn unzip(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let tensor = self.array(op.operand(0));
        let sizes = tensor.sizes(b);
        tensor.tuples(&self.ctx).into_iter().flat_map(|part| part.with_sizes(b, &sizes).parts()).collect()
    }

    /// Adds values to elements of tensors of zeros: those that the region yields, each with its indices.
    pub(super) fn build_from_sparse(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let ctx = self.ctx.clone();
        let shapes = op.operand_group(0);
        let sizes = self.singles(op.operand_group(1).into_iter());
        let sizes = extents(b, &sizes, "buildFromSparse");
        let types = result_type(op).as_tuple(&ctx).unwrap_or(&[]).to_vec();
        let mut init = Parts::new();
        for (&shape, &ty) in shapes.iter().zip(&types) {
            init.extend(zero_of_shape(b, ty, self.source.ty(shape), &self.parts(shape)));
        }
        super::loops::nest(b, &sizes, &init, &mut |b, indices, sums| {
            let yielded = self.at(b, op, indices);
            let (mut sums, mut yielded, mut next) = (sums, &yielded[..], Parts::new());
            for &ty in &types {
                let (rank, element) = tensor_parts(&ctx, ty).unwrap_or((1, ty));
                let (own, others) = sums.split_at(flat(&ctx, ty).len());
                let (place, rest) = yielded.split_at(rank);
                let (term, rest) = rest.split_at(flat(&ctx, element).len());
                let place: Vec<Value> = place.iter().map(|&index| to_index(b, index)).collect();
                let tensor = Array::of(&ctx, ty, own).expect("the verifier accepts tensors only");
                let inside = tensor.sizes(b);
                for (axis, (&index, extent)) in place.iter().zip(inside).enumerate() {
                    check_index(b, index, extent, axis, "buildFromSparse: ");
                }
                next.extend(super::scatter::add_at(b, &tensor, &place, term));
                (sums, yielded) = (others, rest);
            }
            next
        })
    }
}

/// Stops the program if an index of type `index` is not within the extent along an axis. `what` starts the message.
fn check_index(b: &mut Builder<'_>, index: Value, extent: Value, axis: usize, what: &str) {
    // As an unsigned number, a negative index is larger than any extent.
    let inside = arith::cmpi(b, CmpIPredicate::Ult, index, extent);
    let message = format!("{what}index {{}} is out of bounds for a tensor of extent {{}} (axis {axis})");
    assert_values(b, inside, &message, &[index, extent]);
}

/// The type of the elements of the tensor that an operation creates.
fn element_of(op: OpRef<'_>) -> Type {
    let ty = result_type(op);
    element_type(op.context(), ty).unwrap_or(ty)
}

/// A zero of the size of a value; strings are empty.
pub(super) fn zero_like(b: &mut Builder<'_>, ty: Type, value: &[Value]) -> Parts {
    let ctx = b.context();
    if let Some(types) = ty.as_tuple(&ctx) {
        let (mut rest, mut all) = (value, Parts::new());
        for &ty in types {
            let (own, others) = rest.split_at(flat(&ctx, ty).len());
            all.extend(zero_like(b, ty, own));
            rest = others;
        }
        return all;
    }
    if is_number(&ctx, ty) {
        return one(zero(b, ty));
    }
    if tensor_parts(&ctx, ty).is_none() {
        return one(dummy(b, b.ty(value[0])));
    }
    let array = Array::of(&ctx, ty, value).expect("the type is that of a tensor");
    array.map_numbers(&mut |numbers| {
        let (ty, sizes) = (b.ty(numbers), dims(b, numbers));
        let nothing = zero(b, ty.element_or_self(&ctx));
        filled(b, ty, &sizes, nothing)
    })
}

/// A zero of type `ty` whose tensors have the extents of `shape`, in which each scalar is an empty tuple.
fn zero_of_shape(b: &mut Builder<'_>, ty: Type, shape: Type, parts: &[Value]) -> Parts {
    let ctx = b.context();
    if let (Some(types), Some(shapes)) = (ty.as_tuple(&ctx), shape.as_tuple(&ctx))
        && types.len() == shapes.len()
    {
        let (mut rest, mut all) = (parts, Parts::new());
        for (&ty, &shape) in types.iter().zip(shapes) {
            let (own, others) = rest.split_at(flat(&ctx, shape).len());
            all.extend(zero_of_shape(b, ty, shape, own));
            rest = others;
        }
        return all;
    }
    let Some((rank, element)) = tensor_parts(&ctx, ty) else {
        return flat(&ctx, ty).into_iter().map(|ty| dummy(b, ty)).collect();
    };
    let Some((_, inner)) = tensor_parts(&ctx, shape) else {
        // The shape of a tensor of scalars or of tuples of scalars is its size.
        let sizes: Vec<Value> = parts.iter().take(rank).map(|&size| to_index(b, size)).collect();
        return collect(b, element, &sizes, &mut |b, _| {
            flat(&ctx, element).into_iter().map(|ty| dummy(b, ty)).collect()
        });
    };
    let array = Array::of(&ctx, shape, parts).expect("the type is that of a tensor");
    let sizes = array.sizes(b);
    if is_number(&ctx, element) {
        let nothing = zero(b, element);
        return one(filled(b, ty, &sizes, nothing));
    }
    collect(b, element, &sizes, &mut |b, indices| {
        let own = array.element(b, indices);
        zero_of_shape(b, element, inner, &own)
    })
}
