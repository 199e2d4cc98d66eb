//! Cross references of a program: definitions, uses and types by span.

use crate::ast::{
    BinderId, Binding, ExprId, ExprKind, FnId, ItemKind, PatternId, PatternKind, TypeExprId, TypeKind,
    TypeParam,
};
use crate::lexer::lex;
use crate::token::TokenKind;
use crate::typed::{DefId, Target, TypedProgram};
use crate::types::{TypeId, Types};
use minoan_diag::{FileId, Span};
use minoan_frontend::{Reporter, Symbol};
use minoan_xref::{EntityId, EntityKind, Role, TextId, Xref};
use rustc_hash::FxHashMap;

/// The byte ranges of the comments of a text.
pub fn comments(text: &str) -> Vec<(u32, u32)> {
    let tokens = lex(FileId(0), text, &mut Reporter::default());
    // The metadata section is not tokenized.
    let real = tokens.iter().filter(|token| token.kind != TokenKind::End).map(|token| {
        let whole = token.kind == TokenKind::Metadata;
        (token.start, if whole { text.len() as u32 } else { token.end })
    });
    minoan_xref::comments(text, real)
}

impl TypedProgram {
    /// The cross references of the file, excluding the prelude.
    pub fn xref(&self) -> Xref {
        let module = &self.module;
        let mut collector = Collector {
            typed: self,
            out: Xref::default(),
            defs: Vec::new(),
            binders: vec![None; module.binder_count()],
            ctors: vec![None; module.ctor_count()],
            datas: FxHashMap::default(),
            type_params: FxHashMap::default(),
            graphs: FxHashMap::default(),
            types: FxHashMap::default(),
        };
        collector.items();
        collector.binders();
        collector.uses();
        collector.written_types();
        collector.out.finish();
        collector.out
    }
}

struct Collector<'a> {
    typed: &'a TypedProgram,
    out: Xref,
    defs: Vec<EntityId>,
    binders: Vec<Option<EntityId>>,
    ctors: Vec<Option<EntityId>>,
    datas: FxHashMap<Symbol, EntityId>,
    /// The type parameters of each name, with their scopes.
    type_params: FxHashMap<Symbol, Vec<(Span, EntityId)>>,
    /// Graph variables by the bound expression.
    graphs: FxHashMap<ExprId, EntityId>,
    types: FxHashMap<TypeId, TextId>,
}

impl Collector<'_> {
    fn is_own(&self, span: Span) -> bool {
        span.file == self.typed.module.file
    }

    fn type_text(&mut self, ty: TypeId) -> Option<TextId> {
        if ty == Types::ERROR {
            return None;
        }
        if let Some(&text) = self.types.get(&ty) {
            return Some(text);
        }
        let text = self.out.text_id(&self.typed.types.text(ty));
        self.types.insert(ty, text);
        Some(text)
    }

    fn define(&mut self, id: EntityId, span: Span) {
        if self.is_own(span) {
            self.out.define(id, span);
        }
    }

    fn items(&mut self) {
        let typed = self.typed;
        let module = &typed.module;
        for def in &typed.defs {
            let id = self.out.add(&format!("@{}", def.name), EntityKind::Function);
            let ty = self.type_text(def.ty);
            self.out.entity_mut(id).ty = ty;
            self.define(id, def.span);
            self.defs.push(id);
        }
        for item in module.own_items() {
            self.out.fold(item.span);
            match item.kind {
                ItemKind::Def { name, .. } => {
                    // The last definition of a name that is defined twice has no entity.
                    let found = typed.find_entry(module.text(name.name)).ok();
                    if let Some(id) = found.map(|DefId(def)| self.defs[def as usize]) {
                        self.out.entity_mut(id).extent = Some(item.span);
                    }
                }
                ItemKind::Main { .. } => {
                    if let Ok(DefId(def)) = typed.find_entry("main") {
                        let id = self.defs[def as usize];
                        self.out.entity_mut(id).extent = Some(item.span);
                    }
                }
                ItemKind::Data(data) => {
                    let node = module.data(data);
                    let id = self.out.add(module.text(node.name.name), EntityKind::Type);
                    self.out.entity_mut(id).extent = Some(item.span);
                    self.define(id, node.name.span);
                    self.datas.insert(node.name.name, id);
                    self.params_of_types(&node.type_params, item.span);
                    for ctor in module.ctors_of(data) {
                        let node = module.ctor(ctor);
                        let id = self.out.add(module.text(node.name.name), EntityKind::Constructor);
                        let ty = self.type_text(typed.ctor_ty(ctor));
                        self.out.entity_mut(id).ty = ty;
                        self.define(id, node.name.span);
                        self.ctors[ctor.index()] = Some(id);
                    }
                }
            }
        }
    }

    fn params_of_types(&mut self, params: &[TypeParam], scope: Span) {
        for param in params {
            let id = self.out.add(self.typed.module.text(param.name.name), EntityKind::Type);
            self.out.entity_mut(id).scope = Some(scope);
            self.define(id, param.name.span);
            self.type_params.entry(param.name.name).or_default().push((scope, id));
        }
    }

    fn binder(&mut self, binder: BinderId, scope: Span, kind: EntityKind) {
        let typed = self.typed;
        let node = typed.module.binder(binder);
        // A value that is discarded, `e;`, is bound to `%_`, which is not written.
        let text = typed.module.text(node.name.name);
        let written = (node.name.span.end - node.name.span.start) as usize > text.len();
        if self.binders[binder.index()].is_some() || !self.is_own(node.name.span) || !written {
            return;
        }
        let id = self.out.add(&format!("%{text}"), kind);
        let ty = self.type_text(typed.binder_ty(binder));
        let entity = self.out.entity_mut(id);
        (entity.ty, entity.scope) = (ty, Some(scope));
        entity.inferred = ty.is_some() && node.ty.is_none();
        self.out.define(id, node.name.span);
        self.binders[binder.index()] = Some(id);
    }

    fn pattern(&mut self, pattern: PatternId, scope: Span) {
        let module = &self.typed.module;
        let mut pending = vec![pattern];
        while let Some(pattern) = pending.pop() {
            match &module.pattern(pattern).kind {
                PatternKind::Wildcard => {}
                PatternKind::Var(binder) => self.binder(*binder, scope, EntityKind::Variable),
                PatternKind::Tuple(parts) => pending.extend(parts.iter().copied()),
                PatternKind::Ctor(name, parts) => {
                    let ctor = self.typed.pattern_ctor(pattern);
                    if let Some(id) = ctor.and_then(|ctor| self.ctors[ctor.index()]) {
                        self.out.refer(id, name.span, Role::Reference);
                    }
                    pending.extend(parts.iter().copied());
                }
            }
        }
    }

    fn binders(&mut self) {
        let typed = self.typed;
        let module = &typed.module;
        for index in 0..module.fns.len() {
            let function = module.function(FnId(index as u32));
            if self.is_own(function.span) {
                self.params_of_types(&function.type_params, function.span);
                for &param in &function.params {
                    self.binder(param, function.span, EntityKind::Parameter);
                }
            }
        }
        for index in 0..module.expr_count() {
            let id = ExprId(index as u32);
            let expr = module.expr(id);
            if !self.is_own(expr.span) {
                continue;
            }
            match expr.kind {
                ExprKind::Block(block) => {
                    self.block(module.bindings(module.block(block).bindings), expr.span)
                }
                ExprKind::Match(node) => {
                    for clause in &module.match_node(node).clauses {
                        self.pattern(clause.pattern, module.expr(clause.body).span);
                    }
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, bindings: &[Binding], span: Span) {
        let module = &self.typed.module;
        let end = span.end;
        for binding in bindings {
            match *binding {
                Binding::Let(binder, value) => {
                    let value = module.expr(value);
                    // A function sees its own name.
                    let from =
                        if matches!(value.kind, ExprKind::Fn(_)) { value.span.start } else { value.span.end };
                    self.binder(binder, Span::new(span.file, from, end), EntityKind::Variable);
                }
                Binding::Free(binder) => self.binder(binder, span, EntityKind::Parameter),
                Binding::Graph { index, span: place, value } => {
                    let id = self.out.add(&format!("%{index}"), EntityKind::Variable);
                    let ty = self.type_text(self.typed.ty(value));
                    let from = module.expr(value).span.end;
                    let entity = self.out.entity_mut(id);
                    (entity.ty, entity.inferred) = (ty, ty.is_some());
                    entity.scope = Some(Span::new(span.file, from, end));
                    self.define(id, place);
                    self.graphs.insert(value, id);
                }
            }
        }
    }

    fn uses(&mut self) {
        let typed = self.typed;
        let module = &typed.module;
        for index in 0..module.expr_count() {
            let id = ExprId(index as u32);
            let expr = *module.expr(id);
            if !self.is_own(expr.span) {
                continue;
            }
            if let Some(ty) = self.type_text(typed.ty(id)) {
                self.out.ty_of(expr.span, ty);
            }
            if matches!(
                expr.kind,
                ExprKind::Call { .. } | ExprKind::Fn(_) | ExprKind::Match(_) | ExprKind::Block(_)
            ) {
                self.out.fold(expr.span);
            }
            if let ExprKind::Call { callee, extra: Some(extra), .. } = expr.kind
                && let Target::Op(op) = typed.target(callee)
            {
                for attr in &module.extra(extra).attrs.list {
                    let name = format!("{}:{}", op.name, module.text(attr.name.name));
                    let id = self.out.provided(&name, EntityKind::Attribute);
                    self.out.refer(id, attr.name.span, Role::Reference);
                }
            }
            if !matches!(
                expr.kind,
                ExprKind::Local(_) | ExprKind::Graph(_) | ExprKind::Global(_) | ExprKind::Name(_)
            ) {
                continue;
            }
            let target = match typed.target(id) {
                Target::None => None,
                Target::Var(binder) => self.binders[binder.index()],
                Target::Graph(value) => self.graphs.get(&value).copied(),
                Target::Def(DefId(def)) => self.defs.get(def as usize).copied(),
                Target::Ctor(ctor) => self.ctors[ctor.index()],
                Target::Op(op) => Some(self.out.provided(op.name, EntityKind::Builtin)),
            };
            if let Some(target) = target {
                self.out.refer(target, expr.span, Role::Reference);
            }
        }
    }

    fn written_types(&mut self) {
        let module = &self.typed.module;
        for index in 0..module.types.len() {
            let node = module.type_expr(TypeExprId(index as u32));
            let (name, start) = match &node.kind {
                TypeKind::Name(name, _) => (*name, node.span.start),
                TypeKind::Tensor { dtype: Some(dtype), .. } => (dtype.name, dtype.span.start),
                _ => continue,
            };
            let length = module.text(name).len() as u32;
            let span = Span::new(node.span.file, start, start + length);
            if !self.is_own(span) {
                continue;
            }
            let params = self.type_params.get(&name).into_iter().flatten();
            let around = params.filter(|(scope, _)| scope.start <= start && start < scope.end);
            let innermost = around.min_by_key(|(scope, _)| scope.end - scope.start).map(|&(_, id)| id);
            if let Some(id) = innermost.or_else(|| self.datas.get(&name).copied()) {
                self.out.refer(id, span, Role::Reference);
            }
        }
    }
}
