//! Constraints: type relations of operators, and components of tuples of unknown type.
//!
//! A constraint that cannot be solved yet waits for the holes in its arguments and is revisited when one of them is
//! bound.

use super::Checker;
use crate::ast::{ExprId, Kind};
use crate::types::{Constraint, HoleId, Number, Type, TypeId, Types};
use minoan_diag::Diagnostic;
use minoan_relay_dialect::attrs::Attrs;
use minoan_relay_dialect::operators::Operator;
use minoan_relay_dialect::relation::{Answer, Relation, RelationError, relate};
use minoan_relay_dialect::ty as op;

/// An unsolved constraint.
pub(super) struct Pending {
    pub(super) constraint: Constraint,
    /// Whether the constraint still has to be solved here.
    pub(super) alive: bool,
}

/// The outcome of solving a constraint.
enum Outcome {
    Solved(TypeId),
    Stuck,
}

/// The treatment of literals among the arguments of a relation.
enum Literals {
    /// Another argument has to be known first.
    Wait,
    /// No action is required.
    Settled,
    /// All arguments have this element type, which is unknown.
    Shared(TypeId),
}

/// Cached results of relations that depend only on the arguments.
pub(super) type Memo = rustc_hash::FxHashMap<(Relation, smallvec::SmallVec<[TypeId; 4]>), TypeId>;

impl Checker<'_> {
    /// The result type of a constraint: solved immediately, or a hole.
    pub(super) fn constrain(&mut self, constraint: Constraint) -> TypeId {
        match self.attempt(&constraint) {
            Ok(Outcome::Solved(result)) => result,
            Err(error) => {
                self.relation_error(&constraint, error);
                Types::ERROR
            }
            Ok(Outcome::Stuck) => {
                let result = self.fresh();
                self.suspend(Constraint { result, ..constraint });
                result
            }
        }
    }

    /// Adds a constraint that already has a type for its result to the unsolved ones.
    pub(super) fn suspend(&mut self, constraint: Constraint) {
        let index = self.pending.len() as u32;
        self.pending.push(Pending { constraint, alive: true });
        self.queue.push_back(index);
    }

    /// Solves the constraints in the worklist.
    pub(super) fn solve(&mut self) {
        while let Some(index) = self.queue.pop_front() {
            let pending = &self.pending[index as usize];
            if !pending.alive {
                continue;
            }
            let constraint = pending.constraint.clone();
            let outcome = self.attempt(&constraint);
            if let Ok(Outcome::Stuck) = outcome {
                self.watch(index, &constraint);
                continue;
            }
            self.pending[index as usize].alive = false;
            let result = match outcome {
                Ok(Outcome::Solved(result)) => result,
                Ok(Outcome::Stuck) => continue,
                Err(error) => {
                    self.relation_error(&constraint, error);
                    Types::ERROR
                }
            };
            self.expect_type(constraint.expr, constraint.result, result, "is expected here");
        }
    }

    fn watch(&mut self, index: u32, constraint: &Constraint) {
        let mut holes = Vec::new();
        for &arg in &constraint.args {
            self.holes_of(arg, &mut holes);
        }
        for hole in holes {
            let watchers = &mut self.holes[hole.0 as usize].watchers;
            if watchers.last() != Some(&index) {
                watchers.push(index);
            }
        }
    }

    fn attempt(&mut self, constraint: &Constraint) -> Result<Outcome, RelationError> {
        match constraint.op {
            Some(op) => self.attempt_relation(op, constraint),
            None => Ok(self.attempt_component(constraint)),
        }
    }

    fn attempt_component(&mut self, constraint: &Constraint) -> Outcome {
        let tuple = self.find(constraint.args[0]);
        match self.out.types.get(tuple) {
            Type::Tuple(parts) => match parts.get(constraint.index as usize) {
                Some(&part) => Outcome::Solved(part),
                None => {
                    let count = parts.len();
                    let text = self.text(tuple);
                    let message =
                        format!("'{text}' has {count} components, and no component {}", constraint.index);
                    self.error(self.span(constraint.expr), message);
                    Outcome::Solved(Types::ERROR)
                }
            },
            Type::Error => Outcome::Solved(Types::ERROR),
            Type::Hole(_) | Type::Var(_) => Outcome::Stuck,
            _ => {
                let message = format!("expected a tuple, found '{}'", self.text(tuple));
                let error = Diagnostic::error(message).at(self.span(constraint.expr));
                self.reporter.report(error);
                Outcome::Solved(Types::ERROR)
            }
        }
    }

    fn attempt_relation(
        &mut self,
        operator: &'static Operator,
        constraint: &Constraint,
    ) -> Result<Outcome, RelationError> {
        if operator.facts.identity
            && let [arg] = constraint.args[..]
        {
            return Ok(Outcome::Solved(arg));
        }
        let args: smallvec::SmallVec<[TypeId; 4]> =
            constraint.args.iter().map(|&arg| self.zonk(arg)).collect();
        if args.iter().any(|&arg| self.out.types.has_error(arg)) {
            return Ok(Outcome::Solved(Types::ERROR));
        }
        let closed = |types: &Types| args.iter().all(|&arg| !types.has_hole(arg) && !types.has_var(arg));
        let key = (operator.relation, args.clone());
        let memorable = constraint.attrs.is_none() && closed(&self.out.types);
        if memorable && let Some(&known) = self.memo.get(&key) {
            return Ok(Outcome::Solved(known));
        }
        let number = match self.literals_agree(operator, &args) {
            Literals::Wait => return Ok(Outcome::Stuck),
            Literals::Settled => None,
            Literals::Shared(number) => Some(number),
        };
        let args: Vec<TypeId> = args.iter().map(|&arg| self.zonk(arg)).collect();
        let mut export = Export { holes: Vec::new(), parts: 0 };
        let given: Vec<op::Type> = args.iter().map(|&arg| self.export(arg, number, &mut export)).collect();
        let none = Attrs::new();
        let attrs = constraint.attrs.map_or(&none, |at| &self.out.op_attrs[at as usize]);
        let (refined, result) = match relate(operator, &given, attrs)? {
            Answer::Stuck => return Ok(Outcome::Stuck),
            Answer::Solved { args, result } => (args, result),
        };
        for (index, (before, after)) in given.iter().zip(&refined).enumerate() {
            if before != after {
                let after = self.import(after, &export);
                self.unify(args[index], after).map_err(|_| RelationError {
                    message: format!(
                        "'{}' needs '{}' for its argument '{}', which is '{}'",
                        operator.name,
                        self.out.types.text(after),
                        operator.args.get(index).copied().unwrap_or_default(),
                        self.out.types.text(args[index]),
                    ),
                    arg: Some(index),
                    help: None,
                })?;
            }
        }
        let mut imported = self.import(&result, &export);
        if let Some(number) = number {
            imported = self.with_number(operator, imported, number);
        }
        if memorable {
            self.memo.insert(key, imported);
        }
        Ok(Outcome::Solved(imported))
    }

    /// If the element types of all arguments must be equal: assigns the type of the other arguments to literals.
    fn literals_agree(&mut self, operator: &Operator, args: &[TypeId]) -> Literals {
        let args = match operator.relation {
            Relation::Broadcast | Relation::BroadcastComp => args,
            Relation::Where => args.get(1..).unwrap_or_default(),
            _ => return Literals::Settled,
        };
        if !args.iter().any(|&arg| self.out.types.has_hole(arg)) {
            return Literals::Settled;
        }
        let mut literals: Vec<TypeId> = Vec::new();
        let mut other = None;
        for &arg in args {
            let Type::Tensor(_, base) = *self.out.types.get(arg) else { return Literals::Wait };
            match *self.out.types.get(base) {
                Type::Hole(hole) if self.holes[hole.0 as usize].number.is_some() => literals.push(base),
                Type::Base(_) => other = Some(base),
                _ => return Literals::Wait,
            }
        }
        let Some(first) = other.or(literals.first().copied()) else { return Literals::Settled };
        for literal in literals {
            // The relation reports a mismatch.
            let _ = self.unify(first, literal);
        }
        match self.find(first) {
            shared if matches!(self.out.types.get(shared), Type::Hole(_)) => Literals::Shared(shared),
            _ => Literals::Settled,
        }
    }

    /// The result type of a relation whose arguments all have the element type of a literal.
    fn with_number(&mut self, operator: &Operator, result: TypeId, number: TypeId) -> TypeId {
        match (operator.relation, self.out.types.get(result)) {
            (Relation::Broadcast | Relation::Where, &Type::Tensor(shape, _)) => {
                self.types().intern(Type::Tensor(shape, number))
            }
            _ => result,
        }
    }

    /// Assigns default types to literals that are otherwise unconstrained; returns whether there were any.
    pub(super) fn default_literals(&mut self, from: usize, since: usize) -> bool {
        let mut anchored = rustc_hash::FxHashSet::default();
        for index in since..self.pending.len() {
            if !self.pending[index].alive {
                continue;
            }
            let args = self.pending[index].constraint.args.clone();
            let mut holes = Vec::new();
            args.iter().for_each(|&arg| self.holes_of(arg, &mut holes));
            let open = args.iter().any(|&arg| {
                let arg = self.zonk(arg);
                self.out.types.has_var(arg)
            });
            if open || holes.iter().any(|hole| self.holes[hole.0 as usize].number.is_none()) {
                anchored.extend(holes);
            }
        }
        let mut changed = false;
        for index in from..self.literals.len() {
            let hole = self.literals[index];
            let state = &self.holes[hole.0 as usize];
            if self.is_open(hole) && state.level > self.level && !anchored.contains(&hole) {
                changed |= self.default_literal(hole);
            }
        }
        changed
    }

    pub(super) fn default_literal(&mut self, hole: HoleId) -> bool {
        let Some(number) = self.holes[hole.0 as usize].number else { return false };
        let base = self.types().intern(Type::Base(number.default_type()));
        let hole = self.types().intern(Type::Hole(hole));
        self.unify(base, hole).is_ok()
    }

    /// Converts a type for an operator's relation; opaque parts become holes.
    fn export(&mut self, id: TypeId, number: Option<TypeId>, export: &mut Export) -> op::Type {
        // Types with shared parts can be exponentially large when expanded.
        export.parts += 1;
        if export.parts > MAX_PARTS {
            return op::Type::Other(self.text(id));
        }
        match self.out.types.get(id).clone() {
            Type::Tensor(shape, base) => {
                let dtype = match *self.out.types.get(base) {
                    Type::Base(dtype) => Some(dtype),
                    Type::Hole(hole) => self.exported_number(hole, Some(base) == number),
                    _ => None,
                };
                match (self.out.types.get(shape), dtype) {
                    (Type::Shape(dims), Some(dtype)) => {
                        let dims = dims.clone();
                        let shape = dims.iter().map(|&dim| match *self.out.types.get(dim) {
                            Type::Dim(extent) => op::Dim::Known(extent),
                            Type::AnyDim => op::Dim::Any,
                            _ => op::Dim::Hole(export.index(dim)),
                        });
                        op::Type::Tensor(op::TensorType { shape: shape.collect(), dtype })
                    }
                    _ => op::Type::Hole(export.index(id)),
                }
            }
            Type::Tuple(parts) => op::Type::Tuple(
                parts
                    .iter()
                    .map(|&part| minoan_frontend::with_stack(|| self.export(part, number, export)))
                    .collect(),
            ),
            Type::Hole(_) | Type::Var(_) => op::Type::Hole(export.index(id)),
            _ => op::Type::Other(self.text(id)),
        }
    }

    /// The element type of a literal, which is fixed now unless the relation leaves it open.
    fn exported_number(&mut self, hole: HoleId, left_open: bool) -> Option<op::DType> {
        let number: Number = self.holes[hole.0 as usize].number?;
        if !left_open {
            self.default_literal(hole);
        }
        Some(number.default_type())
    }

    /// Converts the result type of an operator's relation.
    fn import(&mut self, ty: &op::Type, export: &Export) -> TypeId {
        match ty {
            op::Type::Tensor(tensor) => {
                let dims: Box<[TypeId]> = tensor
                    .shape
                    .iter()
                    .map(|dim| match *dim {
                        op::Dim::Known(extent) => self.types().intern(Type::Dim(extent)),
                        op::Dim::Any => Types::ANY_DIM,
                        op::Dim::Hole(index) => match export.holes.get(index as usize) {
                            Some(&dim) => dim,
                            None => self.new_hole(Kind::Dim, None),
                        },
                    })
                    .collect();
                let shape = self.types().intern(Type::Shape(dims));
                let base = self.types().intern(Type::Base(tensor.dtype));
                self.types().intern(Type::Tensor(shape, base))
            }
            op::Type::Tuple(parts) => {
                let parts: Box<[TypeId]> = parts.iter().map(|part| self.import(part, export)).collect();
                self.types().intern(Type::Tuple(parts))
            }
            op::Type::Hole(index) => match export.holes.get(*index as usize) {
                Some(&ty) => ty,
                None => self.fresh(),
            },
            op::Type::Other(_) => Types::ERROR,
        }
    }

    /// Reports an error of a relation, with the types of the arguments.
    fn relation_error(&mut self, constraint: &Constraint, error: RelationError) {
        let own = constraint.expr == constraint.from;
        let args = if own { self.arguments(constraint.expr) } else { Vec::new() };
        let at = error.arg.and_then(|index| args.get(index)).copied();
        let mut diagnostic = Diagnostic::error(error.message).at(self.span(at.unwrap_or(constraint.expr)));
        const MAX_LABELS: usize = 4;
        for (&arg, &ty) in args.iter().zip(&constraint.args).take(MAX_LABELS) {
            let text = self.text(ty);
            if at == Some(arg) {
                diagnostic = diagnostic.caption(format!("this is '{text}'"));
            } else {
                diagnostic = diagnostic.label(self.span(arg), format!("this is '{text}'"));
            }
        }
        for &arg in args.iter().take(MAX_LABELS) {
            diagnostic = self.explain(diagnostic, arg);
        }
        if let Some(help) = error.help {
            diagnostic = diagnostic.help(help);
        }
        if !own {
            diagnostic =
                diagnostic.note_at(self.span(constraint.from), "this must hold where the function is used");
        }
        self.reporter.report(diagnostic);
    }

    /// The arguments of a call or operator.
    pub(super) fn arguments(&self, call: ExprId) -> Vec<ExprId> {
        use crate::ast::ExprKind;
        match self.module.expr(call).kind {
            ExprKind::Call { args, .. } => self.module.list(args).to_vec(),
            ExprKind::Binary(_, left, right) => vec![left, right],
            ExprKind::Unary(_, operand) => vec![operand],
            _ => Vec::new(),
        }
    }
}

/// The holes of exported types.
struct Export {
    holes: Vec<TypeId>,
    /// The number of exported parts.
    parts: usize,
}

/// Upper bound on the parts of an operator's argument types.
const MAX_PARTS: usize = 10_000;

impl Export {
    fn index(&mut self, id: TypeId) -> u32 {
        let known = self.holes.iter().position(|&it| it == id);
        known.unwrap_or_else(|| {
            self.holes.push(id);
            self.holes.len() - 1
        }) as u32
    }
}
