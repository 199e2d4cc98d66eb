//! Values that the reverse of an iteration reads.
//!
//! These are the loop-carried numbers that the iteration uses, and of each loop-carried tensor the elements and slices that the
//! iteration reads, if their indices are computed at the top level of the body; otherwise the whole tensor.
//!
//! If the iterations depend on each other, results of costly operations are saved as well, instead of recomputed.

use super::loops::Iteration;
use super::work::{Work, nested};
use minoan_ir::{Block, Body, Builder, DYNAMIC, InsertionPoint, Op, OpRef, Type, Value};
use minoan_services::{Alias, IteratorType, TangentClass, is_number};

/// A value, or an extent of one, that a reverse needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SavedPart {
    Value(Value),
    /// An extent of a tensor, by the number of the dimension.
    Extent(Value, usize),
}

/// The values of an iteration that its reverse needs, each with its placeholder in the reverse loop.
pub(super) type Saved = Vec<(SavedPart, Value)>;

impl SavedPart {
    /// The value, or the tensor.
    pub(super) fn value(self) -> Value {
        match self {
            SavedPart::Value(value) | SavedPart::Extent(value, _) => value,
        }
    }

    /// The same part of another value.
    pub(super) fn of(self, value: Value) -> SavedPart {
        match self {
            SavedPart::Value(_) => SavedPart::Value(value),
            SavedPart::Extent(_, dim) => SavedPart::Extent(value, dim),
        }
    }
}

/// The insertion point directly after the definition of a value.
pub(super) fn behind(body: &Body, value: Value) -> InsertionPoint {
    match body.defining_op(value) {
        Some(op) => InsertionPoint::After(op),
        None => InsertionPoint::Start(body.block_of(value).expect("a value is a result or a block argument")),
    }
}

impl Work<'_, '_> {
    /// Whether values of a type can be in a storage: numbers, and tensors of numbers.
    pub(super) fn is_storable(&self, ty: Type) -> bool {
        let element = ty.element_or_self(self.engine.ctx);
        is_number(self.engine.ctx, element)
            && (ty == element || ty.is_tensor(self.engine.ctx))
            && self.class(ty) != TangentClass::Object
    }

    /// Determines the values that the reverse of an iteration needs, and erases unused operations. `scope` is the block of the
    /// loop whose values can be saved.
    pub(super) fn saved(
        &self,
        body: &mut Body,
        iteration: &Iteration,
        carried: &[Value],
        scope: Option<Block>,
    ) -> Saved {
        self.clean(body, iteration.block, Some(iteration.position));
        let mut saved = Saved::new();
        for (&(placeholder, op), &value) in iteration.placeholders.iter().zip(carried) {
            if body.try_op(op).is_err() {
                continue;
            }
            match self.parts_read(body, placeholder, value, iteration, scope) {
                Some(parts) => saved.extend(parts),
                None => saved.push((SavedPart::Value(value), placeholder)),
            }
        }
        saved
    }

    /// Determines the results of costly operations that the reverse of an iteration needs, and erases these operations. `scope` is
    /// the block of the loop whose values can be saved.
    pub(super) fn saved_results(
        &self,
        body: &mut Body,
        iteration: &Iteration,
        scope: Option<Block>,
    ) -> Saved {
        let mut saved = Saved::new();
        self.clean(body, iteration.block, Some(iteration.position));
        for op in body.block(iteration.block).ops().collect::<Vec<Op>>().into_iter().rev() {
            let Some(&original) = iteration.originals.get(&op) else { continue };
            let (view, Ok(source)) = (body.op(op), body.try_op(original)) else { continue };
            let results: Vec<(Value, Value)> = view.results().zip(source.results()).collect();
            let is_read = |&(result, _): &(Value, Value)| {
                body.uses(result).any(|user| self.engine.ops.extent_read(body.op(user.op)).is_none())
            };
            let returns_reads = results.iter().any(|(_, value)| self.returned.contains(value));
            let can_save = |own: &(Value, Value)| {
                !body.is_used(own.0)
                    || (self.is_storable(body.ty(own.1)) && self.fixed_sizes(body, own.1, scope).is_some())
                    || (returns_reads && !is_read(own))
            };
            let wanted = source.block() == scope
                && (returns_reads || self.is_costly_inside(view))
                && self.engine.effects.all(view).removable()
                && results.iter().any(is_read)
                && results.iter().all(can_save);
            if wanted {
                // `placeholder_for` erases the operation with the last use.
                let used: Vec<(Value, Value)> =
                    results.into_iter().filter(|&(result, _)| body.is_used(result)).collect();
                for (result, value) in used {
                    // A conditional that returns the elements that it reads needs at most the extents of their tensor.
                    let extents = match returns_reads && body.ty(result).is_tensor(self.engine.ctx) {
                        true => self.extents_used(body, result),
                        false => None,
                    };
                    match extents {
                        Some(extents) => {
                            let part = |(dim, placeholder)| (SavedPart::Extent(value, dim), placeholder);
                            saved.extend(extents.into_iter().map(part));
                        }
                        None => saved.push((SavedPart::Value(value), self.placeholder_for(body, op, result))),
                    }
                }
            }
            if body.try_op(op).is_ok() {
                self.erase_if_unused(body, op);
            }
        }
        saved
    }

    /// Whether an operation is costly in itself, is a reduction, or has a costly computation at the points of a domain.
    fn is_costly_inside(&self, op: OpRef<'_>) -> bool {
        if op.n_regions() == 0 && self.is_costly(op) {
            return true;
        }
        let domain = self.engine.domains.and_then(|table| table.get(op.kind())?.domain(op));
        domain.is_some_and(|domain| {
            domain.iterator_types.contains(&IteratorType::Reduction)
                || nested(op.body(), op.id()).iter().any(|&inner| self.is_costly(op.body().op(inner)))
        })
    }

    /// The dynamic extents of a value of a loop, whose block is `scope`, if they are known to be the same in all iterations of the
    /// loop and of those around it.
    pub(super) fn fixed_sizes(
        &self,
        body: &Body,
        mut value: Value,
        scope: Option<Block>,
    ) -> Option<Vec<Value>> {
        let shape = body.ty(value).shape(self.engine.ctx).unwrap_or(&[]);
        let dynamic = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
        if dynamic == 0 {
            return Some(Vec::new());
        }
        loop {
            let view = body.op(body.defining_op(value)?);
            if let Some(sizes) = self.engine.ops.sizes(view) {
                let fits =
                    sizes.len() == dynamic && sizes.iter().all(|&size| self.is_fixed(body, size, scope));
                return fits.then_some(sizes);
            }
            if self.is_conditional(view) {
                return self.fixed_sizes_of_yields(body, view, value, scope);
            }
            let aliases = self.engine.aliases.and_then(|table| table.get(view.kind()))?;
            let result = view.results().position(|result| result == value)?;
            match aliases.alias(view, result) {
                Alias::UpdateOf(operand) if body.ty(view.operand(operand)) == body.ty(value) => {
                    value = view.operand(operand);
                }
                _ => return None,
            }
        }
    }

    /// The extents that [`fixed_sizes`](Self::fixed_sizes) determines, if those of the values that all regions of a conditional yield
    /// for a result are the same.
    fn fixed_sizes_of_yields(
        &self,
        body: &Body,
        conditional: OpRef<'_>,
        result: Value,
        scope: Option<Block>,
    ) -> Option<Vec<Value>> {
        let at = conditional.results().position(|other| other == result)?;
        let mut found = None;
        for region in 0..conditional.n_regions() {
            let last = body.block(Self::entry(conditional, region)?).last()?;
            let yielded = body.op(last).operands().nth(at)?;
            let sizes = self.fixed_sizes(body, yielded, scope)?;
            if found.get_or_insert_with(|| sizes.clone()) != &sizes {
                return None;
            }
        }
        found
    }

    /// Replaces a value by a placeholder, and erases its operation if no other result of it is used.
    pub(super) fn placeholder_for(&self, body: &mut Body, op: Op, value: Value) -> Value {
        let (ty, loc) = (body.ty(value), body.op(op).loc());
        let placeholder = self.engine.ops.placeholder(&mut Builder::before(body, op).with_loc(loc), ty);
        body.replace_all_uses(value, placeholder);
        self.erase_if_unused(body, op);
        placeholder
    }

    /// The parts of a tensor that an iteration reads, if these are its only uses: elements and slices outside of nested regions,
    /// and extents.
    pub(super) fn parts_read(
        &self,
        body: &mut Body,
        tensor: Value,
        original: Value,
        iteration: &Iteration,
        scope: Option<Block>,
    ) -> Option<Saved> {
        if !body.ty(tensor).is_tensor(self.engine.ctx) {
            return None;
        }
        let mut found = Saved::new();
        let mut extents: Vec<(SavedPart, Vec<Op>)> = Vec::new();
        let mut pending = vec![(tensor, original)];
        while let Some((tensor, original)) = pending.pop() {
            for user in body.uses(tensor) {
                let view = body.op(user.op);
                if let Some((_, dim)) = self.engine.ops.extent_read(view) {
                    let part = SavedPart::Extent(original, dim);
                    match extents.iter_mut().find(|(other, _)| *other == part) {
                        Some((_, users)) => users.push(user.op),
                        None => extents.push((part, vec![user.op])),
                    }
                    continue;
                }
                let source = body.try_op(*iteration.originals.get(&user.op)?).ok()?;
                let is_known = view.block() == Some(iteration.block) && source.block() == scope;
                if !is_known || view.n_regions() > 0 {
                    return None;
                }
                // All slices in a storage have the same extents.
                let sizes = self.engine.ops.sizes(source);
                let is_slice =
                    sizes.is_some_and(|sizes| sizes.iter().all(|&size| self.is_fixed(body, size, scope)));
                for (result, value) in view.results().zip(source.results()) {
                    if body.ty(result).is_tensor(self.engine.ctx) && !is_slice {
                        pending.push((result, value));
                    } else if !found.contains(&(SavedPart::Value(value), result)) {
                        found.push((SavedPart::Value(value), result));
                    }
                }
            }
        }
        for (part, users) in extents {
            let point = behind(body, iteration.position);
            found.push((part, self.replace_extents(body, &users, point)));
        }
        Some(found)
    }

    /// Whether a value of a loop, whose block is `scope`, is the same in all iterations of the loop and of those around it.
    fn is_fixed(&self, body: &Body, value: Value, scope: Option<Block>) -> bool {
        let block = self.nest.first().copied().or(scope);
        let around = block.and_then(|block| body.block(block).parent());
        let Some(defined) = body.block_of(value) else { return false };
        around.is_some_and(|around| {
            let mut outside = body.op(around).ancestors();
            outside.any(|op| op.block() == Some(defined))
        })
    }

    /// Replaces operations that compute the same extent by a placeholder.
    fn replace_extents(&self, body: &mut Body, users: &[Op], point: InsertionPoint) -> Value {
        let loc = body.op(users[0]).loc();
        let placeholder =
            self.engine.ops.placeholder(&mut Builder::new(body, point).with_loc(loc), Type::INDEX);
        for &user in users {
            body.replace(user, &[placeholder]);
        }
        placeholder
    }

    /// The used extents of a tensor with placeholders of them, if these are the only uses of the tensor.
    pub(super) fn extents_used(&self, body: &mut Body, tensor: Value) -> Option<Vec<(usize, Value)>> {
        let mut extents: Vec<(usize, Vec<Op>)> = Vec::new();
        for user in body.uses(tensor) {
            let (_, dim) = self.engine.ops.extent_read(body.op(user.op))?;
            match extents.iter_mut().find(|(other, _)| *other == dim) {
                Some((_, users)) => users.push(user.op),
                None => extents.push((dim, vec![user.op])),
            }
        }
        let point = behind(body, tensor);
        let placeholders = extents.into_iter();
        Some(placeholders.map(|(dim, users)| (dim, self.replace_extents(body, &users, point))).collect())
    }

    /// Creates a part of a value directly after the definition of the value.
    pub(super) fn create_part(&self, body: &mut Body, part: SavedPart) -> Value {
        match part {
            SavedPart::Value(value) => value,
            SavedPart::Extent(tensor, dim) => {
                let (point, loc) = (behind(body, tensor), body.value_loc(tensor));
                self.engine.ops.extent(&mut Builder::new(body, point).with_loc(loc), tensor, dim)
            }
        }
    }

    /// Replaces the placeholder of a saved value by an element of the storage. `sizes` are the dynamic extents of the value, if they
    /// are known.
    pub(super) fn restore(
        &self,
        body: &mut Body,
        placeholder: Value,
        storage: Value,
        position: Value,
        sizes: Option<&[Value]>,
    ) {
        let Some(op) = body.contains_value(placeholder).then(|| body.defining_op(placeholder)).flatten()
        else {
            return;
        };
        let ty = body.ty(placeholder);
        let mut b = Builder::before(body, op);
        let value = self.engine.ops.restore(&mut b, storage, position, ty, sizes);
        body.replace_all_uses(placeholder, value);
    }
}
