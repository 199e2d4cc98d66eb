//! Lowering of 1-D, 2-D and 3-D convolutions.

use super::matmul::sum_of_products;
use super::window::{SPATIAL, Window};
use crate::layout::Layout;
use crate::lower::extent::Extent;
use crate::lower::relayout::relayout;
use crate::lower::shape::reshaped;
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::padded;
use crate::lower::tensors::{Accumulation, dim, expanded, extent, extents, generate, linear, moved, sum};
use crate::lower::{Lowered, Rule, extract, scalar};
use crate::ty::DType;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Builder, Value};
use std::cmp::Ordering;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.conv1d" => |site, b| site.conv(b, 1),
        "nn.conv2d" | "nn.contrib_conv2d_NCHWc" | "nn.contrib_depthwise_conv2d_NCHWc" => {
            |site, b| site.conv(b, 2)
        }
        "nn.conv3d" => |site, b| site.conv(b, 3),
        _ => return None,
    })
}

/// The positions of `letters` in a layout without split axes.
fn positions(layout: &Layout, letters: &str) -> Vec<usize> {
    letters.chars().filter_map(|letter| layout.position(letter)).collect()
}

/// The indexing expressions of a tensor whose axis `at[i]` has expression `exprs[i]`.
fn arranged(at: &[usize], exprs: &[AffineExpr]) -> Vec<AffineExpr> {
    let mut arranged = exprs.to_vec();
    at.iter().zip(exprs).for_each(|(&at, expr)| arranged[at] = expr.clone());
    arranged
}

/// Positions of axes after the axis at `split` has become two.
fn axes_after_split(at: &[usize], split: usize) -> Vec<usize> {
    let after = |&axis: &usize| match axis.cmp(&split) {
        Ordering::Less => vec![axis],
        Ordering::Equal => vec![axis, axis + 1],
        Ordering::Greater => vec![axis + 1],
    };
    at.iter().flat_map(after).collect()
}

/// The message for channels that the groups do not divide.
pub(super) fn not_in_groups(name: &str) -> String {
    format!("{name}: the number of channels, {{}}, is no multiple of the number of groups")
}

/// A tensor whose axis of channels is split by groups; asserts that the groups are equal.
fn by_groups(b: &mut Builder<'_>, data: &Tensor, axis: usize, groups: i64, name: &str) -> Tensor {
    let groups = Extent::Known(groups);
    let mut wanted = extents(b, data);
    let each = wanted[axis].divided_by(b, groups);
    let covered = each.times(b, groups);
    wanted[axis].expect(b, covered, || not_in_groups(name));
    wanted.splice(axis..=axis, [groups, each]);
    let sizes: Vec<usize> = (0..data.rank()).map(|other| if other == axis { 2 } else { 1 }).collect();
    expanded(b, data, &sizes, &wanted)
}

/// The operands of a convolution in layouts without split axes, and its parameters.
pub(in crate::lower) struct Conv {
    /// The data, and the positions of batch, channel and spatial axes.
    pub(in crate::lower) data: Tensor,
    pub(in crate::lower) data_at: Vec<usize>,
    /// The kernel, and the positions of output channel, input channel and spatial axes.
    pub(in crate::lower) kernel: Tensor,
    pub(in crate::lower) kernel_at: Vec<usize>,
    /// The layout of the result.
    pub(in crate::lower) out: Layout,
    pub(in crate::lower) windows: Vec<Window>,
    pub(in crate::lower) groups: i64,
}

/// The output channels of a group from which the group is an axis of the domain.
const MANY_OUTPUTS: i64 = 4;

/// The channels of the data that an output channel reads.
pub(super) enum Channels {
    All,
    /// A group of `inputs` channels for each group of `outputs` output channels.
    Group {
        outputs: i64,
        inputs: i64,
    },
}

impl Channels {
    /// The channel with an index in its group, for the output channel of dimension 1.
    pub(super) fn input(&self, inner: AffineExpr) -> AffineExpr {
        match *self {
            Channels::All => inner,
            Channels::Group { outputs, inputs } => {
                let group = AffineExpr::binary(AffineOp::FloorDiv, dim(1), AffineExpr::Constant(outputs));
                sum(linear(group, inputs, 0), inner)
            }
        }
    }
}

impl Conv {
    /// The operands of a call of an operator, whose kernel has the letters `kernel_letters` for its channels.
    pub(in crate::lower) fn of(
        site: &Site,
        b: &mut Builder<'_>,
        axes: usize,
        kernel_letters: &str,
    ) -> Result<Conv, String> {
        let spatial = SPATIAL[axes - 1];
        let text = |name: &str| site.attrs.text(name).unwrap_or_default();
        let layout = |name: &str, letters: &str| {
            let layout = Layout::of(text(name), letters);
            layout.ok_or_else(|| format!("its layout is {:?}", text(name)))
        };
        let (letters, kernel_letters) = (format!("NC{spatial}"), format!("{kernel_letters}{spatial}"));
        let data_layout = layout("data_layout", &letters)?;
        let kernel_layout = layout("kernel_layout", &kernel_letters)?;
        let out =
            if text("out_layout").is_empty() { data_layout.clone() } else { layout("out_layout", &letters)? };
        let (data_whole, kernel_whole) = (data_layout.whole(), kernel_layout.whole());
        let data = relayout(b, site.arg(0), &data_layout, &data_whole);
        let kernel = relayout(b, site.arg(1), &kernel_layout, &kernel_whole);
        let (data_at, kernel_at) =
            (positions(&data_whole, &letters), positions(&kernel_whole, &kernel_letters));
        let mut sizes = Vec::with_capacity(axes);
        for &at in &kernel_at[2..] {
            sizes.push(extent(b, &kernel, at));
        }
        let windows = Window::along(site, &sizes)?;
        let groups = site.attrs.int("groups").unwrap_or(1);
        let mut conv = Conv { data, data_at, kernel, kernel_at, out, windows, groups };
        if kernel_letters.starts_with("OI") {
            conv.ungroup_multiplier(b);
        }
        Ok(conv)
    }

    /// Reshapes a depthwise kernel, which has a row of output channels for each channel of the data, to one row for each output
    /// channel.
    fn ungroup_multiplier(&mut self, b: &mut Builder<'_>) {
        let (outputs_at, inputs_at) = (self.kernel_at[0], self.kernel_at[1]);
        let mut wanted = extents(b, &self.kernel);
        let (Some(rows), Some(each)) = (wanted[outputs_at].known(), wanted[inputs_at].known()) else {
            if self.groups > 1 {
                self.ungroup_dynamic_multiplier(b);
            }
            return;
        };
        let channels = extent(b, &self.data, self.data_at[1]);
        if each <= 1 || rows != self.groups || channels != Extent::Known(self.groups) {
            return;
        }
        wanted[outputs_at] = Extent::Known(rows * each);
        wanted[inputs_at] = Extent::Known(1);
        let part = |op| AffineExpr::binary(op, dim(outputs_at), AffineExpr::Constant(each));
        let mut exprs = self.kernel.same();
        exprs[outputs_at] = part(AffineOp::FloorDiv);
        exprs[inputs_at] = part(AffineOp::Mod);
        self.kernel = moved(b, &self.kernel, exprs, &wanted);
    }

    /// [`Conv::ungroup_multiplier`] of a kernel whose channels are known at run time. The elements keep their row-major order
    /// in the two axes of channels.
    fn ungroup_dynamic_multiplier(&mut self, b: &mut Builder<'_>) {
        let (outputs_at, inputs_at) = (self.kernel_at[0], self.kernel_at[1]);
        let mut wanted = extents(b, &self.kernel);
        let (rows, each) = (wanted[outputs_at].value(b), wanted[inputs_at].value(b));
        let channels = extent(b, &self.data, self.data_at[1]).value(b);
        let (one, groups) = (arith::constant_index(b, 1), arith::constant_index(b, self.groups));
        let is_depthwise = arith::cmpi(b, CmpIPredicate::Eq, channels, groups);
        let by_rows = arith::cmpi(b, CmpIPredicate::Eq, rows, groups);
        let grouped = arith::andi(b, is_depthwise, by_rows);
        let all = arith::muli(b, rows, each);
        let (outputs, inputs) = (arith::select(b, grouped, all, rows), arith::select(b, grouped, one, each));
        wanted[outputs_at] = Extent::Value(outputs);
        wanted[inputs_at] = Extent::Value(inputs);
        self.kernel = generate(b, &wanted, self.kernel.dtype(), |b, indices| {
            let first = arith::muli(b, indices[outputs_at], inputs);
            let number = arith::addi(b, first, indices[inputs_at]);
            let mut at = indices.to_vec();
            at[outputs_at] = arith::divui(b, number, each);
            at[inputs_at] = arith::remui(b, number, each);
            extract(b, self.kernel.value, &at)
        });
    }

    fn axes(&self) -> usize {
        self.windows.len()
    }

    /// Pads the data with `value`; the padding of the windows becomes zero.
    pub(in crate::lower) fn pad(&mut self, b: &mut Builder<'_>, value: Value) {
        let mut widths = vec![(0, 0); self.axes() + 2];
        for (window, &at) in self.windows.iter_mut().zip(&self.data_at[2..]) {
            widths[at] = std::mem::take(&mut window.padding);
        }
        self.data = padded(b, &self.data, &widths, value);
    }

    /// The channels that an output channel reads; `None` if there are groups whose extents are known at run time.
    pub(super) fn channels(&self, b: &mut Builder<'_>) -> Option<Channels> {
        if self.groups == 1 {
            return Some(Channels::All);
        }
        let [outputs, inputs] = [0, 1].map(|axis| extent(b, &self.kernel, self.kernel_at[axis]).known());
        Some(Channels::Group { outputs: (outputs? / self.groups).max(1), inputs: inputs? })
    }

    /// The first reduced dimension of the domain: batch, output channel, output positions; kernel channel, kernel
    /// positions.
    fn first_reduced(&self) -> usize {
        2 + self.axes()
    }

    /// Sums the products over the padded data; `dtype` is the element type of the result, whose axes are not split yet.
    pub(in crate::lower) fn run(&self, b: &mut Builder<'_>, name: &str, dtype: DType) -> Tensor {
        let inner = self.first_reduced();
        let channels = match self.channels(b) {
            // The output channels of a group read the same data: as an axis of their own, they are rows of a register tile.
            None | Some(Channels::Group { outputs: MANY_OUTPUTS.., .. }) => {
                return self.run_by_groups(b, name, dtype);
            }
            Some(channels) => channels,
        };
        let mut left = vec![dim(0), channels.input(dim(inner))];
        let batch = extent(b, &self.data, self.data_at[0]);
        let mut wanted = vec![batch, extent(b, &self.kernel, self.kernel_at[0])];
        for (axis, window) in self.windows.iter().enumerate() {
            let place = linear(dim(2 + axis), window.stride, 0);
            left.push(sum(place, linear(dim(inner + 1 + axis), window.dilation, 0)));
            let whole = extent(b, &self.data, self.data_at[axis + 2]);
            wanted.push(window.places(b, whole, name));
        }
        let right: Vec<AffineExpr> = [1].into_iter().chain(inner..=inner + self.axes()).map(dim).collect();
        let output: Vec<AffineExpr> = (0..inner).map(dim).collect();
        let out_at = self.out_positions();
        let mut extents = wanted.clone();
        out_at.iter().zip(wanted).for_each(|(&at, extent)| extents[at] = extent);
        let domain = Accumulation {
            inputs: vec![
                (&self.data, self.data_arranged(&left)),
                (&self.kernel, arranged(&self.kernel_at, &right)),
            ],
            reduced: (0..inner + 1 + self.axes()).map(|dimension| dimension >= inner).collect(),
            output: (extents, arranged(&out_at, &output)),
        };
        sum_of_products(b, name, &domain, dtype)
    }

    /// [`Conv::run`] with groups of many channels, or of a number that is known at run time: the channels of the data and the
    /// output channels are split by groups. The domain has batch, group, output channel and output positions; kernel channel
    /// and kernel positions.
    fn run_by_groups(&self, b: &mut Builder<'_>, name: &str, dtype: DType) -> Tensor {
        let inner = self.first_reduced() + 1;
        let data = by_groups(b, &self.data, self.data_at[1], self.groups, name);
        let kernel = by_groups(b, &self.kernel, self.kernel_at[0], self.groups, name);
        let mut left = vec![dim(0), dim(1), dim(inner)];
        let outputs = self.kernel_at[0];
        let mut wanted = vec![extent(b, &self.data, self.data_at[0]), Extent::Known(self.groups)];
        wanted.push(extent(b, &kernel, outputs + 1));
        for (axis, window) in self.windows.iter().enumerate() {
            let place = linear(dim(3 + axis), window.stride, 0);
            left.push(sum(place, linear(dim(inner + 1 + axis), window.dilation, 0)));
            let whole = extent(b, &self.data, self.data_at[axis + 2]);
            wanted.push(window.places(b, whole, name));
        }
        let right: Vec<AffineExpr> = [1, 2].into_iter().chain(inner..=inner + self.axes()).map(dim).collect();
        let output: Vec<AffineExpr> = (0..inner).map(dim).collect();
        let out_at = self.out_positions();
        let split_at = axes_after_split(&out_at, out_at[1]);
        let mut extents = wanted.clone();
        split_at.iter().zip(wanted).for_each(|(&at, extent)| extents[at] = extent);
        let mut whole = extents.clone();
        whole.remove(out_at[1]);
        whole[out_at[1]] = extent(b, &self.kernel, outputs);
        let domain = Accumulation {
            inputs: vec![
                (&data, arranged(&axes_after_split(&self.data_at, self.data_at[1]), &left)),
                (&kernel, arranged(&axes_after_split(&self.kernel_at, outputs), &right)),
            ],
            reduced: (0..inner + 1 + self.axes()).map(|dimension| dimension >= inner).collect(),
            output: (extents, arranged(&split_at, &output)),
        };
        let done = sum_of_products(b, name, &domain, dtype);
        reshaped(b, &done, &whole)
    }

    /// The positions of batch, channel and spatial axes in the result of [`Conv::run`].
    pub(super) fn out_positions(&self) -> Vec<usize> {
        positions(&self.out.whole(), &format!("NC{}", SPATIAL[self.axes() - 1]))
    }

    /// Indices of the data, given as batch, channel and spatial ones, in its layout.
    pub(super) fn data_arranged(&self, exprs: &[AffineExpr]) -> Vec<AffineExpr> {
        arranged(&self.data_at, exprs)
    }

    /// The axis of the output channels in the result of [`Conv::run`].
    pub(in crate::lower) fn out_channel_at(&self) -> usize {
        self.out.whole().position('C').unwrap_or(1)
    }

    /// The result of [`Conv::run`] in the layout of the operator.
    pub(in crate::lower) fn finish(&self, b: &mut Builder<'_>, done: &Tensor) -> Tensor {
        relayout(b, done, &self.out.whole(), &self.out)
    }
}

impl Site {
    pub(super) fn conv(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let mut conv = Conv::of(self, b, axes, "OI")?;
        let zero = scalar::zero(b, conv.data.dtype());
        conv.pad(b, zero);
        let done = conv.run(b, self.name, self.result().dtype);
        Ok(vec![conv.finish(b, &done)])
    }
}
