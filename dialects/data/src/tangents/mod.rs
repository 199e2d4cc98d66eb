//! Tangents of objects.
//!
//! The tangent of a data type is a data type with a constructor for zero, and one for each constructor that has fields with
//! tangents; its fields are the tangents of these. The tangent of a boxed tensor is a boxed tensor, or zero. The tangent of a
//! reference is a reference to the tangents of its contents.

mod functions;
mod kinds;
mod rules;
mod stacks;

use crate::defunctionalize::{Selection, defunctionalize};
use crate::types::{BoxType, Cell, Ref};
use crate::{Case, Ctor, Declaration, Make, Nothing};
use functions::FunctionKind;
use kinds::{Kinds, is_float_number};
use minoan_ir::text::print_type;
use minoan_ir::{
    Body, Builder, Context, InsertionPoint, Name, Op, OpDef, SymbolRef, SymbolTable, Type, Value,
};
use minoan_services::{
    FunctionMaterializer, ModuleObjects, ObjectTangents, TangentCx, TangentSpace, TransposeCx,
    is_constant_zero,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) struct Tangents;

impl ObjectTangents for Tangents {
    fn is_object(&self, ctx: &Context, ty: Type) -> bool {
        Cell::cast(ctx, ty).is_some() || BoxType::cast(ctx, ty).is_some()
    }

    fn prepare(&self, module: &mut Body) {
        defunctionalize(module, Selection::Switch);
    }

    fn of_module<'c>(&self, ctx: &'c Context, module: &Body) -> Box<dyn ModuleObjects + 'c> {
        let state = State {
            kinds: Kinds::new(ctx, module),
            symbols: SymbolTable::of(module),
            tangents: FxHashMap::default(),
            values: FxHashMap::default(),
            spaces: FxHashMap::default(),
            functions: FxHashMap::default(),
            stacks: FxHashMap::default(),
            undeclared: VecDeque::new(),
            declarations: Vec::new(),
            undefined: VecDeque::new(),
        };
        Box::new(Objects { ctx, functions: <dyn FunctionMaterializer>::any(ctx), state: RefCell::new(state) })
    }
}

/// The objects of a module.
struct Objects<'c> {
    ctx: &'c Context,
    functions: Option<&'c dyn FunctionMaterializer>,
    state: RefCell<State>,
}

struct State {
    kinds: Kinds,
    symbols: SymbolTable,
    /// The types of tangents by the type of the values.
    tangents: FxHashMap<Type, Type>,
    /// The types of the values by the type of the tangents.
    values: FxHashMap<Type, Type>,
    /// The spaces by the type of the values.
    spaces: FxHashMap<Type, Rc<Space>>,
    functions: FxHashMap<(FunctionKind, Type), Name>,
    /// The types of stacks by the type of their elements.
    stacks: FxHashMap<Type, Type>,
    /// The types with a type of tangents that is not declared yet.
    undeclared: VecDeque<Type>,
    /// The data types that are not in the module yet.
    declarations: Vec<(Name, Vec<Ctor>)>,
    /// The functions that are not in the module yet.
    undefined: VecDeque<(FunctionKind, Type, Name)>,
}

/// The tangents of the values of a data type or of boxed tensors.
struct Space {
    /// The type of the values.
    of: Type,
    /// The type of the tangents.
    tangent: Type,
    /// By constructor of the values: the constructor of the tangents; `None` if no field has a tangent.
    parts: Vec<Option<Part>>,
    /// The tangent without parts.
    zero: Case,
}

/// A constructor of tangents.
struct Part {
    case: Case,
    /// The indices of the fields of the value that have a tangent.
    fields: Vec<usize>,
}

/// Creates a value of a data type.
fn make(b: &mut Builder<'_>, (name, tag, _): &Case, fields: &[Value], ty: Type) -> Value {
    Make::build(b, fields, name.as_str(), *tag, ty).result(b.body())
}

impl Objects<'_> {
    /// The tangents of values of a type of data types or boxes; `None` if the type has no tangent.
    fn space(&self, ty: Type) -> Option<Rc<Space>> {
        if let Some(space) = self.state.borrow().spaces.get(&ty) {
            return Some(space.clone());
        }
        self.cell_of_tangents(ty)?;
        self.declare(ty)
    }

    /// The space whose tangents are of a type.
    fn space_of_tangent(&self, ty: Type) -> Option<Rc<Space>> {
        let of = *self.state.borrow().values.get(&ty)?;
        self.space(of)
    }

    /// The type of the tangents of values of a data type or of boxes.
    fn cell_of_tangents(&self, ty: Type) -> Option<Type> {
        let ctx = self.ctx;
        let mut state = self.state.borrow_mut();
        if let Some(&tangent) = state.tangents.get(&ty) {
            return Some(tangent);
        }
        if !state.kinds.holds_floats(ctx, ty) || state.kinds.is_opaque(ctx, ty) {
            return None;
        }
        let base = match (Cell::cast(ctx, ty), BoxType::cast(ctx, ty)) {
            (Some(cell), _) => cell.name(ctx).root(ctx).as_str(ctx).to_owned(),
            (None, Some(_)) => print_type(ctx, ty).trim_start_matches("!data.").to_owned(),
            (None, None) => return None,
        };
        let symbol = state.symbols.fresh(ctx, &format!("{base}.tangent"));
        let tangent: Type = Cell::get(ctx, SymbolRef::flat(ctx, symbol.as_str(ctx))).into();
        state.tangents.insert(ty, tangent);
        state.values.insert(tangent, ty);
        state.undeclared.push_back(ty);
        Some(tangent)
    }

    /// Declares the type of the tangents of values of a type.
    fn declare(&self, ty: Type) -> Option<Rc<Space>> {
        let ctx = self.ctx;
        let tangent = *self.state.borrow().tangents.get(&ty)?;
        if let Some(space) = self.state.borrow().spaces.get(&ty) {
            return Some(space.clone());
        }
        let ctors = match Cell::cast(ctx, ty) {
            Some(cell) => self.state.borrow().kinds.ctors.get(&cell.name(ctx).root(ctx))?.clone(),
            None => Vec::new(),
        };
        let (mut parts, mut declared) = (Vec::new(), Vec::new());
        let mut add = |name: &str, types: Vec<Type>, fields: Vec<usize>| {
            let case = (name.to_owned(), declared.len() as i64, types.clone());
            declared.push(Ctor { name: name.to_owned(), fields: types });
            Part { case, fields }
        };
        if ctors.is_empty() {
            parts.push(Some(add("Box", vec![ty], vec![0])));
        }
        for ctor in &ctors {
            let active = ctor.fields.iter().enumerate();
            let active = active.filter_map(|(at, &field)| Some((at, self.tangent_type_of(field)?)));
            let (fields, types): (Vec<usize>, Vec<Type>) = active.unzip();
            parts.push((!fields.is_empty()).then(|| add(&ctor.name, types, fields)));
        }
        let mut zero = "Zero".to_owned();
        while declared.iter().any(|ctor: &Ctor| ctor.name == zero) {
            zero.push('\'');
        }
        declared.push(Ctor { name: zero.clone(), fields: Vec::new() });
        let zero: Case = (zero, declared.len() as i64 - 1, Vec::new());
        let space = Rc::new(Space { of: ty, tangent, parts, zero });
        let name = Cell::cast(ctx, tangent)?.name(ctx).root(ctx);
        let mut state = self.state.borrow_mut();
        let is_mutable = state.kinds.is_mutable(ctx, ty);
        state.kinds.declare(name, declared.clone(), is_mutable);
        state.declarations.push((name, declared));
        state.spaces.insert(ty, space.clone());
        Some(space)
    }

    /// The type of the tangents of the values of a field.
    fn tangent_type_of(&self, ty: Type) -> Option<Type> {
        let ctx = self.ctx;
        if let Some(reference) = Ref::cast(ctx, ty) {
            let contents: Option<Vec<Type>> = reference
                .contents(ctx)
                .iter()
                .filter(|&&ty| self.state.borrow().kinds.holds_floats(ctx, ty))
                .map(|&ty| self.tangent_type_of(ty))
                .collect();
            return contents
                .filter(|contents| !contents.is_empty())
                .map(|contents| Ref::get(ctx, contents).into());
        }
        if is_float_number(ctx, ty) {
            return Some(ty);
        }
        self.cell_of_tangents(ty)
    }

    /// The zero of a type of tangents of fields.
    fn zero_of(&self, b: &mut Builder<'_>, tangent: Type) -> Value {
        if is_float_number(self.ctx, tangent) {
            return <dyn TangentSpace>::zero_of(b, tangent);
        }
        match self.space_of_tangent(tangent) {
            Some(space) => make(b, &space.zero, &[], space.tangent),
            // A reference whose floats are inactive is never read through its tangent.
            None => Nothing::build(b, tangent).result(b.body()),
        }
    }

    /// Whether an operation creates a value as a zero.
    fn is_zero(b: &Builder<'_>, space: &Space, value: Value) -> bool {
        let op = b.body().defining_op(value).map(|op| b.body().op(op));
        op.is_some_and(|op| {
            op.is::<Make>()
                && op.attr_named("tag").and_then(|tag| tag.as_i64(op.context())) == Some(space.zero.1)
        })
    }

    /// The sum of tangents of a field.
    fn sum_of(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        let ty = b.ty(x);
        if let Some(space) = self.space_of_tangent(ty) {
            if Self::is_zero(b, &space, x) {
                return y;
            }
            if Self::is_zero(b, &space, y) {
                return x;
            }
            return self.call(b, FunctionKind::Add, ty, &[x, y]);
        }
        if is_constant_zero(b.body(), x) {
            return y;
        }
        if is_constant_zero(b.body(), y) {
            return x;
        }
        match <dyn TangentSpace>::of(self.ctx, ty) {
            Some((space, _)) => space.add(b, x, y),
            None => x,
        }
    }
}

impl ModuleObjects for Objects<'_> {
    fn holds_floats(&self, ty: Type) -> bool {
        self.state.borrow().kinds.holds_floats(self.ctx, ty)
    }

    fn is_mutable(&self, ty: Type) -> bool {
        self.state.borrow().kinds.is_mutable(self.ctx, ty)
    }

    fn tangent_type(&self, ty: Type) -> Option<Type> {
        if is_float_number(self.ctx, ty) { None } else { self.tangent_type_of(ty) }
    }

    fn zero(&self, b: &mut Builder<'_>, tangent: Type) -> Option<Value> {
        let is_object = Cell::cast(self.ctx, tangent).is_some() || Ref::cast(self.ctx, tangent).is_some();
        is_object.then(|| self.zero_of(b, tangent))
    }

    fn add(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Option<Value> {
        self.space_of_tangent(b.ty(x))?;
        Some(self.sum_of(b, x, y))
    }

    fn tangent(&self, cx: &mut TangentCx<'_, '_>) -> Option<Result<(), String>> {
        self.tangent_of_op(cx)
    }

    fn pullback(&self, cx: &mut TransposeCx<'_, '_>) -> Option<Result<(), String>> {
        self.pullback_of_op(cx)
    }

    fn import(&self, b: &mut Builder<'_>, value: Value) -> Option<Value> {
        let ty = b.ty(value);
        self.space(ty)?;
        Some(self.call(b, FunctionKind::Import, ty, &[value]))
    }

    fn export(&self, b: &mut Builder<'_>, primal: Value, tangent: Value) -> Option<Value> {
        let ty = b.ty(primal);
        self.space(ty)?;
        Some(self.call(b, FunctionKind::Export, ty, &[primal, tangent]))
    }

    fn filled_like(&self, b: &mut Builder<'_>, value: Value, number: i64) -> Option<Value> {
        let ty = b.ty(value);
        self.space(ty)?;
        Some(self.call(b, FunctionKind::Fill(number), ty, &[value]))
    }

    fn stack(&self, b: &mut Builder<'_>, ty: Type) -> Option<Value> {
        self.empty_stack(b, ty)
    }

    fn push(&self, b: &mut Builder<'_>, stack: Value, object: Value) -> Value {
        self.pushed(b, stack, object)
    }

    fn pop(&self, b: &mut Builder<'_>, stack: Value) -> (Value, Value) {
        self.popped(b, stack)
    }

    fn flush(&self, module: &mut Body) -> Vec<Op> {
        let mut added = Vec::new();
        let (Some(functions), Some(block)) = (self.functions, module.region(module.root(0)).entry()) else {
            return added;
        };
        loop {
            let declarations = std::mem::take(&mut self.state.borrow_mut().declarations);
            for (name, ctors) in declarations {
                let mut b = Builder::new(module, InsertionPoint::End(block));
                added.push(Declaration::declare(&mut b, name.as_str(self.ctx), &ctors).op());
            }
            let undeclared = self.state.borrow_mut().undeclared.pop_front();
            if let Some(ty) = undeclared {
                self.declare(ty);
                continue;
            }
            let undefined = self.state.borrow_mut().undefined.pop_front();
            let Some((kind, ty, name)) = undefined else { return added };
            let mut b = Builder::new(module, InsertionPoint::End(block));
            added.push(self.define(&mut b, functions, kind, ty, name));
        }
    }
}
