//! Prints modules as text.
//!
//! Parsing the text yields the same module. Bindings and clauses are printed on separate lines; other constructs do
//! not break lines.

mod types;

use crate::ast::{
    AttrId, AttrKind, Attrs, Binding, BlockId, Clause, DataId, ExprId, ExprKind, FnId, FnNode, Item,
    ItemKind, Literal, MetaRef, Module, PatternId, PatternKind, UnaryOp,
};
use crate::literal;
use minoan_frontend::with_stack;
use std::fmt::Write;

/// Prints a module without the prelude.
pub fn print(module: &Module) -> String {
    let mut printer = Printer { module, out: String::new(), indent: 0 };
    let _ = writeln!(printer.out, "#[version = \"{}\"]", crate::parser::VERSION);
    for item in module.own_items() {
        printer.item(item);
        printer.out.push('\n');
    }
    if !module.metadata.is_empty() {
        printer.out.push_str("\n#[metadata]\n");
        printer.out.push_str(&module.metadata.text());
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'a> {
    module: &'a Module,
    out: String,
    indent: usize,
}

/// The minimum precedence that needs no parentheses, by position.
mod strength {
    pub(super) const ANY: u8 = 0;
    pub(super) const UNARY: u8 = 14;
    pub(super) const POSTFIX: u8 = 15;
}

impl Printer<'_> {
    fn name(&mut self, sigil: &str, name: crate::Symbol) {
        self.out.push_str(sigil);
        self.out.push_str(self.module.text(name));
    }

    fn line(&mut self) {
        const MAX_DEPTH: usize = 40;
        self.out.push('\n');
        for _ in 0..self.indent.min(MAX_DEPTH) {
            self.out.push_str("  ");
        }
    }

    /// Prints comma-separated elements.
    fn separated<T: Copy>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, T)) {
        for (index, &item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            one(self, item);
        }
    }

    fn item(&mut self, item: &Item) {
        match item.kind {
            ItemKind::Def { name, function } => {
                self.name("def @", name.name);
                self.function(self.module.function(function));
            }
            ItemKind::Data(data) => self.data(data),
            ItemKind::Main { expr, .. } => self.body(expr),
        }
    }

    fn data(&mut self, id: DataId) {
        let module = self.module;
        let data = module.data(id);
        self.name(if data.external { "extern type " } else { "type " }, data.name.name);
        self.type_params(&data.type_params);
        if data.external {
            return;
        }
        self.out.push_str(" {");
        self.indent += 1;
        for id in module.ctors_of(id) {
            let ctor = module.ctor(id);
            self.line();
            self.name("", ctor.name.name);
            if !ctor.fields.is_empty() {
                self.out.push('(');
                self.separated(&ctor.fields, Self::ty);
                self.out.push(')');
            }
            self.out.push(',');
        }
        self.indent -= 1;
        self.line();
        self.out.push('}');
    }

    /// Prints the part of a function after `fn` or `def @f`.
    fn function(&mut self, function: &FnNode) {
        let module = self.module;
        self.type_params(&function.type_params);
        self.out.push('(');
        self.separated(&function.params, |printer, param| {
            let binder = module.binder(param);
            printer.name("%", binder.name.name);
            if !binder.attrs.is_empty() {
                printer.out.push_str(" {");
                printer.attrs(&binder.attrs);
                printer.out.push('}');
            }
            printer.annotation(binder.ty);
        });
        if !function.attrs.is_empty() {
            self.out.push_str(if function.params.is_empty() { "" } else { ", " });
            self.attrs(&function.attrs);
        }
        self.out.push(')');
        if let Some(result) = function.result {
            self.out.push_str(" -> ");
            self.ty(result);
        }
        for (index, relation) in function.relations.iter().enumerate() {
            self.name(if index == 0 { " where " } else { ", " }, relation.name);
        }
        self.braced(function.body);
    }

    /// Prints ` { body }` on several lines.
    fn braced(&mut self, body: ExprId) {
        self.out.push_str(" {");
        self.indent += 1;
        self.line();
        self.body(body);
        self.indent -= 1;
        self.line();
        self.out.push('}');
    }

    /// Prints an expression where bindings need no parentheses.
    fn body(&mut self, id: ExprId) {
        match self.module.expr(id).kind {
            ExprKind::Block(block) => self.block(block),
            _ => self.expr(id, strength::ANY),
        }
    }

    fn block(&mut self, id: BlockId) {
        let module = self.module;
        let block = *module.block(id);
        for binding in module.bindings(block.bindings) {
            match *binding {
                Binding::Let(binder, value) => {
                    let binder = module.binder(binder);
                    self.name("let %", binder.name.name);
                    self.annotation(binder.ty);
                    self.out.push_str(" = ");
                    self.expr(value, strength::ANY);
                }
                Binding::Graph { index, value, .. } => {
                    let _ = write!(self.out, "%{index} = ");
                    self.expr(value, strength::ANY);
                }
                Binding::Free(binder) => {
                    let binder = module.binder(binder);
                    self.name("free_var %", binder.name.name);
                    self.annotation(binder.ty);
                }
            }
            self.out.push(';');
            self.line();
        }
        self.expr(block.body, strength::ANY);
    }

    /// Prints an expression; operators of a precedence below `least` are parenthesized.
    fn expr(&mut self, id: ExprId, least: u8) {
        let kind = self.module.expr(id).kind;
        let own = match kind {
            ExprKind::Binary(op, ..) => op.info().2,
            ExprKind::Unary(..) => strength::UNARY,
            ExprKind::Literal(_) => strength::UNARY,
            ExprKind::Block(_) => {
                self.out.push('(');
                with_stack(|| self.body(id));
                return self.out.push(')');
            }
            // Without parentheses, a call would apply to the last subexpression.
            ExprKind::Fn(_) | ExprKind::If { .. } | ExprKind::Match(_) => strength::UNARY,
            _ => strength::POSTFIX,
        };
        if own < least {
            self.out.push('(');
        }
        with_stack(|| self.kind(kind));
        if own < least {
            self.out.push(')');
        }
    }

    fn kind(&mut self, kind: ExprKind) {
        let module = self.module;
        match kind {
            ExprKind::Error => self.out.push_str("<error>"),
            ExprKind::Literal(value) => self.out.push_str(&literal::text(value)),
            ExprKind::Filled { value, ty } => {
                self.out.push_str("Constant(");
                self.expr(value, strength::ANY);
                self.out.push_str(", ");
                self.tensor_parts(ty);
                self.out.push(')');
            }
            ExprKind::Meta(meta) => self.meta(meta),
            ExprKind::Local(name) => self.name("%", name),
            ExprKind::Graph(index) => {
                let _ = write!(self.out, "%{index}");
            }
            ExprKind::Global(name) => self.name("@", name),
            ExprKind::Name(name) => self.name("", name),
            ExprKind::Call { callee, args, extra } => self.call(callee, module.list(args), extra),
            ExprKind::Binary(op, left, right) => {
                let (symbol, _, own) = op.info();
                self.expr(left, own);
                let _ = write!(self.out, " {symbol} ");
                self.expr(right, own + 1);
            }
            ExprKind::Unary(op, operand) => {
                self.out.push_str(op.info().0);
                // Without parentheses, the sign would become part of the number.
                let number = matches!(
                    module.expr(operand).kind,
                    ExprKind::Literal(Literal::Int(..) | Literal::Float(..))
                );
                let number = number && op == UnaryOp::Negative;
                self.expr(operand, if number { strength::POSTFIX } else { strength::UNARY });
            }
            ExprKind::Tuple(parts) => {
                let parts = module.list(parts);
                self.out.push('(');
                self.separated(parts, |printer, part| printer.expr(part, strength::ANY));
                self.out.push_str(if parts.len() == 1 { ",)" } else { ")" });
            }
            ExprKind::Project(tuple, index) => {
                self.expr(tuple, strength::POSTFIX);
                let _ = write!(self.out, ".{index}");
            }
            ExprKind::Fn(function) => self.fn_literal(function),
            ExprKind::If { condition, then, otherwise } => {
                self.out.push_str("if (");
                self.body(condition);
                self.out.push(')');
                self.braced(then);
                self.out.push_str(" else");
                if let ExprKind::If { .. } = module.expr(otherwise).kind {
                    self.out.push(' ');
                    return self.expr(otherwise, strength::ANY);
                }
                self.braced(otherwise);
            }
            ExprKind::Match(node) => {
                let node = module.match_node(node);
                self.out.push_str(if node.partial { "match? (" } else { "match (" });
                self.body(node.value);
                self.out.push_str(") {");
                self.indent += 1;
                for clause in &node.clauses {
                    self.clause(clause);
                }
                self.indent -= 1;
                self.line();
                self.out.push('}');
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Ref(value) => self.builtin("ref", &[value]),
            ExprKind::RefRead(of) => self.builtin("ref_read", &[of]),
            ExprKind::RefWrite(to, value) => self.builtin("ref_write", &[to, value]),
        }
    }

    fn fn_literal(&mut self, function: FnId) {
        self.out.push_str("fn ");
        self.function(self.module.function(function));
    }

    fn builtin(&mut self, word: &str, parts: &[ExprId]) {
        self.out.push_str(word);
        self.out.push('(');
        self.separated(parts, |printer, part| printer.expr(part, strength::ANY));
        self.out.push(')');
    }

    fn call(&mut self, callee: ExprId, args: &[ExprId], extra: Option<crate::ast::ExtraId>) {
        let module = self.module;
        self.expr(callee, strength::POSTFIX);
        let extra = extra.map(|extra| module.extra(extra));
        if let Some(extra) = extra.filter(|extra| !extra.type_args.is_empty()) {
            self.out.push('[');
            self.separated(&extra.type_args, Self::ty);
            self.out.push(']');
        }
        self.out.push('(');
        self.separated(args, |printer, arg| printer.expr(arg, strength::ANY));
        if let Some(extra) = extra.filter(|extra| !extra.attrs.is_empty()) {
            self.out.push_str(if args.is_empty() { "" } else { ", " });
            self.attrs(&extra.attrs);
        }
        self.out.push(')');
    }

    fn clause(&mut self, clause: &Clause) {
        self.line();
        self.pattern(clause.pattern);
        self.out.push_str(" =>");
        self.braced(clause.body);
        self.out.push(',');
    }

    fn pattern(&mut self, id: PatternId) {
        let module = self.module;
        match &module.pattern(id).kind {
            PatternKind::Wildcard => self.out.push('_'),
            PatternKind::Var(binder) => {
                let binder = module.binder(*binder);
                self.name("%", binder.name.name);
                self.annotation(binder.ty);
            }
            PatternKind::Ctor(ctor, parts) => {
                self.name("", ctor.name);
                if !parts.is_empty() {
                    self.patterns(parts);
                }
            }
            PatternKind::Tuple(parts) => self.patterns(parts),
        }
    }

    fn patterns(&mut self, parts: &[PatternId]) {
        self.out.push('(');
        self.separated(parts, |printer, part| with_stack(|| printer.pattern(part)));
        self.out.push(')');
    }

    fn attrs(&mut self, attrs: &Attrs) {
        if let Some((meta, _)) = attrs.meta {
            self.meta(meta);
            self.out.push_str(if attrs.list.is_empty() { "" } else { ", " });
        }
        self.separated(&attrs.list, |printer, attr| {
            printer.name("", attr.name.name);
            printer.out.push('=');
            printer.attr(attr.value);
        });
    }

    fn attr(&mut self, id: AttrId) {
        match &self.module.attr(id).kind {
            AttrKind::Literal(value) => self.out.push_str(&literal::text(*value)),
            AttrKind::Str(text) => {
                let _ = write!(self.out, "\"{text}\"");
            }
            AttrKind::None => self.out.push_str("None"),
            AttrKind::Meta(meta) => self.meta(*meta),
            AttrKind::Expr(expr) => self.expr(*expr, strength::UNARY),
            AttrKind::List(items) => {
                self.out.push('[');
                self.separated(items, |printer, item| with_stack(|| printer.attr(item)));
                self.out.push(']');
            }
        }
    }

    fn meta(&mut self, meta: MetaRef) {
        self.name("meta[", meta.key);
        let _ = write!(self.out, "][{}]", meta.index);
    }
}
