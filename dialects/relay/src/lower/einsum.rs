//! Lowering of Einstein summation.

use super::broadcast::{joined_extent, repeated_where_needed};
use super::extent::Extent;
use super::site::Site;
use super::tensors::{Accumulation, dim, extents};
use super::{Lowered, Rule, scalar};
use crate::equation::Equation;
use minoan_ir::Builder;
use minoan_ir::affine::AffineExpr;

pub(super) fn rule(name: &str) -> Option<Rule> {
    (name == "einsum").then_some(|site, b| site.einsum(b))
}

impl Site {
    fn einsum(&self, b: &mut Builder<'_>) -> Lowered {
        let (parts, dtype) = (&self.args[0], self.result().dtype);
        let ranks: Vec<usize> = parts.iter().map(|part| part.rank()).collect();
        let equation = Equation::parse(self.attrs.text("equation").unwrap_or_default(), &ranks)?;
        let letters = equation.letters();
        let place = |letter: char| letters.iter().position(|&other| other == letter).unwrap_or(0);
        // An extent of 1 is repeated if another operand has more.
        let mut whole: Vec<Option<Extent>> = vec![None; letters.len()];
        let mut own = Vec::with_capacity(parts.len());
        for (part, names) in parts.iter().zip(&equation.inputs) {
            let found = extents(b, part);
            for (&extent, &letter) in found.iter().zip(names) {
                let known = &mut whole[place(letter)];
                *known = Some(known.map_or(extent, |known| joined_extent(b, known, extent)));
            }
        }
        let mut repeated = Vec::with_capacity(parts.len());
        for (part, names) in parts.iter().zip(&equation.inputs) {
            let wanted: Vec<Extent> =
                names.iter().map(|&letter| whole[place(letter)].unwrap_or(Extent::Known(1))).collect();
            let part = repeated_where_needed(b, part, &wanted);
            own.push(extents(b, &part));
            repeated.push(part);
        }
        let exprs = own.iter().zip(&equation.inputs).map(|(found, names)| {
            let axes = found.iter().zip(names);
            let expr = |(&extent, &letter): (&Extent, &char)| {
                let at = place(letter);
                let repeated = extent == Extent::Known(1) && whole[at] != Some(extent);
                if repeated { AffineExpr::Constant(0) } else { dim(at) }
            };
            axes.map(expr).collect::<Vec<_>>()
        });
        let outputs = equation.output.len();
        let wanted = whole[..outputs].iter().map(|extent| extent.unwrap_or(Extent::Known(1))).collect();
        let domain = Accumulation {
            inputs: repeated.iter().zip(exprs).collect(),
            reduced: (0..letters.len()).map(|at| at >= outputs).collect(),
            output: (wanted, (0..outputs).map(dim).collect()),
        };
        domain.check(b, self.name);
        let zero = scalar::zero(b, dtype);
        Ok(domain.run(b, &[(dtype, zero)], |b, inputs, sums| {
            let product =
                inputs[1..].iter().fold(inputs[0], |product, &next| scalar::mul(b, product, next, dtype));
            vec![scalar::accumulate(b, sums[0], product, dtype)]
        }))
    }
}
