//! Parsing of values, blocks and regions.

use super::names::{Key, NamedValue, Scope};
use super::{Parsed, Parser, Tok};
use crate::text::op_parser::{RegionArg, Unresolved};
use crate::{Attr, Block, InsertionPoint, Loc, OpState, Region, Type, Value};
use minoan_diag::{Diagnostic, Span, nearest};
use rustc_hash::FxHashMap;

/// The blocks of an open region.
#[derive(Default)]
pub(crate) struct BlockScope<'c> {
    blocks: FxHashMap<&'c str, (Block, Span, bool)>,
    /// The start of its text.
    pub(super) open: u32,
}

/// The kind of value that a name is defined for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// A result or block argument, which may have been used before.
    Value,
    /// An argument of a region whose names precede it.
    EntryArgument,
}

impl<'c> Parser<'c> {
    pub(super) fn scope(&mut self) -> &mut Scope<'c> {
        self.scopes.last_mut().expect("there is a scope while operations are read")
    }

    #[inline]
    pub(super) fn key(&self, name: &Unresolved) -> Key {
        Key::at(self.text, name.span.start, name.name_end, name.number)
    }

    /// Parses `%name` or `%name#1`.
    pub(crate) fn operand(&mut self) -> Parsed<Unresolved> {
        if self.tok.kind != Tok::Percent {
            return Err(self.no_operand());
        }
        let mut span = self.span();
        let name_end = span.end;
        self.advance();
        let mut number = 0;
        if self.tok.kind == Tok::Hash {
            number = match self.spelling()[1..].parse() {
                Ok(number) => number,
                Err(_) => return Err(self.error("invalid SSA value result number")),
            };
            span.end = self.tok.end;
            self.advance();
        }
        let name = Unresolved { span, name_end, number };
        self.record_use(&name);
        Ok(name)
    }

    /// Resolves a name to a value. An undefined name gets a placeholder of the given type.
    pub(crate) fn resolve(&mut self, name: &Unresolved, ty: Type) -> Parsed<Value> {
        let key = self.key(name);
        let (scope, body) = (self.scopes.last(), self.bodies.last());
        if let (Some(scope), Some(body)) = (scope, body)
            && let Some(known) = scope.get(key)
        {
            let Some(value) = known.value else { return self.placeholder(ty) };
            let have = body.ty(value);
            if have != ty {
                return Err(self.wrong_type(name, have, ty, *known));
            }
            return Ok(value);
        }
        self.resolve_unknown(name, key, ty)
    }

    /// The value of the name in a byte range, if it is defined and of this type.
    #[inline]
    pub(crate) fn value_of_type(&self, start: u32, end: u32, ty: Type) -> Option<Value> {
        let value = self.scopes.last()?.get(Key::at(self.text, start, end, 0))?.value?;
        (self.bodies.last()?.ty(value) == ty).then_some(value)
    }

    /// Creates a placeholder for an unknown name.
    #[inline(never)]
    fn resolve_unknown(&mut self, name: &Unresolved, key: Key, ty: Type) -> Parsed<Value> {
        if name.number > 0
            && let Some(first) = self.scope().first(key).filter(|first| !first.forward).copied()
        {
            if first.value.is_none() {
                return self.placeholder(ty);
            }
            let error = Diagnostic::error("reference to invalid result number").at(name.span);
            return Err(self.report(error.note_at(first.span, "value defined here")));
        }
        let value = self.placeholder(ty)?;
        self.scope().insert(key, NamedValue { value: Some(value), span: name.span, forward: true });
        Ok(value)
    }

    /// The type of a name that is already defined.
    pub(crate) fn known_type(&mut self, name: &Unresolved) -> Option<Type> {
        let key = self.key(name);
        let value = self.scope().get(key)?.value?;
        Some(self.body().ty(value))
    }

    #[cold]
    fn placeholder(&mut self, ty: Type) -> Parsed<Value> {
        let Some(kind) = self.ctx.op_kind("builtin.unrealized_conversion_cast") else {
            return Err(self.error("more than 65,535 kinds of operations"));
        };
        let state = OpState::new(kind).results(&[ty]);
        let body = self.body();
        let op = body.create(&state, InsertionPoint::Detached);
        Ok(body.op(op).result(0))
    }

    #[cold]
    fn wrong_type(
        &self,
        name: &Unresolved,
        have: Type,
        wanted: Type,
        known: NamedValue,
    ) -> super::ParseError {
        let print = |ty| crate::text::print_type(self.ctx, ty);
        let message = format!(
            "use of value '{}' expects different type than prior uses: '{}' vs '{}'",
            self.text_of(name.span),
            print(wanted),
            print(have)
        );
        let spelled = self.seen_types.iter().rev().find(|(ty, _)| *ty == wanted).map(|&(_, span)| span);
        let error = match spelled {
            Some(span) => Diagnostic::error(message).at(name.span).label(span, "this type"),
            None => Diagnostic::error(message).at(name.span),
        };
        self.report(error.note_at(known.span, "prior use here"))
    }

    /// Defines a name.
    #[inline]
    pub(crate) fn define(&mut self, name: &Unresolved, value: Value) -> Parsed<()> {
        self.define_as(name, value, Naming::Value)
    }

    #[inline]
    fn define_as(&mut self, name: &Unresolved, value: Value, naming: Naming) -> Parsed<()> {
        let key = self.key(name);
        if self.scope().is_inside_names() {
            self.check_enclosing(name, naming)?;
        }
        let known = NamedValue { value: Some(value), span: name.span, forward: false };
        let before = self.scope().define(key, known);
        if self.is_recording() {
            let forward = before.filter(|before| before.forward).map(|before| before.span);
            self.record_value(name, Some(value), forward);
        }
        match before {
            None => Ok(()),
            Some(before) => self.define_again(name, value, before, naming),
        }
    }

    /// Checks that a name is not that of a value which an enclosing isolated region has defined before, although such values
    /// cannot be used.
    #[inline(never)]
    fn check_enclosing(&self, name: &Unresolved, naming: Naming) -> Parsed<()> {
        let key = self.key(name);
        let outer = &self.scopes[..self.scopes.len() - 1];
        let Some(known) = outer.iter().rev().find_map(|scope| scope.get(key)) else { return Ok(()) };
        let is_taken = known.value.is_some() && (!known.forward || naming == Naming::EntryArgument);
        if is_taken { Err(self.taken(name, known.span, naming)) } else { Ok(()) }
    }

    #[cold]
    fn taken(&self, name: &Unresolved, before: Span, naming: Naming) -> super::ParseError {
        let text = self.text_of(name.span);
        let (message, note) = match naming {
            Naming::Value => (format!("redefinition of SSA value '{text}'"), "previously defined here"),
            Naming::EntryArgument => {
                let message = format!("region entry argument '{text}' is already in use");
                (message, "previously referenced here")
            }
        };
        self.report(Diagnostic::error(message).at(name.span).note_at(before, note))
    }

    /// Defines a name that was used before, or reports a redefinition.
    #[inline(never)]
    fn define_again(
        &mut self,
        name: &Unresolved,
        value: Value,
        before: NamedValue,
        naming: Naming,
    ) -> Parsed<()> {
        match before {
            NamedValue { value: Some(placeholder), span, forward: true } if naming == Naming::Value => {
                let body = self.body();
                let (have, wanted) = (body.ty(value), body.ty(placeholder));
                let Some(op) = body.defining_op(placeholder) else { return Ok(()) };
                if have != wanted {
                    let print = |ty| crate::text::print_type(self.ctx, ty);
                    let text = self.text_of(Span { end: name.name_end, ..name.span });
                    let message = format!(
                        "definition of SSA value '{text}#{}' has type '{}'",
                        name.number,
                        print(have)
                    );
                    let error = Diagnostic::error(message).at(name.span);
                    let note = format!("previously used here with type '{}'", print(wanted));
                    let _: super::ParseError = self.report(error.note_at(span, note));
                    // Later uses are checked against the definition.
                    self.body().set_type(placeholder, have);
                }
                self.body().replace(op, &[value]);
            }
            NamedValue { span, value: Some(_), .. } => return Err(self.taken(name, span, naming)),
            NamedValue { value: None, .. } => {}
        }
        Ok(())
    }

    /// Registers a name whose operation could not be parsed, so that its uses are not reported.
    pub(crate) fn poison(&mut self, name: &Unresolved) {
        let key = self.key(name);
        let before = self.scope().get(key).filter(|before| before.forward).map(|before| before.span);
        self.record_value(name, None, before);
        self.scope().poison(key, name.span);
    }

    /// Opens a region of names.
    pub(crate) fn open_names(&mut self, isolated: bool) {
        if isolated {
            let mut scope = self.spare_scopes.pop().unwrap_or_else(|| Scope::new(self.text));
            scope.inside(self.scopes.last());
            self.scopes.push(scope);
        }
        self.scope().open_region();
    }

    /// Closes a region of names. At the end of an isolated one, every used name must be defined.
    pub(crate) fn close_names(&mut self, isolated: bool) {
        if !isolated {
            self.scope().close_region();
            return;
        }
        if let Some(scope) = self.scopes.pop() {
            self.close_scope(scope);
        }
    }

    #[inline(never)]
    fn close_scope(&mut self, mut scope: Scope<'c>) {
        let missing = scope.undeclared();
        if !missing.is_empty() {
            let names = scope.declared();
            for (name, span) in missing {
                if self.too_many_errors() {
                    break;
                }
                let _: super::ParseError = self.undeclared(name, span, &scope, &names);
            }
        }
        if scope.recycle() {
            self.spare_scopes.push(scope);
        }
    }

    /// A block by its name, defined or not.
    pub(crate) fn successor(&mut self) -> Parsed<Block> {
        if self.tok.kind != Tok::Caret {
            return Err(self.no_block_name());
        }
        let (name, span) = (self.spelling(), self.span());
        self.record_successor(name, span);
        if self.blocks.is_empty() {
            return Err(self.error("reference to an undefined block"));
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

    /// Parses `{ ... }` with the given entry arguments into an existing region of the current body.
    pub(crate) fn region_body(&mut self, region: Region, args: &[RegionArg], isolated: bool) -> Parsed<()> {
        let open = self.tok.start;
        self.expect_or("{", "expected '{' to begin a region")?;
        if args.is_empty() && self.eat("}") {
            return Ok(());
        }
        self.open_blocks(open);
        self.open_names(isolated);
        self.record_region_start();
        let result = self.deeper(|parser| parser.blocks_until_brace(region, args));
        self.record_region_end();
        self.close_blocks();
        self.close_names(isolated);
        result
    }

    #[inline(never)]
    fn open_blocks(&mut self, open: u32) {
        self.blocks.push(BlockScope { open, ..BlockScope::default() });
    }

    #[inline(never)]
    fn close_blocks(&mut self) {
        let Some(scope) = self.blocks.pop() else { return };
        if scope.blocks.values().any(|(_, _, defined)| !defined) {
            self.undefined_blocks(&scope);
        }
    }

    #[inline(never)]
    fn undefined_blocks(&self, scope: &BlockScope<'_>) {
        let mut missing: Vec<_> = scope.blocks.iter().filter(|(_, (_, _, defined))| !defined).collect();
        missing.sort_by_key(|(_, (_, span, _))| span.start);
        let defined = scope.blocks.iter().filter(|(_, (_, _, defined))| *defined);
        let mut defined: Vec<&str> = defined.map(|(name, _)| *name).collect();
        defined.sort_unstable();
        for (name, (_, span, _)) in missing {
            if self.too_many_errors() {
                break;
            }
            let defined = defined.iter().copied();
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
            if !args.is_empty() {
                self.entry_args(block, args)?;
            }
            self.operations(block)?;
        }
        while self.tok.kind == Tok::Caret {
            let block = self.block_header(region)?;
            self.operations(block)?;
        }
        if self.eat("}") {
            return Ok(());
        }
        Err(self.unclosed_region(self.blocks.last().map_or(0, |scope| scope.open)))
    }

    #[inline(never)]
    fn entry_args(&mut self, block: Block, args: &[RegionArg]) -> Parsed<()> {
        let mut at = None;
        for arg in args {
            let start = arg.name.span.start;
            let here = self.loc_before(start, &mut at);
            let (loc, _) = self.arg_extras.get(&start).copied().unwrap_or((here, Attr::EMPTY));
            let value = self.body().add_arg(block, arg.ty, loc);
            self.define_as(&arg.name, value, Naming::EntryArgument)?;
        }
        Ok(())
    }

    /// The location of an earlier byte. `at` caches the last queried position with its line and line start, so that
    /// positions in text order are found in one pass.
    fn loc_before(&self, pos: u32, at: &mut Option<(u32, u32, u32)>) -> Loc {
        let part = |from: u32, to: u32| &self.text[from as usize..to as usize];
        let lines = |from: u32, to: u32| part(from, to).matches('\n').count() as u32;
        let (line, line_start) = match *at {
            Some((before, line, line_start)) if before <= pos => {
                let last = part(before, pos).rfind('\n').map(|end| before + end as u32 + 1);
                (line + lines(before, pos), last.unwrap_or(line_start))
            }
            _ => {
                let line = self.lexer.line.saturating_sub(lines(pos, self.lexer.line_start.max(pos)));
                (line, part(0, pos).rfind('\n').map_or(0, |end| end as u32 + 1))
            }
        };
        *at = Some((pos, line, line_start));
        Loc::in_file(self.ctx, self.file_handle, line, pos - line_start + 1)
    }

    #[inline(never)]
    fn block_header(&mut self, region: Region) -> Parsed<Block> {
        let (name, span) = (self.spelling(), self.span());
        self.record_block(name, span);
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
            self.list_until(")", "expected ')'", |parser| {
                let loc = parser.here();
                let name = parser.operand()?;
                parser.expect_or(":", "expected ':' and type for SSA operand")?;
                let ty = parser.ty()?;
                let loc = parser.optional_loc()?.unwrap_or(loc);
                let value = parser.body().add_arg(block, ty, loc);
                parser.define(&name, value)
            })?;
        }
        self.expect_or(":", "expected ':' after block name")?;
        Ok(block)
    }

    /// Parses operations up to a `}`, a block name, or the end of the file. Skips operations with errors.
    pub(crate) fn operations(&mut self, block: Block) -> Parsed<()> {
        // The part parsed in parallel is followed by the end of the block.
        self.operations_in_parallel(block);
        loop {
            match self.tok.kind {
                Tok::Eof | Tok::Caret => return Ok(()),
                Tok::Punct if self.is("}") => return Ok(()),
                _ => {}
            }
            let start = self.tok.start;
            let line = self.lexer_line();
            if self.operation(InsertionPoint::End(block)).is_err() {
                if self.too_many_errors() {
                    return Err(super::ParseError);
                }
                self.recover(start, line);
            }
        }
    }
}
