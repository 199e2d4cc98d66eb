//! Converts operations on tensors to operations on buffers.

use super::planner::{Form, Planner};
use super::storage::Access;
use minoan_ir::{Body, Builder, Op, Traits, Value};
use minoan_services::{Alias, Ownership, RegionExecution, RegionFlow, ToBuffers};

impl Planner<'_> {
    /// Converts an operation. Returns the values that are owned from now on, each with the number of the result that it was.
    pub(super) fn convert(&mut self, body: &mut Body, op: Op, form: Form) -> Vec<(Value, usize)> {
        let view = body.op(op);
        if let Some(&buffer) = self.destinations.buffers.get(&op) {
            body.replace(op, &[buffer]);
            return Vec::new();
        }
        let is_tensor: Vec<bool> =
            view.results().map(|result| self.classes.is_stored(body, result)).collect();
        if self.classes.access(op) == Access::None {
            return Vec::new();
        }
        if view.has_trait(Traits::CONSTANT_LIKE) {
            self.convert_constant(body, op);
            return Vec::new();
        }
        let aliases: Vec<Alias> =
            (0..view.n_results()).map(|index| self.classes.alias(view, index)).collect();
        let operands: Vec<Value> = view.operands().collect();
        let in_place = self.destinations.updates.contains_key(&op);
        let converted = match self.ctx.service::<dyn ToBuffers>(view.kind()) {
            Some(service) => self.bufferize(service, body, op, form),
            None if self.classes.access(op) == Access::OnlyBuffers => Ok((view.results().collect(), false)),
            None => self.change_types(body, op).map(|results| (results, false)),
        };
        let (results, is_choice) = match converted {
            Ok(converted) => converted,
            Err(message) => {
                self.report(body, op, &message);
                return Vec::new();
            }
        };
        let mut owned = Vec::new();
        for (index, (&result, alias)) in results.iter().zip(aliases).enumerate() {
            if !is_tensor[index] {
                continue;
            }
            // A buffer that the program manages, and a view of one, stays so after an update.
            let kept = match alias {
                Alias::ViewOf(operand) => Some(operand),
                Alias::UpdateOf(operand) => {
                    (self.destinations.updates.get(&op) == Some(&operand)).then_some(operand)
                }
                _ => None,
            };
            if kept.is_none_or(|operand| self.planned.contains(&operands[operand])) {
                self.planned.insert(result);
            }
            if form == Form::UpdateInPlace {
                self.parts.insert(result);
            }
            match alias {
                _ if self.parts.contains(&result) => {}
                Alias::ViewOf(operand) => {
                    let root = self.root(operands[operand]);
                    if result != root {
                        self.roots.insert(result, root);
                    }
                }
                Alias::Fresh if is_choice => {}
                Alias::Fresh | Alias::MayViewOf(_) => owned.push((result, index)),
                Alias::UpdateOf(operand)
                    if in_place && self.destinations.updates.get(&op) == Some(&operand) => {}
                // If the updated operand is a view, the root of it is owned.
                Alias::UpdateOf(_) => owned.push((self.root(result), index)),
                Alias::Static => {}
            }
        }
        owned
    }

    /// Replaces an operation by its form on buffers. Returns the new values, and for each whether it is one of the operands,
    /// which is then only read.
    ///
    /// # Errors
    /// A message why the operation has no such form.
    fn bufferize(
        &mut self,
        service: &dyn ToBuffers,
        body: &mut Body,
        op: Op,
        form: Form,
    ) -> Result<(Vec<Value>, bool), String> {
        let mut b = Builder::before(body, op);
        let chosen = match form {
            Form::Select => service.to_buffers_choosing(&mut b, op, self.buffers),
            Form::Plain | Form::View | Form::UpdateInPlace | Form::Consume => None,
        };
        let is_choice = chosen.is_some();
        let results = chosen.unwrap_or_else(|| match form {
            Form::Consume => service.to_buffers_taking(&mut b, op, self.buffers),
            Form::View | Form::UpdateInPlace => service.to_buffers_viewing(&mut b, op, self.buffers),
            Form::Plain | Form::Select => service.to_buffers(&mut b, op, self.buffers),
        })?;
        let is_unused = |&result: &Value| {
            let alloc = body.defining_op(result);
            alloc.is_some_and(|alloc| self.buffers.is_alloc(body.op(alloc))) && !body.is_used(result)
        };
        self.unspecified.extend(results.iter().copied().filter(is_unused));
        body.replace(op, &results);
        Ok((results, is_choice))
    }

    /// Keeps an operation, and changes the types of its results to those of buffers. Returns the results.
    ///
    /// # Errors
    /// The operation cannot be bufferized without an implementation of `ToBuffers`.
    fn change_types(&self, body: &mut Body, op: Op) -> Result<Vec<Value>, String> {
        let view = body.op(op);
        // Whether concurrent iterations may share a tensor is decided by the operation's own `ToBuffers`.
        let runs = self.ctx.service::<dyn RegionFlow>(view.kind()).map(|service| service.execution(view));
        let known = runs.map_or(self.ctx.service::<dyn Ownership>(view.kind()).is_some(), |runs| {
            runs != RegionExecution::Parallel
        });
        if !known {
            return Err("has no bufferization".to_owned());
        }
        let results: Vec<Value> = view.results().collect();
        for &result in &results {
            if let Some(ty) = self.buffers.buffer_type(self.ctx, body.ty(result)) {
                body.set_type(result, ty);
            }
        }
        Ok(results)
    }

    /// Replaces a constant by a global of the module, which has no owner.
    fn convert_constant(&mut self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let result = view.result(0);
        let contents = view.attr(self.ctx.names().value);
        let ty = self.buffers.buffer_type(self.ctx, body.ty(result));
        let (Some(contents), Some(ty)) = (contents, ty) else {
            self.report(body, op, "has no bufferization");
            return;
        };
        let name = self.constants.name(self.ctx, contents, op);
        let mut b = Builder::before(body, op);
        let buffer = self.buffers.constant(&mut b, name.as_str(self.ctx), ty);
        body.replace(op, &[buffer]);
        self.planned.insert(buffer);
    }
}
