//! Cross references of a program: definitions, uses and types by span.

use crate::ast::{ExprKind, ItemKind, NameId, Program};
use crate::lexer::{TokenKind, lex};
use crate::prelude::PRELUDE;
use crate::prims::Prim;
use crate::typed::{
    Callee, DefId, EdefId, FnName, FnRef, GdefId, LetPattern, TypedKind, TypedProgram, VarId,
};
use crate::types::{TypeId, Types};
use minoan_diag::{FileId, Span};
use minoan_frontend::{Reporter, Symbol};
use minoan_xref::{EntityId, EntityKind, Role, TextId, Xref};
use rustc_hash::{FxHashMap, FxHashSet};

/// The byte ranges of the comments of a text.
pub fn comments(text: &str) -> Vec<(u32, u32)> {
    let tokens = lex(FileId(0), text, &mut Reporter::default());
    // Brackets that were inserted to balance the text are empty.
    let real = tokens.iter().filter(|token| token.kind != TokenKind::End && token.start < token.end);
    minoan_xref::comments(text, real.map(|token| (token.start, token.end)))
}

/// The cross references of a program and its typed form. A call that could not be resolved refers to the first function
/// with its name.
pub fn xref(program: &Program, typed: &TypedProgram) -> Xref {
    let mut collector = Collector {
        program,
        typed,
        out: Xref::default(),
        functions: FxHashMap::default(),
        groups: FxHashMap::default(),
        vars: vec![None; typed.var_count()],
        types: FxHashMap::default(),
    };
    collector.items();
    collector.exprs();
    collector.out.finish();
    collector.out
}

struct Collector<'a> {
    program: &'a Program,
    typed: &'a TypedProgram,
    out: Xref,
    functions: FxHashMap<FnRef, EntityId>,
    /// The functions with the same innermost identifier and argument type: declarations, definitions, derivatives.
    groups: FxHashMap<(Symbol, TypeId), EntityId>,
    vars: Vec<Option<EntityId>>,
    types: FxHashMap<TypeId, TextId>,
}

impl Collector<'_> {
    fn type_text(&mut self, ty: TypeId) -> TextId {
        if let Some(&text) = self.types.get(&ty) {
            return text;
        }
        let text = self.out.text_id(&self.typed.types.text(ty));
        self.types.insert(ty, text);
        text
    }

    fn items(&mut self) {
        let (program, typed) = (self.program, self.typed);
        let (mut defs, mut edefs, mut rules) = (0, 0, 0);
        // Definitions first, since every other form may refer to them.
        for item in &program.items {
            match item.kind {
                ItemKind::Def { name, .. } => {
                    let def = typed.def(DefId(defs));
                    self.function(FnRef::Def(DefId(defs)), EntityKind::Function, Some(name), item.span);
                    for &param in &def.params {
                        self.var(param, item.span, false);
                    }
                    defs += 1;
                }
                ItemKind::Edef { name, .. } => {
                    self.function(FnRef::Edef(EdefId(edefs)), EntityKind::External, Some(name), item.span);
                    edefs += 1;
                }
                ItemKind::Gdef { .. } | ItemKind::Rule { .. } => {}
            }
        }
        // Others are derivatives of the prelude, at their first call.
        let requests = program.items.iter().filter(|item| matches!(item.kind, ItemKind::Gdef { .. }));
        let requests: FxHashSet<Span> = requests.map(|item| item.span).collect();
        let mut derived: FxHashMap<Span, TypeId> = FxHashMap::default();
        for (index, gdef) in typed.gdefs.iter().enumerate() {
            if requests.contains(&gdef.span) {
                derived.insert(gdef.span, gdef.base_arg);
                let id = FnRef::Gdef(GdefId(index as u32));
                self.function(id, EntityKind::Function, None, gdef.span);
            }
        }
        for item in &program.items {
            match &item.kind {
                ItemKind::Gdef { name } => self.name_of_derivative(*name, derived.get(&item.span).copied()),
                ItemKind::Rule { name, .. } => {
                    let id = self.out.add(name, EntityKind::Rule);
                    self.out.entity_mut(id).extent = Some(item.span);
                    if let Some(rule) = typed.rules.get(rules) {
                        for &param in &rule.params {
                            self.var(param, item.span, false);
                        }
                    }
                    rules += 1;
                }
                ItemKind::Def { .. } | ItemKind::Edef { .. } => {}
            }
            self.out.fold(item.span);
        }
    }

    fn function(&mut self, function: FnRef, kind: EntityKind, name: Option<NameId>, extent: Span) {
        let typed = self.typed;
        let (fn_name, base_arg) = typed.identity(function);
        let (arg, result) = typed.signature(function);
        let signature = format!("{} -> {}", typed.types.text(arg), typed.types.text(result));
        let id = self.out.add(&typed.name_text(fn_name), kind);
        let group = *self.groups.entry((fn_name.base, base_arg)).or_insert(id);
        let ty = self.out.text_id(&signature);
        let entity = self.out.entity_mut(id);
        (entity.ty, entity.extent, entity.group) = (Some(ty), Some(extent), group);
        if let Some(name) = name {
            self.out.define(id, self.program.fn_name(name).base);
        }
        self.functions.insert(function, id);
    }

    /// The innermost identifier of a requested derivative refers to the primal.
    fn name_of_derivative(&mut self, name: NameId, base_arg: Option<TypeId>) {
        let base = self.program.base_name(name);
        let target = base_arg.and_then(|base_arg| self.groups.get(&(base, base_arg)).copied());
        if let Some(target) = target.or_else(|| self.any_function(base)) {
            self.out.refer(target, self.program.fn_name(name).base, Role::Reference);
        }
    }

    /// Some function of the program, the prelude or the primitives with this name.
    fn any_function(&mut self, base: Symbol) -> Option<EntityId> {
        let name = FnName { derivations: [].into(), base };
        let own = self.typed.overloads.get(&name).and_then(|list| list.first());
        if let Some(id) = own.and_then(|function| self.functions.get(function)) {
            return Some(*id);
        }
        let text = self.typed.names.text(base);
        let known = PRELUDE.iter().any(|overload| overload.name == text) || Prim::named(text).is_some();
        known.then(|| self.out.provided(text, EntityKind::Builtin))
    }

    fn var(&mut self, id: VarId, scope: Span, inferred: bool) -> EntityId {
        let var = self.typed.var(id);
        let kind = if inferred { EntityKind::Variable } else { EntityKind::Parameter };
        let entity = self.out.add(self.typed.names.text(var.name), kind);
        let ty = (var.ty != Types::ERROR).then(|| self.type_text(var.ty));
        let slot = self.out.entity_mut(entity);
        (slot.ty, slot.scope) = (ty, Some(scope));
        slot.inferred = inferred && var.lambda.is_none() && ty.is_some();
        self.out.define(entity, var.span);
        self.vars[id.0 as usize] = Some(entity);
        entity
    }

    fn exprs(&mut self) {
        let (program, typed) = (self.program, self.typed);
        let ids = (0..program.expr_count() as u32).map(crate::ast::ExprId);
        // Bindings first: in the arena an expression precedes the `let` or lambda that binds its variables.
        for id in ids.clone() {
            let node = typed.expr(id);
            match &node.kind {
                TypedKind::Let { bindings, .. } => {
                    for binding in bindings {
                        let from = typed.expr(binding.value).span.end;
                        let scope = Span::new(node.span.file, from, node.span.end);
                        match &binding.pattern {
                            LetPattern::Var(var) => _ = self.var(*var, scope, true),
                            LetPattern::Unpack(vars) => {
                                vars.iter().for_each(|&var| _ = self.var(var, scope, true));
                            }
                        }
                    }
                }
                TypedKind::Lambda(lambda) => {
                    lambda.params.iter().for_each(|&param| _ = self.var(param, node.span, false));
                }
                _ => {}
            }
        }
        for id in ids {
            let (syntax, node) = (program.expr(id), typed.expr(id));
            let place = match &syntax.kind {
                ExprKind::Var(_) => Some(syntax.span),
                ExprKind::Call { name, .. } => Some(program.fn_name(*name).base),
                _ => None,
            };
            if let Some(place) = place
                && let Some(target) = self.target(&syntax.kind, &node.kind)
            {
                self.out.refer(target, place, Role::Reference);
            }
            if matches!(
                syntax.kind,
                ExprKind::Call { .. } | ExprKind::Let { .. } | ExprKind::Lam { .. } | ExprKind::If { .. }
            ) {
                self.out.fold(syntax.span);
            }
            if node.ty != Types::ERROR {
                let ty = self.type_text(node.ty);
                self.out.ty_of(node.span, ty);
            }
        }
    }

    fn target(&mut self, syntax: &ExprKind, kind: &TypedKind) -> Option<EntityId> {
        let callee = match kind {
            TypedKind::Var(var) => return self.vars[var.0 as usize],
            TypedKind::Call { callee, .. } => *callee,
            _ => match syntax {
                ExprKind::Call { name, .. } => return self.any_function(self.program.base_name(*name)),
                _ => return None,
            },
        };
        let function = match callee {
            Callee::User(id) => FnRef::Def(id),
            Callee::Edef(id) => FnRef::Edef(id),
            Callee::Gdef(id) => FnRef::Gdef(id),
            Callee::Prelude(function) => return Some(self.out.provided(function.name, EntityKind::Builtin)),
            Callee::Prim(prim) => return Some(self.out.provided(&prim.name(), EntityKind::Builtin)),
            Callee::Lambda(var) => return self.vars[var.0 as usize],
        };
        if let (FnRef::Gdef(_), (name, base_arg)) = (function, self.typed.identity(function)) {
            let primal = self.groups.get(&(name.base, base_arg)).copied();
            return primal.or_else(|| self.any_function(name.base));
        }
        self.functions.get(&function).copied()
    }
}
