//! Lowering of sparse matrices: compressed rows (of numbers or of blocks), and lists of coordinates.
//!
//! Row `r` of a compressed matrix has the entries `pointers[r]` to `pointers[r + 1]`, of columns `indices[entry]`.

use super::compact::update_if;
use super::extent::Extent;
use super::index::{index_at, values_of};
use super::pointwise::cast;
use super::scalar;
use super::site::{Site, Tensor};
use super::tensors::{self, empty, extent, extents, filled, generate, insert, inside, nest};
use super::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_data::assert_values;
use minoan_functional::assert;
use minoan_ir::{Builder, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.sparse_dense" | "nn.internal.sparse_dense_padded" => |site, b| site.sparse_dense(b),
        "nn.sparse_conv2d" => |site, b| site.sparse_conv(b),
        "nn.sparse_add" => |site, b| site.sparse_add(b),
        "nn.sparse_transpose" => |site, b| site.sparse_transpose(b),
        "sparse_to_dense" => |site, b| {
            let wanted: Vec<Extent> =
                site.attrs.ints("output_shape").unwrap_or_default().into_iter().map(Extent::Known).collect();
            site.sparse_to_dense(b, &wanted)
        },
        "dyn.sparse_to_dense" => |site, b| {
            let wanted = values_of(b, site, 3, site.result().rank());
            site.sparse_to_dense(b, &wanted)
        },
        "sparse_reshape" => |site, b| site.sparse_reshape(b),
        "sparse_fill_empty_rows" => |site, b| site.sparse_fill_empty_rows(b),
        _ => return None,
    })
}

/// The next carried values from row and column, the element and the carried values.
type Visit<'f> = dyn FnMut(&mut Builder<'_>, [Value; 2], Value, &[Value]) -> Vec<Value> + 'f;

/// A matrix in compressed rows.
struct Compressed<'t> {
    name: &'static str,
    values: &'t Tensor,
    indices: &'t Tensor,
    pointers: &'t Tensor,
    /// The extents of a block.
    block: [Extent; 2],
}

impl<'t> Compressed<'t> {
    /// The matrix of the arguments 1 to 3.
    fn of(site: &'t Site, b: &mut Builder<'_>) -> Result<Compressed<'t>, String> {
        let (values, indices, pointers) = (site.arg(1), site.arg(2), site.arg(3));
        let block = match values.rank() {
            1 => [Extent::Known(1); 2],
            3 => [extent(b, values, 1), extent(b, values, 2)],
            rank => return Err(format!("its values have {rank} axes, not 1 or 3")),
        };
        site.expect_same(b, (1, 0), (2, 0));
        Ok(Compressed { name: site.name, values, indices, pointers, block })
    }

    /// The number of rows of blocks.
    fn rows(&self, b: &mut Builder<'_>) -> Extent {
        let count = extent(b, self.pointers, 0);
        Extent::Known(1).expect_at_most(b, count, || format!("{}: there are no pointers", self.name));
        count.plus(b, Extent::Known(-1))
    }

    /// Visits all elements: `visit` computes the carried values from row, column and element. Asserts that the columns are
    /// fewer than `columns`.
    fn each(
        &self,
        b: &mut Builder<'_>,
        columns: Extent,
        init: &[Value],
        visit: &mut Visit<'_>,
    ) -> Vec<Value> {
        let (rows, count) = (self.rows(b), extent(b, self.indices, 0));
        nest(b, &[rows], init, &mut |b, row, carried| {
            let one = arith::constant_index(b, 1);
            let next = arith::addi(b, row[0], one);
            let (from, to) = (index_at(b, self.pointers, row), index_at(b, self.pointers, &[next]));
            let (zero, whole) = (arith::constant_index(b, 0), count.value(b));
            let low = arith::cmpi(b, arith::CmpIPredicate::Sge, from, zero);
            let high = arith::cmpi(b, arith::CmpIPredicate::Sle, to, whole);
            let fits = arith::andi(b, low, high);
            assert(b, fits, &format!("{}: a pointer is outside of the entries", self.name));
            let entries = arith::subi(b, to, from);
            let sizes = [Extent::Value(entries), self.block[0], self.block[1]];
            nest(b, &sizes, carried, &mut |b, at, carried| {
                let entry = arith::addi(b, from, at[0]);
                let column = index_at(b, self.indices, &[entry]);
                let source = if self.values.rank() == 1 { vec![entry] } else { vec![entry, at[1], at[2]] };
                let element = extract(b, self.values.value, &source);
                let within = |b: &mut Builder<'_>, outer: Value, block: Extent, inner: Value| {
                    let block = block.value(b);
                    let first = arith::muli(b, outer, block);
                    arith::addi(b, first, inner)
                };
                let (row, column) =
                    (within(b, row[0], self.block[0], at[1]), within(b, column, self.block[1], at[2]));
                let exists = inside(b, column, columns);
                let (shown, columns) = (column, columns.value(b));
                assert_values(b, exists, &missing(self.name, "column"), &[shown, columns]);
                visit(b, [row, column], element, carried)
            })
        })
    }
}

/// Adds to an element of a tensor.
fn added(b: &mut Builder<'_>, target: Value, at: &[Value], value: Value, dtype: DType) -> Value {
    let old = extract(b, target, at);
    let new = scalar::add(b, old, value, dtype);
    insert(b, new, target, at)
}

impl Site {
    /// The product of dense data with a transposed sparse matrix, or of a sparse matrix with dense data.
    fn sparse_dense(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.result().dtype);
        let matrix = Compressed::of(self, b)?;
        let rows = matrix.rows(b).times(b, matrix.block[0]);
        let old = extents(b, data);
        let sparse_first = self.attrs.flag("sparse_lhs");
        let (wanted, columns, loops) =
            if sparse_first { ([rows, old[1]], old[0], old[1]) } else { ([old[0], rows], old[1], old[0]) };
        let zero = scalar::zero(b, dtype);
        let made = filled(b, &wanted, dtype, zero);
        let done = matrix.each(b, columns, &[made.value], &mut |b, [row, column], element, carried| {
            nest(b, &[loops], carried, &mut |b, at, carried| {
                let (source, target) = if sparse_first {
                    ([column, at[0]], [row, at[0]])
                } else {
                    ([at[0], column], [at[0], row])
                };
                let value = extract(b, data.value, &source);
                let product = scalar::mul(b, value, element, dtype);
                vec![added(b, carried[0], &target, product, dtype)]
            })
        });
        Ok(vec![Tensor { value: done[0], ..made }])
    }

    /// A convolution by a sparse 1x1 kernel: a product over the channels.
    fn sparse_conv(&self, b: &mut Builder<'_>) -> Lowered {
        if self.attrs.ints("kernel_size").is_some_and(|sizes| sizes.iter().any(|&size| size != 1)) {
            return Err("its kernel is not 1x1".to_owned());
        }
        let (data, dtype) = (self.arg(0), self.result().dtype);
        let matrix = Compressed::of(self, b)?;
        let channel = if self.attrs.text("layout") == Some("NCHW") { 1 } else { 3 };
        let old = extents(b, data);
        let mut wanted = old.clone();
        wanted[channel] = matrix.rows(b).times(b, matrix.block[0]);
        let zero = scalar::zero(b, dtype);
        let made = filled(b, &wanted, dtype, zero);
        let mut others = old.clone();
        others.remove(channel);
        let done = matrix.each(b, old[channel], &[made.value], &mut |b, [row, column], element, carried| {
            nest(b, &others, carried, &mut |b, at, carried| {
                let [source, target] = [column, row].map(|index| {
                    let mut place = at.to_vec();
                    place.insert(channel, index);
                    place
                });
                let value = extract(b, data.value, &source);
                let product = scalar::mul(b, value, element, dtype);
                vec![added(b, carried[0], &target, product, dtype)]
            })
        });
        Ok(vec![Tensor { value: done[0], ..made }])
    }

    fn sparse_add(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let matrix = Compressed::of(self, b)?;
        let old = extents(b, data);
        let rows = matrix.rows(b).times(b, matrix.block[0]);
        rows.expect(b, old[0], || {
            "nn.sparse_add: the matrices have different numbers of rows: {} and {}".to_owned()
        });
        let done = matrix.each(b, old[1], &[data.value], &mut |b, at, element, carried| {
            vec![added(b, carried[0], &at, element, dtype)]
        });
        Ok(vec![Tensor { value: done[0], ty: data.ty.clone() }])
    }

    /// The transpose of a square matrix in compressed rows.
    fn sparse_transpose(&self, b: &mut Builder<'_>) -> Lowered {
        let (values, indices, pointers) = (self.arg(0), self.arg(1), self.arg(2));
        if values.rank() != 1 {
            return Err("its values are blocks".to_owned());
        }
        self.expect_same(b, (0, 0), (1, 0));
        let matrix = Compressed { name: self.name, values, indices, pointers, block: [Extent::Known(1); 2] };
        let rows = matrix.rows(b);
        let (count, index_type) = (extent(b, pointers, 0), indices.dtype());
        let one = arith::constant_index(b, 1);
        // The number of entries of each column, then the place of its next entry.
        let zero = scalar::zero(b, pointers.dtype());
        let counts = filled(b, &[count], pointers.dtype(), zero);
        let counted = matrix.each(b, rows, &[counts.value], &mut |b, [_, column], _, carried| {
            let after = arith::addi(b, column, one);
            let step = scalar::one(b, pointers.dtype());
            vec![added(b, carried[0], &[after], step, pointers.dtype())]
        });
        let begins = nest(b, &[rows], &[counted[0]], &mut |b, at, carried| {
            let after = arith::addi(b, at[0], one);
            let before = extract(b, carried[0], at);
            vec![added(b, carried[0], &[after], before, pointers.dtype())]
        })[0];
        let entries = extent(b, values, 0);
        let (new_values, new_indices) =
            (empty(b, &[entries], values.dtype()), empty(b, &[entries], index_type));
        let init = [new_values.value, new_indices.value, begins];
        let done = matrix.each(b, rows, &init, &mut |b, [row, column], element, carried| {
            let place = extract(b, carried[2], &[column]);
            let place = scalar::to_index(b, place, pointers.dtype());
            let row = scalar::from_index(b, row, index_type);
            let step = scalar::one(b, pointers.dtype());
            vec![
                insert(b, element, carried[0], &[place]),
                insert(b, row, carried[1], &[place]),
                added(b, carried[2], &[column], step, pointers.dtype()),
            ]
        });
        Ok(vec![
            Tensor { value: done[0], ..new_values },
            Tensor { value: done[1], ..new_indices },
            Tensor { value: begins, ty: pointers.ty.clone() },
        ])
    }

    /// Values at coordinates, and a default elsewhere; coordinates outside of the result are ignored.
    fn sparse_to_dense(&self, b: &mut Builder<'_>, wanted: &[Extent]) -> Lowered {
        let (indices, values, dtype) = (self.arg(0), self.arg(1), self.result().dtype);
        let otherwise = cast(b, self.arg(2), dtype);
        let otherwise = tensors::scalar(b, otherwise.value);
        let made = filled(b, wanted, dtype, otherwise);
        let mut sizes = extents(b, indices);
        sizes.truncate(1);
        if values.rank() == 1 && indices.rank() > 0 {
            self.expect_same(b, (0, 0), (1, 0));
        }
        if indices.rank() == 2 {
            let own = extent(b, indices, 1);
            own.expect(b, Extent::Known(wanted.len() as i64), || {
                format!("{}: a coordinate must have {} numbers, found {{}}", self.name, wanted.len())
            });
        }
        let done = nest(b, &sizes, &[made.value], &mut |b, place, carried| {
            let mut at = Vec::with_capacity(wanted.len());
            let mut fits = arith::constant_bool(b, true);
            for (axis, &extent) in wanted.iter().enumerate() {
                let mut source = place.to_vec();
                if indices.rank() == 2 {
                    source.push(arith::constant_index(b, axis as i64));
                }
                let index = index_at(b, indices, &source);
                let exists = inside(b, index, extent);
                fits = arith::andi(b, fits, exists);
                at.push(index);
            }
            let source = if values.rank() == 0 { &[] } else { place };
            let value = extract(b, values.value, source);
            update_if(b, fits, carried, |b| vec![insert(b, value, carried[0], &at)])
        });
        Ok(vec![Tensor { value: done[0], ..made }])
    }

    /// Coordinates of the same elements in another shape, which may have one extent -1.
    fn sparse_reshape(&self, b: &mut Builder<'_>) -> Lowered {
        let (indices, old, new) = (self.arg(0), self.arg(1), self.arg(2));
        let (rows, rank) = (extent(b, indices, 0), extent(b, new, 0));
        self.expect_same(b, (0, 1), (1, 0));
        let old_rank = extent(b, old, 0);
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let all = nest(b, &[old_rank], &[one], &mut |b, at, carried| {
            let extent = index_at(b, old, at);
            vec![arith::muli(b, carried[0], extent)]
        })[0];
        let is_open =
            |b: &mut Builder<'_>, extent: Value| arith::cmpi(b, arith::CmpIPredicate::Slt, extent, zero);
        let known = nest(b, &[rank], &[one], &mut |b, at, carried| {
            let extent = index_at(b, new, at);
            let open = is_open(b, extent);
            let factor = arith::select(b, open, one, extent);
            vec![arith::muli(b, carried[0], factor)]
        })[0];
        let rest = Extent::Value(all).divided_by(b, Extent::Value(known)).value(b);
        let shape = empty(b, &[rank], new.dtype());
        let filled = nest(b, &[rank], &[shape.value, one], &mut |b, at, carried| {
            let extent = index_at(b, new, at);
            let open = is_open(b, extent);
            let extent = arith::select(b, open, rest, extent);
            let number = scalar::from_index(b, extent, new.dtype());
            vec![insert(b, number, carried[0], at), arith::muli(b, carried[1], extent)]
        });
        Extent::Value(filled[1]).expect(b, Extent::Value(all), || super::shape::uneven(self.name));
        let shape = Tensor { value: filled[0], ..shape };
        let made = empty(b, &[rows, rank], indices.dtype());
        let done = nest(b, &[rows], &[made.value], &mut |b, row, carried| {
            let position = nest(b, &[old_rank], &[zero], &mut |b, axis, carried| {
                let extent = index_at(b, old, axis);
                let index = index_at(b, indices, &[row[0], axis[0]]);
                let scaled = arith::muli(b, carried[0], extent);
                vec![arith::addi(b, scaled, index)]
            })[0];
            // The last coordinate varies fastest.
            nest(b, &[rank], &[carried[0], position], &mut |b, back, carried| {
                let last = rank.plus(b, Extent::Known(-1)).value(b);
                let axis = arith::subi(b, last, back[0]);
                let extent = index_at(b, &shape, &[axis]);
                let extent = arith::maxsi(b, extent, one);
                let index = arith::remui(b, carried[1], extent);
                let rest = arith::divui(b, carried[1], extent);
                let number = scalar::from_index(b, index, indices.dtype());
                vec![insert(b, number, carried[0], &[row[0], axis]), rest]
            })[..1]
                .to_vec()
        });
        Ok(vec![Tensor { value: done[0], ..made }, shape])
    }

    /// Adds an element with the default value to each row that has none. The elements are in the order of their rows.
    fn sparse_fill_empty_rows(&self, b: &mut Builder<'_>) -> Lowered {
        let (indices, values, shape) = (self.arg(0), self.arg(1), self.arg(2));
        let otherwise = cast(b, self.arg(3), values.dtype());
        let otherwise = tensors::scalar(b, otherwise.value);
        self.expect_same(b, (0, 0), (1, 0));
        let (count, columns) = (extent(b, indices, 0), extent(b, indices, 1));
        let axes = extent(b, shape, 0);
        for given in [axes, columns] {
            Extent::Known(1).expect_at_most(b, given, || format!("{}: there are no coordinates", self.name));
        }
        let (zero, wide) = (arith::constant_index(b, 0), DType::I64);
        let rows = index_at(b, shape, &[zero]);
        let negative = arith::cmpi(b, arith::CmpIPredicate::Slt, rows, zero);
        let fits = scalar::not(b, negative);
        assert_values(b, fits, &format!("{}: the number of rows is negative: {{}}", self.name), &[rows]);
        let rows = Extent::Value(rows);
        let (none, one) = (scalar::zero(b, wide), scalar::one(b, wide));
        let counts = filled(b, &[rows], wide, none);
        let counts = nest(b, &[count], &[counts.value], &mut |b, at, carried| {
            let row = index_at(b, indices, &[at[0], zero]);
            let fits = inside(b, row, rows);
            let rows = rows.value(b);
            assert_values(b, fits, &missing(self.name, "row"), &[row, rows]);
            vec![added(b, carried[0], &[row], one, wide)]
        })[0];
        // The place of the first element of each row.
        let begins = empty(b, &[rows], wide);
        let begins = nest(b, &[rows], &[begins.value, none], &mut |b, row, carried| {
            let own = extract(b, counts, row);
            let own = arith::maxsi(b, own, one);
            vec![insert(b, carried[1], carried[0], row), arith::addi(b, carried[1], own)]
        });
        let whole = Extent::Value(scalar::to_index(b, begins[1], wide));
        let (new_indices, new_values) =
            (empty(b, &[whole, columns], indices.dtype()), empty(b, &[whole], values.dtype()));
        let init = [new_indices.value, new_values.value, begins[0]];
        let placed = nest(b, &[count], &init, &mut |b, at, carried| {
            let row = index_at(b, indices, &[at[0], zero]);
            let place = extract(b, carried[2], &[row]);
            let place = scalar::to_index(b, place, wide);
            let coordinates = nest(b, &[columns], &[carried[0]], &mut |b, column, carried| {
                let number = extract(b, indices.value, &[at[0], column[0]]);
                vec![insert(b, number, carried[0], &[place, column[0]])]
            })[0];
            let value = extract(b, values.value, at);
            let value = insert(b, value, carried[1], &[place]);
            vec![coordinates, value, added(b, carried[2], &[row], one, wide)]
        });
        let done = nest(b, &[rows], &placed[..2], &mut |b, row, carried| {
            let own = extract(b, counts, row);
            let missing = arith::cmpi(b, arith::CmpIPredicate::Eq, own, none);
            update_if(b, missing, carried, |b| {
                let place = extract(b, begins[0], row);
                let place = scalar::to_index(b, place, wide);
                let number = scalar::from_index(b, row[0], indices.dtype());
                let nothing = scalar::zero(b, indices.dtype());
                let coordinates = nest(b, &[columns], &[carried[0]], &mut |b, column, carried| {
                    let first = arith::cmpi(b, arith::CmpIPredicate::Eq, column[0], zero);
                    let number = arith::select(b, first, number, nothing);
                    vec![insert(b, number, carried[0], &[place, column[0]])]
                })[0];
                vec![coordinates, insert(b, otherwise, carried[1], &[place])]
            })
        });
        let missing = generate(b, &[rows], DType::Bool, |b, row| {
            let own = extract(b, counts, row);
            arith::cmpi(b, arith::CmpIPredicate::Eq, own, none)
        });
        Ok(vec![Tensor { value: done[0], ..new_indices }, Tensor { value: done[1], ..new_values }, missing])
    }
}

/// The message for a row or column that is not below their number.
fn missing(name: &str, what: &str) -> String {
    format!("{name}: {what} {{}} does not exist among {{}}")
}
