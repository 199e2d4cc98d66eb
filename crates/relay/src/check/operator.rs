//! Operators and constructors.

use super::Checker;
use crate::ast::{AttrId, AttrKind, Attrs as Written, ExprId, Literal, MetaRef, Suffix};
use crate::typed::Target;
use crate::types::{Constraint, Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span, nearest};
use minoan_frontend::Symbol;
use minoan_relay_dialect::attrs::{AttrError, AttrValue, Attrs, complete};
use minoan_relay_dialect::operators::{self, Field, FieldKind, Operator};

impl Checker<'_> {
    /// Resolves a word.
    pub(super) fn word(&mut self, name: Symbol) -> Target {
        if let Some(known) = self.words[name.0 as usize] {
            return known;
        }
        let target = match self.ctor_of.get(&name) {
            Some(&ctor) => Target::Ctor(ctor),
            None => operators::find(self.module.text(name)).map_or(Target::None, Target::Op),
        };
        self.words[name.0 as usize] = Some(target);
        target
    }

    /// Reports an unknown word.
    pub(super) fn unknown_word(&mut self, name: Symbol, span: Span) {
        let text = self.module.text(name);
        let ctors = self.ctor_of.keys().map(|&name| self.module.text(name));
        let known: Vec<&str> = ctors.chain(operators::all().map(|op| op.name)).collect();
        let near = nearest(text, known.iter().copied()).map(str::to_owned);
        let last = || {
            // Suggest `nn.relu` for `relu`.
            let tail = |op: &str| op.rsplit('.').next() == Some(text);
            known.iter().copied().find(|op| tail(op)).map(str::to_owned)
        };
        let near = near.or_else(last);
        let error = Diagnostic::error(format!("unknown operator or constructor '{text}'")).at(span);
        self.reporter.report(error.did_you_mean(near.as_deref()));
    }

    /// An operator or constructor used as a value.
    pub(super) fn word_value(&mut self, id: ExprId, name: Symbol, given: Option<&[TypeId]>) -> TypeId {
        let target = self.word(name);
        self.out.targets[id.index()] = target;
        match target {
            Target::Ctor(ctor) => {
                let ty = self.out.ctor_types[ctor.index()];
                let ty = self.use_of(id, ty, given);
                match self.out.types.get(ty) {
                    // A constructor without fields is a value by its name alone.
                    Type::Fn(params, result) if params.is_empty() => *result,
                    _ => ty,
                }
            }
            Target::Op(op) => self.operator_value(id, op),
            _ => {
                self.unknown_word(name, self.span(id));
                Types::ERROR
            }
        }
    }

    fn operator_value(&mut self, id: ExprId, op: &'static Operator) -> TypeId {
        if op.variadic {
            let message = format!("'{}' takes any number of arguments and must be called", op.name);
            self.error(self.span(id), message);
            return Types::ERROR;
        }
        let Some(attrs) = self.default_attrs(op, self.span(id)) else { return Types::ERROR };
        if let Some(attrs) = attrs {
            self.out.attrs_of.insert(id, attrs);
        }
        let params: Box<[TypeId]> = op.args.iter().map(|_| self.fresh()).collect();
        let args = params.clone();
        let result = self.fresh();
        self.suspend(Constraint { op: Some(op), attrs, index: 0, args, result, expr: id, from: id });
        self.types().intern(Type::Fn(params, result))
    }

    /// The type of an expression with an operator symbol.
    pub(super) fn operator_call(&mut self, id: ExprId, name: &str, args: Box<[TypeId]>) -> TypeId {
        match operators::find(name) {
            Some(op) => {
                self.out.targets[id.index()] = Target::Op(op);
                self.relate(id, op, None, args)
            }
            None => Types::ERROR,
        }
    }

    /// The result type of an operator.
    pub(super) fn relate(
        &mut self,
        id: ExprId,
        op: &'static Operator,
        written: Option<&Written>,
        args: Box<[TypeId]>,
    ) -> TypeId {
        let span = self.span(id);
        let attrs = match written.filter(|written| !written.is_empty()) {
            Some(written) => self.written_attrs(op, written, span),
            None => self.default_attrs(op, span),
        };
        let Some(attrs) = attrs else { return Types::ERROR };
        if let Some(attrs) = attrs {
            self.out.attrs_of.insert(id, attrs);
        }
        self.constrain(Constraint {
            op: Some(op),
            attrs,
            index: 0,
            args,
            result: Types::ERROR,
            expr: id,
            from: id,
        })
    }

    /// The default attributes of an operator; `None` if some must be given.
    pub(super) fn default_attrs(&mut self, op: &'static Operator, span: Span) -> Option<Option<u32>> {
        if op.fields.is_empty() {
            return Some(None);
        }
        if let Some(&known) = self.default_attrs.get(op.name) {
            return Some(Some(known));
        }
        let attrs = self.complete(op, &Attrs::new(), &Written::default(), span)?;
        self.default_attrs.insert(op.name, attrs);
        Some(Some(attrs))
    }

    fn written_attrs(&mut self, op: &'static Operator, written: &Written, span: Span) -> Option<Option<u32>> {
        let mut attrs = match written.meta {
            Some((meta, at)) => self.meta_attrs(op, meta, at)?,
            None => Attrs::new(),
        };
        for attr in &written.list {
            let value = self.attr_value(attr.value)?;
            attrs.set(self.module.text(attr.name.name).to_owned(), value);
        }
        self.complete(op, &attrs, written, span).map(Some)
    }

    /// Completes the given attributes with defaults; reports invalid ones.
    fn complete(
        &mut self,
        op: &'static Operator,
        attrs: &Attrs,
        written: &Written,
        span: Span,
    ) -> Option<u32> {
        let errors = match complete(op, attrs) {
            Ok(attrs) => {
                self.out.op_attrs.push(attrs);
                return Some(self.out.op_attrs.len() as u32 - 1);
            }
            Err(errors) => errors,
        };
        for error in errors {
            let at = written.list.iter().find(|attr| self.module.text(attr.name.name) == error.name());
            let span = at.map_or(span, |attr| match error {
                AttrError::Unknown { .. } => attr.name.span,
                _ => self.module.attr(attr.value).span,
            });
            self.error(span, error.to_string());
        }
        None
    }

    fn attr_value(&mut self, id: AttrId) -> Option<AttrValue> {
        let node = self.module.attr(id);
        Some(match &node.kind {
            AttrKind::Literal(Literal::Int(value, _)) => AttrValue::Int(*value),
            // Attributes are doubles regardless of the suffix: `1.7f` is 1.7.
            &AttrKind::Literal(Literal::Float(value, Some(Suffix::Float(32)))) if value.is_finite() => {
                AttrValue::Float((value as f32).to_string().parse().unwrap_or(value))
            }
            AttrKind::Literal(Literal::Float(value, _)) => AttrValue::Float(*value),
            AttrKind::Literal(Literal::Bool(value)) => AttrValue::Bool(*value),
            AttrKind::Str(text) => AttrValue::Str(text.to_string()),
            AttrKind::None => AttrValue::None,
            AttrKind::List(items) => {
                let items = items.iter().map(|&item| minoan_frontend::with_stack(|| self.attr_value(item)));
                AttrValue::List(items.collect::<Option<_>>()?)
            }
            AttrKind::Meta(meta) => {
                AttrValue::Object(format!("meta[{}][{}]", self.module.text(meta.key), meta.index))
            }
            AttrKind::Expr(_) => {
                self.error(node.span, "expected a number, text or list as the value of an attribute");
                return None;
            }
        })
    }

    /// Attributes given as an object of the metadata section.
    fn meta_attrs(&mut self, op: &'static Operator, meta: MetaRef, at: Span) -> Option<Attrs> {
        let module = self.module;
        let key = module.text(meta.key);
        let Some(node) = module.metadata.get(key, meta.index) else {
            self.error(at, format!("there is no 'meta[{key}][{}]'", meta.index));
            return None;
        };
        let mut attrs = Attrs::new();
        for (name, text) in &node.attrs {
            let Some(field) = op.field(name) else {
                let near = nearest(name, op.fields.iter().map(|field| field.name));
                let error = Diagnostic::error(format!("'{}' has no attribute '{name}'", op.name)).at(at);
                self.reporter.report(error.did_you_mean(near));
                return None;
            };
            match self.meta_value(op, field, text) {
                // Null stands for the default.
                Some(AttrValue::None) if !field.accepts_none() => {}
                Some(value) => {
                    attrs.set(field.name, value);
                }
                None => {
                    self.error(
                        at,
                        format!("bad value '{text}' of the attribute '{name}' in the metadata section"),
                    );
                    return None;
                }
            }
        }
        Some(attrs)
    }

    /// The value of a field of an object: inline, or the index of another object, as are optional values.
    fn meta_value(&self, op: &Operator, field: &Field, text: &str) -> Option<AttrValue> {
        let index = text.parse::<u32>().ok();
        let node = index.and_then(|index| self.module.metadata.node(index));
        let object = if op.object_type.is_some() { field.boxed } else { field.accepts_none() };
        match field.kind {
            FieldKind::Int if !object => text.parse().ok().map(AttrValue::Int),
            FieldKind::Float if !object => text.parse().ok().map(AttrValue::Float),
            FieldKind::Bool if !object => match text {
                "0" | "false" => Some(AttrValue::Bool(false)),
                "1" | "true" => Some(AttrValue::Bool(true)),
                _ => None,
            },
            FieldKind::DType if text.is_empty() => Some(AttrValue::None),
            FieldKind::DType => Some(AttrValue::Str(text.to_owned())),
            FieldKind::Str => match node {
                Some(node) if node.type_key == "runtime.String" => {
                    Some(AttrValue::Str(node.repr.clone().unwrap_or_default()))
                }
                _ => Some(AttrValue::Str(text.to_owned())),
            },
            _ => self.object_value(field.kind, index?, 0),
        }
    }

    /// The value of an object of the metadata section.
    fn object_value(&self, kind: FieldKind, index: u32, depth: usize) -> Option<AttrValue> {
        const MAX_DEPTH: usize = 16;
        let Some(node) = self.module.metadata.node(index) else { return Some(AttrValue::None) };
        let value = || node.attrs.get("value");
        match node.type_key.as_str() {
            "IntImm" if kind == FieldKind::Bool => {
                value()?.parse::<i64>().ok().map(|it| AttrValue::Bool(it != 0))
            }
            "IntImm" => value()?.parse().ok().map(AttrValue::Int),
            "FloatImm" => value()?.parse().ok().map(AttrValue::Float),
            "runtime.String" => Some(AttrValue::Str(node.repr.clone().unwrap_or_default())),
            "Array" if depth < MAX_DEPTH => {
                let items = node.data.iter().map(|&item| self.object_value(kind, item, depth + 1));
                items.collect::<Option<_>>().map(AttrValue::List)
            }
            key => Some(AttrValue::Object(format!("meta[{key}]"))),
        }
    }
}
