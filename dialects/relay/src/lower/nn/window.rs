//! Sliding windows: their parameters and the number of their positions.

use crate::layout::Layout;
use crate::lower::extent::Extent;
use crate::lower::site::Site;
use crate::relation::paddings;
use minoan_ir::Builder;

/// The spatial axes of an image of rank `axes + 2`.
pub(in crate::lower) const SPATIAL: [&str; 3] = ["W", "HW", "DHW"];

/// Windows along one axis.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Window {
    pub(in crate::lower) size: Extent,
    pub(in crate::lower) stride: i64,
    pub(in crate::lower) dilation: i64,
    pub(in crate::lower) padding: (i64, i64),
    /// Whether the number of positions is rounded up.
    pub(in crate::lower) ceil_mode: bool,
}

impl Window {
    /// The windows along several axes, from the attributes `strides`, `dilation`, `padding` and `ceil_mode`.
    pub(in crate::lower) fn along(site: &Site, sizes: &[Extent]) -> Result<Vec<Window>, String> {
        let axes = sizes.len();
        let (strides, dilation) = (for_axes(site, "strides", axes), for_axes(site, "dilation", axes));
        let given = site.attrs.ints("padding").unwrap_or_default();
        let padding = paddings(&given, axes).ok_or("its padding has another number of elements")?;
        let ceil_mode = site.attrs.flag("ceil_mode");
        let each = sizes.iter().zip(strides).zip(dilation).zip(padding);
        Ok(each
            .map(|(((&size, stride), dilation), padding)| Window {
                size,
                stride,
                dilation,
                padding,
                ceil_mode,
            })
            .collect())
    }

    /// The number of elements from the first to the last one of a window.
    pub(in crate::lower) fn reach(&self, b: &mut Builder<'_>) -> Extent {
        let steps = self.size.plus(b, Extent::Known(-1));
        steps.times(b, Extent::Known(self.dilation)).plus(b, Extent::Known(1))
    }

    /// The number of positions over `whole` elements. Asserts that there is one.
    pub(in crate::lower) fn places(&self, b: &mut Builder<'_>, whole: Extent, name: &str) -> Extent {
        let padded = whole.plus(b, Extent::Known(self.padding.0 + self.padding.1));
        let reach = self.reach(b);
        reach.expect_at_most(b, padded, || {
            format!("{name}: a window of extent {{}} is larger than the padded data, of extent {{}}")
        });
        let room = padded.minus(b, reach);
        let room = room.plus(b, Extent::Known(if self.ceil_mode { self.stride - 1 } else { 0 }));
        room.divided_by(b, Extent::Known(self.stride)).plus(b, Extent::Known(1))
    }
}

/// Numbers for `axes` axes; a single number applies to all.
pub(in crate::lower) fn for_axes(site: &Site, name: &str, axes: usize) -> Vec<i64> {
    match site.attrs.ints(name) {
        Some(given) if given.len() == axes => given,
        Some(given) if given.len() == 2 * axes => given[..axes].to_vec(),
        Some(given) if given.len() == 1 => vec![given[0]; axes],
        _ => vec![1; axes],
    }
}

/// The positions of the spatial axes `letters` in a layout in which other axes may be split.
pub(in crate::lower) fn spatial_axes(site: &Site, letters: &str) -> Result<Vec<usize>, String> {
    let text = site.attrs.text("layout").unwrap_or_default();
    let layout = Layout::parse(text).ok_or("its layout is not known")?;
    letters
        .chars()
        .map(|letter| layout.position(letter).ok_or_else(|| format!("its layout is {text}")))
        .collect()
}
