//! Lowering of transposed convolutions.
//!
//! Each element of the data adds to a window of the result. Along an axis whose stride and dilation are coprime, the elements of
//! a residue class of the result are a convolution of the data by each `s`-th tap of the kernel ([`WindowAxis`]). All classes
//! are one sum of products over the residues, the positions and the taps of a class, and their elements are interleaved
//! afterwards. This avoids multiplications by the zeros that a dilation of the data would insert.
//!
//! If some classes lack taps, which would be multiplications by zeros, and few products are summed for an element of the result, all
//! elements of the data are first multiplied by the kernel, which is a product of matrices, and then summed by classes.
//!
//! Strides and dilations with a common divisor, and kernels of extents that are known at run time, are convolutions of the
//! dilated data by the reversed kernel.

use super::conv::{Channels, Conv, not_in_groups};
use super::matmul::products_summed;
use super::window::{Window, for_axes};
use crate::lower::extent::Extent;
use crate::lower::shape::{axes_split, reversed};
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::{dilated, padded, placed};
use crate::lower::tensors::{Accumulation, dim, extent, extents, generate, linear, moved, sum};
use crate::lower::{Lowered, Rule, extract, scalar};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Builder, Value};
use minoan_services::WindowAxis;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.conv1d_transpose" => |site, b| site.conv_transpose(b, 1),
        "nn.conv2d_transpose" => |site, b| site.conv_transpose(b, 2),
        "nn.conv3d_transpose" => |site, b| site.conv_transpose(b, 3),
        _ => return None,
    })
}

/// One spatial axis of a transposed convolution by residue classes.
struct Classes {
    /// The windows of the result to which the elements of the data add.
    window: WindowAxis,
    /// The number of taps that the last classes lack.
    missing: i64,
    /// Zeros before and after the data.
    padding: (i64, i64),
    /// The extent of the result minus the extent of the data times the stride.
    growth: i64,
}

impl Classes {
    /// `None` if stride and dilation have a common divisor; `size` is the extent of the kernel, and `more` the additional
    /// elements at the end of the result.
    fn of(window: &Window, size: i64, more: i64) -> Option<Classes> {
        let (stride, dilation, (before, after)) = (window.stride, window.dilation, window.padding);
        let axis = WindowAxis::new(stride, dilation, before, size)?;
        let reach = (size - 1) * dilation + 1;
        let growth = reach + more - before - after - stride;
        let (low, high) = axis.first_positions(stride);
        // The last position is the extent of the data plus `ceil(growth / stride)`.
        let last = (growth + stride - 1).div_euclid(stride) + high;
        let padding = ((dilation * (axis.taps() - 1) - low).max(0), last.max(0));
        Some(Classes { window: axis, missing: axis.taps() * stride - size, padding, growth })
    }

    fn stride(&self) -> i64 {
        self.window.stride()
    }

    /// Whether the windows of the elements of the data follow each other in the result.
    fn is_tiled(&self) -> bool {
        let is_whole = (self.missing, self.padding, self.growth) == (0, (0, 0), 0);
        self.stride() > 1 && is_whole && (self.window.taps(), self.window.dilation()) == (1, 1)
    }

    /// The number of positions of a class along data of an extent.
    fn positions(&self, b: &mut Builder<'_>, data: Extent) -> Extent {
        data.plus(b, Extent::Known((self.growth + self.stride() - 1).div_euclid(self.stride())))
    }

    /// The extent of the result.
    fn result(&self, b: &mut Builder<'_>, data: Extent) -> Extent {
        data.times(b, Extent::Known(self.stride())).plus(b, Extent::Known(self.growth))
    }

    /// The index of the padded data that a tap of the class of a residue multiplies at a position.
    fn data_index(&self, residue: &AffineExpr, position: AffineExpr, tap: AffineExpr) -> AffineExpr {
        let first = linear(self.window.first_position(residue), 1, self.padding.0);
        sum(sum(position, first), linear(tap, -self.window.dilation(), 0))
    }
}

/// The axes whose results are of several classes.
fn strided(classes: &[Classes]) -> Vec<usize> {
    (0..classes.len()).filter(|&axis| classes[axis].stride() > 1).collect()
}

/// The most products that are summed for an element of the result, so that storing them takes less time than computing them.
const MOST_TAPS: i64 = 4;

impl Conv {
    /// The transposed convolution, whose kernel has its input channels first; `more` are the additional elements at the end of
    /// each axis of the result.
    pub(in crate::lower) fn into_transposed(
        mut self,
        b: &mut Builder<'_>,
        name: &str,
        more: &[i64],
        dtype: DType,
    ) -> Tensor {
        self.ungroup_kernel(b, name);
        let each = self.windows.iter().zip(more);
        let classes = each.map(|(window, &more)| Classes::of(window, window.size.known()?, more));
        let classes = classes.collect::<Option<Vec<_>>>();
        match classes.zip(self.channels(b)) {
            Some((classes, _)) if self.has_few_products(&classes, dtype) => {
                self.by_products(b, name, &classes, dtype)
            }
            Some((classes, channels)) => self.by_classes(b, name, (&classes, &channels), dtype),
            None => self.by_dilation(b, name, more, dtype),
        }
    }

    /// Sums products for all residues, and interleaves them.
    fn by_classes(
        mut self,
        b: &mut Builder<'_>,
        name: &str,
        (classes, channels_read): (&[Classes], &Channels),
        dtype: DType,
    ) -> Tensor {
        let axes = classes.len();
        let [batch, channels] = [(&self.data, self.data_at[0]), (&self.kernel, self.kernel_at[0])]
            .map(|(of, at)| extent(b, of, at));
        let (positions, whole) = self.class_extents(b, name, classes);
        self.pad_for(b, classes);
        // The dimensions: batch, output channel, residues of the strided axes, positions; input channel, taps.
        let strided = strided(classes);
        let residues: Vec<AffineExpr> = (0..axes)
            .map(|axis| match strided.iter().position(|&at| at == axis) {
                Some(at) => dim(2 + at),
                None => AffineExpr::Constant(0),
            })
            .collect();
        let (first_position, inner) = (2 + strided.len(), 2 + strided.len() + axes);
        let mut data_exprs = vec![dim(0), channels_read.input(dim(inner))];
        for (axis, class) in classes.iter().enumerate() {
            let (position, tap) = (dim(first_position + axis), dim(inner + 1 + axis));
            data_exprs.push(class.data_index(&residues[axis], position, tap));
        }
        let (kernel, kernel_exprs) = self.kernel_classes(b, classes, &residues, inner);
        // The sums have the layout of the result, with the residues before its first spatial axis.
        let out_at = self.out_positions();
        let first = out_at[2..].iter().copied().min().unwrap_or(2);
        let in_sums = |at: usize| if at >= first { at + strided.len() } else { at };
        let mut sums_exprs = vec![AffineExpr::Constant(0); inner];
        let mut sums_extents = vec![Extent::Known(1); inner];
        for (axis, &at) in out_at.iter().enumerate() {
            let (expr, extent) = match axis {
                0 => (dim(0), batch),
                1 => (dim(1), channels),
                _ => (dim(first_position + axis - 2), positions[axis - 2]),
            };
            (sums_exprs[in_sums(at)], sums_extents[in_sums(at)]) = (expr, extent);
        }
        for (at, &axis) in strided.iter().enumerate() {
            sums_exprs[first + at] = dim(2 + at);
            sums_extents[first + at] = Extent::Known(classes[axis].stride());
        }
        let domain = Accumulation {
            inputs: vec![(&self.data, self.data_arranged(&data_exprs)), (&kernel, kernel_exprs)],
            reduced: (0..inner + 1 + axes).map(|dimension| dimension >= inner).collect(),
            output: (sums_extents, sums_exprs),
        };
        let sums = products_summed(b, &domain, dtype);
        let extents = [&[batch, channels], &whole[..]].concat();
        self.interleaved(b, &sums, classes, &extents)
    }

    /// The result of sums for all residues, which are in the layout of the result, with the residues of strided axes before its
    /// first spatial axis. `whole` are the extents of batch, channels and spatial axes.
    fn interleaved(
        &self,
        b: &mut Builder<'_>,
        sums: &Tensor,
        classes: &[Classes],
        whole: &[Extent],
    ) -> Tensor {
        let strided = strided(classes);
        if strided.is_empty() {
            return self.finish(b, sums);
        }
        let out_at = self.out_positions();
        let first = out_at[2..].iter().copied().min().unwrap_or(2);
        let mut exprs = vec![AffineExpr::Constant(0); sums.rank()];
        for (axis, &at) in out_at.iter().enumerate() {
            let in_sums = if at >= first { at + strided.len() } else { at };
            exprs[in_sums] = match axis.checked_sub(2).map(|axis| classes[axis].stride()) {
                Some(stride) if stride > 1 => {
                    AffineExpr::binary(AffineOp::FloorDiv, dim(at), AffineExpr::Constant(stride))
                }
                _ => dim(at),
            };
        }
        for (place, &axis) in strided.iter().enumerate() {
            let stride = AffineExpr::Constant(classes[axis].stride());
            exprs[first + place] = AffineExpr::binary(AffineOp::Mod, dim(out_at[axis + 2]), stride);
        }
        let mut extents = vec![Extent::Known(1); out_at.len()];
        out_at.iter().zip(whole).for_each(|(&at, &extent)| extents[at] = extent);
        let done = moved(b, sums, exprs, &extents);
        self.finish(b, &done)
    }

    /// Whether to compute [`Conv::by_products`]: it is a product of matrices, without the multiplications by zeros of classes
    /// that lack taps, but its products are stored, unless each is an element of the result. With the channels last, the sums of
    /// classes have lanes along them.
    fn has_few_products(&self, classes: &[Classes], dtype: DType) -> bool {
        let sizes = |of: &Tensor, at: &[usize]| at.iter().all(|&at| of.ty.shape[at].known().is_some());
        let out_at = self.out_positions();
        self.groups == 1
            && matches!(dtype, DType::Float(32 | 64))
            && [&self.data, &self.kernel].iter().all(|of| of.dtype() == dtype)
            && (classes.iter().any(|class| class.missing > 0) || classes.iter().all(Classes::is_tiled))
            && classes.iter().map(|class| class.window.taps()).product::<i64>() <= MOST_TAPS
            && out_at.is_sorted()
            && self.data_at.is_sorted()
            && sizes(&self.data, &self.data_at)
            && sizes(&self.kernel, &self.kernel_at)
    }

    /// Multiplies all elements of the data by the kernel, and sums the products for all residues. The products have batch, output
    /// channel, taps and positions of the data.
    fn by_products(&self, b: &mut Builder<'_>, name: &str, classes: &[Classes], dtype: DType) -> Tensor {
        let axes = classes.len();
        let [batch, channels] = [(&self.data, self.data_at[0]), (&self.kernel, self.kernel_at[0])]
            .map(|(of, at)| extent(b, of, at));
        let (positions, whole) = self.class_extents(b, name, classes);
        let (data, kernel) = (extents(b, &self.data), extents(b, &self.kernel));
        let taps = self.kernel_at[2..].iter().map(|&at| kernel[at]);
        let places = self.data_at[2..].iter().map(|&at| data[at]);
        let output: Vec<Extent> = [batch, channels].into_iter().chain(taps).chain(places).collect();
        let reduced = output.len();
        let data_exprs: Vec<AffineExpr> =
            [dim(0), dim(reduced)].into_iter().chain((2 + axes..reduced).map(dim)).collect();
        let mut kernel_exprs = vec![dim(reduced); self.kernel.rank()];
        kernel_exprs[self.kernel_at[0]] = dim(1);
        self.kernel_at[2..].iter().enumerate().for_each(|(axis, &at)| kernel_exprs[at] = dim(2 + axis));
        let domain = Accumulation {
            inputs: vec![(&self.data, self.data_arranged(&data_exprs)), (&self.kernel, kernel_exprs)],
            reduced: (0..=reduced).map(|dimension| dimension == reduced).collect(),
            output: (output, (0..reduced).map(dim).collect()),
        };
        let products = products_summed(b, &domain, dtype);
        let extents = [&[batch, channels], &whole[..]].concat();
        if classes.iter().all(Classes::is_tiled) {
            return self.interleaved(b, &products, classes, &extents);
        }
        // Zeros for the taps that classes lack, and for elements outside of the data.
        let mut widths = vec![(0, 0); reduced];
        for (axis, class) in classes.iter().enumerate() {
            widths[2 + axis] = (0, class.missing);
            widths[2 + axes + axis] = class.padding;
        }
        let zero = scalar::zero(b, dtype);
        let products = padded(b, &products, &widths, zero);
        let strided = strided(classes);
        let strides: Vec<(usize, i64)> =
            strided.iter().rev().map(|&axis| (2 + axis, classes[axis].stride())).collect();
        let products = axes_split(b, &products, &strides);
        // The dimensions: batch, output channel, residues of the strided axes, positions; taps.
        let (first_position, inner) = (2 + strided.len(), 2 + strided.len() + axes);
        let (mut taps, mut places) = (Vec::new(), Vec::new());
        for (axis, class) in classes.iter().enumerate() {
            let residue = strided.iter().position(|&at| at == axis).map(|at| dim(2 + at));
            let own = residue.clone().unwrap_or(AffineExpr::Constant(0));
            taps.push(dim(inner + axis));
            taps.extend(residue.map(|residue| class.window.first_tap(&residue)));
            places.push(class.data_index(&own, dim(first_position + axis), dim(inner + axis)));
        }
        let exprs = [dim(0), dim(1)].into_iter().chain(taps).chain(places).collect();
        let residues = strided.iter().map(|&axis| Extent::Known(classes[axis].stride()));
        let output: Vec<Extent> =
            [batch, channels].into_iter().chain(residues).chain(positions.iter().copied()).collect();
        let domain = Accumulation {
            inputs: vec![(&products, exprs)],
            reduced: (0..inner + axes).map(|dimension| dimension >= inner).collect(),
            output: (output, (0..inner).map(dim).collect()),
        };
        let sums = domain.run(b, &[(dtype, zero)], |b, products, sums| {
            vec![scalar::accumulate(b, sums[0], products[0], dtype)]
        });
        self.interleaved(b, &sums[0], classes, &extents)
    }

    /// Checks the extents of the arguments; returns for each spatial axis the number of positions of a class, and the extent of
    /// the result.
    fn class_extents(
        &self,
        b: &mut Builder<'_>,
        name: &str,
        classes: &[Classes],
    ) -> (Vec<Extent>, Vec<Extent>) {
        let inputs = extent(b, &self.kernel, self.kernel_at[1]).times(b, Extent::Known(self.groups));
        let axis = self.data_at[1];
        let message = || format!("{name}: axis {axis} of argument 1 has extent {{}}, expected {{}}");
        extent(b, &self.data, axis).expect(b, inputs, message);
        let (mut positions, mut whole) = (Vec::new(), Vec::new());
        for (axis, class) in classes.iter().enumerate() {
            let own = extent(b, &self.data, self.data_at[axis + 2]);
            positions.push(class.positions(b, own));
            let result = class.result(b, own);
            let message = || format!("{name}: a window is larger than the padded data");
            Extent::Known(1).expect_at_most(b, result, message);
            whole.push(result);
        }
        (positions, whole)
    }

    /// The kernel with each strided axis split in two, and the index of each of its axes in the sums for a class: `s * m + j`
    /// becomes `[m, j]`. The dimensions from `inner` on are the input channel and the taps.
    fn kernel_classes(
        &self,
        b: &mut Builder<'_>,
        classes: &[Classes],
        residues: &[AffineExpr],
        inner: usize,
    ) -> (Tensor, Vec<AffineExpr>) {
        let mut exprs = vec![AffineExpr::Constant(0); self.kernel.rank()];
        exprs[self.kernel_at[0]] = dim(1);
        exprs[self.kernel_at[1]] = dim(inner);
        for (axis, &at) in self.kernel_at[2..].iter().enumerate() {
            exprs[at] = dim(inner + 1 + axis);
        }
        let mut split = strided(classes);
        split.sort_by_key(|&axis| std::cmp::Reverse(self.kernel_at[axis + 2]));
        let strides: Vec<(usize, i64)> =
            split.iter().map(|&axis| (self.kernel_at[axis + 2], classes[axis].stride())).collect();
        for &axis in &split {
            exprs.insert(self.kernel_at[axis + 2] + 1, classes[axis].window.first_tap(&residues[axis]));
        }
        (axes_split(b, &self.kernel, &strides), exprs)
    }

    /// Pads data and kernel with zeros, so that each class has the same taps and all of them meet an element.
    fn pad_for(&mut self, b: &mut Builder<'_>, classes: &[Classes]) {
        let zeros = [self.data.dtype(), self.kernel.dtype()].map(|dtype| scalar::zero(b, dtype));
        let mut widths = vec![(0, 0); self.data.rank()];
        let mut missing = vec![(0, 0); self.kernel.rank()];
        for (axis, class) in classes.iter().enumerate() {
            widths[self.data_at[axis + 2]] = class.padding;
            missing[self.kernel_at[axis + 2]] = (0, class.missing);
        }
        self.data = padded(b, &self.data, &widths, zeros[0]);
        self.kernel = padded(b, &self.kernel, &missing, zeros[1]);
    }

    /// A convolution of the data with zeros between its elements, by the reversed kernel.
    fn by_dilation(mut self, b: &mut Builder<'_>, name: &str, more: &[i64], dtype: DType) -> Tensor {
        let zero = scalar::zero(b, self.data.dtype());
        let mut strides = vec![1; self.data.rank()];
        for (window, &at) in self.windows.iter_mut().zip(&self.data_at[2..]) {
            strides[at] = std::mem::replace(&mut window.stride, 1);
        }
        let spread = dilated(b, &self.data, &strides, zero);
        let sizes = self.windows.iter().map(|window| window.size.known()).collect::<Option<Vec<i64>>>();
        self.data = match sizes {
            Some(sizes) => {
                let mut widths = vec![(0, 0); spread.rank()];
                for (axis, (window, size)) in self.windows.iter_mut().zip(sizes).enumerate() {
                    let around = (size - 1) * window.dilation;
                    let (before, after) = std::mem::take(&mut window.padding);
                    widths[self.data_at[axis + 2]] = (around - before, around - after + more[axis]);
                }
                padded(b, &spread, &widths, zero)
            }
            None => self.padded_around(b, name, &spread, more, zero),
        };
        self.kernel = reversed(b, &self.kernel, &self.kernel_at[2..]);
        let done = self.run(b, name, dtype);
        self.finish(b, &done)
    }

    /// Data with zeros around it, so that a window of an extent known at run time ends at the first element and begins at the
    /// last one; the padding of the windows becomes zero.
    fn padded_around(
        &mut self,
        b: &mut Builder<'_>,
        name: &str,
        data: &Tensor,
        more: &[i64],
        zero: Value,
    ) -> Tensor {
        let mut wanted = extents(b, data);
        let mut befores = vec![Extent::Known(0); wanted.len()];
        let mut beyond = vec![false; wanted.len()];
        for (axis, window) in self.windows.iter_mut().enumerate() {
            let at = self.data_at[axis + 2];
            let around = window.reach(b).plus(b, Extent::Known(-1));
            let (before, after) = std::mem::take(&mut window.padding);
            befores[at] = around.plus(b, Extent::Known(-before));
            let grown = wanted[at].plus(b, befores[at]).plus(b, around);
            wanted[at] = grown.plus(b, Extent::Known(more[axis] - after));
            let message = || format!("{name}: a window is larger than the padded data");
            Extent::Known(1).expect_at_most(b, wanted[at], message);
            beyond[at] = true;
        }
        placed(b, data, &befores, &beyond, &wanted, zero)
    }

    /// Transposes the kernel, whose axes are input channels and the output channels of a group, to those of a convolution: output
    /// channels and the input channels of a group.
    fn ungroup_kernel(&mut self, b: &mut Builder<'_>, name: &str) {
        let (inputs_at, outputs_at) = (self.kernel_at[0], self.kernel_at[1]);
        self.kernel_at.swap(0, 1);
        if self.groups == 1 {
            return;
        }
        let groups = Extent::Known(self.groups);
        let old = extents(b, &self.kernel);
        let (inputs, outputs) = (old[inputs_at], old[outputs_at]);
        let each = inputs.divided_by(b, groups);
        let covered = each.times(b, groups);
        inputs.expect(b, covered, || not_in_groups(name));
        let mut wanted = old;
        wanted[inputs_at] = each;
        wanted[outputs_at] = outputs.times(b, groups);
        if let (Extent::Known(each), Extent::Known(outputs)) = (each, outputs) {
            let part = |op| AffineExpr::binary(op, dim(outputs_at), AffineExpr::Constant(outputs.max(1)));
            let mut exprs = self.kernel.same();
            exprs[inputs_at] = sum(linear(part(AffineOp::FloorDiv), each, 0), dim(inputs_at));
            exprs[outputs_at] = part(AffineOp::Mod);
            self.kernel = moved(b, &self.kernel, exprs, &wanted);
            return;
        }
        let (each, outputs) = (each.value(b), outputs.value(b));
        self.kernel = generate(b, &wanted, self.kernel.dtype(), |b, indices| {
            let mut at = indices.to_vec();
            let group = arith::divui(b, indices[outputs_at], outputs);
            let first = arith::muli(b, group, each);
            at[inputs_at] = arith::addi(b, first, indices[inputs_at]);
            at[outputs_at] = arith::remui(b, indices[outputs_at], outputs);
            extract(b, self.kernel.value, &at)
        });
    }
}

impl Site {
    fn conv_transpose(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let more = for_axes(self, "output_padding", axes);
        let conv = Conv::of(self, b, axes, "IO")?;
        Ok(vec![conv.into_transposed(b, self.name, &more, self.result().dtype)])
    }
}
