//! The typing rules of the primitives on tensors.

use super::Checker;
use super::prim::{Args, Wrong, wrong};
use crate::types::{Type, TypeId, Types};

impl Checker<'_> {
    /// The type of `fold`: that of the accumulator.
    pub(super) fn fold_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        let (rank, element) = self.tensor_parts(args, 2)?;
        if rank != 1 {
            return wrong(2, format!("only vectors are folded, but this is '{}'", self.text(types[2])));
        }
        let pair = self.out.types.tuple([types[1], element]);
        let result = self.lambda_from(args, 0, pair)?;
        if !self.out.types.agree(result, types[1]) {
            let (result, start) = (self.text(result), self.text(types[1]));
            return wrong(
                0,
                format!("the lambda must return the accumulator, '{start}', but returns '{result}'"),
            );
        }
        Ok(types[1])
    }

    /// The type of `map2`.
    pub(super) fn map2_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let ((rank, left), (other, right)) = (self.tensor_parts(args, 1)?, self.tensor_parts(args, 2)?);
        if rank != other {
            return wrong(2, format!("both tensors must have one rank, but have ranks {rank} and {other}"));
        }
        let pair = self.out.types.tuple([left, right]);
        let result = self.lambda_from(args, 0, pair)?;
        Ok(self.out.types.tensor(rank, result))
    }

    /// The type of `diag`.
    pub(super) fn diag_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        self.same(args, 0, Types::INTEGER, "a size is 'Integer'")?;
        self.same(args, 1, Types::INTEGER, "a size is 'Integer'")?;
        let element = self.lambda_from(args, 2, Types::INTEGER)?;
        let row = self.out.types.tensor(1, element);
        Ok(self.out.types.tensor(1, row))
    }

    /// The type of a vector of given elements.
    pub(super) fn elements_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        let Some(&first) = types.first() else { return wrong(0, "at least one element is needed") };
        for index in 1..types.len() {
            self.same(args, index, first, "all elements must have one type")?;
        }
        Ok(self.out.types.tensor(1, first))
    }

    /// The type of `unzip`: a tuple of tensors.
    pub(super) fn unzip_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        let (rank, element) = self.tensor_parts(args, 0)?;
        let Some(parts) = self.out.types.parts(element).map(<[TypeId]>::to_vec) else {
            return wrong(0, format!("expected a tensor of tuples, found '{}'", self.text(types[0])));
        };
        let parts: Vec<_> = parts.into_iter().map(|part| self.out.types.tensor(rank, part)).collect();
        Ok(self.out.types.tuple(parts))
    }

    /// The tensor type that sparse updates `(Tuple index value)` define, for a shape argument of type `shape`.
    pub(super) fn sparse_result(
        &mut self,
        arg: usize,
        shape: TypeId,
        update: TypeId,
    ) -> Result<TypeId, Wrong> {
        let &Type::Tensor(rank, inner) = self.out.types.get(shape) else {
            return wrong(arg, format!("expected a tensor of shapes, found '{}'", self.text(shape)));
        };
        let index = self.out.types.index_type(rank);
        let value = match self.out.types.parts(update) {
            Some(&[at, value]) if self.out.types.agree(at, index) => value,
            _ => {
                let (expected, found) = (self.text(index), self.text(update));
                return wrong(
                    2,
                    format!(
                        "the lambda must return a pair of '{expected}' and a value, but returns '{found}'"
                    ),
                );
            }
        };
        let (full, short) = (self.out.types.full_shape(value), self.out.types.shape(value));
        if !self.out.types.agree(inner, full) && !self.out.types.agree(inner, short) {
            let expected = self.out.types.tensor(rank, full);
            let (expected, found) = (self.text(expected), self.text(shape));
            return wrong(arg, format!("the shape of the result is '{expected}', but '{found}' is given"));
        }
        Ok(self.out.types.tensor(rank, value))
    }

    /// The type of a tuple of tensors defined by tuples of sparse updates.
    pub(super) fn sparse_tupled(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        self.index_rank(args, 1)?;
        let update = self.lambda_from(args, 2, types[1])?;
        let shapes = self.out.types.parts(types[0]).map(<[TypeId]>::to_vec);
        let Some(shapes) = shapes else {
            return wrong(0, format!("expected a tuple of shapes, found '{}'", self.text(types[0])));
        };
        let updates = self.out.types.parts(update).map(<[TypeId]>::to_vec).unwrap_or_default();
        if updates.len() != shapes.len() {
            let (count, found) = (shapes.len(), self.text(update));
            return wrong(
                2,
                format!("the lambda must return a tuple of {count} updates, but returns '{found}'"),
            );
        }
        let mut results = Vec::new();
        for (shape, update) in shapes.into_iter().zip(updates) {
            results.push(self.sparse_result(0, shape, update)?);
        }
        Ok(self.out.types.tuple(results))
    }
}
