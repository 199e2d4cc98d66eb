//! An axis of a tensor that is read in windows, by residue classes.

use minoan_ir::affine::{AffineExpr, AffineOp};

/// An axis along which windows at positions `h` read the elements `stride * h + dilation * k - before` for the taps
/// `k` of a window, where stride and dilation are coprime.
///
/// The windows that read element `stride * t + r` do so with the taps `k = stride * m + j`, for one `j` that
/// depends on the residue `r` only ([`WindowAxis::first_tap`]), and are at the positions
/// `h = t + q - dilation * m`, where `q` depends on `r` only ([`WindowAxis::first_position`]). So the contributions of the
/// windows to the elements of a residue class are a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowAxis {
    stride: i64,
    dilation: i64,
    before: i64,
    size: i64,
    /// The number that makes the dilation 1 modulo the stride when multiplied.
    inverse: i64,
}

impl WindowAxis {
    /// An axis with windows of `size` taps, the first of which begins `before` elements before the first one. `None` if stride
    /// and dilation, which are positive, have a common divisor.
    pub fn new(stride: i64, dilation: i64, before: i64, size: i64) -> Option<Self> {
        let inverse = (0..stride).find(|factor| (factor * dilation) % stride == 1 % stride)?;
        Some(Self { stride, dilation, before, size, inverse })
    }

    /// The number of elements from one window to the next.
    pub fn stride(&self) -> i64 {
        self.stride
    }

    /// The number of elements from one tap of a window to the next.
    pub fn dilation(&self) -> i64 {
        self.dilation
    }

    /// The number of taps `m` of each residue, including those that do not exist for some residues.
    pub fn taps(&self) -> i64 {
        (self.size + self.stride - 1) / self.stride
    }

    /// The number of taps beyond the end of a window that the residues `0..residues` would read.
    pub fn missing(&self, residues: i64) -> i64 {
        let last = (0..residues).map(|residue| number(&self.first_tap(&AffineExpr::Constant(residue)))).max();
        (last.unwrap_or(0) + self.stride * (self.taps() - 1) + 1 - self.size).max(0)
    }

    /// The first tap `j` of the class of a residue.
    pub fn first_tap(&self, residue: &AffineExpr) -> AffineExpr {
        if (self.dilation, self.before) == (1, 0) {
            return residue.clone();
        }
        let place =
            AffineExpr::binary(AffineOp::Mul, self.place(residue), AffineExpr::Constant(self.inverse));
        AffineExpr::binary(AffineOp::Mod, place, AffineExpr::Constant(self.stride))
    }

    /// The position `q` at which the class of a residue reads the first element with its first tap.
    pub fn first_position(&self, residue: &AffineExpr) -> AffineExpr {
        let rest = match (self.dilation, self.before) {
            (1, 0) => return AffineExpr::Constant(0),
            (1, _) => self.place(residue),
            (dilation, _) => {
                let tap = self.first_tap(residue);
                let back = AffineExpr::binary(AffineOp::Mul, tap, AffineExpr::Constant(-dilation));
                AffineExpr::binary(AffineOp::Add, self.place(residue), back)
            }
        };
        AffineExpr::binary(AffineOp::FloorDiv, rest, AffineExpr::Constant(self.stride))
    }

    /// The lowest and the highest of the positions `q` of the residues `0..residues`; zeros if there are none.
    pub fn first_positions(&self, residues: i64) -> (i64, i64) {
        let each =
            || (0..residues).map(|residue| number(&self.first_position(&AffineExpr::Constant(residue))));
        (each().min().unwrap_or(0), each().max().unwrap_or(0))
    }

    fn place(&self, residue: &AffineExpr) -> AffineExpr {
        AffineExpr::binary(AffineOp::Add, residue.clone(), AffineExpr::Constant(self.before))
    }
}

/// The value of an expression without dimensions.
fn number(expr: &AffineExpr) -> i64 {
    expr.evaluate(&[], &[]).expect("it depends on no dimension, and the divisor is positive")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every window and tap that read an element are found by its residue, and no others.
    #[test]
    fn residues_enumerate_the_windows_of_each_element() {
        for (stride, dilation) in [(1, 1), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2), (4, 3), (5, 7)] {
            for (before, size) in [(0, 1), (0, 3), (1, 3), (2, 4), (3, 7)] {
                let axis = WindowAxis::new(stride, dilation, before, size).expect("they are coprime");
                let (low, high) = axis.first_positions(stride);
                for element in 0..4 * stride {
                    let (block, residue) = (element / stride, AffineExpr::Constant(element % stride));
                    let first = number(&axis.first_position(&residue));
                    assert!((low..=high).contains(&first));
                    let found = (0..axis.taps()).map(|m| {
                        let tap = stride * m + number(&axis.first_tap(&residue));
                        assert!(tap < size + axis.missing(stride));
                        (block + first - dilation * m, tap)
                    });
                    let mut found: Vec<_> = found.filter(|&(_, tap)| tap < size).collect();
                    found.sort_unstable();
                    let positions = -dilation * size..=4 * stride + before;
                    let all = positions.flat_map(|position| (0..size).map(move |tap| (position, tap)));
                    let wanted: Vec<_> = all
                        .filter(|(position, tap)| stride * position + dilation * tap - before == element)
                        .collect();
                    assert_eq!(found, wanted, "stride {stride}, dilation {dilation}, element {element}");
                }
            }
        }
    }

    #[test]
    fn strides_and_dilations_with_a_common_divisor_have_no_such_classes() {
        assert_eq!(WindowAxis::new(2, 2, 0, 3), None);
        assert_eq!(WindowAxis::new(6, 4, 1, 3), None);
    }
}
