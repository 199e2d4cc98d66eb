//! Cross references of a file: definitions, uses and signatures by span.

use crate::ast::{NodeKind, REVERSE};
use crate::check::{Checked, Target};
use crate::lexer::{TokenKind, lex};
use minoan_diag::{FileId, Span};
use minoan_frontend::Reporter;
use minoan_xref::{EntityId, EntityKind, Role, Xref};

/// The byte ranges of the comments of a text.
pub fn comments(text: &str) -> Vec<(u32, u32)> {
    let tokens = lex(FileId(0), text, &mut Reporter::default());
    let real = tokens.iter().filter(|token| token.kind != TokenKind::End);
    minoan_xref::comments(text, real.map(|token| (token.start, token.end)))
}

impl Checked {
    /// The cross references of the file.
    pub fn xref(&self) -> Xref {
        let mut out = Xref::default();
        let file = &self.file;
        let end = |span: Span, end: u32| Span::new(span.file, span.start, end);
        let defs: Vec<EntityId> = file
            .defs
            .iter()
            .map(|def| {
                let id = out.add(&def.name, EntityKind::Function);
                let body = file.node(def.body).span;
                let ty = self.signature(&def.name).map(|signature| out.text_id(&signature.to_string()));
                let entity = out.entity_mut(id);
                (entity.ty, entity.inferred) = (ty, def.is_named && ty.is_some());
                entity.extent = Some(end(def.name_span, body.end.max(def.name_span.end)));
                // A name is visible after its definition.
                entity.scope = Some(Span::new(file.id, body.end, u32::MAX));
                if def.is_named {
                    out.define(id, def.name_span);
                }
                out.fold(end(def.name_span, body.end.max(def.name_span.end)));
                id
            })
            .collect();
        for (id, node) in file.nodes() {
            match &node.kind {
                NodeKind::Name(name) => {
                    let target = match self.targets.get(&id) {
                        Some(&Target::Def(index)) => defs.get(index).copied(),
                        Some(Target::Identity) => Some(out.provided(name, EntityKind::Builtin)),
                        None => None,
                    };
                    if let Some(target) = target {
                        out.refer(target, node.span, Role::Reference);
                    }
                }
                NodeKind::Binary { combinator, at, .. } => {
                    let id = out.provided(combinator.symbol(), EntityKind::Builtin);
                    out.refer(id, *at, Role::Reference);
                }
                NodeKind::Expr(literal) => {
                    if let (Some(operator), Some(at)) = (literal.expr.operator, &literal.places.operator) {
                        let id = out.provided(&format!("i:{}", operator.symbol()), EntityKind::Builtin);
                        let (start, end) = (literal.base + at.start as u32, literal.base + at.end as u32);
                        out.refer(id, Span::new(file.id, start, end), Role::Reference);
                    }
                }
                NodeKind::Reverse { at, .. } => {
                    let id = out.provided(REVERSE, EntityKind::Builtin);
                    out.refer(id, *at, Role::Reference);
                }
                NodeKind::Swap(_) | NodeKind::Error => {}
            }
            if let Some(&(inputs, outputs)) = self.arity.get(id.0 as usize)
                && inputs + outputs > 0
            {
                let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
                out.ty(node.span, &format!("{} -> {}", count(inputs, "input"), count(outputs, "output")));
            }
        }
        out.finish();
        out
    }
}
