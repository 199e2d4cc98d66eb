//! Lowering of matrix products.

use super::Rule;
use super::pointwise::cast;
use super::scalar;
use super::site::{Site, Tensor};
use super::tensors::{Accumulation, dim, extent, extents};
use crate::ty::Dim;
use minoan_ir::Builder;
use minoan_ir::affine::AffineExpr;

type Lowered = Result<Vec<Tensor>, String>;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.dense" => |site, b| site.product(b, false, true),
        "nn.matmul" => {
            |site, b| site.product(b, site.attrs.flag("transpose_a"), site.attrs.flag("transpose_b"))
        }
        "nn.batch_matmul" => |site, b| site.batch_product(b),
        _ => return None,
    })
}

/// Sums of products over a domain, in the type of the result. `name` is that of the operator.
pub(super) fn sum_of_products(
    b: &mut Builder<'_>,
    name: &str,
    domain: &Accumulation<'_>,
    dtype: crate::ty::DType,
) -> Tensor {
    domain.check(b, name);
    let zero = scalar::zero(b, dtype);
    let done = domain.run(b, &[(dtype, zero)], |b, inputs, sums| {
        let product = scalar::mul(b, inputs[0], inputs[1], dtype);
        vec![scalar::add(b, sums[0], product, dtype)]
    });
    done.into_iter().next().expect("one output for one beginning")
}

impl Site {
    /// The product of the last two axes of the data (or the only one) with a matrix: dimension `rank` of the domain
    /// is reduced.
    fn product(&self, b: &mut Builder<'_>, transpose_a: bool, transpose_b: bool) -> Lowered {
        let dtype = self.result().dtype;
        let (data, weight) = (cast(b, self.arg(0), dtype), cast(b, self.arg(1), dtype));
        let rank = data.rank();
        let (last, inner) = (dim(rank - 1), dim(rank));
        let mut left: Vec<AffineExpr> = (0..rank - 1).map(dim).chain([inner.clone()]).collect();
        let mut wanted = extents(b, &data);
        if transpose_a {
            left.swap(rank - 2, rank - 1);
            wanted.swap(rank - 2, rank - 1);
        }
        let (right, units) = if transpose_b {
            (vec![last, inner], extent(b, &weight, 0))
        } else {
            (vec![inner, last], extent(b, &weight, 1))
        };
        wanted[rank - 1] = units;
        let output = (wanted, (0..rank).map(dim).collect());
        let mut reduced = vec![false; rank + 1];
        reduced[rank] = true;
        let domain = Accumulation { inputs: vec![(&data, left), (&weight, right)], reduced, output };
        Ok(vec![sum_of_products(b, self.name, &domain, dtype)])
    }

    fn batch_product(&self, b: &mut Builder<'_>) -> Lowered {
        let dtype = self.result().dtype;
        let (lhs, rhs) = (cast(b, self.arg(0), dtype), cast(b, self.arg(1), dtype));
        let batch_of = |tensor: &Tensor, other: &Tensor| {
            let repeated = tensor.ty.shape[0] == Dim::Known(1) && other.ty.shape[0] != Dim::Known(1);
            if repeated { AffineExpr::Constant(0) } else { dim(0) }
        };
        let mut left = vec![batch_of(&lhs, &rhs), dim(1), dim(3)];
        let mut right = vec![batch_of(&rhs, &lhs), dim(3), dim(2)];
        let (mut rows, mut columns) = (1, 2);
        if self.attrs.flag("transpose_a") {
            left.swap(1, 2);
            rows = 2;
        }
        if self.attrs.flag("transpose_b") {
            right.swap(1, 2);
            columns = 1;
        }
        let batch = if left[0] == dim(0) { extent(b, &lhs, 0) } else { extent(b, &rhs, 0) };
        let wanted = vec![batch, extent(b, &lhs, rows), extent(b, &rhs, columns)];
        let output = (wanted, (0..3).map(dim).collect());
        let reduced = vec![false, false, false, true];
        let domain = Accumulation { inputs: vec![(&lhs, left), (&rhs, right)], reduced, output };
        Ok(vec![sum_of_products(b, self.name, &domain, dtype)])
    }
}
