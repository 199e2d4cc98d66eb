//! The matrices of Winograd's method for convolutions.
//!
//! Along an axis, `m` neighboring results of a filter of `r` elements are computed by `m + r - 1` products, by evaluation of
//! polynomials at this number of points (Lavin and Gray, arXiv:1509.09308). The points are those of TVM (Barabasz et al.,
//! arXiv:1803.10986), so that transformed kernels are the same.

/// The points for a number of them; the last point is infinity.
fn points(count: usize) -> Option<Vec<f64>> {
    let rest: &[f64] = match count {
        3..=5 => &[0.5, -2.0],
        6 => &[0.5, -2.0, -0.5],
        7 | 8 => &[0.5, -0.5, 2.0, -2.0, -0.25],
        9 => &[0.5, -0.5, 2.0, -2.0, -0.25, 4.0],
        10 => &[0.5, -0.5, 2.0, -2.0, -0.25, 0.75, -4.0 / 3.0],
        11 | 12 => &[0.5, -0.5, 2.0, -2.0, -0.25, 4.0, 0.75, -4.0 / 3.0, 0.25],
        13 => &[0.5, -0.5, 2.0, -2.0, -0.25, 4.0, 0.25, -0.75, 4.0 / 3.0, -4.0],
        _ => return None,
    };
    Some([0.0, -1.0, 1.0].into_iter().chain(rest.iter().copied()).take(count).collect())
}

/// The matrices of Winograd's method along an axis, by rows.
pub(crate) struct Transforms {
    /// Transforms the filter: a row for each product, a column for each element of the filter.
    pub(crate) filter: Vec<Vec<f64>>,
    /// Transforms the data: a row for each element of a tile, a column for each product.
    pub(crate) data: Vec<Vec<f64>>,
    /// Transforms the products: a row for each product, a column for each result.
    pub(crate) output: Vec<Vec<f64>>,
}

/// The coefficients of the product of `x - root` for all roots, from the constant one.
fn from_roots(roots: impl Iterator<Item = f64>) -> Vec<f64> {
    roots.fold(vec![1.0], |poly, root| {
        let mut next = vec![0.0; poly.len() + 1];
        for (degree, coefficient) in poly.into_iter().enumerate() {
            next[degree + 1] += coefficient;
            next[degree] -= root * coefficient;
        }
        next
    })
}

impl Transforms {
    /// For `outputs` results of a filter with `taps` elements; `None` for sizes that TVM does not define.
    pub(crate) fn of(outputs: i64, taps: i64) -> Option<Transforms> {
        if !(2..9).contains(&outputs) || !(3..8).contains(&taps) {
            return None;
        }
        let (outputs, taps) = (usize::try_from(outputs).ok()?, usize::try_from(taps).ok()?);
        let count = outputs + taps - 1;
        let points = points(count - 1)?;
        let powers = |columns: usize| {
            let finite =
                points.iter().map(move |&point| (0..columns).map(|power| point.powi(power as i32)).collect());
            let infinite = (0..columns).map(|power| f64::from(u8::from(power + 1 == columns))).collect();
            finite.chain([infinite]).collect::<Vec<Vec<f64>>>()
        };
        let others =
            |own: usize| points.iter().enumerate().filter(move |(at, _)| *at != own).map(|(_, &point)| point);
        // The scale of a point, by which the filter is divided. The scale of the first point is positive.
        let scale = |own: usize| others(own).map(|other| points[own] - other).product::<f64>();
        let sign = |own: usize| if own == 0 && scale(0) < 0.0 { -1.0 } else { 1.0 };
        let mut filter = powers(taps);
        for (own, row) in filter.iter_mut().enumerate().take(points.len()) {
            row.iter_mut().for_each(|entry| *entry /= sign(own) * scale(own));
        }
        // A column for each product: the polynomial that is zero at all other points.
        let finite = (0..points.len()).map(|own| {
            let poly = from_roots(others(own)).into_iter().map(|coefficient| sign(own) * coefficient);
            poly.chain([0.0]).collect()
        });
        let columns: Vec<Vec<f64>> = finite.chain([from_roots(points.iter().copied())]).collect();
        let data = transposed(&columns);
        Some(Transforms { filter, data, output: powers(outputs) })
    }
}

/// The columns of a matrix as rows.
pub(crate) fn transposed(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}
