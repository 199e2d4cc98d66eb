//! Lowering of discrete Fourier transforms, as sums over their definition.

use super::extent::Extent;
use super::scalar;
use super::site::Site;
use super::tensors::{extent, extents, generate, nest};
use super::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "dft" => |site, b| site.dft(b),
        "stft" => |site, b| site.stft(b),
        _ => return None,
    })
}

/// Cosine and sine of `product / count` turns.
fn turned(b: &mut Builder<'_>, product: Value, count: Value, dtype: DType) -> (Value, Value) {
    // Whole turns are dropped while the number is exact.
    let rest = arith::remui(b, product, count);
    let [rest, count] = [rest, count].map(|number| scalar::from_index(b, number, dtype));
    let turns = arith::divf(b, rest, count);
    let circle = scalar::constant(b, std::f64::consts::TAU, dtype);
    let angle = arith::mulf(b, turns, circle);
    (math::cos(b, angle), math::sin(b, angle))
}

impl Site {
    /// The transform along the last axis, or the inverse one, of complex numbers given by their parts.
    fn dft(&self, b: &mut Builder<'_>) -> Lowered {
        let (re, im, dtype) = (self.arg(0), self.arg(1), self.float_dtype()?);
        let Some(last) = re.rank().checked_sub(1) else { return Err("its data has no axis".to_owned()) };
        (0..re.rank()).for_each(|axis| _ = self.expect_same(b, (0, axis), (1, axis)));
        let inverse = self.attrs.flag("inverse");
        let wanted = extents(b, re);
        let part = |b: &mut Builder<'_>, real: bool| {
            generate(b, &wanted, dtype, |b, at| {
                let (zero, count) = (scalar::zero(b, dtype), wanted[last].value(b));
                let total = nest(b, &wanted[last..], &[zero], &mut |b, place, carried| {
                    let mut source = at.to_vec();
                    source[last] = place[0];
                    let (x, y) = (extract(b, re.value, &source), extract(b, im.value, &source));
                    let product = arith::muli(b, at[last], place[0]);
                    let (cosine, sine) = turned(b, product, count, dtype);
                    let sine = if inverse { sine } else { arith::negf(b, sine) };
                    // (x + iy)(cosine + i sine)
                    let (first, second) = if real { (x, y) } else { (y, x) };
                    let (along, across) = (arith::mulf(b, first, cosine), arith::mulf(b, second, sine));
                    let term =
                        if real { arith::subf(b, along, across) } else { arith::addf(b, along, across) };
                    vec![arith::addf(b, carried[0], term)]
                })[0];
                if !inverse {
                    return total;
                }
                let count = scalar::from_index(b, count, dtype);
                arith::divf(b, total, count)
            })
        };
        Ok(vec![part(b, true), part(b, false)])
    }

    /// The transforms of windows of each row, which begin `hop_length` elements after each other.
    fn stft(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, window, dtype) = (self.arg(0), self.arg(1), self.float_dtype()?);
        let number = |name: &str| self.attrs.int(name).unwrap_or(1).max(1);
        let (length, hop, size) = (number("n_fft"), number("hop_length"), number("win_length"));
        if size > length {
            return Err("its win_length is greater than its n_fft".to_owned());
        }
        let own = extent(b, window, 0);
        Extent::Known(size)
            .expect_at_most(b, own, || "stft: 'window' has less than 'win_length' elements".to_owned());
        let (rows, whole) = (extent(b, data, 0), extent(b, data, 1));
        Extent::Known(length)
            .expect_at_most(b, whole, || "stft: 'data' has less than 'n_fft' columns".to_owned());
        let frames = whole.plus(b, Extent::Known(-length)).divided_by(b, Extent::Known(hop));
        let frames = frames.plus(b, Extent::Known(1));
        let frequencies = if self.attrs.flag("onesided") { length / 2 + 1 } else { length };
        let wanted = [rows, Extent::Known(frequencies), frames, Extent::Known(2)];
        let normalized = self.attrs.flag("normalized");
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let (zero, hop, count) =
                (scalar::zero(b, dtype), arith::constant_index(b, hop), arith::constant_index(b, size));
            let first = arith::muli(b, at[2], hop);
            let real = arith::constant_index(b, 0);
            let real = arith::cmpi(b, arith::CmpIPredicate::Eq, at[3], real);
            let total = nest(b, &[Extent::Known(size)], &[zero], &mut |b, place, carried| {
                let weight = extract(b, window.value, place);
                let weight = scalar::cast(b, weight, window.dtype(), dtype);
                let source = arith::addi(b, first, place[0]);
                let element = extract(b, data.value, &[at[0], source]);
                let product = arith::muli(b, at[1], place[0]);
                let (cosine, sine) = turned(b, product, count, dtype);
                let opposite = arith::negf(b, sine);
                let factor = arith::select(b, real, cosine, opposite);
                let weighted = arith::mulf(b, weight, element);
                let term = arith::mulf(b, weighted, factor);
                vec![arith::addf(b, carried[0], term)]
            })[0];
            if !normalized {
                return total;
            }
            let root = scalar::constant(b, (length as f64).sqrt(), dtype);
            arith::divf(b, total, root)
        })])
    }
}
