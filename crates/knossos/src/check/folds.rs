//! The typing rules of the primitives that derivatives of `fold` and `map` consist of.

use super::Checker;
use super::prim::{Args, Wrong, wrong, wrong_call};
use crate::prims::Prim;
use crate::types::{Type, TypeId, Types};

/// The largest tuple that `dup$n` creates.
const MAX_COPIES: u32 = 1000;

impl Checker<'_> {
    /// The type of a call of `lmFold`, `FFold`, `RFold`, `suffwdpass_map` or `sufrevpass_map`.
    pub(super) fn derived_loop_type(&mut self, prim: Prim, args: &Args) -> Result<TypeId, Wrong> {
        match prim {
            Prim::LmFold => self.lm_fold_type(args),
            Prim::FFold => self.forward_fold_type(args),
            Prim::RFold => self.reverse_fold_type(args),
            Prim::SufFwdPassMap => self.forward_map_type(args),
            _ => self.reverse_map_type(args),
        }
    }

    /// The type of a call of `lmFold`.
    fn lm_fold_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let (pair, start, vector) = self.fold_parts(args, 1, 3, 4)?;
        let map = self.lambda_from(args, 2, pair)?;
        let &Type::LinearMap(from, to) = self.out.types.get(map) else {
            return wrong(
                2,
                format!("the lambda must return a linear map, but returns '{}'", self.text(map)),
            );
        };
        let free = match self.out.types.parts(from) {
            Some(&[free, step]) if self.out.types.agree(step, pair) && self.out.types.agree(to, start) => {
                free
            }
            _ => {
                let (pair, start, found) = (self.text(pair), self.text(start), self.text(map));
                return wrong(
                    2,
                    format!("the lambda must return '(LM (Tuple S {pair}) {start})', but returns '{found}'"),
                );
            }
        };
        let tangent = self.out.types.tangent(free);
        self.same(args, 0, tangent, "the first argument is the zero tangent of the free variables")?;
        let inner = self.out.types.tuple([start, vector]);
        let from = self.out.types.tuple([free, inner]);
        Ok(self.out.types.intern(Type::LinearMap(from, start)))
    }

    /// The type of a call of `FFold`.
    fn forward_fold_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let (pair, start, vector) = self.fold_parts(args, 0, 1, 2)?;
        let [d_start, d_pair, d_vector] = [start, pair, vector].map(|ty| self.out.types.tangent(ty));
        let step = self.out.types.tuple([pair, d_pair]);
        self.lambda_to(args, 3, step, d_start)?;
        self.same(args, 4, d_start, "the fifth argument is a tangent of the second")?;
        self.same(args, 5, d_vector, "the sixth argument is a tangent of the third")?;
        Ok(d_start)
    }

    /// The type of a call of `RFold`.
    fn reverse_fold_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        let (pair, start, vector) = self.fold_parts(args, 2, 4, 5)?;
        let [d_start, d_pair, d_vector] = [start, pair, vector].map(|ty| self.out.types.tangent(ty));
        let element = self.out.types.parts(d_pair).map_or(Types::ERROR, |parts| parts[1]);
        self.same(args, 0, element, "the first argument has the type of the tangents of the elements")?;
        let step = self.out.types.tuple([pair, d_start]);
        let result = self.out.types.tuple([types[1], d_pair]);
        self.lambda_to(args, 3, step, result)?;
        self.is_tangent(args, 1)?;
        self.same(args, 6, d_start, "the seventh argument is a tangent of the fifth")?;
        let inner = self.out.types.tuple([d_start, d_vector]);
        Ok(self.out.types.tuple([types[1], inner]))
    }

    /// The type of a call of `suffwdpass_map`.
    fn forward_map_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let (rank, element) = self.tensor_parts(args, 1)?;
        let result = self.lambda_from(args, 0, element)?;
        let Some(&[value, bag]) = self.out.types.parts(result) else {
            return wrong(0, format!("the lambda must return a pair, but returns '{}'", self.text(result)));
        };
        let parts = [value, bag].map(|part| self.out.types.tensor(rank, part));
        Ok(self.out.types.tuple(parts))
    }

    /// The type of a call of `sufrevpass_map`.
    fn reverse_map_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        let ((rank, cotangent), (other, bag)) = (self.tensor_parts(args, 2)?, self.tensor_parts(args, 3)?);
        if rank != other {
            return wrong(3, format!("both tensors must have one rank, but have ranks {rank} and {other}"));
        }
        self.is_tangent(args, 0)?;
        let pair = self.out.types.tuple([cotangent, bag]);
        let result = self.lambda_from(args, 1, pair)?;
        match self.out.types.parts(result) {
            Some(&[own, free]) if self.out.types.agree(free, types[0]) => {
                let own = self.out.types.tensor(rank, own);
                Ok(self.out.types.tuple([own, types[0]]))
            }
            _ => {
                let (free, found) = (self.text(types[0]), self.text(result));
                wrong(
                    1,
                    format!("the lambda must return a pair of a tangent and '{free}', but returns '{found}'"),
                )
            }
        }
    }

    /// The type of `dup$n` for an argument of type `ty`.
    pub(super) fn copies(&mut self, arity: u32, ty: TypeId) -> Result<TypeId, Wrong> {
        if arity > MAX_COPIES {
            return wrong_call(format!("at most {MAX_COPIES} copies are made"));
        }
        Ok(self.out.types.tuple(vec![ty; arity as usize]))
    }

    /// The types of the step, the accumulator and the vector of a fold with these arguments.
    fn fold_parts(
        &mut self,
        args: &Args,
        lambda: usize,
        start: usize,
        vector: usize,
    ) -> Result<(TypeId, TypeId, TypeId), Wrong> {
        let (rank, element) = self.tensor_parts(args, vector)?;
        if rank != 1 {
            return wrong(
                vector,
                format!("only vectors are folded, but this is '{}'", self.text(args.types[vector])),
            );
        }
        let accumulator = args.types[start];
        let pair = self.out.types.tuple([accumulator, element]);
        self.lambda_to(args, lambda, pair, accumulator)?;
        Ok((pair, accumulator, args.types[vector]))
    }

    /// Requires the lambda at `index` to map `from` to `to`.
    fn lambda_to(&self, args: &Args, index: usize, from: TypeId, to: TypeId) -> Result<(), Wrong> {
        let found = self.lambda_from(args, index, from)?;
        if self.out.types.agree(found, to) {
            return Ok(());
        }
        wrong(
            index,
            format!("the lambda must return '{}', but returns '{}'", self.text(to), self.text(found)),
        )
    }

    /// Requires the argument at `index` to be a tangent.
    fn is_tangent(&mut self, args: &Args, index: usize) -> Result<(), Wrong> {
        let tangent = self.out.types.tangent(args.types[index]);
        self.same(args, index, tangent, "tangents are summed")
    }
}
