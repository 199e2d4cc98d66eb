//! Lowering of the correlation of two images for displacements of one against the other.

use super::window::SPATIAL;
use crate::layout::Layout;
use crate::lower::extent::Extent;
use crate::lower::relayout::relayout;
use crate::lower::scalar;
use crate::lower::site::Site;
use crate::lower::slice::padded;
use crate::lower::tensors::{Accumulation, dim, extents, linear, pointwise, sum};
use crate::lower::{Lowered, Rule};
use crate::relation::paddings;
use minoan_arith as arith;
use minoan_ir::Builder;
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.correlation" => |site, b| site.correlation(b),
        _ => return None,
    })
}

impl Site {
    /// The mean, over a patch and all channels, of the products of the two images, or of the magnitudes of their
    /// differences. A channel of the result belongs to a displacement of the second image, rows first.
    fn correlation(&self, b: &mut Builder<'_>) -> Lowered {
        let number = |name: &str| self.attrs.int(name).unwrap_or(1);
        let (kernel, most) = (number("kernel_size"), number("max_displacement"));
        let (stride, step) = (number("stride1"), number("stride2"));
        if kernel < 1 || kernel % 2 == 0 || most < 0 {
            return Err(format!("its kernel_size is {kernel}, and its max_displacement {most}"));
        }
        let text = self.attrs.text("layout").unwrap_or_default();
        let letters = format!("NC{}", SPATIAL[1]);
        let given = Layout::of(text, &letters).ok_or_else(|| format!("its layout is {text:?}"))?;
        let plain = Layout::parse(&letters).ok_or("its layout is not known")?;
        let dtype = self.arg(0).dtype();
        if !dtype.is_float() || self.arg(1).dtype() != dtype {
            return Err(format!(
                "it is not defined for elements of type {dtype} and {}",
                self.arg(1).dtype()
            ));
        }
        for axis in 0..self.arg(0).rank() {
            self.expect_same(b, (0, axis), (1, axis));
        }
        let widths = self.attrs.ints("padding").unwrap_or_default();
        let widths = paddings(&widths, 2).ok_or("its padding has another number of elements")?;
        let zero = scalar::zero(b, dtype);
        let [one, other] = [0, 1].map(|index| {
            let image = relayout(b, self.arg(index), &given, &plain);
            padded(b, &image, &[&[(0, 0), (0, 0)], &widths[..]].concat(), zero)
        });
        let (sizes, radius) = (extents(b, &one), most / step);
        let displacements = 2 * radius + 1;
        let border = most + (kernel - 1) / 2;
        let mut wanted = vec![sizes[0], Extent::Known(displacements), Extent::Known(displacements)];
        for &size in &sizes[2..] {
            let room = size.plus(b, Extent::Known(stride - 1 - 2 * border));
            wanted.push(room.divided_by(b, Extent::Known(stride)));
        }
        // Batch, displacement, position; then, reduced, channel and place in the patch.
        let place = |axis: usize| sum(linear(dim(3 + axis), stride, most), dim(6 + axis));
        let moved = |axis: usize| {
            let begin = linear(dim(3 + axis), stride, most - radius * step);
            sum(sum(begin, linear(dim(1 + axis), step, 0)), dim(6 + axis))
        };
        // The extents of the patch are those of a tensor that is not read.
        let patch = scalar::zero(b, dtype);
        let patch = crate::lower::tensors::filled(b, &[Extent::Known(kernel); 2], dtype, patch);
        let domain = Accumulation {
            inputs: vec![
                (&one, vec![dim(0), dim(5), place(0), place(1)]),
                (&other, vec![dim(0), dim(5), moved(0), moved(1)]),
                (&patch, vec![dim(6), dim(7)]),
            ],
            reduced: (0..8).map(|dimension| dimension >= 5).collect(),
            output: (wanted.clone(), (0..5).map(dim).collect()),
        };
        domain.check(b, self.name);
        let multiplied = self.attrs.flag("is_multiply");
        let total = domain.run(b, &[(dtype, zero)], |b, elements, sums| {
            let term = if multiplied {
                scalar::factor(b, elements[0], elements[1], dtype)
            } else {
                let difference = arith::subf(b, elements[0], elements[1]);
                math::absf(b, difference)
            };
            vec![scalar::accumulate(b, sums[0], term, dtype)]
        });
        let count = Extent::Known(kernel * kernel).times(b, sizes[1]).value(b);
        let count = scalar::from_index(b, count, dtype);
        let part = |op| AffineExpr::binary(op, dim(1), AffineExpr::Constant(displacements));
        let exprs = vec![dim(0), part(AffineOp::FloorDiv), part(AffineOp::Mod), dim(2), dim(3)];
        let merged = vec![wanted[0], Extent::Known(displacements * displacements), wanted[3], wanted[4]];
        let mean = pointwise(b, &[(&total[0], exprs)], &merged, dtype, |b, elements| {
            arith::divf(b, elements[0], count)
        });
        Ok(vec![relayout(b, &mean, &plain, &given)])
    }
}
