//! The state of an operation that is being parsed.

use crate::{Attr, Block, Body, Context, Loc, Name, OpInfo, OpKind, Region, Traits, Type, Value};
use minoan_diag::Span;

/// An operation that is being parsed. Its storage is reused for the next one.
pub(crate) struct OpBuild {
    pub(crate) kind: OpKind,
    pub(crate) loc: Loc,
    /// The span of its name.
    pub(crate) span: Span,
    pub(crate) operands: Vec<Value>,
    pub(crate) results: Vec<Type>,
    /// The inherent attributes.
    pub(crate) props: Vec<(Name, Attr)>,
    pub(crate) attrs: Vec<(Name, Attr)>,
    /// The inherent attributes as a dictionary, if they are known to be the defaults.
    pub(crate) default_props: Option<Attr>,
    pub(crate) successors: Vec<Block>,
    pub(crate) regions: Vec<Region>,
    /// The body of an isolated operation, while it is not being filled.
    pub(crate) nested: Option<Box<Body>>,
}

impl OpBuild {
    pub(crate) fn new(kind: OpKind, loc: Loc, span: Span) -> Self {
        Self {
            kind,
            loc,
            span,
            operands: Vec::new(),
            results: Vec::new(),
            props: Vec::new(),
            attrs: Vec::new(),
            default_props: None,
            successors: Vec::new(),
            regions: Vec::new(),
            nested: None,
        }
    }

    /// Resets the state for the next operation.
    pub(super) fn reset(&mut self, kind: OpKind, loc: Loc, span: Span) {
        (self.kind, self.loc, self.span) = (kind, loc, span);
        self.operands.clear();
        self.results.clear();
        self.props.clear();
        self.attrs.clear();
        self.default_props = None;
        self.successors.clear();
        self.regions.clear();
        self.nested = None;
    }

    pub(crate) fn info<'c>(&self, ctx: &'c Context) -> Option<&'c OpInfo> {
        ctx.info(self.kind)
    }

    pub(crate) fn set_attr(&mut self, ctx: &Context, name: Name, value: Attr) {
        let inherent = self.info(ctx).is_some_and(|info| info.is_inherent(name));
        let list = if inherent { &mut self.props } else { &mut self.attrs };
        match list.iter_mut().find(|(entry, _)| *entry == name) {
            Some(entry) => entry.1 = value,
            None => list.push((name, value)),
        }
    }

    /// Sets attributes with different names, which are compared with the existing ones, but not with each other.
    pub(crate) fn set_attrs(&mut self, ctx: &Context, attrs: impl IntoIterator<Item = (Name, Attr)>) {
        let existing = self.attrs.len();
        for (name, value) in attrs {
            if self.info(ctx).is_some_and(|info| info.is_inherent(name)) {
                self.set_attr(ctx, name, value);
                continue;
            }
            match self.attrs[..existing].iter_mut().find(|(entry, _)| *entry == name) {
                Some(entry) => entry.1 = value,
                None => self.attrs.push((name, value)),
            }
        }
    }

    pub(crate) fn get_attr(&self, name: Name) -> Option<Attr> {
        self.props.iter().chain(&self.attrs).find(|(entry, _)| *entry == name).map(|&(_, attr)| attr)
    }

    /// Adds the defaults of absent attributes.
    pub(crate) fn fill_defaults(&mut self, ctx: &Context) {
        let Some(info) = ctx.info(self.kind) else { return };
        for (index, &name) in info.inherent.iter().enumerate() {
            if let Some(value) = info.default_attr(ctx, index)
                && self.get_attr(name).is_none()
            {
                self.props.push((name, value));
            }
        }
    }
}

/// The dialect whose prefix nested operations omit.
pub(crate) fn default_dialect(info: &OpInfo, name: &'static str) -> &'static str {
    if info.traits.has(Traits::FUNCTION_LIKE) || name == "builtin.module" {
        name.split_once('.').map_or("", |(dialect, _)| dialect)
    } else {
        ""
    }
}
