//! Lowering of matrix products.

use crate::layout::Layout;
use crate::lower::broadcast::{joined_extent, repeated_where_needed};
use crate::lower::relayout::relayout;
use crate::lower::site::{Site, Tensor};
use crate::lower::tensors::{Accumulation, dim, extent, extents};
use crate::lower::{Lowered, Rule, scalar};
use crate::relation::Transposed;
use crate::ty::{DType, Dim};
use minoan_ir::Builder;
use minoan_ir::affine::AffineExpr;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.dense" => |site, b| site.product(b, Transposed::DENSE),
        "nn.matmul" => |site, b| site.product(b, Transposed::of(&site.attrs)),
        "nn.batch_matmul" => |site, b| site.batch_product(b, (site.arg(0), site.arg(1))),
        "nn.contrib_dense_pack" => |site, b| {
            let weight = unpacked(b, site)?;
            Ok(vec![site.product_of(b, (site.arg(0), &weight), Transposed::DENSE)])
        },
        _ => return None,
    })
}

/// Sums of products over a domain, in the type of the result: the elements are converted inside the domain, so that a product
/// of narrow integers remains narrow. `name` is the name of the operator.
pub(in crate::lower) fn sum_of_products(
    b: &mut Builder<'_>,
    name: &str,
    domain: &Accumulation<'_>,
    dtype: DType,
) -> Tensor {
    domain.check(b, name);
    products_summed(b, domain, dtype)
}

/// [`sum_of_products`] over a domain whose indices are known to be inside of the operands.
pub(super) fn products_summed(b: &mut Builder<'_>, domain: &Accumulation<'_>, dtype: DType) -> Tensor {
    let zero = scalar::zero(b, dtype);
    let types: Vec<DType> = domain.inputs.iter().map(|(input, _)| input.dtype()).collect();
    let done = domain.run(b, &[(dtype, zero)], |b, inputs, sums| {
        let [lhs, rhs] = [0, 1].map(|index| scalar::cast(b, inputs[index], types[index], dtype));
        let product = scalar::factor(b, lhs, rhs, dtype);
        vec![scalar::accumulate(b, sums[0], product, dtype)]
    });
    done.into_iter().next().expect("one output for one beginning")
}

/// The matrix in the packed layout of argument 1: the layout of the attribute, or blocks of rows with their columns first.
pub(in crate::lower) fn unpacked(b: &mut Builder<'_>, site: &Site) -> Result<Tensor, String> {
    let weight = site.arg(1);
    if weight.rank() == 2 {
        return Ok(weight.clone());
    }
    let text = site.attrs.text("weight_layout").unwrap_or_default();
    let plain = Layout::of("NC", "NC").ok_or("its layout is not known")?;
    let packed = match Layout::of(text, "NC") {
        Some(packed) if packed.rank() == weight.rank() => packed,
        _ if weight.rank() == 3 => {
            let block = weight.ty.shape[2].known().ok_or("the extents of its weight are not known")?;
            Layout::of(&format!("NC{block}n"), "NC").ok_or("the blocks of its weight are empty")?
        }
        _ => return Err(format!("its layout is {text:?}")),
    };
    Ok(relayout(b, weight, &packed, &plain))
}

impl Site {
    /// A product of the first two arguments.
    fn product(&self, b: &mut Builder<'_>, transposed: Transposed) -> Lowered {
        let operands = (self.arg(0), self.arg(1));
        Ok(vec![self.product_of(b, operands, transposed)])
    }

    /// The product of the last two axes of the data (or the only one) with a matrix: dimension `rank` of the domain
    /// is reduced.
    pub(in crate::lower) fn product_of(
        &self,
        b: &mut Builder<'_>,
        (data, weight): (&Tensor, &Tensor),
        transposed: Transposed,
    ) -> Tensor {
        let dtype = self.result().dtype;
        let rank = data.rank();
        let (last, inner) = (dim(rank - 1), dim(rank));
        let mut left: Vec<AffineExpr> = (0..rank - 1).map(dim).chain([inner.clone()]).collect();
        let mut wanted = extents(b, data);
        if transposed.a {
            left.swap(rank - 2, rank - 1);
            wanted.swap(rank - 2, rank - 1);
        }
        let (right, units) = if transposed.b {
            (vec![last, inner], extent(b, weight, 0))
        } else {
            (vec![inner, last], extent(b, weight, 1))
        };
        wanted[rank - 1] = units;
        let output = (wanted, (0..rank).map(dim).collect());
        let mut reduced = vec![false; rank + 1];
        reduced[rank] = true;
        let domain = Accumulation { inputs: vec![(data, left), (weight, right)], reduced, output };
        sum_of_products(b, self.name, &domain, dtype)
    }

    /// The products of batches of matrices.
    pub(in crate::lower) fn batch_product(
        &self,
        b: &mut Builder<'_>,
        (lhs, rhs): (&Tensor, &Tensor),
    ) -> Lowered {
        let dtype = self.result().dtype;
        let batch = [lhs, rhs].map(|operand| extent(b, operand, 0));
        let batch = joined_extent(b, batch[0], batch[1]);
        let [lhs, rhs] = [lhs, rhs].map(|operand| {
            let mut wanted = extents(b, operand);
            wanted[0] = batch;
            repeated_where_needed(b, operand, &wanted)
        });
        let (lhs, rhs) = (&lhs, &rhs);
        let batch_of = |tensor: &Tensor, other: &Tensor| {
            let repeated = tensor.ty.shape[0] == Dim::Known(1) && other.ty.shape[0] != Dim::Known(1);
            if repeated { AffineExpr::Constant(0) } else { dim(0) }
        };
        let mut left = vec![batch_of(lhs, rhs), dim(1), dim(3)];
        let mut right = vec![batch_of(rhs, lhs), dim(3), dim(2)];
        let (mut rows, mut columns) = (1, 2);
        if self.attrs.flag("transpose_a") {
            left.swap(1, 2);
            rows = 2;
        }
        if self.attrs.flag("transpose_b") {
            right.swap(1, 2);
            columns = 1;
        }
        let wanted = vec![batch, extent(b, lhs, rows), extent(b, rhs, columns)];
        let output = (wanted, (0..3).map(dim).collect());
        let reduced = vec![false, false, false, true];
        let domain = Accumulation { inputs: vec![(lhs, left), (rhs, right)], reduced, output };
        Ok(vec![sum_of_products(b, self.name, &domain, dtype)])
    }
}
