//! Lowers an expression without a schedule to a `linalg.generic`.

use super::build::{cast, empty};
use super::kernel::{Instance, Source, is_no_op};
use super::scalar;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Builder, OpDef, Type, Value};
use minoan_linalg::{Fill, Generic, IteratorType};

/// The result of an expression, of type `ty`.
pub(super) fn lower(b: &mut Builder<'_>, instance: &Instance<'_>, ty: Type) -> Value {
    let (plan, ctx) = (instance.plan, b.context());
    let tensors: Vec<Value> = instance
        .sources
        .iter()
        .filter_map(|source| if let &Source::Tensor(tensor) = source { Some(tensor) } else { None })
        .collect();
    if is_no_op(plan) && b.ty(tensors[0]).element_or_self(&ctx) == instance.element {
        return cast(b, tensors[0], ty);
    }
    let outside = b.set_loc(instance.loc);
    let mut output = empty(b, ty, &instance.extents);
    let reducer = plan.expr.operator.filter(|_| plan.expr.is_reduction());
    if let Some(operator) = reducer {
        let identity = scalar::identity(b, operator, instance.element);
        let fill = Fill::with(b, identity, output);
        output = b.body().op(fill.op()).result(0);
    }
    let dims = plan.axes.len() as u32;
    let keep = |axes: &Vec<usize>| axes.iter().map(|&axis| axis as u32).collect::<Vec<u32>>();
    let mut maps: Vec<AffineMap> =
        plan.inputs.iter().map(|axes| AffineMap::projection(dims, &keep(axes))).collect();
    maps.push(AffineMap::projection(dims, &(0..plan.rank() as u32).collect::<Vec<u32>>()));
    let iterators: Vec<IteratorType> = (0..plan.axes.len())
        .map(|axis| if plan.is_reduced(axis) { IteratorType::Reduction } else { IteratorType::Parallel })
        .collect();
    let generic = Generic::with(b, &tensors, &[output], &maps, &iterators, |b, elements| {
        let (&old, inputs) = elements.split_last().expect("there is an output");
        let value = scalar::apply(b, plan.expr.operator, reducer.is_some(), inputs, instance.element);
        vec![match reducer {
            Some(operator) => scalar::accumulate(b, operator, old, value),
            None => value,
        }]
    });
    b.set_loc(outside);
    b.body().op(generic.op()).result(0)
}
