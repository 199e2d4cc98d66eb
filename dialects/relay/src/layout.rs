//! Data layouts: the order of a tensor's axes, such as `NCHW`, with split axes as in `NCHW8c`.

use crate::ty::Dim;

/// The axes of a tensor, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout(Vec<Axis>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Axis {
    /// An upper-case letter.
    letter: char,
    /// For the inner part of a split axis: its extent.
    inner: Option<i64>,
}

impl Layout {
    /// Parses a layout.
    pub(crate) fn parse(text: &str) -> Option<Layout> {
        let mut axes: Vec<Axis> = Vec::new();
        let mut factor: Option<i64> = None;
        for c in text.chars() {
            let axis = match (c, factor.take()) {
                ('0'..='9', so_far) => {
                    let digit = i64::from(c.to_digit(10)?);
                    factor = Some(so_far.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
                    continue;
                }
                ('A'..='Z', None) => Axis { letter: c, inner: None },
                ('a'..='z', Some(size)) if size > 0 => {
                    Axis { letter: c.to_ascii_uppercase(), inner: Some(size) }
                }
                _ => return None,
            };
            let twice = axes
                .iter()
                .any(|old| old.letter == axis.letter && old.inner.is_some() == axis.inner.is_some());
            if twice {
                return None;
            }
            axes.push(axis);
        }
        let whole =
            |axis: &Axis| axes.iter().any(|other| other.letter == axis.letter && other.inner.is_none());
        (factor.is_none() && axes.iter().all(whole)).then_some(Layout(axes))
    }

    /// Parses a layout with exactly these letters; axes may be split.
    pub(crate) fn of(text: &str, letters: &str) -> Option<Layout> {
        let layout = Layout::parse(text)?;
        let outer = layout.0.iter().filter(|axis| axis.inner.is_none());
        let count = outer.clone().count();
        (count == letters.len() && outer.clone().all(|axis| letters.contains(axis.letter))).then_some(layout)
    }

    /// The layout without the inner parts of split axes.
    pub(crate) fn whole(&self) -> Layout {
        Layout(self.0.iter().copied().filter(|axis| axis.inner.is_none()).collect())
    }

    /// The axes in order: their letters, and the extents of the inner parts of split axes.
    pub(crate) fn axes(&self) -> impl Iterator<Item = (char, Option<i64>)> {
        self.0.iter().map(|axis| (axis.letter, axis.inner))
    }

    /// The extent of the inner part of an axis, if it is split.
    pub(crate) fn factor(&self, letter: char) -> Option<i64> {
        self.0.iter().find(|axis| axis.letter == letter && axis.inner.is_some()).and_then(|axis| axis.inner)
    }

    pub(crate) fn rank(&self) -> usize {
        self.0.len()
    }

    /// The position of the axis with this letter.
    pub(crate) fn position(&self, letter: char) -> Option<usize> {
        self.0.iter().position(|axis| axis.letter == letter && axis.inner.is_none())
    }

    /// Whether the axis is split.
    pub(crate) fn is_split(&self, letter: char) -> bool {
        self.0.iter().any(|axis| axis.letter == letter && axis.inner.is_some())
    }

    /// Permutes extents from this layout to the order of `letters`.
    pub(crate) fn to_letters(&self, shape: &[Dim], letters: &str) -> Vec<Dim> {
        letters
            .chars()
            .map(|letter| {
                let parts = self.0.iter().zip(shape).filter(|(axis, _)| axis.letter == letter);
                parts.fold(Dim::Known(1), |product, (_, &dim)| match (product, dim) {
                    (Dim::Known(1), other) | (other, Dim::Known(1)) => other,
                    (Dim::Known(a), Dim::Known(b)) => Dim::Known(a.saturating_mul(b)),
                    (Dim::Hole(_), _) => product,
                    (_, other @ Dim::Hole(_)) => other,
                    _ => Dim::Any,
                })
            })
            .collect()
    }

    /// Permutes extents from the order of `letters` to this layout.
    pub(crate) fn of_letters(&self, dims: &[Dim], letters: &str) -> Vec<Dim> {
        let of =
            |letter: char| letters.chars().zip(dims).find(|(known, _)| *known == letter).map(|(_, &dim)| dim);
        self.0
            .iter()
            .map(|axis| {
                match (axis.inner, self.factor(axis.letter), of(axis.letter).unwrap_or(Dim::Known(1))) {
                    (Some(inner), _, _) => Dim::Known(inner),
                    (None, Some(size), Dim::Known(whole)) => Dim::Known((whole + size - 1) / size),
                    (None, _, dim) => dim,
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_axis_round_trips() {
        let packed = Layout::of("NCHW8c", "NCHW").unwrap();
        let dims = [1, 16, 5, 6].map(Dim::Known);
        let shape = packed.of_letters(&dims, "NCHW");
        assert_eq!(shape, [1, 2, 5, 6, 8].map(Dim::Known));
        assert_eq!(packed.to_letters(&shape, "NCHW"), dims);
    }

    #[test]
    fn invalid_layouts() {
        for text in ["NCHWc", "NN", "8c", "NCHW0c", "NCHW8", "N-W", "NCHW99999999999999999999c"] {
            assert_eq!(Layout::parse(text), None, "{text}");
        }
        assert_eq!(Layout::of("NCW", "NCHW"), None);
        assert_eq!(Layout::of("NHWC", "NCHW").unwrap().position('C'), Some(3));
    }
}
