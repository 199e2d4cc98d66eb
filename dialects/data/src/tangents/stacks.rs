//! Stacks for the values of iterations and of recursive calls that a reverse sweep needs: objects, numbers and tensors. Tensors
//! are in boxes, so they may have different extents.

use super::functions::{rebox, unbox};
use super::{Objects, make};
use crate::types::{BoxType, Cell, is_object};
use crate::{Case, Ctor, project_all};
use minoan_ir::text::print_type;
use minoan_ir::{Builder, SymbolRef, Type, Value};
use minoan_services::is_number;

const PUSH: &str = "Push";
const EMPTY: &str = "Empty";

impl Objects<'_> {
    /// The type of the fields of a stack for values of a type.
    fn stacked_type(&self, ty: Type) -> Type {
        if ty.is_tensor(self.ctx) { BoxType::get(self.ctx, ty).into() } else { ty }
    }

    /// The type of the stacks for values of a type.
    fn stack_type(&self, ty: Type) -> Type {
        let ctx = self.ctx;
        let field = self.stacked_type(ty);
        let mut state = self.state.borrow_mut();
        if let Some(&stack) = state.stacks.get(&ty) {
            return stack;
        }
        let base = match Cell::cast(ctx, ty) {
            Some(cell) => cell.name(ctx).root(ctx).as_str(ctx).to_owned(),
            None => print_type(ctx, ty).trim_start_matches("!data.").to_owned(),
        };
        let symbol = state.symbols.fresh(ctx, &format!("{base}.stack"));
        let stack: Type = Cell::get(ctx, SymbolRef::flat(ctx, symbol.as_str(ctx))).into();
        let ctors = vec![
            Ctor { name: PUSH.to_owned(), fields: vec![field, stack] },
            Ctor { name: EMPTY.to_owned(), fields: Vec::new() },
        ];
        state.stacks.insert(ty, stack);
        if state.kinds.holds_floats(ctx, field) {
            let is_mutable = state.kinds.is_mutable(ctx, field);
            state.kinds.declare(symbol, ctors.clone(), is_mutable);
        }
        state.declarations.push((symbol, ctors));
        stack
    }

    pub(super) fn empty_stack(&self, b: &mut Builder<'_>, ty: Type) -> Option<Value> {
        if !is_object(self.ctx, ty) && !is_number(self.ctx, ty) && !ty.is_tensor(self.ctx) {
            return None;
        }
        let stack = self.stack_type(ty);
        Some(make(b, &(EMPTY.to_owned(), 1, Vec::new()), &[], stack))
    }

    pub(super) fn pushed(&self, b: &mut Builder<'_>, stack: Value, object: Value) -> Value {
        let ty = b.ty(stack);
        let object = if b.ty(object).is_tensor(self.ctx) { rebox(b, object) } else { object };
        make(b, &(PUSH.to_owned(), 0, Vec::new()), &[object, stack], ty)
    }

    /// The value on top, and the rest. The stack must not be empty.
    pub(super) fn popped(&self, b: &mut Builder<'_>, stack: Value) -> (Value, Value) {
        let ty = b.ty(stack);
        let element = self.state.borrow().stacks.iter().find(|(_, stack)| **stack == ty).map(|(&of, _)| of);
        let element = element.unwrap_or(ty);
        let case: Case = (PUSH.to_owned(), 0, vec![self.stacked_type(element), ty]);
        let parts = project_all(b, stack, &case);
        let object = if element.is_tensor(self.ctx) { unbox(b, parts[0]) } else { parts[0] };
        (object, parts[1])
    }
}
