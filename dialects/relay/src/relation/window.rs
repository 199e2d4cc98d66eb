//! Sliding windows over the last axes, for convolutions and pooling.

use super::call::{Call, Stop, map};
use crate::layout::Layout;
use crate::ty::Dim;

/// The letters of data with `axes` spatial axes.
pub(super) fn data_letters(axes: usize) -> &'static str {
    ["NCW", "NCHW", "NCDHW"][axes - 1]
}

/// The layout in an attribute.
pub(super) fn layout_attr(call: &Call<'_>, name: &str, letters: &str) -> Result<Layout, Stop> {
    layout_named(call, name, call.text(name), letters)
}

/// The layout of the result: that of the data by default.
pub(super) fn out_layout(call: &Call<'_>, data: &Layout, letters: &str) -> Result<Layout, Stop> {
    match call.text("out_layout") {
        "" => Ok(data.clone()),
        text => layout_named(call, "out_layout", text, letters),
    }
}

fn layout_named(call: &Call<'_>, name: &str, text: &str, letters: &str) -> Result<Layout, Stop> {
    Layout::of(text, letters).ok_or_else(|| {
        call.error(format!("needs a layout of the axes {letters} as '{name}', but it is {text:?}"))
    })
}

/// One number per axis; a single number applies to all.
pub(super) fn per_axis(call: &Call<'_>, name: &str, axes: usize) -> Result<Vec<i64>, Stop> {
    let values = call.ints(name)?;
    let values = if values.len() == 1 { vec![values[0]; axes] } else { values };
    if values.len() != axes {
        return Err(call.error(format!("needs {axes} numbers in '{name}', but there are {}", values.len())));
    }
    if let Some(value) = values.iter().find(|&&value| value < 1) {
        return Err(call.error(format!("needs numbers of at least 1 in '{name}', but one is {value}")));
    }
    Ok(values)
}

/// The padding before and after each axis: one number for all, one per axis, or two per axis.
pub(super) fn padding(call: &Call<'_>, axes: usize) -> Result<Vec<(i64, i64)>, Stop> {
    paddings(&call.ints("padding")?, axes).ok_or_else(|| {
        let found = call.ints("padding").map_or(0, |padding| padding.len());
        let counts = if axes == 1 { "1 or 2".to_owned() } else { format!("1, {axes} or {}", 2 * axes) };
        call.error(format!("needs {counts} numbers in 'padding', but there are {found}"))
    })
}

/// Like [`padding`], for given numbers.
pub(crate) fn paddings(given: &[i64], axes: usize) -> Option<Vec<(i64, i64)>> {
    match given {
        &[all] => Some(vec![(all, all); axes]),
        _ if given.len() == 2 * axes => {
            Some((0..axes).map(|axis| (given[axis], given[axis + axes])).collect())
        }
        _ if given.len() == axes => Some(given.iter().map(|&both| (both, both)).collect()),
        _ => None,
    }
}

/// A window along one axis.
pub(super) struct Window {
    pub(super) size: Dim,
    pub(super) stride: i64,
    pub(super) dilation: i64,
    pub(super) padding: (i64, i64),
    /// Whether the number of positions is rounded up.
    pub(super) ceil_mode: bool,
}

impl Window {
    /// The extent of the dilated window.
    fn reach(&self) -> Result<Dim, Stop> {
        map(self.size, |size| (size - 1).saturating_mul(self.dilation).saturating_add(1))
    }

    /// The number of window positions.
    pub(super) fn places(&self, call: &Call<'_>, extent: Dim) -> Result<Dim, Stop> {
        let Dim::Known(reach) = self.reach()? else { return Ok(Dim::Any) };
        let padded =
            map(extent, |extent| extent.saturating_add(self.padding.0).saturating_add(self.padding.1))?;
        let Dim::Known(padded) = padded else { return Ok(Dim::Any) };
        let room = padded.saturating_sub(reach);
        let steps = if self.ceil_mode { room.saturating_add(self.stride - 1) } else { room };
        let places = steps.div_euclid(self.stride).saturating_add(1);
        if places < 0 {
            let what = format!(
                "cannot move a window over {reach} elements along {extent} elements and padding {:?}",
                self.padding
            );
            return Err(call.error_at(0, what));
        }
        Ok(Dim::Known(places))
    }

    /// The extent of a transposed convolution's output.
    pub(super) fn spread(&self, extent: Dim, more: i64) -> Result<Dim, Stop> {
        let Dim::Known(reach) = self.reach()? else { return Ok(Dim::Any) };
        let less = self.padding.0.saturating_add(self.padding.1);
        map(extent, |extent| {
            let begins = (extent - 1).saturating_mul(self.stride);
            begins.saturating_add(reach).saturating_sub(less).saturating_add(more).max(0)
        })
    }
}
