//! Lowering of 1-D, 2-D and 3-D convolutions.

use super::Rule;
use super::extent::Extent;
use super::matmul::sum_of_products;
use super::pointwise::cast;
use super::scalar;
use super::site::{Site, Tensor};
use super::slice::padded;
use super::tensors::{Accumulation, dim, extent, linear, sum};
use crate::layout::Layout;
use crate::relation::paddings;
use minoan_ir::Builder;
use minoan_ir::affine::{AffineExpr, AffineOp};

type Lowered = Result<Vec<Tensor>, String>;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.conv1d" => |site, b| site.conv(b, "W"),
        "nn.conv2d" => |site, b| site.conv(b, "HW"),
        "nn.conv3d" => |site, b| site.conv(b, "DHW"),
        _ => return None,
    })
}

/// Numbers for `axes` axes; a single number applies to all.
pub(super) fn for_axes(site: &Site, name: &str, axes: usize) -> Vec<i64> {
    match site.attrs.ints(name) {
        Some(given) if given.len() == axes => given,
        Some(given) if given.len() == 1 => vec![given[0]; axes],
        _ => vec![1; axes],
    }
}

/// The positions of `letters` in a layout without split axes.
fn positions(text: &str, letters: &str) -> Result<Vec<usize>, String> {
    let whole = Layout::of(text, letters).filter(|layout| layout.rank() == letters.len());
    let layout = whole.ok_or_else(|| format!("its layout is {text}"))?;
    Ok(letters.chars().filter_map(|letter| layout.position(letter)).collect())
}

/// The indexing expressions of a tensor whose axis `at[i]` has expression `exprs[i]`.
fn arranged(at: &[usize], exprs: &[AffineExpr]) -> Vec<AffineExpr> {
    let mut arranged = exprs.to_vec();
    at.iter().zip(exprs).for_each(|(&at, expr)| arranged[at] = expr.clone());
    arranged
}

impl Site {
    /// The dimensions of the domain: batch, output channel, output positions; kernel channel, kernel positions.
    fn conv(&self, b: &mut Builder<'_>, spatial: &str) -> Lowered {
        let (dtype, axes) = (self.result().dtype, spatial.len());
        let (data, weight) = (cast(b, self.arg(0), dtype), cast(b, self.arg(1), dtype));
        let text = |name: &str| self.attrs.text(name).unwrap_or_default();
        let data_at = positions(text("data_layout"), &format!("NC{spatial}"))?;
        let kernel_at = positions(text("kernel_layout"), &format!("OI{spatial}"))?;
        let out = if text("out_layout").is_empty() { text("data_layout") } else { text("out_layout") };
        let out_at = positions(out, &format!("NC{spatial}"))?;
        let (strides, dilation) = (for_axes(self, "strides", axes), for_axes(self, "dilation", axes));
        let given = self.attrs.ints("padding").unwrap_or_default();
        let padding = paddings(&given, axes).ok_or("its padding has another number of elements")?;

        let zero = scalar::zero(b, dtype);
        let mut widths = vec![(0, 0); axes + 2];
        (0..axes).for_each(|axis| widths[data_at[axis + 2]] = padding[axis]);
        let data = padded(b, &data, &widths, zero);

        let (places, inner) = (2, 2 + axes);
        let mut left = vec![dim(0), self.input_channel(&weight, &kernel_at, inner)?];
        left.extend((0..axes).map(|axis| {
            let place = linear(dim(places + axis), strides[axis], 0);
            sum(place, linear(dim(inner + 1 + axis), dilation[axis], 0))
        }));
        let right: Vec<AffineExpr> = [1].into_iter().chain(inner..=inner + axes).map(dim).collect();
        let output: Vec<AffineExpr> = (0..inner).map(dim).collect();
        let mut wanted = Vec::with_capacity(inner);
        for (axis, extent_of) in self.result().shape.iter().enumerate() {
            wanted.push(match extent_of.known() {
                Some(known) => Extent::Known(known),
                None if axis == out_at[0] => extent(b, &data, data_at[0]),
                None => return Err("the extents of its result are not known".to_owned()),
            });
        }
        let domain = Accumulation {
            inputs: vec![(&data, arranged(&data_at, &left)), (&weight, arranged(&kernel_at, &right))],
            reduced: (0..inner + 1 + axes).map(|dimension| dimension >= inner).collect(),
            output: (wanted, arranged(&out_at, &output)),
        };
        Ok(vec![sum_of_products(b, self.name, &domain, dtype)])
    }

    /// The input channel: each group of output channels reads a group of input channels.
    fn input_channel(
        &self,
        weight: &Tensor,
        kernel_at: &[usize],
        inner: usize,
    ) -> Result<AffineExpr, String> {
        let groups = self.attrs.int("groups").unwrap_or(1);
        if groups == 1 {
            return Ok(dim(inner));
        }
        let known = |axis: usize| weight.ty.shape[kernel_at[axis]].known();
        let (Some(outputs), Some(inputs)) = (known(0), known(1)) else {
            return Err("the extents of its kernel are not known".to_owned());
        };
        let each = (outputs / groups).max(1);
        let group = AffineExpr::binary(AffineOp::FloorDiv, dim(1), AffineExpr::Constant(each));
        Ok(sum(linear(group, inputs, 0), dim(inner)))
    }
}
