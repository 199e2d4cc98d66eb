//! The attributes of `strided_slice`.

use crate::attrs::Attrs;

/// The slice along each sliced axis.
pub(crate) struct Slices(pub(crate) Vec<Slice>);

/// A slice along an axis.
pub(crate) struct Slice {
    pub(crate) axis: usize,
    /// The first index, which is clamped; negative indices count from the end.
    pub(crate) begin: i64,
    pub(crate) end: End,
    pub(crate) stride: i64,
}

/// The end of a slice.
#[derive(Clone, Copy)]
pub(crate) enum End {
    /// Ends before this index; negative indices count from the end.
    At(i64),
    /// Has this many elements.
    Count(i64),
    /// Extends to the end.
    Open,
}

/// The elements along an axis of static extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) first: i64,
    pub(crate) stride: i64,
    pub(crate) count: i64,
}

impl Slices {
    /// The slices of a tensor of this rank; an error continues a sentence whose subject is the operator.
    pub(crate) fn of(attrs: &Attrs, rank: usize) -> Result<Slices, String> {
        let begin = attrs.ints("begin").unwrap_or_default();
        let end = attrs.ints("end").unwrap_or_default();
        let strides = attrs.ints("strides").unwrap_or_default();
        let axes = match attrs.ints("axes") {
            Some(axes) => axes,
            None => (0..begin.len().max(end.len()) as i64).collect(),
        };
        let sizes = match attrs.text("slice_mode") {
            Some("size") => true,
            Some("end") | None => false,
            Some(other) => {
                return Err(format!("needs the slice_mode \"end\" or \"size\", but it is {other:?}"));
            }
        };
        let mut slices: Vec<Slice> = Vec::with_capacity(axes.len());
        for (index, axis) in axes.into_iter().enumerate() {
            let signed = rank as i64;
            if axis < -signed || axis >= signed {
                return Err(format!("slices axis {axis}, which is not in [-{rank}, {rank})"));
            }
            let axis = (if axis < 0 { axis + signed } else { axis }) as usize;
            let stride = if sizes { 1 } else { strides.get(index).copied().unwrap_or(1) };
            if stride == 0 || stride == i64::MIN {
                return Err(format!("cannot have the stride {stride}"));
            }
            if slices.iter().any(|slice| slice.axis == axis) {
                return Err(format!("slices axis {axis} twice"));
            }
            let begin = begin.get(index).copied().unwrap_or(if stride < 0 { i64::MAX } else { 0 });
            let end = match end.get(index).copied() {
                None => End::Open,
                Some(count) if sizes => {
                    if count < 0 {
                        End::Open
                    } else {
                        End::Count(count)
                    }
                }
                Some(end) => End::At(end),
            };
            slices.push(Slice { axis, begin, end, stride });
        }
        Ok(Slices(slices))
    }
}

impl Slice {
    /// The elements along an axis of this extent.
    pub(crate) fn range(&self, extent: i64) -> Range {
        let (low, high) = if self.stride < 0 { (-1, extent - 1) } else { (0, extent) };
        let clamp = |index: i64| {
            if index < 0 { index.saturating_add(extent) } else { index }.clamp(low, high.max(low))
        };
        let first = clamp(self.begin);
        let last = match self.end {
            End::At(end) => clamp(end),
            End::Count(count) => first.saturating_add(count).min(high),
            End::Open if self.stride < 0 => -1,
            End::Open => extent,
        };
        let steps = if self.stride < 0 { first - last } else { last - first };
        let width = self.stride.abs();
        Range { first, stride: self.stride, count: (steps.max(0) + width - 1) / width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attrs::AttrValue;

    fn ranges(extent: i64, begin: i64, end: i64, stride: i64) -> Range {
        let list = |value: i64| AttrValue::ints(&[value]);
        let attrs = Attrs::from_iter([("begin", list(begin)), ("end", list(end)), ("strides", list(stride))]);
        Slices::of(&attrs, 1).unwrap().0[0].range(extent)
    }

    #[test]
    fn slices_clamp_like_python() {
        for extent in 0..6i64 {
            for begin in -8..8 {
                for end in -8..8 {
                    for stride in [-3, -2, -1, 1, 2, 3] {
                        let range = ranges(extent, begin, end, stride);
                        let found: Vec<i64> =
                            (0..range.count).map(|at| range.first + at * range.stride).collect();
                        assert_eq!(
                            found,
                            python(extent, begin, end, stride),
                            "[{begin}:{end}:{stride}] of {extent}"
                        );
                    }
                }
            }
        }
    }

    /// Python's `range(*slice(begin, end, stride).indices(extent))`.
    fn python(extent: i64, begin: i64, end: i64, stride: i64) -> Vec<i64> {
        let adjust = |index: i64| {
            let index = if index < 0 { index + extent } else { index };
            if stride > 0 { index.max(0).min(extent) } else { index.max(-1).min(extent - 1) }
        };
        let (mut at, end) = (adjust(begin), adjust(end));
        let mut all = Vec::new();
        while (stride > 0 && at < end) || (stride < 0 && at > end) {
            all.push(at);
            at += stride;
        }
        all
    }
}
