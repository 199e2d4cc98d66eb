//! The typing rules of primitives.

use super::Checker;
use crate::ast::ExprId;
use crate::prims::Prim;
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span};

/// The arguments of a primitive: types and locations.
pub(super) struct Args {
    pub(super) types: Vec<TypeId>,
    pub(super) spans: Vec<Span>,
}

/// A type error of a call.
pub(super) struct Wrong {
    at: WrongAt,
    message: String,
}

/// The part of a call with a type error.
enum WrongAt {
    Call,
    Arg(usize),
}

/// A type error of an argument.
pub(super) fn wrong<T>(arg: usize, message: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { at: WrongAt::Arg(arg), message: message.into() })
}

/// A type error of the call itself.
pub(super) fn wrong_call<T>(message: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { at: WrongAt::Call, message: message.into() })
}

impl Checker<'_> {
    /// Checks a call of a primitive; returns its type.
    pub(super) fn prim_call(&mut self, prim: Prim, id: ExprId, args: &[ExprId]) -> TypeId {
        let lambdas = prim.lambda_args();
        let types = args
            .iter()
            .enumerate()
            .map(|(index, &arg)| if lambdas.contains(&index) { self.expr(arg) } else { self.value(arg) });
        let mut types: Vec<_> = types.collect();
        let mut spans: Vec<_> = args.iter().map(|&arg| self.span(arg)).collect();
        if let (&[single], Some(arity)) = (&types[..], prim.arity())
            && arity != 1
            && let Some(parts) = self.out.types.parts(single)
            && parts.len() == arity
        {
            types = parts.to_vec();
            spans = vec![spans[0]; arity];
        }
        let name = prim.name();
        if let Some(arity) = prim.arity()
            && arity != types.len()
        {
            let plural = if arity == 1 { "argument" } else { "arguments" };
            let verb = if types.len() == 1 { "is" } else { "are" };
            let message = format!("'{name}' takes {arity} {plural}, but {} {verb} given", types.len());
            self.reporter.report(Diagnostic::error(message).at(self.span(id)).note(prim.signature()));
            return Self::fixed_result(prim);
        }
        if types.iter().any(|&ty| self.out.types.has_error(ty)) {
            return self.result_despite_errors(prim, &types);
        }
        let loose = types.iter().any(|&ty| self.out.types.has_any(ty));
        match self.prim_type(prim, &Args { types, spans: spans.clone() }) {
            Ok(ty) => ty,
            Err(_) if loose => match Self::fixed_result(prim) {
                Types::ERROR => Types::ANY,
                fixed => fixed,
            },
            Err(Wrong { at, message }) => {
                let span = match at {
                    WrongAt::Call => None,
                    WrongAt::Arg(arg) => spans.get(arg).copied(),
                };
                let span = span.unwrap_or(self.span(id));
                let error = Diagnostic::error(format!("'{name}': {message}")).at(span);
                self.reporter.report(error.note(prim.signature()));
                Self::fixed_result(prim)
            }
        }
    }

    /// The result type of a primitive that does not depend on the arguments.
    fn fixed_result(prim: Prim) -> TypeId {
        match prim {
            Prim::Eq | Prim::Ne => Types::BOOL,
            Prim::Print => Types::INTEGER,
            Prim::TsDot | Prim::Check | Prim::Bench => Types::FLOAT,
            _ => Types::ERROR,
        }
    }

    fn result_despite_errors(&mut self, prim: Prim, types: &[TypeId]) -> TypeId {
        let (Prim::Build, &[index, lambda]) = (prim, types) else { return Self::fixed_result(prim) };
        match (self.out.types.rank_of_index(index), self.out.types.get(lambda)) {
            (Some(rank), &Type::Lam(_, element)) => self.out.types.tensor(rank, element),
            _ => Types::ERROR,
        }
    }

    fn prim_type(&mut self, prim: Prim, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        Ok(match prim {
            Prim::Print => {
                if args.spans.is_empty() {
                    return wrong(0, "there is nothing to print");
                }
                Types::INTEGER
            }
            Prim::Trace | Prim::Inline | Prim::CopyDown | Prim::TsNeg => types[0],
            Prim::Eq | Prim::Ne => {
                self.same(args, 1, types[0], "both sides must have one type")?;
                Types::BOOL
            }
            Prim::Get { index, arity } => self.get_type(index, arity, types[0])?,
            Prim::Build => {
                let rank = self.index_rank(args, 0)?;
                let element = self.lambda_from(args, 1, types[0])?;
                self.out.types.tensor(rank, element)
            }
            Prim::SumBuild => {
                self.index_rank(args, 0)?;
                self.lambda_from(args, 1, types[0])?
            }
            Prim::Fold => self.fold_type(args)?,
            Prim::Map => {
                let (rank, element) = self.tensor_parts(args, 1)?;
                let result = self.lambda_from(args, 0, element)?;
                self.out.types.tensor(rank, result)
            }
            Prim::Map2 => self.map2_type(args)?,
            Prim::Index => {
                let (rank, element) = self.tensor_parts(args, 1)?;
                let index = self.out.types.index_type(rank);
                let what = format!("an index into '{}' is '{}'", self.text(types[1]), self.text(index));
                self.same(args, 0, index, &what)?;
                element
            }
            Prim::Size => {
                let (rank, _) = self.tensor_parts(args, 0)?;
                self.out.types.index_type(rank)
            }
            Prim::Sum => self.tensor_parts(args, 0)?.1,
            Prim::ConstVec => {
                let rank = self.index_rank(args, 0)?;
                self.out.types.tensor(rank, types[1])
            }
            Prim::DeltaVec => {
                let rank = self.index_rank(args, 0)?;
                self.same(args, 1, types[0], "size and index must have one type")?;
                self.out.types.tensor(rank, types[2])
            }
            Prim::Delta => {
                self.index_rank(args, 0)?;
                self.same(args, 1, types[0], "the indices must have one type")?;
                types[2]
            }
            Prim::Diag => self.diag_type(args)?,
            Prim::VecInit => self.elements_type(args)?,
            Prim::Unzip => self.unzip_type(args)?,
            Prim::Shape => self.out.types.shape(types[0]),
            Prim::BuildFromSparse => {
                self.index_rank(args, 1)?;
                let update = self.lambda_from(args, 2, types[1])?;
                self.sparse_result(0, types[0], update)?
            }
            Prim::BuildFromSparseTupled => self.sparse_tupled(args)?,
            Prim::TsAdd => self.sum_type(args)?,
            Prim::TsScale => {
                self.same(args, 0, Types::FLOAT, "the factor is 'Float'")?;
                types[1]
            }
            Prim::TsDot => {
                self.same(args, 1, types[0], "both sides must have one type")?;
                Types::FLOAT
            }
            Prim::Check => self.check_type(args)?,
            Prim::Bench => self.bench_type(args)?,
            Prim::Elim => Types::UNIT,
            Prim::Dup { arity } => self.copies(arity, types[0])?,
            Prim::LmFold | Prim::FFold | Prim::RFold | Prim::SufFwdPassMap | Prim::SufRevPassMap => {
                self.derived_loop_type(prim, args)?
            }
            Prim::LmApply | Prim::LmApplyR => self.application_type(prim, args)?,
            _ => self.linear_map_type(prim, args)?,
        })
    }

    /// The type of the sum of a value and a tangent.
    fn sum_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        let tangent = self.out.types.tangent(types[0]);
        let what = format!("to '{}' its tangent is added, '{}'", self.text(types[0]), self.text(tangent));
        self.same(args, 1, tangent, &what)?;
        Ok(types[0])
    }

    /// The type of `$BENCH`.
    fn bench_type(&self, args: &Args) -> Result<TypeId, Wrong> {
        let (from, to) = self.lambda_parts(args, 0)?;
        if ![Types::UNIT, Types::INTEGER].iter().any(|&ty| self.out.types.agree(from, ty)) {
            let found = self.text(from);
            return wrong(
                0,
                format!(
                    "the lambda must take '(Tuple)', or 'Integer', the number of the call, but takes '{found}'"
                ),
            );
        }
        if ![Types::FLOAT, Types::INTEGER, Types::BOOL].iter().any(|&ty| self.out.types.agree(to, ty)) {
            let found = self.text(to);
            return wrong(
                0,
                format!(
                    "the lambda must return a number, which shows that it was evaluated, but returns '{found}'"
                ),
            );
        }
        Ok(Types::FLOAT)
    }

    fn get_type(&mut self, index: u32, arity: u32, tuple: TypeId) -> Result<TypeId, Wrong> {
        let Some(parts) = self.out.types.parts(tuple) else {
            return wrong(0, format!("expected a tuple of {arity} components, found '{}'", self.text(tuple)));
        };
        if parts.len() != arity as usize {
            let message = format!("expected a tuple of {arity} components, found '{}'", self.text(tuple));
            return wrong(0, message);
        }
        match (index as usize).checked_sub(1).and_then(|index| parts.get(index)) {
            Some(&part) => Ok(part),
            None => wrong_call(format!("components count from 1 to {arity}, there is no {index}")),
        }
    }

    fn check_type(&mut self, args: &Args) -> Result<TypeId, Wrong> {
        let types = &args.types;
        let result = self.lambda_from(args, 0, types[2])?;
        let (d_arg, d_result) = (self.out.types.tangent(types[2]), self.out.types.tangent(result));
        let pair = self.out.types.tuple([types[2], d_result]);
        let reverse = self.lambda_from(args, 1, pair)?;
        if !self.out.types.agree(reverse, d_arg) {
            let (expected, found) = (self.text(d_arg), self.text(reverse));
            return wrong(
                1,
                format!("the reverse derivative must return '{expected}', but returns '{found}'"),
            );
        }
        self.same(args, 3, d_arg, "the fourth argument is a tangent of the third")?;
        self.same(args, 4, d_result, "the fifth argument is a tangent of the result")?;
        Ok(Types::FLOAT)
    }

    pub(super) fn same(&self, args: &Args, index: usize, expected: TypeId, what: &str) -> Result<(), Wrong> {
        let found = args.types[index];
        if self.out.types.agree(expected, found) {
            return Ok(());
        }
        wrong(index, format!("{what}; expected '{}', found '{}'", self.text(expected), self.text(found)))
    }

    pub(super) fn index_rank(&self, args: &Args, index: usize) -> Result<u32, Wrong> {
        match self.out.types.rank_of_index(args.types[index]) {
            Some(rank) => Ok(rank),
            None => {
                let found = self.text(args.types[index]);
                wrong(index, format!("expected 'Integer' or a tuple of several Integers, found '{found}'"))
            }
        }
    }

    pub(super) fn tensor_parts(&self, args: &Args, index: usize) -> Result<(u32, TypeId), Wrong> {
        match self.out.types.get(args.types[index]) {
            &Type::Tensor(rank, element) => Ok((rank, element)),
            _ => wrong(index, format!("expected a tensor, found '{}'", self.text(args.types[index]))),
        }
    }

    pub(super) fn linear_map(&self, args: &Args, index: usize) -> Result<(TypeId, TypeId), Wrong> {
        match self.out.types.get(args.types[index]) {
            &Type::LinearMap(from, to) => Ok((from, to)),
            _ => wrong(index, format!("expected a linear map, found '{}'", self.text(args.types[index]))),
        }
    }

    pub(super) fn lambda_parts(&self, args: &Args, index: usize) -> Result<(TypeId, TypeId), Wrong> {
        match self.out.types.get(args.types[index]) {
            &Type::Lam(from, to) => Ok((from, to)),
            _ => wrong(index, format!("expected a lambda, found '{}'", self.text(args.types[index]))),
        }
    }

    /// The result type of the lambda at `index`, which must take `arg`.
    pub(super) fn lambda_from(&self, args: &Args, index: usize, arg: TypeId) -> Result<TypeId, Wrong> {
        let (from, to) = self.lambda_parts(args, index)?;
        if !self.out.types.agree(from, arg) {
            let (expected, found) = (self.text(arg), self.text(from));
            return wrong(index, format!("the lambda must take '{expected}', but takes '{found}'"));
        }
        Ok(to)
    }
}
