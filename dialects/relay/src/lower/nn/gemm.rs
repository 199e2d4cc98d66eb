//! Lowering of convolutions whose kernel is a matrix of tiles.

use crate::lower::extent::{Extent, product};
use crate::lower::scalar;
use crate::lower::site::{Site, Tensor};
use crate::lower::tensors::{clamped, extents, generate, inside};
use crate::lower::{Lowered, Rule, extract};
use minoan_arith as arith;
use minoan_ir::Builder;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.contrib_conv2d_gemm_weight_transform" => |site, b| site.tiled_kernel(b),
        "nn.contrib_conv2d_gemm_without_weight_transform" => |site, b| site.conv_of_tiles(b),
        _ => return None,
    })
}

impl Site {
    /// The kernel, in the layout HWIO, as a matrix with a column for each output channel; its tiles, which are transposed,
    /// are padded with zeros.
    fn tiled_kernel(&self, b: &mut Builder<'_>) -> Lowered {
        let (kernel, dtype) = (self.arg(0), self.arg(0).dtype());
        let [columns, rows] =
            ["tile_N", "tile_K"].map(|name| Extent::Known(self.attrs.int(name).unwrap_or(1).max(1)));
        let sizes = extents(b, kernel);
        let height = product(b, &sizes[..3]);
        let tiles = [(sizes[3], columns), (height, rows)].map(|(whole, tile)| {
            let less = tile.known().unwrap_or(1) - 1;
            whole.plus(b, Extent::Known(less)).divided_by(b, tile)
        });
        let wanted = [tiles[0], tiles[1], columns, rows];
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let place = |b: &mut Builder<'_>, axis: usize, tile: Extent| {
                let tile = tile.value(b);
                let begin = arith::muli(b, at[axis], tile);
                arith::addi(b, begin, at[axis + 2])
            };
            let (column, row) = (place(b, 0, columns), place(b, 1, rows));
            let (column_inside, row_inside) = (inside(b, column, sizes[3]), inside(b, row, height));
            let exists = arith::andi(b, column_inside, row_inside);
            let (column, row) = (clamped(b, column, sizes[3]), clamped(b, row, height));
            let mut from = crate::lower::tensors::indices_at(b, row, &sizes[..3]);
            from.push(column);
            let element = extract(b, kernel.value, &from);
            let zero = scalar::zero(b, dtype);
            arith::select(b, exists, element, zero)
        })])
    }

    /// The kernel in the layout HWIO from its tiles.
    fn kernel_of_tiles(&self, b: &mut Builder<'_>) -> Result<Tensor, String> {
        let packed = self.arg(1);
        let text = self.attrs.text("data_layout").unwrap_or_default();
        if packed.rank() != 4 || text != "NHWC" {
            return Err(format!("its layout is {text:?}, and its kernel has {} axes", packed.rank()));
        }
        let size = self.attrs.ints("kernel_size").filter(|size| size.len() == 2);
        let (size, channels) =
            size.zip(self.attrs.int("channels")).ok_or("its channels and kernel_size are not given")?;
        let inputs = crate::lower::tensors::extent(b, self.arg(0), 3);
        let wanted = [Extent::Known(size[0]), Extent::Known(size[1]), inputs, Extent::Known(channels)];
        let sizes = extents(b, packed);
        let rows = product(b, &wanted[..3]);
        for (needed, tiles, tile) in [(wanted[3], sizes[0], sizes[2]), (rows, sizes[1], sizes[3])] {
            let whole = tiles.times(b, tile);
            needed.expect_at_most(b, whole, || {
                format!("{}: the kernel has too few tiles: expected at least {{}}, found {{}}", self.name)
            });
        }
        Ok(generate(b, &wanted, packed.dtype(), |b, at| {
            let row = crate::lower::tensors::position(b, &at[..3], &wanted[..3]);
            let (columns, rows) = (sizes[2].value(b), sizes[3].value(b));
            let from = [
                arith::divui(b, at[3], columns),
                arith::divui(b, row, rows),
                arith::remui(b, at[3], columns),
                arith::remui(b, row, rows),
            ];
            extract(b, packed.value, &from)
        }))
    }

    fn conv_of_tiles(&self, b: &mut Builder<'_>) -> Lowered {
        let kernel = self.kernel_of_tiles(b)?;
        let mut attrs = self.attrs.clone();
        attrs.set("kernel_layout", "HWIO".into());
        let args = vec![self.args[0].clone(), vec![kernel]];
        Site { name: self.name, attrs, args, results: self.results.clone() }.conv(b, 2)
    }
}
