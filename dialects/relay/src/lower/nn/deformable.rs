//! Lowering of convolutions whose sampling points are displaced by offsets.

use super::matmul::products_summed;
use super::window::{SPATIAL, Window};
use crate::layout::Layout;
use crate::lower::extent::{Extent, product};
use crate::lower::relayout::relayout;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::tensors::{Accumulation, clamped, dim, extent, extents, generate, inside};
use crate::lower::{Lowered, Rule, extract};
use minoan_arith as arith;
use minoan_ir::{Builder, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.deformable_conv2d" => |site, b| site.deformable(b),
        _ => return None,
    })
}

impl Site {
    /// Samples the data at the displaced points, then sums the products with the kernel. A point outside of the data reads
    /// 0; the offsets are those of the vertical and the horizontal direction in turns, for each group of channels and each
    /// element of the kernel.
    fn deformable(&self, b: &mut Builder<'_>) -> Lowered {
        if self.attrs.int("groups").unwrap_or(1) != 1 {
            return Err("it has groups, which TVM does not define either".to_owned());
        }
        let letters = format!("NC{}", SPATIAL[1]);
        let named = |name: &str, letters: &str| {
            let text = self.attrs.text(name).unwrap_or_default();
            Layout::of(text, letters).ok_or_else(|| format!("its layout is {text:?}"))
        };
        let given = named("data_layout", &letters)?;
        let kernel_given = named("kernel_layout", "OIHW")?;
        let out = match self.attrs.text("out_layout") {
            None | Some("") => given.clone(),
            Some(_) => named("out_layout", &letters)?,
        };
        let (plain, kernel_plain) = (Layout::parse(&letters), Layout::parse("OIHW"));
        let (plain, kernel_plain) = plain.zip(kernel_plain).ok_or("its layout is not known")?;
        let data = relayout(b, self.arg(0), &given, &plain);
        let offsets = relayout(b, self.arg(1), &given, &plain);
        let kernel = relayout(b, self.arg(2), &kernel_given, &kernel_plain);
        let (dtype, to) = (data.dtype(), self.result().dtype);
        if !dtype.is_float() || offsets.dtype() != dtype {
            return Err(format!("it is not defined for elements of type {dtype} and {}", offsets.dtype()));
        }
        let sampling = Sampling::new(self, b, &data, &offsets, &kernel)?;
        let sampled = generate(b, &sampling.wanted(), dtype, |b, at| sampling.sample(b, at));
        // Batch, output channel, positions; then, reduced, channel and element of the kernel.
        let read = [0, 4, 5, 6, 2, 3].map(dim).to_vec();
        let weights = [1, 4, 5, 6].map(dim).to_vec();
        let domain = Accumulation {
            inputs: vec![(&sampled, read), (&kernel, weights)],
            reduced: (0..7).map(|dimension| dimension >= 4).collect(),
            output: (
                vec![sampling.old[0], sampling.sizes[0], sampling.places[0], sampling.places[1]],
                (0..4).map(dim).collect(),
            ),
        };
        let done = products_summed(b, &domain, to);
        Ok(vec![relayout(b, &done, &plain, &out)])
    }
}

/// Data that is sampled at displaced points, in the layout NCHW.
struct Sampling<'t> {
    data: &'t Tensor,
    offsets: &'t Tensor,
    windows: Vec<Window>,
    /// The extents of the data and of the kernel, in the layout OIHW.
    old: Vec<Extent>,
    sizes: Vec<Extent>,
    /// The number of positions of the kernel along the rows and columns.
    places: Vec<Extent>,
    /// The number of channels in a group, which have the same offsets.
    channels: Extent,
}

impl<'t> Sampling<'t> {
    /// Asserts that the extents of the operands fit together.
    fn new(
        site: &Site,
        b: &mut Builder<'_>,
        data: &'t Tensor,
        offsets: &'t Tensor,
        kernel: &Tensor,
    ) -> Result<Self, String> {
        let name = site.name;
        let (old, sizes) = (extents(b, data), extents(b, kernel));
        let windows = Window::along(site, &sizes[2..])?;
        let mut places = Vec::with_capacity(2);
        for (axis, window) in windows.iter().enumerate() {
            let own = window.places(b, old[axis + 2], name);
            let displaced = extent(b, offsets, axis + 2);
            places.push(own.expect(b, displaced, || {
                format!(
                    "{name}: the result and 'offset' differ in extent along axis {}: {{}} and {{}}",
                    axis + 2
                )
            }));
        }
        old[1].expect(b, sizes[1], || format!("{name}: expected a kernel of {{}} channels, found {{}}"));
        let batch = extent(b, offsets, 0);
        old[0].expect(b, batch, || {
            format!("{name}: 'data' and 'offset' differ in extent along axis 0: {{}} and {{}}")
        });
        let groups = Extent::Known(site.attrs.int("deformable_groups").unwrap_or(1).max(1));
        let needed = product(b, &[groups, sizes[2], sizes[3], Extent::Known(2)]);
        let coordinates = extent(b, offsets, 1);
        coordinates.expect(b, needed, || {
            format!("{name}: 'offset' must have two coordinates for each element of the kernel and group, found {{}}")
        });
        let channels = old[1].divided_by(b, groups);
        let whole = channels.times(b, groups);
        old[1].expect(b, whole, || format!("{name}: the {{}} channels do not divide into the groups"));
        Ok(Self { data, offsets, windows, old, sizes, places, channels })
    }

    /// The extents of the samples: batch, channel, row and column of the kernel, row and column of the result.
    fn wanted(&self) -> Vec<Extent> {
        [&self.old[..2], &self.sizes[2..], &self.places].concat()
    }

    /// The sample at a point; 0 if it is outside of the data.
    fn sample(&self, b: &mut Builder<'_>, at: &[Value]) -> Value {
        let dtype = self.data.dtype();
        let places = self.displaced(b, at);
        let (zero, one) = (scalar::zero(b, dtype), scalar::one(b, dtype));
        let mut within = arith::constant_bool(b, true);
        let mut taps = Vec::with_capacity(2);
        for (axis, &place) in places.iter().enumerate() {
            let whole = self.old[axis + 2].value(b);
            let whole = scalar::from_index(b, whole, dtype);
            let from = scalar::compare(b, Compare::Ge, place, zero, dtype);
            let until = scalar::compare(b, Compare::Lt, place, whole, dtype);
            let here = arith::andi(b, from, until);
            within = arith::andi(b, within, here);
            let floor = math::floor(b, place);
            let far = arith::subf(b, place, floor);
            let near = arith::subf(b, one, far);
            let low = scalar::to_index(b, floor, dtype);
            let step = arith::constant_index(b, 1);
            let high = arith::addi(b, low, step);
            taps.push([(low, near), (high, far)]);
        }
        let mut value = zero;
        for (row, row_weight) in taps[0] {
            for (column, column_weight) in taps[1] {
                let element = self.element(b, [at[0], at[1], row, column], zero);
                let weight = arith::mulf(b, row_weight, column_weight);
                let scaled = arith::mulf(b, element, weight);
                value = arith::addf(b, value, scaled);
            }
        }
        arith::select(b, within, value, zero)
    }

    /// The coordinates of a point, displaced by its offsets.
    fn displaced(&self, b: &mut Builder<'_>, at: &[Value]) -> [Value; 2] {
        let [batch, channel, rows, columns] = [at[0], at[1], at[4], at[5]];
        // The first coordinate of this element of the kernel.
        let (each, height, width) = (self.channels.value(b), self.sizes[2].value(b), self.sizes[3].value(b));
        let group = arith::divui(b, channel, each);
        let row = arith::muli(b, group, height);
        let row = arith::addi(b, row, at[2]);
        let element = arith::muli(b, row, width);
        let element = arith::addi(b, element, at[3]);
        let first = arith::addi(b, element, element);
        [0, 1].map(|axis| {
            let window = &self.windows[axis];
            let number = arith::constant_index(b, axis as i64);
            let number = arith::addi(b, first, number);
            let offset = extract(b, self.offsets.value, &[batch, number, rows, columns]);
            let (stride, dilation) =
                (arith::constant_index(b, window.stride), arith::constant_index(b, window.dilation));
            let begin = arith::muli(b, at[axis + 4], stride);
            let inner = arith::muli(b, at[axis + 2], dilation);
            let place = arith::addi(b, begin, inner);
            let padding = arith::constant_index(b, window.padding.0);
            let place = arith::subi(b, place, padding);
            let place = scalar::from_index(b, place, self.data.dtype());
            arith::addf(b, place, offset)
        })
    }

    /// An element of the data, or `zero` outside of it.
    fn element(&self, b: &mut Builder<'_>, [batch, channel, row, column]: [Value; 4], zero: Value) -> Value {
        let [rows, columns] = [self.old[2], self.old[3]];
        let read = [clamped(b, row, rows), clamped(b, column, columns)];
        let element = extract(b, self.data.value, &[batch, channel, read[0], read[1]]);
        let (row_inside, column_inside) = (inside(b, row, rows), inside(b, column, columns));
        let exists = arith::andi(b, row_inside, column_inside);
        arith::select(b, exists, element, zero)
    }
}
