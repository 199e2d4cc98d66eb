//! Generalization of inferred function types, and their instantiation.

use super::Checker;
use super::function::Since;
use crate::ast::{ExprId, Kind};
use crate::types::{Constraint, HoleId, SchemeId, TyVarId, Type, TypeId, Types};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

impl Checker<'_> {
    /// Turns holes that do not belong to an enclosing function into type parameters, and captures the constraints
    /// that depend on them or on the parameters `own`.
    pub(super) fn generalize(
        &mut self,
        types: &[TypeId],
        own: &[TyVarId],
        since: Since,
    ) -> (Vec<TyVarId>, Vec<Constraint>) {
        self.solve();
        while self.default_literals(since.literals, since.pending) {
            self.solve();
        }
        let mut holes: IndexSet<HoleId, FxBuildHasher> = IndexSet::default();
        for &ty in types {
            self.add_inner_holes(ty, &mut holes);
        }
        let captured = self.capture(own, since, &mut holes);
        let vars = self.close(&holes, own.len());
        let mut constraints: Vec<Constraint> = Vec::new();
        for index in captured {
            self.pending[index].alive = false;
            let mut constraint = self.pending[index].constraint.clone();
            constraint.args = constraint.args.iter().map(|&arg| self.zonk(arg)).collect();
            constraint.result = self.zonk(constraint.result);
            if !constraints.iter().any(|known| known.is_same_up_to_origin(&constraint)) {
                constraints.push(constraint);
            }
        }
        (vars, constraints)
    }

    fn add_inner_holes(&mut self, ty: TypeId, out: &mut IndexSet<HoleId, FxBuildHasher>) {
        let mut holes = Vec::new();
        self.holes_of(ty, &mut holes);
        let level = self.level;
        out.extend(holes.into_iter().filter(|hole| self.holes[hole.0 as usize].level > level));
    }

    /// Captures the constraints that depend on the holes or parameters; their own holes are added.
    fn capture(
        &mut self,
        own: &[TyVarId],
        since: Since,
        holes: &mut IndexSet<HoleId, FxBuildHasher>,
    ) -> Vec<usize> {
        let mut waiting: Vec<usize> = (since.pending..self.pending.len()).collect();
        waiting.retain(|&index| self.pending[index].alive);
        let mut captured = Vec::new();
        loop {
            let before = captured.len();
            let mut rest = Vec::new();
            for index in waiting {
                let constraint = self.pending[index].constraint.clone();
                let depends = constraint.args.iter().any(|&arg| {
                    let mut inside = Vec::new();
                    self.holes_of(arg, &mut inside);
                    inside.iter().any(|hole| holes.contains(hole)) || self.mentions(arg, own)
                });
                if !depends {
                    rest.push(index);
                    continue;
                }
                for &ty in constraint.args.iter().chain([&constraint.result]) {
                    self.add_inner_holes(ty, holes);
                }
                captured.push(index);
            }
            waiting = rest;
            if captured.len() == before {
                captured.sort_unstable();
                return captured;
            }
        }
    }

    /// Whether one of the parameters occurs in a type.
    fn mentions(&mut self, ty: TypeId, vars: &[TyVarId]) -> bool {
        if vars.is_empty() {
            return false;
        }
        let ty = self.zonk(ty);
        let mut found = false;
        self.types().replace(ty, &mut |types: &mut Types, id| {
            found |= matches!(types.get(id), Type::Var(var) if vars.contains(var));
            None
        });
        found
    }

    /// Turns holes into type parameters.
    fn close(&mut self, holes: &IndexSet<HoleId, FxBuildHasher>, named: usize) -> Vec<TyVarId> {
        let mut vars = Vec::with_capacity(holes.len());
        for (index, &hole) in holes.iter().enumerate() {
            let state = &self.holes[hole.0 as usize];
            let (kind, number) = (state.kind, state.number);
            let var = self.out.types.add_var(&parameter_name(named + index, kind), kind, number);
            let ty = self.types().intern(Type::Var(var));
            self.close_hole(hole, ty);
            vars.push(var);
        }
        vars
    }

    pub(super) fn instantiate(&mut self, scheme: SchemeId, at: Option<ExprId>) -> (TypeId, Box<[TypeId]>) {
        self.instantiate_at(scheme, None, at)
    }

    /// Instantiates a polymorphic function with the given types for its declared type parameters and fresh holes for
    /// the others; its constraints are added.
    pub(super) fn instantiate_at(
        &mut self,
        scheme: SchemeId,
        given: Option<&[TypeId]>,
        at: Option<ExprId>,
    ) -> (TypeId, Box<[TypeId]>) {
        let scheme = self.out.types.scheme(scheme).clone();
        let mut map: FxHashMap<TyVarId, TypeId> = FxHashMap::default();
        let types: Box<[TypeId]> = scheme
            .vars
            .iter()
            .enumerate()
            .map(|(index, &var)| {
                let (kind, number) = (self.out.types.var(var).kind, self.out.types.var(var).number);
                let ty = match given.and_then(|given| given.get(index)) {
                    Some(&given) if index < scheme.declared => given,
                    _ => self.new_hole(kind, number),
                };
                if number.is_some()
                    && let Type::Hole(hole) = *self.out.types.get(ty)
                {
                    self.literals.push(hole);
                }
                map.insert(var, ty);
                ty
            })
            .collect();
        let ty = self.put_in(scheme.ty, &map);
        for constraint in &scheme.constraints {
            let args = constraint.args.iter().map(|&arg| self.put_in(arg, &map)).collect();
            let result = self.put_in(constraint.result, &map);
            let expr = at.unwrap_or(constraint.expr);
            self.suspend(Constraint { args, result, expr, ..constraint.clone() });
        }
        (ty, types)
    }

    fn put_in(&mut self, ty: TypeId, map: &FxHashMap<TyVarId, TypeId>) -> TypeId {
        self.types().replace(ty, &mut |types: &mut Types, id| match types.get(id) {
            Type::Var(var) => map.get(var).copied(),
            _ => None,
        })
    }
}

/// The name of an inferred type parameter.
fn parameter_name(index: usize, kind: Kind) -> String {
    const LETTERS: [char; 6] = ['a', 'b', 'c', 'd', 'e', 'f'];
    match (kind, LETTERS.get(index)) {
        (Kind::Type, Some(letter)) => letter.to_string(),
        (Kind::Type, None) => format!("t{index}"),
        (Kind::Shape, _) => format!("s{index}"),
        (Kind::BaseType, _) => format!("dt{index}"),
        (Kind::Dim, _) => format!("n{index}"),
    }
}
