//! Holes and unification.

use super::Checker;
use crate::ast::Kind;
use crate::types::{HoleId, Number, Type, TypeId, Types};
use minoan_frontend::with_stack;
use rustc_hash::FxHashMap;

/// The state of a hole.
pub(super) struct Hole {
    /// The type that the hole is bound to.
    bound: Option<TypeId>,
    /// The number of generalizable functions around the hole's position.
    pub(super) level: u32,
    pub(super) kind: Kind,
    /// For the element type of a literal: the kind of literal.
    pub(super) number: Option<Number>,
    /// The constraints to revisit when the hole is bound.
    pub(super) watchers: Vec<u32>,
}

/// The reason why two types cannot be unified.
#[derive(Clone, Copy, Debug)]
pub(super) enum Clash {
    /// These parts differ.
    Differ(TypeId, TypeId),
    /// The type would be infinite.
    Infinite(TypeId),
    /// A literal cannot have this element type.
    Literal(Number, TypeId),
}

type Unified = Result<TypeId, Clash>;

/// Follows bound holes: the head of the type and the last hole on the path; compresses the path.
fn root(holes: &mut [Hole], types: &Types, id: TypeId) -> (TypeId, Option<HoleId>) {
    let (mut at, mut last) = (id, None);
    while let &Type::Hole(hole) = types.get(at) {
        let Some(next) = holes[hole.0 as usize].bound else { break };
        last = Some((hole, at));
        at = next;
    }
    let Some((last, last_id)) = last else { return (at, None) };
    let end = if matches!(types.get(at), Type::Hole(_)) { at } else { last_id };
    let mut step = id;
    while step != end
        && let &Type::Hole(hole) = types.get(step)
    {
        let Some(next) = holes[hole.0 as usize].bound.replace(end) else { break };
        step = next;
    }
    (at, Some(last))
}

impl Checker<'_> {
    pub(super) fn new_hole(&mut self, kind: Kind, number: Option<Number>) -> TypeId {
        let id = HoleId(self.holes.len() as u32);
        self.holes.push(Hole { bound: None, level: self.level, kind, number, watchers: Vec::new() });
        self.types().intern(Type::Hole(id))
    }

    pub(super) fn fresh(&mut self) -> TypeId {
        self.new_hole(Kind::Type, None)
    }

    /// Follows bound holes to the head of the type.
    pub(super) fn find(&mut self, id: TypeId) -> TypeId {
        self.find_with_hole(id).0
    }

    /// Like [`Self::find`]; also returns the last hole on the path.
    fn find_with_hole(&mut self, id: TypeId) -> (TypeId, Option<HoleId>) {
        root(&mut self.holes, &self.out.types, id)
    }

    /// The type with all bound holes substituted.
    pub(super) fn zonk(&mut self, id: TypeId) -> TypeId {
        if !self.out.types.has_hole(id) {
            return id;
        }
        self.zonk_with(id, &mut FxHashMap::default())
    }

    /// Like [`Self::zonk`], with the cache `done` of earlier calls, after which no hole may have been bound.
    pub(super) fn zonk_with(&mut self, id: TypeId, done: &mut FxHashMap<TypeId, TypeId>) -> TypeId {
        let holes = &mut self.holes;
        let mut leaf = |types: &mut Types, id| match types.get(id) {
            Type::Hole(_) => Some(root(holes, types, id).0),
            _ => None,
        };
        self.out.types.replace_part(id, &mut leaf, done)
    }

    /// The open holes of a type.
    pub(super) fn holes_of(&mut self, id: TypeId, out: &mut Vec<HoleId>) {
        if !self.out.types.has_hole(id) {
            return;
        }
        let id = self.zonk(id);
        let mut pending = vec![id];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = pending.pop() {
            if !self.out.types.has_hole(id) || !seen.insert(id) {
                continue;
            }
            match self.out.types.get(id) {
                Type::Hole(hole) => out.push(*hole),
                Type::Tensor(a, b) => pending.extend([*b, *a]),
                Type::Ref(inner) => pending.push(*inner),
                Type::Tuple(parts) | Type::Shape(parts) | Type::Data(_, parts) => {
                    pending.extend(parts.iter().rev())
                }
                Type::Fn(params, result) => pending.extend(params.iter().chain([result]).rev()),
                Type::Poly(scheme) => pending.push(self.out.types.scheme(*scheme).ty),
                _ => {}
            }
        }
    }

    /// Unifies two types, the expected one first; returns the result.
    pub(super) fn unify(&mut self, expected: TypeId, found: TypeId) -> Unified {
        let (a, left) = self.find_with_hole(expected);
        let (b, right) = self.find_with_hole(found);
        if a == b {
            return Ok(a);
        }
        let unified = with_stack(|| self.unify_roots(a, b))?;
        // `?` takes precedence over a known extent.
        for (root, hole) in [(a, left), (b, right)] {
            if let (Some(hole), true) =
                (hole, unified != root && !matches!(self.out.types.get(root), Type::Hole(_)))
            {
                self.holes[hole.0 as usize].bound = Some(unified);
            }
        }
        Ok(unified)
    }

    fn unify_roots(&mut self, a: TypeId, b: TypeId) -> Unified {
        let clash = Err(Clash::Differ(a, b));
        let types = &self.out.types;
        match (types.get(a), types.get(b)) {
            (Type::Error, _) => Ok(b),
            (_, Type::Error) => Ok(a),
            (&Type::Hole(hole), _) => self.bind(hole, b),
            (_, &Type::Hole(hole)) => self.bind(hole, a),
            (Type::AnyDim, Type::Dim(_) | Type::Var(_)) | (Type::Dim(_) | Type::Var(_), Type::AnyDim) => {
                Ok(Types::ANY_DIM)
            }
            (&Type::Tensor(s, d), &Type::Tensor(t, e)) => {
                let shape = self.unify(s, t)?;
                let base = self.unify(d, e)?;
                Ok(self.types().intern(Type::Tensor(shape, base)))
            }
            (&Type::Ref(s), &Type::Ref(t)) => {
                let inner = self.unify(s, t)?;
                Ok(self.types().intern(Type::Ref(inner)))
            }
            (Type::Tuple(s), Type::Tuple(t)) if s.len() == t.len() => {
                let parts = self.unify_all(&s.clone(), &t.clone())?;
                Ok(self.types().intern(Type::Tuple(parts)))
            }
            (Type::Shape(s), Type::Shape(t)) if s.len() == t.len() => {
                match self.unify_all(&s.clone(), &t.clone()) {
                    Ok(parts) => Ok(self.types().intern(Type::Shape(parts))),
                    // Messages name whole shapes.
                    Err(Clash::Differ(..)) => clash,
                    Err(other) => Err(other),
                }
            }
            (Type::Data(m, s), Type::Data(n, t)) if m == n && s.len() == t.len() => {
                let data = *m;
                let parts = self.unify_all(&s.clone(), &t.clone())?;
                Ok(self.types().intern(Type::Data(data, parts)))
            }
            (Type::Fn(s, r), Type::Fn(t, q)) if s.len() == t.len() => {
                let (r, q) = (*r, *q);
                let params = self.unify_all(&s.clone(), &t.clone())?;
                let result = self.unify(r, q)?;
                Ok(self.types().intern(Type::Fn(params, result)))
            }
            (_, &Type::Poly(scheme)) => {
                let found = self.instantiate(scheme, None).0;
                self.unify(a, found)
            }
            (&Type::Poly(scheme), _) => {
                let expected = self.out.types.scheme(scheme).ty;
                self.unify(expected, b)?;
                Ok(a)
            }
            _ => clash,
        }
    }

    fn unify_all(&mut self, a: &[TypeId], b: &[TypeId]) -> Result<Box<[TypeId]>, Clash> {
        a.iter().zip(b).map(|(&a, &b)| self.unify(a, b)).collect()
    }

    /// Binds a hole.
    fn bind(&mut self, hole: HoleId, to: TypeId) -> Unified {
        self.lower_levels(hole, to)?;
        let at = hole.0 as usize;
        if let Some(number) = self.holes[at].number {
            match *self.out.types.get(to) {
                Type::Base(dtype) if number.fits(dtype) => {}
                Type::Hole(other) => {
                    let other = &mut self.holes[other.0 as usize].number;
                    *other = Some(other.map_or(number, |known| known.max(number)));
                }
                _ => return Err(Clash::Literal(number, to)),
            }
        }
        self.holes[at].bound = Some(to);
        let watchers = std::mem::take(&mut self.holes[at].watchers);
        self.queue.extend(watchers);
        Ok(to)
    }

    /// Adjusts the levels of the holes in a type to the level of `hole`, with an occurs check.
    fn lower_levels(&mut self, hole: HoleId, to: TypeId) -> Result<(), Clash> {
        if !self.out.types.has_hole(to) {
            return Ok(());
        }
        let mut inside = Vec::new();
        self.holes_of(to, &mut inside);
        if inside.contains(&hole) {
            return Err(Clash::Infinite(to));
        }
        let level = self.holes[hole.0 as usize].level;
        for inner in inside {
            let inner = &mut self.holes[inner.0 as usize].level;
            *inner = level.min(*inner);
        }
        Ok(())
    }

    /// Binds a hole to the type parameter that a function is generalized over.
    pub(super) fn close_hole(&mut self, hole: HoleId, to: TypeId) {
        self.holes[hole.0 as usize].bound = Some(to);
    }

    /// Whether a hole is unbound.
    pub(super) fn is_open(&self, hole: HoleId) -> bool {
        self.holes[hole.0 as usize].bound.is_none()
    }
}
