//! Detects polymorphic recursion: functions and data types that need ever larger instances of themselves.

use super::{Emitter, Instance};
use crate::types::{TyVarId, Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span};

/// An instance of a function, and the instance that needs it.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) instance: Instance,
    /// The instance that refers to it, and the place where it does; `None` for the roots.
    from: Option<(usize, Span)>,
}

/// The number of times that an instance may grow on the way from a smaller one of the same function or data type. The types
/// of a recursive call are a function of those of the caller, so a call that lets them grow always does, up to shifts between
/// parameters.
const MAX_GROWTH: usize = 4;

/// Upper bound on the callers, or on the containers of a data type, that are examined.
const MAX_CALLERS: usize = 10_000;

impl Emitter<'_> {
    /// Records an instance that the current one refers to at `at`. Reports polymorphic recursion; if there is none, the
    /// instance is queued for emission.
    pub(super) fn queue(&mut self, instance: Instance, at: Span) {
        let from = self.emitting.map(|from| (from, at));
        let id = self.origins.len();
        self.origins.push(Origin { instance, from });
        match self.smaller_callers(id) {
            Some(chain) => self.report_growth(&chain),
            None => self.queue.push_back(id),
        }
    }

    /// The callers from an instance that is smaller by [`MAX_GROWTH`] steps to this one, if there is such an instance.
    fn smaller_callers(&self, id: usize) -> Option<Vec<usize>> {
        let instance = &self.origins[id].instance;
        if !instance.types.iter().any(|&(_, ty)| self.types.is_larger(ty, MAX_GROWTH)) {
            return None;
        }
        let (mut chain, mut smallest, mut steps) = (vec![id], instance, 0);
        while let Some((caller, _)) = self.origins[*chain.last()?].from
            && chain.len() < MAX_CALLERS
        {
            chain.push(caller);
            let caller = &self.origins[caller].instance;
            if caller.function == smallest.function && self.is_larger(&smallest.types, &caller.types) {
                (smallest, steps) = (caller, steps + 1);
                if steps == MAX_GROWTH {
                    chain.reverse();
                    return Some(chain);
                }
            }
        }
        None
    }

    /// Whether one of the type arguments is a part of the other one.
    fn is_larger(&self, large: &[(TyVarId, TypeId)], small: &[(TyVarId, TypeId)]) -> bool {
        let mut pairs = large.iter().zip(small);
        pairs.any(|(large, small)| large.0 == small.0 && has_part(&self.types, large.1, small.1))
    }

    /// Reports the calls between the two smallest instances.
    fn report_growth(&mut self, chain: &[usize]) {
        let first = &self.origins[chain[0]].instance;
        let (name, _) = self.described(first.function);
        let again = chain.iter().skip(1).position(|&id| self.origins[id].instance.function == first.function);
        let cycle = &chain[..=again.map_or(chain.len() - 1, |at| at + 1)];
        let Some((_, at)) = self.origins[cycle[cycle.len() - 1]].from else { return };
        let mut error = Diagnostic::error(format!("'{name}' calls itself with ever larger types")).at(at);
        for pair in cycle.windows(2) {
            let (caller, callee) = (&self.origins[pair[0]], &self.origins[pair[1]]);
            let (caller, called) = (self.with_types(&caller.instance), self.with_types(&callee.instance));
            let Some((_, at)) = callee.from else { continue };
            error = error.note_at(at, format!("{caller} calls {called}"));
        }
        let help = "a function is compiled for each combination of types that it is called with; use a data type that \
                    contains values of its own type";
        if self.reported.insert((at, name)) {
            self.errors.push(error.help(help));
        }
    }

    fn with_types(&self, instance: &Instance) -> String {
        let (name, _) = self.described(instance.function);
        let types = instance
            .types
            .iter()
            .map(|&(var, ty)| format!("{} = '{}'", self.types.var(var).name, self.types.text(ty)));
        format!("'{name}' with {}", types.collect::<Vec<_>>().join(", "))
    }

    /// Queues a new instance of a data type for declaration, or reports that the type contains ever larger instances of itself.
    pub(super) fn queue_data(&mut self, ty: TypeId) {
        let Type::Data(data, args) = self.types.get(ty) else { return };
        let (mut smallest, mut chain, mut steps) = ((ty, args), vec![ty], 0);
        let mut at = ty;
        while let Some(&outer) = self.containers.get(&at)
            && chain.len() <= MAX_GROWTH
            && steps < MAX_CALLERS
        {
            (at, steps) = (outer, steps + 1);
            if let Type::Data(other, outer_args) = self.types.get(outer)
                && other == data
                && smallest
                    .1
                    .iter()
                    .zip(outer_args)
                    .any(|(&large, &small)| has_part(&self.types, large, small))
            {
                smallest = (outer, outer_args);
                chain.push(outer);
            }
        }
        if chain.len() <= MAX_GROWTH {
            return self.declarations.push_back(ty);
        }
        let module = &self.program.module;
        let name = module.data(*data).name;
        let text =
            format!("the data type '{}' contains ever larger instances of itself", module.text(name.name));
        let mut error = Diagnostic::error(&text).at(name.span);
        for pair in chain.windows(2).rev().take(2) {
            let (inner, outer) = (self.types.text(pair[0]), self.types.text(pair[1]));
            error = error.note(format!("'{outer}' contains '{inner}'"));
        }
        if self.reported.insert((name.span, text)) {
            self.errors.push(error);
        }
    }
}

/// Whether a type is a proper part of another one.
fn has_part(types: &Types, whole: TypeId, part: TypeId) -> bool {
    let (mut pending, mut seen) = (vec![whole], rustc_hash::FxHashSet::default());
    while let Some(id) = pending.pop() {
        if seen.insert(id) {
            if id == part && id != whole {
                return true;
            }
            pending.extend(types.parts(id));
        }
    }
    false
}
