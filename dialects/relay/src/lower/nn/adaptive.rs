//! Lowering of adaptive pooling: the size of the result determines the windows.

use super::pool::Windows;
use super::window::{SPATIAL, Window, for_axes, spatial_axes};
use crate::lower::extent::Extent;
use crate::lower::site::Site;
use crate::lower::tensors::{extents, generate, nest};
use crate::lower::{Lowered, Rule, extract, scalar};
use minoan_arith as arith;
use minoan_ir::Builder;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.adaptive_avg_pool1d" => |site, b| site.adaptive_pool(b, 1, true),
        "nn.adaptive_avg_pool2d" => |site, b| site.adaptive_pool(b, 2, true),
        "nn.adaptive_avg_pool3d" => |site, b| site.adaptive_pool(b, 3, true),
        "nn.adaptive_max_pool1d" => |site, b| site.adaptive_pool(b, 1, false),
        "nn.adaptive_max_pool2d" => |site, b| site.adaptive_pool(b, 2, false),
        "nn.adaptive_max_pool3d" => |site, b| site.adaptive_pool(b, 3, false),
        _ => return None,
    })
}

impl Site {
    fn adaptive_pool(&self, b: &mut Builder<'_>, axes: usize, mean: bool) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let positions = spatial_axes(self, SPATIAL[axes - 1])?;
        if self.attrs.ints("output_size").is_none_or(|sizes| sizes.is_empty()) {
            return Ok(vec![data.clone()]);
        }
        let sizes = for_axes(self, "output_size", axes);
        let old = extents(b, data);
        let init = if mean { scalar::zero(b, dtype) } else { scalar::least(b, dtype) };
        let next = if mean { scalar::add } else { scalar::largest };
        // Windows of one size that do not overlap, if the extents are multiples.
        let mut even = Vec::with_capacity(axes);
        for (&axis, &count) in positions.iter().zip(&sizes) {
            match old[axis] {
                _ if count == 1 => even.push((old[axis], 1)),
                Extent::Known(whole) if whole % count == 0 => {
                    even.push((Extent::Known(whole / count), whole / count));
                }
                _ => break,
            }
        }
        if even.len() == axes {
            let window = |&(size, stride): &(Extent, i64)| Window {
                size,
                stride: stride.max(1),
                dilation: 1,
                padding: (0, 0),
                ceil_mode: false,
            };
            let windows = Windows {
                axes: positions.clone(),
                each: even.iter().map(window).collect(),
                whole: positions.iter().map(|&axis| old[axis]).collect(),
                places: sizes.iter().map(|&size| Extent::Known(size)).collect(),
            };
            let pooled =
                if mean { windows.mean(b, data, false) } else { windows.reduce(b, data, init, next) };
            return Ok(vec![pooled]);
        }
        let mut wanted = old.clone();
        positions.iter().zip(&sizes).for_each(|(&axis, &size)| wanted[axis] = Extent::Known(size));
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let (mut starts, mut counts) = (Vec::new(), Vec::new());
            for (&axis, &size) in positions.iter().zip(&sizes) {
                let (whole, size) = (old[axis].value(b), arith::constant_index(b, size));
                let begin = arith::muli(b, at[axis], whole);
                let end = arith::addi(b, begin, whole);
                let begin = arith::divui(b, begin, size);
                let end = arith::ceildivsi(b, end, size);
                starts.push(begin);
                counts.push(arith::subi(b, end, begin));
            }
            let loops: Vec<Extent> = counts.iter().map(|&count| Extent::Value(count)).collect();
            let total = nest(b, &loops, &[init], &mut |b, place, carried| {
                let mut at = at.to_vec();
                for ((&axis, &start), &offset) in positions.iter().zip(&starts).zip(place) {
                    at[axis] = arith::addi(b, start, offset);
                }
                let element = extract(b, data.value, &at);
                vec![next(b, carried[0], element, dtype)]
            })[0];
            if !mean {
                return total;
            }
            let mut count = arith::constant_index(b, 1);
            for own in counts {
                count = arith::muli(b, count, own);
            }
            let count = scalar::from_index(b, count, dtype);
            scalar::div(b, total, count, dtype)
        })])
    }
}
