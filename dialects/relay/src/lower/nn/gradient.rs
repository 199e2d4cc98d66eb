//! Lowering of the gradients of pools and convolutions that are operators of their own.

use super::window::{Window, for_axes, spatial_axes};
use crate::layout::Layout;
use crate::lower::compact::update_if;
use crate::lower::extent::Extent;
use crate::lower::relayout::relayout;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::padded;
use crate::lower::tensors::{
    Accumulation, dim, empty, extent, extents, filled, insert, inside, linear, nest, sum,
};
use crate::lower::{Lowered, Rule, extract};
use minoan_arith as arith;
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Builder, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.max_pool2d_grad" => |site, b| site.pool_gradient(b, true),
        "nn.avg_pool2d_grad" => |site, b| site.pool_gradient(b, false),
        "nn.conv2d_backward_weight" => |site, b| site.kernel_gradient(b),
        _ => return None,
    })
}

impl Site {
    /// The gradients of the windows (argument 0), added to the first greatest element of each window of the data (argument 1),
    /// or in equal parts to all of its elements.
    fn pool_gradient(&self, b: &mut Builder<'_>, max: bool) -> Lowered {
        let (gradients, data, dtype) = (self.arg(0), self.arg(1), self.arg(1).dtype());
        if gradients.rank() != data.rank() {
            return Err("its arguments have different ranks".to_owned());
        }
        let axes = spatial_axes(self, "HW")?;
        let sizes: Vec<Extent> = for_axes(self, "pool_size", 2).into_iter().map(Extent::Known).collect();
        let windows = Window::along(self, &sizes)?;
        let (old, places) = (extents(b, data), extents(b, gradients));
        for axis in 0..data.rank() {
            let wanted = match axes.iter().position(|&pooled| pooled == axis) {
                Some(index) => windows[index].places(b, old[axis], self.name),
                None => old[axis],
            };
            wanted.expect(b, places[axis], || {
                format!(
                    "{}: there is not one gradient for each window along axis {axis}: {{}} for {{}}",
                    self.name
                )
            });
        }
        let zero = scalar::zero(b, dtype);
        let made = filled(b, &old, dtype, zero);
        let done = nest(b, &places, &[made.value], &mut |b, at, carried| {
            let mut starts = Vec::with_capacity(2);
            for (index, window) in windows.iter().enumerate() {
                let (stride, before) =
                    (arith::constant_index(b, window.stride), arith::constant_index(b, window.padding.0));
                let first = arith::muli(b, at[axes[index]], stride);
                starts.push(arith::subi(b, first, before));
            }
            // The element of the data at an offset in the window, and whether it exists.
            let element_at = |b: &mut Builder<'_>, offsets: &[Value]| {
                let (mut place, mut exists) = (at.to_vec(), arith::constant_bool(b, true));
                for (index, window) in windows.iter().enumerate() {
                    let dilation = arith::constant_index(b, window.dilation);
                    let offset = arith::muli(b, offsets[index], dilation);
                    let here = arith::addi(b, starts[index], offset);
                    let fits = inside(b, here, old[axes[index]]);
                    exists = arith::andi(b, exists, fits);
                    place[axes[index]] = here;
                }
                (place, exists)
            };
            let gradient = extract(b, gradients.value, at);
            let add = |b: &mut Builder<'_>, target: Value, place: &[Value], value: Value| {
                let before = extract(b, target, place);
                let after = scalar::add(b, before, value, dtype);
                insert(b, after, target, place)
            };
            let (none, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
            if max {
                let (least, no) = (scalar::least(b, dtype), arith::constant_bool(b, false));
                let init = [least, none, none, no];
                let best = nest(b, &sizes, &init, &mut |b, offsets, best| {
                    let (place, exists) = element_at(b, offsets);
                    update_if(b, exists, best, |b| {
                        let element = extract(b, data.value, &place);
                        let better = scalar::compare(b, Compare::Gt, element, best[0], dtype);
                        let first = scalar::not(b, best[3]);
                        let better = arith::ori(b, better, first);
                        let yes = arith::constant_bool(b, true);
                        vec![
                            arith::select(b, better, element, best[0]),
                            arith::select(b, better, place[axes[0]], best[1]),
                            arith::select(b, better, place[axes[1]], best[2]),
                            yes,
                        ]
                    })
                });
                return update_if(b, best[3], carried, |b| {
                    let mut place = at.to_vec();
                    place[axes[0]] = best[1];
                    place[axes[1]] = best[2];
                    vec![add(b, carried[0], &place, gradient)]
                });
            }
            let count = nest(b, &sizes, &[none], &mut |b, offsets, count| {
                let (_, exists) = element_at(b, offsets);
                let step = arith::select(b, exists, one, none);
                vec![arith::addi(b, count[0], step)]
            })[0];
            let count = arith::maxsi(b, count, one);
            let count = scalar::from_index(b, count, dtype);
            let part = scalar::div(b, gradient, count, dtype);
            nest(b, &sizes, carried, &mut |b, offsets, carried| {
                let (place, exists) = element_at(b, offsets);
                update_if(b, exists, carried, |b| vec![add(b, carried[0], &place, part)])
            })
        });
        Ok(vec![Tensor { value: done[0], ..made }])
    }

    /// The gradient of a convolution with respect to its kernel, from the gradient of the result (argument 0) and the data.
    fn kernel_gradient(&self, b: &mut Builder<'_>) -> Lowered {
        let text = |name: &str| self.attrs.text(name).unwrap_or_default();
        let layout = |name: &str, letters: &str| {
            Layout::of(text(name), letters).ok_or_else(|| format!("its layout is {:?}", text(name)))
        };
        let (given, kernel) = (layout("data_layout", "NCHW")?, layout("kernel_layout", "OIHW")?);
        let plain = |letters: &str| Layout::of(letters, letters).ok_or("its layout is not known");
        let [gradient, data] = [0, 1].map(|index| (self.arg(index), &given));
        let gradient = relayout(b, gradient.0, gradient.1, &plain("NCHW")?);
        let data = relayout(b, data.0, data.1, &plain("NCHW")?);
        let (dtype, groups) = (self.result().dtype, self.attrs.int("groups").unwrap_or(1));
        let sizes: Vec<Extent> = for_axes(self, "kernel_size", 2).into_iter().map(Extent::Known).collect();
        let windows = Window::along(self, &sizes)?;
        let zero = scalar::zero(b, data.dtype());
        let data = padded(b, &data, &[(0, 0), (0, 0), windows[0].padding, windows[1].padding], zero);
        let (outputs, channels) = (extent(b, &gradient, 1), extent(b, &data, 1));
        let inputs = channels.divided_by(b, Extent::Known(groups));
        // Output channel, input channel of a group, kernel positions; batch and positions of the result.
        let channel = if groups == 1 {
            dim(1)
        } else {
            let (Some(outputs), Some(inputs)) = (outputs.known(), inputs.known()) else {
                return Err("the numbers of its channels are not known".to_owned());
            };
            let each = AffineExpr::Constant((outputs / groups).max(1));
            sum(linear(AffineExpr::binary(AffineOp::FloorDiv, dim(0), each), inputs, 0), dim(1))
        };
        let mut right = vec![dim(4), channel];
        for (axis, window) in windows.iter().enumerate() {
            right.push(sum(
                linear(dim(5 + axis), window.stride, 0),
                linear(dim(2 + axis), window.dilation, 0),
            ));
        }
        let wanted = vec![outputs, inputs, sizes[0], sizes[1]];
        // Only its shape matters.
        let shape = empty(b, &wanted[1..], dtype);
        let domain = Accumulation {
            inputs: vec![
                (&gradient, vec![dim(4), dim(0), dim(5), dim(6)]),
                (&data, right),
                (&shape, vec![dim(1), dim(2), dim(3)]),
            ],
            reduced: (0..7).map(|dimension| dimension >= 4).collect(),
            output: (wanted, (0..4).map(dim).collect()),
        };
        let done = super::matmul::sum_of_products(b, self.name, &domain, dtype);
        Ok(vec![relayout(b, &done, &plain("OIHW")?, &kernel)])
    }
}
