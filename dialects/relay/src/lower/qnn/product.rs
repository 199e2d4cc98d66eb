//! Lowering of quantized products: sums of `(x - zx) * (w - zw)`.
//!
//! The data stays narrow, so that the sum is a contraction of narrow integers: `sum (x - zx) * w' = sum x * w' - zx * sum w'`
//! with `w' = w - zw`, which is the kernel itself if its zero point is zero. The second sum does not depend on the data.

use crate::lower::nn::{Conv, for_axes, unpacked};
use crate::lower::pointwise::cast;
use crate::lower::reduce::{ReducedDims, sum};
use crate::lower::scalar;
use crate::lower::site::{Site, Tensor};
use crate::lower::tensors;
use crate::lower::{Lowered, Rule};
use crate::relation::Transposed;
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{AttrData, Builder};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "qnn.dense" => |site, b| site.qnn_dense(b, site.arg(1)),
        "qnn.contrib_dense_pack" => |site, b| {
            let weight = unpacked(b, site)?;
            site.qnn_dense(b, &weight)
        },
        "qnn.batch_matmul" => |site, b| site.qnn_batch_matmul(b),
        "qnn.conv2d" => |site, b| site.qnn_conv(b),
        "qnn.conv2d_transpose" => |site, b| site.qnn_conv_transpose(b),
        _ => return None,
    })
}

/// Whether all elements of a tensor are known to be zero.
fn is_zero(b: &Builder<'_>, tensor: &Tensor) -> bool {
    let ctx = b.context();
    arith::constant_value(b.body(), tensor.value).is_some_and(|value| match value.data(&ctx) {
        AttrData::DenseElements { data, .. } => data.iter().all(|&byte| byte == 0),
        _ => false,
    })
}

impl Site {
    /// The differences of the elements from a zero point, in a type that holds them all, or the tensor if it is zero.
    fn centered(&self, b: &mut Builder<'_>, data: &Tensor, axis: usize, zero: &Tensor) -> Tensor {
        if is_zero(b, zero) {
            return data.clone();
        }
        let from = data.dtype();
        let dtype = if from.bits() <= 8 { DType::Int(16) } else { DType::I32 };
        self.with_params(b, data, axis, &[zero], dtype, |b, value, params| {
            let value = scalar::cast(b, value, from, dtype);
            let zero = scalar::cast(b, params[0], DType::I32, dtype);
            arith::subi(b, value, zero)
        })
    }

    /// Subtracts `zero * sum(weight)` from sums of products, whose axis `at` corresponds to the rows `rows` of the weight.
    fn corrected(
        &self,
        b: &mut Builder<'_>,
        sums: &Tensor,
        at: usize,
        (weight, rows): (&Tensor, usize),
        zero: &Tensor,
    ) -> Tensor {
        if is_zero(b, zero) {
            return sums.clone();
        }
        let dtype = sums.dtype();
        let axes: Vec<bool> = (0..weight.rank()).map(|axis| axis != rows).collect();
        let wide = cast(b, weight, dtype);
        let totals = sum(b, &wide, &axes, ReducedDims::Drop);
        self.with_params(b, sums, at, &[&totals, zero], dtype, |b, value, params| {
            let zero = scalar::cast(b, params[1], DType::I32, dtype);
            let less = arith::muli(b, params[0], zero);
            arith::subi(b, value, less)
        })
    }

    fn qnn_dense(&self, b: &mut Builder<'_>, weight: &Tensor) -> Lowered {
        let weight = self.centered(b, weight, 0, self.arg(3));
        let sums = self.product_of(b, (self.arg(0), &weight), Transposed::DENSE);
        let last = sums.rank() - 1;
        Ok(vec![self.corrected(b, &sums, last, (&weight, 0), self.arg(2))])
    }

    fn qnn_batch_matmul(&self, b: &mut Builder<'_>) -> Lowered {
        let [lhs, rhs] = [0, 1].map(|index| self.centered(b, self.arg(index), 0, self.arg(index + 2)));
        self.batch_product(b, (&lhs, &rhs))
    }

    fn qnn_conv(&self, b: &mut Builder<'_>) -> Lowered {
        let mut conv = Conv::of(self, b, 2, "OI")?;
        let dtype = conv.data.dtype();
        // The padding represents the real number 0.
        let zero = tensors::scalar(b, self.arg(2).value);
        let zero = scalar::cast(b, zero, DType::I32, dtype);
        conv.pad(b, zero);
        let rows = conv.kernel_at[0];
        conv.kernel = self.centered(b, &conv.kernel, rows, self.arg(3));
        let sums = conv.run(b, self.name, self.result().dtype);
        let done = self.corrected(b, &sums, conv.out_channel_at(), (&conv.kernel, rows), self.arg(2));
        Ok(vec![conv.finish(b, &done)])
    }

    fn qnn_conv_transpose(&self, b: &mut Builder<'_>) -> Lowered {
        let more = for_axes(self, "output_padding", 2);
        let mut conv = Conv::of(self, b, 2, "IO")?;
        conv.data = self.centered(b, &conv.data, 0, self.arg(2));
        let outputs = conv.kernel_at[1];
        conv.kernel = self.centered(b, &conv.kernel, outputs, self.arg(3));
        Ok(vec![conv.into_transposed(b, self.name, &more, self.result().dtype)])
    }
}
