//! Values, blocks and regions.

use super::{Parsed, Parser, Tok};
use crate::text::op_parser::{RegionArg, Unresolved};
use crate::{Attr, Block, Loc, OpState, Point, Region, Type, Value};
use minoan_diag::{Diagnostic, Span, nearest};
use rustc_hash::FxHashMap;

/// A value by name.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    value: Option<Value>,
    span: Span,
    /// Used, but not defined yet; the value is a placeholder.
    forward: bool,
}

/// The names of one isolated region, those of regions inside it included while they are open.
#[derive(Default)]
pub(crate) struct Scope<'c> {
    values: FxHashMap<(&'c str, u32), Known>,
    /// Names defined in each open region.
    defined: Vec<Vec<(&'c str, u32)>>,
}

/// The blocks of one open region.
#[derive(Default)]
pub(crate) struct BlockScope<'c> {
    blocks: FxHashMap<&'c str, (Block, Span, bool)>,
}

impl<'c> Parser<'c> {
    fn scope(&mut self) -> &mut Scope<'c> {
        self.scopes.last_mut().expect("there is a scope while operations are read")
    }

    fn value_name(&self, name: &Unresolved) -> (&'c str, u32) {
        (self.text_of(Span { end: name.name_end, ..name.span }), name.number)
    }

    /// `%name` or `%name#1`.
    pub(crate) fn operand(&mut self) -> Parsed<Unresolved> {
        if self.tok.kind != Tok::Percent {
            return Err(self.error("expected SSA operand"));
        }
        let mut span = self.span();
        let name_end = span.end;
        self.advance();
        let mut number = 0;
        if self.tok.kind == Tok::Hash && self.spelling().as_bytes()[1].is_ascii_digit() {
            number = match self.spelling()[1..].parse() {
                Ok(number) => number,
                Err(_) => return Err(self.error("invalid SSA value result number")),
            };
            span.end = self.tok.end;
            self.advance();
        }
        Ok(Unresolved { span, name_end, number })
    }

    /// The value of a name. A name that is not defined yet gets a placeholder of the given type.
    pub(crate) fn resolve(&mut self, name: &Unresolved, ty: Type) -> Parsed<Value> {
        let key = self.value_name(name);
        if let Some(&known) = self.scope().values.get(&key) {
            let Some(value) = known.value else { return self.placeholder(ty) };
            let have = self.body().ty(value);
            if have != ty {
                return Err(self.wrong_type(name, have, ty, known));
            }
            return Ok(value);
        }
        if key.1 > 0
            && let Some(first) = self.scope().values.get(&(key.0, 0)).filter(|first| !first.forward).copied()
        {
            if first.value.is_none() {
                return self.placeholder(ty);
            }
            let error = Diagnostic::error("reference to invalid result number").at(name.span);
            return Err(self.report(error.note_at(first.span, "value defined here")));
        }
        let value = self.placeholder(ty)?;
        let known = Known { value: Some(value), span: name.span, forward: true };
        self.scope().values.insert(key, known);
        Ok(value)
    }

    /// The type of a name that is defined already.
    pub(crate) fn known_type(&mut self, name: &Unresolved) -> Option<Type> {
        let key = self.value_name(name);
        let value = self.scope().values.get(&key)?.value?;
        Some(self.body().ty(value))
    }

    fn placeholder(&mut self, ty: Type) -> Parsed<Value> {
        let Some(kind) = self.ctx.op_kind("builtin.unrealized_conversion_cast") else {
            return Err(self.error("more than 65,535 kinds of operations"));
        };
        let state = OpState::new(kind).results(&[ty]);
        let body = self.body();
        let op = body.create(&state, Point::Detached);
        Ok(body.op(op).result(0))
    }

    fn wrong_type(&self, name: &Unresolved, have: Type, wanted: Type, known: Known) -> super::ParseError {
        let print = |ty| crate::text::print_type(self.ctx, ty);
        let message = format!(
            "use of value '{}' expects different type than prior uses: '{}' vs '{}'",
            self.text_of(name.span),
            print(wanted),
            print(have)
        );
        let spelled = self.seen_types.iter().rev().find(|(ty, _)| *ty == wanted).map(|&(_, span)| span);
        let error = match spelled {
            Some(span) => Diagnostic::error(message).at(span).label(name.span, "used here"),
            None => Diagnostic::error(message).at(name.span),
        };
        self.report(error.note_at(known.span, "prior use here"))
    }

    /// Gives a name to a value.
    pub(crate) fn define(&mut self, name: &Unresolved, value: Value) -> Parsed<()> {
        let key = self.value_name(name);
        let known = Known { value: Some(value), span: name.span, forward: false };
        let before = self.scope().values.get(&key).copied();
        match before {
            None => {}
            Some(Known { value: Some(placeholder), span, forward: true }) => {
                let body = self.body();
                let (have, wanted) = (body.ty(value), body.ty(placeholder));
                let Some(op) = body.defining_op(placeholder) else { return Ok(()) };
                if have != wanted {
                    let print = |ty| crate::text::print_type(self.ctx, ty);
                    let message =
                        format!("definition of SSA value '{}#{}' has type '{}'", key.0, key.1, print(have));
                    let error = Diagnostic::error(message).at(name.span);
                    let note = format!("previously used here with type '{}'", print(wanted));
                    let _: super::ParseError = self.report(error.note_at(span, note));
                    // Later uses are judged by the definition.
                    self.body().set_type(placeholder, have);
                }
                self.body().replace(op, &[value]);
            }
            Some(Known { span, value: Some(_), .. }) => {
                let message = format!("redefinition of SSA value '{}'", self.text_of(name.span));
                let error = Diagnostic::error(message).at(name.span);
                return Err(self.report(error.note_at(span, "previously defined here")));
            }
            Some(_) => {}
        }
        let scope = self.scope();
        scope.values.insert(key, known);
        if let Some(names) = scope.defined.last_mut() {
            names.push(key);
        }
        Ok(())
    }

    /// Makes a name known whose operation could not be read, so that its uses are not reported too.
    pub(crate) fn poison(&mut self, name: &Unresolved) {
        let key = self.value_name(name);
        let scope = self.scope();
        let known = Known { value: None, span: name.span, forward: false };
        if let std::collections::hash_map::Entry::Vacant(entry) = scope.values.entry(key) {
            entry.insert(known);
        } else if let Some(entry) = scope.values.get_mut(&key).filter(|entry| entry.forward) {
            *entry = known;
        } else {
            return;
        }
        if let Some(names) = scope.defined.last_mut() {
            names.push(key);
        }
    }

    /// Opens a region for names.
    pub(crate) fn open_names(&mut self, isolated: bool) {
        if isolated {
            self.scopes.push(Scope::default());
        }
        self.scope().defined.push(Vec::new());
    }

    /// Closes a region for names. At the end of an isolated one every used name must be defined.
    pub(crate) fn close_names(&mut self, isolated: bool) {
        let scope = self.scope();
        if !isolated {
            for key in scope.defined.pop().unwrap_or_default() {
                scope.values.remove(&key);
            }
            return;
        }
        let Some(scope) = self.scopes.pop() else { return };
        let mut missing: Vec<_> = scope.values.iter().filter(|(_, known)| known.forward).collect();
        missing.sort_by_key(|(_, known)| known.span.start);
        let mut names: Vec<&str> =
            scope.values.iter().filter(|(_, known)| !known.forward).map(|(key, _)| key.0).collect();
        names.sort_unstable();
        for (key, known) in missing {
            let near = if names.len() <= 10_000 { nearest(key.0, names.iter().copied()) } else { None };
            let error = Diagnostic::error(format!("use of undeclared SSA value name '{}'", key.0));
            let _: super::ParseError = self.report(error.at(known.span).did_you_mean(near));
        }
    }

    /// A block by its name, defined or not.
    pub(crate) fn successor(&mut self) -> Parsed<Block> {
        if self.tok.kind != Tok::Caret {
            return Err(self.error("expected block name"));
        }
        let (name, span) = (self.spelling(), self.span());
        if self.blocks.is_empty() {
            return Err(self.error("a successor outside of a region"));
        }
        self.advance();
        if let Some(&(block, ..)) = self.blocks.last().and_then(|scope| scope.blocks.get(name)) {
            return Ok(block);
        }
        let block = self.body().new_detached_block();
        if let Some(scope) = self.blocks.last_mut() {
            scope.blocks.insert(name, (block, span, false));
        }
        Ok(block)
    }

    /// `{ ... }` with the given entry arguments, into an existing region of the current body.
    pub(crate) fn region_body(&mut self, region: Region, args: &[RegionArg], isolated: bool) -> Parsed<()> {
        self.expect("{")?;
        if args.is_empty() && self.eat("}") {
            return Ok(());
        }
        self.open_names(isolated);
        self.blocks.push(BlockScope::default());
        let result = self.deeper(|parser| parser.blocks_until_brace(region, args));
        self.close_blocks();
        self.close_names(isolated);
        result
    }

    fn close_blocks(&mut self) {
        let Some(scope) = self.blocks.pop() else { return };
        let mut missing: Vec<_> = scope.blocks.iter().filter(|(_, (_, _, defined))| !defined).collect();
        missing.sort_by_key(|(_, (_, span, _))| span.start);
        for (name, (_, span, _)) in missing {
            let defined = scope.blocks.iter().filter(|(_, (_, _, defined))| *defined).map(|(name, _)| *name);
            let error = Diagnostic::error(format!("reference to an undefined block '{name}'")).at(*span);
            let _: super::ParseError = self.report(error.did_you_mean(nearest(name, defined)));
        }
    }

    fn blocks_until_brace(&mut self, region: Region, args: &[RegionArg]) -> Parsed<()> {
        if self.tok.kind == Tok::Caret {
            if !args.is_empty() {
                return Err(self.error("invalid block name in region with named arguments"));
            }
        } else {
            let block = self.body().add_block(region, &[]);
            for arg in args {
                let (loc, _) =
                    self.arg_extras.get(&arg.name.span.start).copied().unwrap_or((Loc::UNKNOWN, Attr::EMPTY));
                let value = self.body().add_arg(block, arg.ty, loc);
                self.define(&arg.name, value)?;
            }
            self.operations(block)?;
        }
        while self.tok.kind == Tok::Caret {
            let block = self.block_header(region)?;
            self.operations(block)?;
        }
        self.expect("}")
    }

    fn block_header(&mut self, region: Region) -> Parsed<Block> {
        let (name, span) = (self.spelling(), self.span());
        self.advance();
        let known = self.blocks.last().and_then(|scope| scope.blocks.get(name)).copied();
        let block = match known {
            Some((_, first, true)) => {
                let error = Diagnostic::error(format!("redefinition of block '{name}'")).at(span);
                let _: super::ParseError = self.report(error.note_at(first, "previously defined here"));
                self.body().new_detached_block()
            }
            Some((block, ..)) => block,
            None => self.body().new_detached_block(),
        };
        self.body().attach_block(region, block);
        if let Some(scope) = self.blocks.last_mut() {
            scope.blocks.insert(name, (block, span, true));
        }
        if self.eat("(") {
            self.list_until(")", |parser| {
                let loc = parser.here();
                let name = parser.operand()?;
                parser.expect(":")?;
                let ty = parser.ty()?;
                let loc = parser.optional_loc()?.unwrap_or(loc);
                let value = parser.body().add_arg(block, ty, loc);
                parser.define(&name, value)
            })?;
        }
        self.expect(":")?;
        Ok(block)
    }

    /// Operations up to a `}`, a block name, or the end of the file. One that fails is skipped.
    pub(crate) fn operations(&mut self, block: Block) -> Parsed<()> {
        loop {
            match self.tok.kind {
                Tok::Eof | Tok::Caret => return Ok(()),
                Tok::Punct if self.is("}") => return Ok(()),
                _ => {}
            }
            let start = self.tok.start;
            let line = self.lexer_line();
            if self.operation(Point::End(block)).is_err() {
                if self.too_many_errors() {
                    return Err(super::ParseError);
                }
                self.recover(start, line);
            }
        }
    }
}
