//! Lowering of transposed convolutions: convolutions of the data with zeros between its elements, by the reversed kernel.

use super::conv::Conv;
use super::window::for_axes;
use crate::lower::extent::Extent;
use crate::lower::shape::reversed;
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::{dilated, padded};
use crate::lower::tensors::{dim, extents, linear, moved, sum};
use crate::lower::{Lowered, Rule, scalar};
use crate::ty::DType;
use minoan_ir::Builder;
use minoan_ir::affine::{AffineExpr, AffineOp};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.conv1d_transpose" => |site, b| site.conv_transpose(b, 1),
        "nn.conv2d_transpose" => |site, b| site.conv_transpose(b, 2),
        "nn.conv3d_transpose" => |site, b| site.conv_transpose(b, 3),
        _ => return None,
    })
}

impl Conv {
    /// The convolution that computes a transposed one, whose kernel has its input channels first; `more` are the additional
    /// elements at the end of each axis of the result.
    pub(in crate::lower) fn into_transposed(
        mut self,
        b: &mut Builder<'_>,
        name: &str,
        more: &[i64],
        dtype: DType,
    ) -> Result<Tensor, String> {
        let zero = scalar::zero(b, self.data.dtype());
        let mut strides = vec![1; self.data.rank()];
        let mut widths = vec![(0, 0); self.data.rank()];
        for (axis, window) in self.windows.iter_mut().enumerate() {
            let at = self.data_at[axis + 2];
            strides[at] = std::mem::replace(&mut window.stride, 1);
            let Some(reach) = window.reach(b).known() else {
                return Err("the extents of its kernel are not known".to_owned());
            };
            let (before, after) = std::mem::take(&mut window.padding);
            widths[at] = (reach - 1 - before, reach - 1 - after + more[axis]);
        }
        let spread = dilated(b, &self.data, &strides, zero);
        self.data = padded(b, &spread, &widths, zero);
        self.kernel = reversed(b, &self.kernel, &self.kernel_at[2..]);
        self.ungroup_kernel(b)?;
        let done = self.run(b, name, dtype)?;
        Ok(self.finish(b, &done))
    }

    /// Gives the kernel, whose axes are input channels and the output channels of a group, those of a convolution: output
    /// channels and the input channels of a group.
    fn ungroup_kernel(&mut self, b: &mut Builder<'_>) -> Result<(), String> {
        let (inputs_at, outputs_at) = (self.kernel_at[0], self.kernel_at[1]);
        self.kernel_at.swap(0, 1);
        if self.groups == 1 {
            return Ok(());
        }
        let mut wanted = extents(b, &self.kernel);
        let (Some(inputs), Some(outputs)) = (wanted[inputs_at].known(), wanted[outputs_at].known()) else {
            return Err("the extents of its kernel are not known".to_owned());
        };
        let each = inputs / self.groups;
        wanted[inputs_at] = Extent::Known(each);
        wanted[outputs_at] = Extent::Known(outputs * self.groups);
        let binary = |op| AffineExpr::binary(op, dim(outputs_at), AffineExpr::Constant(outputs.max(1)));
        let mut exprs = self.kernel.same();
        exprs[inputs_at] = sum(linear(binary(AffineOp::FloorDiv), each, 0), dim(inputs_at));
        exprs[outputs_at] = binary(AffineOp::Mod);
        self.kernel = moved(b, &self.kernel, exprs, &wanted);
        Ok(())
    }
}

impl Site {
    fn conv_transpose(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let more = for_axes(self, "output_padding", axes);
        let conv = Conv::of(self, b, axes, "IO")?;
        Ok(vec![conv.into_transposed(b, self.name, &more, self.result().dtype)?])
    }
}
