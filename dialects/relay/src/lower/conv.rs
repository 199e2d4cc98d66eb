//! Convolutions.

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
    (name == "nn.conv2d").then_some(|site, b| site.conv2d(b))
}

/// Numbers for two axes: one stands for both.
pub(super) fn pair(site: &Site, name: &str) -> [i64; 2] {
    match site.attrs.ints(name).as_deref() {
        Some(&[both]) => [both, both],
        Some(&[first, second]) => [first, second],
        _ => [1, 1],
    }
}

/// Where the axes of a layout without split axes stand, in the order of `letters`.
pub(super) fn positions<const N: usize>(text: &str, letters: &str) -> Result<[usize; N], String> {
    let whole = Layout::of(text, letters).filter(|layout| layout.rank() == letters.len());
    let layout = whole.ok_or_else(|| format!("its layout is {text}"))?;
    let mut found = [0; N];
    for (slot, letter) in found.iter_mut().zip(letters.chars()) {
        *slot = layout.position(letter).unwrap_or(0);
    }
    Ok(found)
}

/// The expressions of the indices of a tensor whose axis `at[i]` has expression `exprs[i]`.
pub(super) fn arranged<const N: usize, T: Clone>(at: [usize; N], values: [T; N]) -> Vec<T> {
    let mut arranged = values.to_vec();
    at.into_iter().zip(values).for_each(|(at, value)| arranged[at] = value);
    arranged
}

impl Site {
    /// Dimensions of the domain: batch, output channel, place in two axes; channel of the kernel, two axes of it.
    fn conv2d(&self, b: &mut Builder<'_>) -> Lowered {
        let dtype = self.result().dtype;
        let (data, weight) = (cast(b, self.arg(0), dtype), cast(b, self.arg(1), dtype));
        let text = |name: &str| self.attrs.text(name).unwrap_or_default();
        let data_at = positions::<4>(text("data_layout"), "NCHW")?;
        let kernel_at = positions::<4>(text("kernel_layout"), "OIHW")?;
        let out = if text("out_layout").is_empty() { text("data_layout") } else { text("out_layout") };
        let out_at = positions::<4>(out, "NCHW")?;
        let [strides, dilation] = ["strides", "dilation"].map(|name| pair(self, name));
        let given = self.attrs.ints("padding").unwrap_or_default();
        let padding = paddings(&given, 2).ok_or("its padding has another number of elements")?;

        let zero = scalar::zero(b, dtype);
        let mut widths = vec![(0, 0); 4];
        (0..2).for_each(|axis| widths[data_at[axis + 2]] = padding[axis]);
        let data = padded(b, &data, &widths, zero);

        let place = |axis: usize| {
            sum(linear(dim(axis + 2), strides[axis], 0), linear(dim(axis + 5), dilation[axis], 0))
        };
        let channel = self.input_channel(&weight, kernel_at)?;
        let left = arranged(data_at, [dim(0), channel, place(0), place(1)]);
        let right = arranged(kernel_at, [dim(1), dim(4), dim(5), dim(6)]);
        let output = arranged(out_at, [0, 1, 2, 3].map(dim));
        let mut wanted = vec![Extent::Known(0); 4];
        for axis in 0..4 {
            wanted[axis] = match self.result().shape[axis].known() {
                Some(known) => Extent::Known(known),
                None if axis == out_at[0] => extent(b, &data, data_at[0]),
                None => return Err("the extents of its result are not known".to_owned()),
            };
        }
        let reduced = vec![false, false, false, false, true, true, true];
        let domain =
            Accumulation { inputs: vec![(&data, left), (&weight, right)], reduced, output: (wanted, output) };
        Ok(vec![sum_of_products(b, &domain, dtype)])
    }

    /// The channel that is read: each group of output channels reads a group of input channels.
    fn input_channel(&self, weight: &Tensor, kernel_at: [usize; 4]) -> Result<AffineExpr, String> {
        let groups = self.attrs.int("groups").unwrap_or(1);
        if groups == 1 {
            return Ok(dim(4));
        }
        let known = |axis: usize| weight.ty.shape[kernel_at[axis]].known();
        let (Some(outputs), Some(inputs)) = (known(0), known(1)) else {
            return Err("the extents of its kernel are not known".to_owned());
        };
        let each = (outputs / groups).max(1);
        let group = AffineExpr::binary(AffineOp::FloorDiv, dim(1), AffineExpr::Constant(each));
        Ok(sum(linear(group, inputs, 0), dim(4)))
    }
}
