//! Lowering of operators that move elements between channels, batches and spatial axes.

use crate::layout::Layout;
use crate::lower::extent::Extent;
use crate::lower::relayout::relayout;
use crate::lower::shape::{permuted, reshaped};
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::{dilated, padded, sliced, width_pairs};
use crate::lower::tensors::extents;
use crate::lower::{Lowered, Rule, scalar};
use minoan_ir::Builder;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.depth_to_space" => |site, b| site.blocks(b, true),
        "nn.space_to_depth" => |site, b| site.blocks(b, false),
        "nn.space_to_batch_nd" => |site, b| site.space_to_batch(b),
        "nn.batch_to_space_nd" => |site, b| site.batch_to_space(b),
        "nn.dilate" => |site, b| {
            let (data, dtype) = (site.arg(0), site.arg(0).dtype());
            let strides = site.attrs.ints("strides").unwrap_or_default();
            let value = scalar::constant(b, site.attrs.float("dilation_value").unwrap_or(0.0), dtype);
            Ok(vec![dilated(b, data, &strides, value)])
        },
        _ => return None,
    })
}

/// Splits an extent into `parts` equal parts; asserts that there is no remainder.
fn divided(b: &mut Builder<'_>, name: &str, whole: Extent, parts: i64, what: &str) -> Extent {
    let part = whole.divided_by(b, Extent::Known(parts));
    let covered = part.times(b, Extent::Known(parts));
    whole
        .expect(b, covered, || format!("{name}: the extent {{}} of the {what} is not a multiple of {parts}"));
    part
}

/// Reshapes, permutes and reshapes again.
fn shuffled(
    b: &mut Builder<'_>,
    data: &Tensor,
    split: &[Extent],
    order: &[usize],
    merged: &[Extent],
) -> Tensor {
    let split = reshaped(b, data, split);
    let moved = permuted(b, &split, order);
    reshaped(b, &moved, merged)
}

impl Site {
    /// The data with its channels before its spatial axes.
    fn channels_first(&self, b: &mut Builder<'_>) -> Result<(Tensor, Layout, Layout), String> {
        let text = self.attrs.text("layout").unwrap_or_default();
        let given = Layout::of(text, "NCHW").ok_or_else(|| format!("its layout is {text:?}"))?;
        let plain = Layout::of("NCHW", "NCHW").ok_or("its layout is not known")?;
        Ok((relayout(b, self.arg(0), &given, &plain), given, plain))
    }

    /// Moves blocks of channels to space, or back.
    fn blocks(&self, b: &mut Builder<'_>, to_space: bool) -> Lowered {
        let (data, given, plain) = self.channels_first(b)?;
        let size = self.attrs.int("block_size").unwrap_or(1);
        let block = Extent::Known(size);
        // The block of a channel comes before or after the channel.
        let blocks_first = !matches!(self.attrs.text("mode"), Some("CDR" | "CRD"));
        let old = extents(b, &data);
        let done = if to_space {
            let channels = old[1].divided_by(b, Extent::Known(size * size));
            let (rows, columns) = (old[2].times(b, block), old[3].times(b, block));
            // TVM accepts a number of channels that is not a multiple: the rest is dropped.
            let used = channels.times(b, Extent::Known(size * size));
            let data = sliced(b, &data, &[], &[old[0], used, old[2], old[3]]);
            let merged = [old[0], channels, rows, columns];
            if blocks_first {
                let split = [old[0], block, block, channels, old[2], old[3]];
                shuffled(b, &data, &split, &[0, 3, 4, 1, 5, 2], &merged)
            } else {
                let split = [old[0], channels, block, block, old[2], old[3]];
                shuffled(b, &data, &split, &[0, 1, 4, 2, 5, 3], &merged)
            }
        } else {
            let rows = divided(b, self.name, old[2], size, "rows");
            let columns = divided(b, self.name, old[3], size, "columns");
            let split = [old[0], old[1], rows, block, columns, block];
            let channels = old[1].times(b, Extent::Known(size * size));
            let merged = [old[0], channels, rows, columns];
            let order = if blocks_first { [0, 3, 5, 1, 2, 4] } else { [0, 1, 3, 5, 2, 4] };
            shuffled(b, &data, &split, &order, &merged)
        };
        Ok(vec![relayout(b, &done, &plain, &given)])
    }

    fn space_to_batch(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let block = self.attrs.ints("block_shape").unwrap_or_default();
        let mut widths = vec![(0, 0)];
        widths.extend(width_pairs(self, "paddings"));
        widths.resize(data.rank(), (0, 0));
        let value = scalar::constant(b, self.attrs.float("pad_value").unwrap_or(0.0), data.dtype());
        let data = padded(b, data, &widths, value);
        let old = extents(b, &data);
        let (mut split, mut outer, mut inner) = (vec![old[0]], vec![0], Vec::new());
        let (mut batch, mut rest) = (old[0], Vec::new());
        for (index, &size) in block.iter().enumerate() {
            let part = divided(b, self.name, old[index + 1], size, "padded data");
            inner.push(split.len() + 1);
            outer.push(split.len());
            split.extend([part, Extent::Known(size)]);
            batch = batch.times(b, Extent::Known(size));
            rest.push(part);
        }
        let others = &old[block.len() + 1..];
        outer.extend((0..others.len()).map(|index| split.len() + index));
        split.extend(others);
        let order = [inner, outer].concat();
        let merged = [&[batch][..], &rest, others].concat();
        Ok(vec![shuffled(b, &data, &split, &order, &merged)])
    }

    fn batch_to_space(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let block = self.attrs.ints("block_shape").unwrap_or_default();
        let old = extents(b, data);
        let batch = divided(b, self.name, old[0], block.iter().product(), "batch");
        let mut split: Vec<Extent> = block.iter().map(|&size| Extent::Known(size)).collect();
        split.push(batch);
        split.extend(&old[1..]);
        let (mut order, mut merged) = (vec![block.len()], vec![batch]);
        for (index, &size) in block.iter().enumerate() {
            order.extend([block.len() + 1 + index, index]);
            merged.push(old[index + 1].times(b, Extent::Known(size)));
        }
        order.extend(2 * block.len() + 1..split.len());
        merged.extend(&old[block.len() + 1..]);
        let whole = shuffled(b, data, &split, &order, &merged);
        let mut widths = vec![(0, 0)];
        widths.extend(width_pairs(self, "crops").into_iter().map(|(before, after)| (-before, -after)));
        widths.resize(data.rank(), (0, 0));
        let zero = scalar::zero(b, data.dtype());
        Ok(vec![padded(b, &whole, &widths, zero)])
    }
}
