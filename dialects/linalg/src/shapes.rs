//! Shape inference through the iteration domain.

use crate::structured;
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{DYNAMIC, OpRef, Type};
use minoan_services::{Inferred, ShapeInference, refine_shape};

/// Infers extents: each dimension of the domain has the extent of every operand dimension that it indexes alone.
pub(crate) struct ByMaps;

impl ShapeInference for ByMaps {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let ctx = op.context();
        let maps = structured::maps(op).unwrap_or_default();
        let mut operands = operands.to_vec();
        if maps.len() == operands.len() {
            let dims = maps.first().map_or(0, |map| map.dims as usize);
            let mut extents = vec![None; dims];
            for (dim, extent) in maps.iter().zip(&operands).flat_map(|(map, ty)| extents_of(ctx, map, *ty)) {
                if *extents[dim].get_or_insert(extent) != extent {
                    return None;
                }
            }
            for (map, ty) in maps.iter().zip(&mut operands).filter(|(_, ty)| ty.is_tensor(ctx)) {
                let known: Vec<Option<i64>> =
                    map.results.iter().map(|expr| extents[dimension(expr)?]).collect();
                *ty = refine_shape(ctx, *ty, &known).unwrap_or(*ty);
            }
        }
        let results = operands[operands.len().checked_sub(op.n_results())?..].to_vec();
        Some(Inferred::in_place(&operands, results))
    }
}

fn dimension(expr: &AffineExpr) -> Option<usize> {
    match expr {
        AffineExpr::Dim(dim) => Some(*dim as usize),
        _ => None,
    }
}

/// The known extents of an operand with the dimensions of the domain that index them alone.
fn extents_of(ctx: &minoan_ir::Context, map: &AffineMap, ty: Type) -> Vec<(usize, i64)> {
    let shape = ty.shape(ctx).unwrap_or(&[]);
    let known = map.results.iter().zip(shape).filter(|(_, extent)| **extent != DYNAMIC);
    known.filter_map(|(expr, &extent)| Some((dimension(expr)?, extent))).collect()
}
