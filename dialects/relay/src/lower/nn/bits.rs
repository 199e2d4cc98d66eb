//! Lowering of operators on numbers of few bits, which TVM packs into words: a word holds the same bit of consecutive numbers,
//! one number per bit of the word, the first one in the highest bit.
//!
//! Products of such numbers are computed on the numbers and not on their bits, which has the same integer results.

use crate::lower::extent::Extent;
use crate::lower::scalar;
use crate::lower::site::{Site, Tensor, from_front, undefined_for};
use crate::lower::tensors::{extents, generate, nest, pointwise};
use crate::lower::{Lowered, Rule, extract};
use crate::relation::Transposed;
use crate::ty::DType;
use minoan_arith as arith;
use minoan_ir::{Builder, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.bitpack" => |site, b| site.bitpack(b),
        "nn.bitserial_conv2d" => |site, b| site.bitserial_conv(b),
        "nn.bitserial_dense" => |site, b| site.bitserial_dense(b),
        _ => return None,
    })
}

/// An integer constant of a type.
fn integer(b: &mut Builder<'_>, value: i64, dtype: DType) -> Value {
    scalar::integer(b, value, dtype)
}

/// The bit of a word with a number given as an `index`, as 0 or 1.
fn bit(b: &mut Builder<'_>, word: Value, number: Value, dtype: DType) -> Value {
    let number = scalar::from_index(b, number, dtype);
    let shifted = scalar::right_shift(b, word, number, dtype);
    let one = integer(b, 1, dtype);
    arith::andi(b, shifted, one)
}

impl Site {
    /// The type of words, which is unsigned.
    fn word(&self, name: &str) -> Result<DType, String> {
        let word = self.attrs.dtype(name).unwrap_or(DType::UInt(32));
        match word {
            DType::UInt(8 | 16 | 32 | 64) => Ok(word),
            other => Err(format!("its {name} is {other}")),
        }
    }

    /// The number of bits of the numbers, at most 8.
    fn bits(&self, name: &str) -> Result<i64, String> {
        let bits = self.attrs.int(name).unwrap_or(1);
        if (1..=8).contains(&bits) { Ok(bits) } else { Err(format!("its {name} is {bits}")) }
    }

    fn bitpack(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, word, bits) = (self.arg(0), self.word("pack_type")?, self.bits("bits")?);
        if data.dtype().is_float() {
            return Err(undefined_for(data.dtype()));
        }
        let width = i64::from(word.bits());
        let axis = self.axis("pack_axis", data.rank());
        let given = self.attrs.int("bit_axis").unwrap_or(-1);
        let bit_axis = if given < 0 { data.rank() } else { from_front(given, data.rank() + 1) };
        let mut wanted = extents(b, data);
        let words = wanted[axis].divided_by(b, Extent::Known(width));
        let whole = words.times(b, Extent::Known(width));
        wanted[axis].expect(b, whole, || {
            format!("{}: the extent {{}} of 'data' along axis {axis} is not a multiple of {width}", self.name)
        });
        wanted[axis] = words;
        wanted.insert(bit_axis, Extent::Known(bits));
        Ok(vec![generate(b, &wanted, word, |b, at| {
            let mut place = at.to_vec();
            let number = place.remove(bit_axis);
            let size = arith::constant_index(b, width);
            let begin = arith::muli(b, place[axis], size);
            let nothing = integer(b, 0, word);
            nest(b, &[Extent::Known(width)], &[nothing], &mut |b, inner, carried| {
                let mut from = place.clone();
                from[axis] = arith::addi(b, begin, inner[0]);
                let element = extract(b, data.value, &from);
                let own = bit(b, element, number, data.dtype());
                let own = scalar::cast(b, own, data.dtype(), word);
                let one = integer(b, 1, word);
                let shifted = arith::shli(b, carried[0], one);
                vec![arith::ori(b, shifted, own)]
            })[0]
        })])
    }

    /// Numbers from their packed bits along `axis`, with the bits along `bit_axis`.
    fn unpacked_bits(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        (axis, bit_axis): (usize, usize),
    ) -> Result<Tensor, String> {
        let word = data.dtype();
        if !matches!(word, DType::UInt(_)) {
            return Err(format!("its packed argument has elements of type {word}"));
        }
        let width = i64::from(word.bits());
        let mut wanted = extents(b, data);
        let bits = wanted.remove(bit_axis);
        wanted[axis] = wanted[axis].times(b, Extent::Known(width));
        Ok(generate(b, &wanted, word, |b, at| {
            let size = arith::constant_index(b, width);
            let (words, inner) = (arith::divui(b, at[axis], size), arith::remui(b, at[axis], size));
            let last = arith::constant_index(b, width - 1);
            let shift = arith::subi(b, last, inner);
            let nothing = integer(b, 0, word);
            nest(b, &[bits], &[nothing], &mut |b, number, carried| {
                let mut from = at.to_vec();
                from[axis] = words;
                from.insert(bit_axis, number[0]);
                let packed = extract(b, data.value, &from);
                let own = bit(b, packed, shift, word);
                let place = scalar::from_index(b, number[0], word);
                let own = scalar::left_shift(b, own, place, word);
                vec![arith::ori(b, carried[0], own)]
            })[0]
        }))
    }

    /// The lowest bits of each element, as elements of type `to`. A set bit of a signed factor counts 1 and another one -1;
    /// of other factors 1 and 0.
    fn lowest(&self, b: &mut Builder<'_>, data: &Tensor, bits: i64, signed: bool, to: DType) -> Tensor {
        let (wanted, dtype) = (extents(b, data), data.dtype());
        let most = (1 << bits) - 1;
        pointwise(b, &[(data, data.same())], &wanted, to, |b, elements| {
            let mask = integer(b, most, dtype);
            let low = arith::andi(b, elements[0], mask);
            let low = scalar::cast(b, low, dtype, to);
            if !signed {
                return low;
            }
            let most = integer(b, most, to);
            let twice = arith::addi(b, low, low);
            arith::subi(b, twice, most)
        })
    }

    /// The call with plain factors in place of the data and the weight, and the type in which their products are summed.
    fn plain_factors(
        &self,
        b: &mut Builder<'_>,
        weight: &Tensor,
        data_bits: &str,
    ) -> Result<(Tensor, Tensor), String> {
        let to = self.result().dtype;
        if !matches!(to, DType::Int(_) | DType::UInt(_))
            || self.arg(0).dtype().is_float()
            || weight.dtype().is_float()
        {
            return Err(format!(
                "it is not defined for elements of type {}, {} and {to}",
                self.arg(0).dtype(),
                weight.dtype()
            ));
        }
        let data = self.lowest(b, self.arg(0), self.bits(data_bits)?, false, to);
        let weight = self.lowest(b, weight, self.bits("weight_bits")?, self.attrs.flag("unipolar"), to);
        Ok((data, weight))
    }

    fn bitserial_conv(&self, b: &mut Builder<'_>) -> Lowered {
        let rows_first = self.attrs.text("kernel_layout") != Some("HWIO");
        let weight = match self.arg(1).rank() {
            5 => self.unpacked_bits(b, self.arg(1), (if rows_first { 1 } else { 2 }, 4))?,
            _ => self.arg(1).clone(),
        };
        let (data, weight) = self.plain_factors(b, &weight, "activation_bits")?;
        let plain = Site {
            name: self.name,
            attrs: self.attrs.clone(),
            args: vec![vec![data], vec![weight]],
            results: self.results.clone(),
        };
        plain.conv(b, 2)
    }

    fn bitserial_dense(&self, b: &mut Builder<'_>) -> Lowered {
        let weight = match self.arg(1).rank() {
            3 => self.unpacked_bits(b, self.arg(1), (1, 1))?,
            _ => self.arg(1).clone(),
        };
        let (data, weight) = self.plain_factors(b, &weight, "data_bits")?;
        Ok(vec![self.product_of(b, (&data, &weight), Transposed::DENSE)])
    }
}
