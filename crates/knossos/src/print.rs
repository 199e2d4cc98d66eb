//! Prints programs as text.

use crate::ast::{
    Binding, ExprId, ExprKind, FnNameKind, Ident, Item, ItemKind, NameId, Param, Pattern, Program,
    TypeExprId, TypeKind,
};
use crate::literal::quote;
use minoan_frontend::with_stack;
use std::fmt::Write;

/// The maximum line width.
const MAX_WIDTH: usize = 100;
/// The maximum indentation, so that deep programs do not consist mostly of white space.
const MAX_INDENT: usize = 48;

/// Prints a program; [`parse`](crate::parse) of the text yields the same program (except for error nodes, which print
/// as `<error>`).
pub fn print(program: &Program) -> String {
    let mut printer = Printer { program, widths: widths(program), out: String::new(), indent: 0 };
    for item in &program.items {
        printer.item(item);
        printer.out.push('\n');
    }
    printer.out
}

/// The approximate width of each expression on one line, used to place line breaks.
fn widths(program: &Program) -> Vec<usize> {
    let mut widths: Vec<usize> = vec![0; program.expr_count()];
    let mut pending: Vec<(ExprId, bool)> = Vec::new();
    for item in &program.items {
        match item.kind {
            ItemKind::Def { body, .. } => pending.push((body, false)),
            ItemKind::Rule { from, to, .. } => pending.extend([(from, false), (to, false)]),
            ItemKind::Edef { .. } | ItemKind::Gdef { .. } => {}
        }
    }
    while let Some((id, ready)) = pending.pop() {
        let mut children = Vec::new();
        let own = match &program.expr(id).kind {
            ExprKind::Call { args, .. } => {
                children.extend(args.iter().copied());
                12
            }
            ExprKind::Tuple(parts) => {
                children.extend(parts.iter().copied());
                7
            }
            ExprKind::Let { bindings, body } => {
                children.extend(bindings.iter().map(|binding| binding.value).chain([*body]));
                8 + 8 * bindings.len()
            }
            ExprKind::If { condition, then, otherwise } => {
                children.extend([*condition, *then, *otherwise]);
                5
            }
            ExprKind::Assert { condition, body } => {
                children.extend([*condition, *body]);
                9
            }
            ExprKind::Lam { params, body } => {
                children.push(*body);
                8 + 16 * params.len()
            }
            ExprKind::String(text) => text.len() + 2,
            ExprKind::Dummy(_) => 20,
            _ => 8,
        };
        if ready {
            let inside: usize =
                children.iter().map(|child| widths[child.0 as usize] + 1).fold(0, usize::saturating_add);
            widths[id.0 as usize] = own.saturating_add(inside);
        } else {
            pending.push((id, true));
            pending.extend(children.into_iter().map(|child| (child, false)));
        }
    }
    widths
}

struct Printer<'a> {
    program: &'a Program,
    widths: Vec<usize>,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Def { name, result, params, body } => {
                self.out.push_str("(def ");
                self.name(*name);
                self.out.push(' ');
                self.ty(*result);
                self.out.push(' ');
                self.params(params);
                self.indented(|printer| printer.part(*body, true));
            }
            ItemKind::Edef { name, result, arg } => {
                self.out.push_str("(edef ");
                self.name(*name);
                self.out.push(' ');
                self.ty(*result);
                self.out.push(' ');
                self.ty(*arg);
            }
            ItemKind::Gdef { name } => {
                self.out.push_str("(gdef ");
                match self.program.fn_name(*name).kind {
                    FnNameKind::Derived(derivation, inner) => {
                        self.out.push_str(derivation.text(&self.program.names));
                        self.out.push(' ');
                        self.name(inner);
                    }
                    _ => self.name(*name),
                }
            }
            ItemKind::Rule { name, params, from, to } => {
                self.out.push_str("(rule ");
                quote(name, &mut self.out);
                self.out.push(' ');
                self.params(params);
                self.indented(|printer| {
                    printer.part(*from, true);
                    printer.part(*to, true);
                });
            }
        }
        self.out.push(')');
    }

    fn name(&mut self, id: NameId) {
        match self.program.fn_name(id).kind {
            FnNameKind::Plain(name) => self.out.push_str(self.program.names.text(name)),
            FnNameKind::Typed(name, ty) => {
                let _ = write!(self.out, "[{} ", self.program.names.text(name));
                self.ty(ty);
                self.out.push(']');
            }
            FnNameKind::Derived(derivation, inner) => {
                let _ = write!(self.out, "[{} ", derivation.text(&self.program.names));
                with_stack(|| self.name(inner));
                self.out.push(']');
            }
        }
    }

    fn ty(&mut self, id: TypeExprId) {
        let (head, parts): (&str, Vec<TypeExprId>) = match &self.program.type_expr(id).kind {
            TypeKind::Error => return self.out.push_str("<error>"),
            TypeKind::Integer => return self.out.push_str("Integer"),
            TypeKind::Float => return self.out.push_str("Float"),
            TypeKind::Bool => return self.out.push_str("Bool"),
            TypeKind::String => return self.out.push_str("String"),
            TypeKind::Any => return self.out.push_str("Any"),
            TypeKind::Nothing => return self.out.push_str("()"),
            TypeKind::Vec(element) => ("Vec", vec![*element]),
            TypeKind::Tensor(rank, element) => {
                let _ = write!(self.out, "(Tensor {rank} ");
                with_stack(|| self.ty(*element));
                return self.out.push(')');
            }
            TypeKind::Tuple(parts) => ("Tuple", parts.to_vec()),
            TypeKind::Lam(from, to) => ("Lam", vec![*from, *to]),
            TypeKind::LinearMap(from, to) => ("LM", vec![*from, *to]),
        };
        let _ = write!(self.out, "({head}");
        for part in parts {
            self.out.push(' ');
            with_stack(|| self.ty(part));
        }
        self.out.push(')');
    }

    /// `(x : T)`, or `((x : T) ...)` unless there is exactly one.
    fn params(&mut self, params: &[Param]) {
        if let [single] = params {
            return self.param(single);
        }
        self.out.push('(');
        for (index, param) in params.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            self.param(param);
        }
        self.out.push(')');
    }

    fn param(&mut self, param: &Param) {
        let _ = write!(self.out, "({} : ", self.program.names.text(param.name.name));
        self.ty(param.ty);
        self.out.push(')');
    }

    fn indented(&mut self, work: impl FnOnce(&mut Self)) {
        self.indent += 2;
        work(self);
        self.indent -= 2;
    }

    /// Prints a space or a newline, then an expression.
    fn part(&mut self, id: ExprId, broken: bool) {
        if broken {
            self.new_line();
        } else {
            self.out.push(' ');
        }
        with_stack(|| self.expr(id));
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.indent.min(MAX_INDENT)));
    }

    fn expr(&mut self, id: ExprId) {
        let program = self.program;
        let broken = self.indent.min(MAX_INDENT) + self.widths[id.0 as usize] > MAX_WIDTH;
        match &program.expr(id).kind {
            ExprKind::Error => self.out.push_str("<error>"),
            ExprKind::Integer(value) => _ = write!(self.out, "{value}"),
            ExprKind::Float(value) => _ = write!(self.out, "{value:?}"),
            ExprKind::Bool(value) => _ = write!(self.out, "{value}"),
            ExprKind::String(text) => quote(text, &mut self.out),
            ExprKind::Var(name) => self.out.push_str(program.names.text(*name)),
            ExprKind::Dummy(ty) => {
                self.out.push_str("($dummy ");
                self.ty(*ty);
                self.out.push(')');
            }
            ExprKind::Call { name, args } => {
                self.out.push('(');
                self.name(*name);
                self.parts(args, broken);
            }
            ExprKind::Tuple(parts) => {
                self.out.push_str("(tuple");
                self.parts(parts, broken);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.out.push_str("(if ");
                with_stack(|| self.expr(*condition));
                self.parts(&[*then, *otherwise], broken);
            }
            ExprKind::Assert { condition, body } => {
                self.out.push_str("(assert ");
                with_stack(|| self.expr(*condition));
                self.parts(&[*body], broken);
            }
            ExprKind::Lam { params, body } => {
                self.out.push_str("(lam ");
                self.params(params);
                self.parts(&[*body], broken);
            }
            ExprKind::Let { bindings, body } => self.let_form(bindings, *body, broken),
        }
    }

    /// Prints the rest of a list with its closing bracket.
    fn parts(&mut self, parts: &[ExprId], broken: bool) {
        self.indented(|printer| {
            for &part in parts {
                printer.part(part, broken);
            }
        });
        self.out.push(')');
    }

    fn let_form(&mut self, bindings: &[Binding], body: ExprId, broken: bool) {
        self.out.push_str("(let ");
        if let [first, second] = bindings
            && self.reads_as_unpacking(first, second)
        {
            // `((a b) (c d))` would destructure the value of `(c d)`; two nested forms are equivalent.
            self.binding(first);
            self.out.push(' ');
            self.let_form(std::slice::from_ref(second), body, broken);
            return self.out.push(')');
        }
        self.bindings(bindings, broken);
        self.parts(&[body], broken);
    }

    fn reads_as_unpacking(&self, first: &Binding, second: &Binding) -> bool {
        let variable = matches!(self.program.expr(first.value).kind, ExprKind::Var(_));
        variable && matches!((&first.pattern, &second.pattern), (Pattern::Var(_), Pattern::Var(_)))
    }

    fn bindings(&mut self, bindings: &[Binding], broken: bool) {
        if let [single] = bindings {
            return self.binding(single);
        }
        self.out.push('(');
        self.indented(|printer| {
            for (index, binding) in bindings.iter().enumerate() {
                match (index, broken) {
                    (0, _) => {}
                    (_, true) => printer.new_line(),
                    (_, false) => printer.out.push(' '),
                }
                printer.binding(binding);
            }
        });
        self.out.push(')');
    }

    fn binding(&mut self, binding: &Binding) {
        self.out.push('(');
        match &binding.pattern {
            Pattern::Var(Ident { name, .. }) => self.out.push_str(self.program.names.text(*name)),
            Pattern::Unpack { names, .. } => {
                self.out.push('(');
                for (index, name) in names.iter().enumerate() {
                    if index > 0 {
                        self.out.push(' ');
                    }
                    self.out.push_str(self.program.names.text(name.name));
                }
                self.out.push(')');
            }
        }
        self.indented(|printer| printer.part(binding.value, false));
        self.out.push(')');
    }
}
