//! Parsing of a source file: the module, and the recovery from errors.

use super::{ParseError, ParseOptions, Parsed, Parser, Tok};
use crate::body::OpParts;
use crate::verify::verify_body;
use crate::{Attr, Block, Body, InsertionPoint, Module, Op, OpState, Traits};
use minoan_diag::Span;

impl Parser<'_> {
    /// Parses the whole file.
    pub(super) fn module(&mut self, options: &ParseOptions) -> Parsed<Module> {
        let mut holder = Body::new(self.ctx, 1);
        let root = holder.root(0);
        let block = holder.add_block(root, &[]);
        self.bodies.push(holder);
        self.open_names(true);
        let result = self.top_level(block);
        self.close_names(true);
        let mut holder = self.bodies.pop().expect("pushed above");
        result?;
        let ops: Vec<Op> = holder.block(block).ops().collect();
        match ops[..] {
            [op] if options.no_implicit_module || holder.op(op).name() == "builtin.module" => {
                return Ok(Module::from_holder(holder, op));
            }
            _ if options.no_implicit_module => {
                // Report the errors of the operations instead, as upstream does.
                if let (false, Err(found)) = (options.unverified, verify_body(&holder)) {
                    for diagnostic in found {
                        self.report(diagnostic);
                    }
                    return Err(ParseError);
                }
                let message =
                    format!("source must contain a single top-level operation, found: {}", ops.len());
                return Err(self.error_at(Span { start: 0, end: 0, ..self.span() }, message));
            }
            _ => {}
        }
        let mut state = OpState::named(self.ctx, "builtin.module").loc(self.file_loc());
        if self.ctx.info(state.kind).is_some_and(|info| info.traits.has(Traits::ISOLATED)) {
            let mut outer = Body::new(self.ctx, 1);
            let root = outer.root(0);
            let block = outer.add_block(root, &[]);
            let parts = OpParts {
                kind: state.kind,
                loc: state.loc,
                operands: &[],
                results: &[],
                props: Attr::EMPTY,
                attrs: Attr::EMPTY,
                successors: &[],
                regions: &[],
                nested: Some(Box::new(holder)),
            };
            let op = outer.create_from_parts(parts, InsertionPoint::End(block));
            return Ok(Module::from_holder(outer, op));
        }
        state.regions = 1;
        let module = holder.create(&state, InsertionPoint::End(block));
        let region = holder.op(module).region(0);
        let inner = holder.add_block(region, &[]);
        for op in ops {
            holder
                .try_move_op(op, InsertionPoint::End(inner))
                .map_err(|error| self.error(error.to_string()))?;
        }
        Ok(Module::from_holder(holder, module))
    }

    fn top_level(&mut self, block: Block) -> Parsed<()> {
        loop {
            let (start, line) = (self.tok.start, self.lexer_line());
            let result = match self.tok.kind {
                Tok::Eof => return Ok(()),
                Tok::Hash | Tok::Bang => self.alias_definition(),
                Tok::Punct if self.is("{-#") => self.resource_sections(),
                Tok::Punct | Tok::Caret => Err(self.no_operation()),
                _ => self.operation(InsertionPoint::End(block)),
            };
            if result.is_err() {
                if self.too_many_errors() {
                    return Err(super::ParseError);
                }
                self.recover(start, line);
                // There is no open scope here, so a brace or block name is invalid.
                while self.is("}") || self.tok.kind == Tok::Caret {
                    self.advance();
                }
            }
        }
    }

    /// Skips to the next line that can begin an operation, or to the brace that closes the region.
    pub(super) fn recover(&mut self, start: u32, line: (u32, u32)) {
        if self.tok.kind == Tok::Eof {
            // The text ends here. Searching again from each truncated operation would be quadratic.
            return;
        }
        let failed_at = self.tok.start.max(start + 1);
        // Count brackets from the start of the failed operation.
        self.lexer.jump(line.1, line.0);
        self.lexer.reset(start);
        self.advance();
        let mut open = 0u32;
        loop {
            match self.tok.kind {
                Tok::Eof => return,
                Tok::Punct => match self.spelling() {
                    "{" | "(" | "[" => open += 1,
                    "}" if open == 0 => return,
                    "}" | ")" | "]" => open = open.saturating_sub(1),
                    _ => {}
                },
                Tok::Percent | Tok::String | Tok::Word | Tok::Caret
                    if open == 0 && self.tok.start >= failed_at && self.at_line_start() =>
                {
                    return;
                }
                Tok::Hash | Tok::Bang
                    if open == 0
                        && self.tok.start >= failed_at
                        && self.lexer.line_start == self.tok.start =>
                {
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    pub(super) fn lexer_line(&self) -> (u32, u32) {
        (self.lexer.line, self.lexer.line_start)
    }
}
