//! The generic form of operations.

use super::properties::Properties;
use super::{OpBuild, Parsed, Parser};
use crate::text::lexer::Tok;
use crate::text::op_parser::Unresolved;
use crate::{InsertionPoint, Op, Traits};
use minoan_diag::{Diagnostic, Span, nearest};
use smallvec::SmallVec;

impl Parser<'_> {
    #[inline(never)]
    pub(super) fn generic_operation(&mut self, point: InsertionPoint) -> Parsed<Op> {
        let mut operands = SmallVec::new();
        let (mut build, properties) = self.generic_head(&mut operands)?;
        if self.eat("(") {
            self.list(|parser| parser.op_region(&mut build, &[]))?;
            self.expect_or(")", "expected ')' to end region list")?;
        }
        self.generic_tail(&mut build, &operands, properties)?;
        let op = self.finish(&mut build, point);
        self.keep_build(build);
        op
    }

    /// Parses the part of a generic form before the regions.
    #[inline(never)]
    fn generic_head(
        &mut self,
        operands: &mut SmallVec<[Unresolved; 4]>,
    ) -> Parsed<(Box<OpBuild>, Option<Properties>)> {
        let (loc, span) = (self.here(), self.span());
        let name = self.string_name()?;
        if name.is_empty() {
            return Err(self.error_at(span, "empty operation name is invalid"));
        }
        if name.contains('\0') {
            return Err(self.error_at(span, "null character not allowed in operation name"));
        }
        self.check_registered(&name, span)?;
        let Some(kind) = self.ctx.op_kind(&name) else {
            return Err(self.error_at(span, "more than 65,535 kinds of operations"));
        };
        self.record_op(kind, span);
        let mut build = self.new_build(kind, loc, span);
        self.expect_or("(", "expected '(' to start operand list")?;
        if self.tok.kind == Tok::Percent {
            self.list(|parser| {
                operands.push(parser.operand()?);
                Ok(())
            })?;
        }
        self.expect_or(")", "expected ')' to end operand list")?;
        if self.is("[") {
            if self.ctx.info(kind).is_some_and(|info| !info.traits.has(Traits::TERMINATOR)) {
                return Err(self.error("successors in non-terminator"));
            }
            self.advance();
            if self.is("]") {
                return Err(self.error_wrong_token("expected list element"));
            }
            self.list_until("]", "expected ',' or ']'", |parser| {
                build.successors.push(parser.successor()?);
                Ok(())
            })?;
        }
        let properties = self.properties()?;
        Ok((build, properties))
    }

    /// Parses the part of a generic form after the regions.
    #[inline(never)]
    fn generic_tail(
        &mut self,
        build: &mut OpBuild,
        operands: &[Unresolved],
        properties: Option<Properties>,
    ) -> Parsed<()> {
        if self.is("{") {
            let attrs = self.dictionary()?;
            build.set_attrs(self.ctx, attrs);
        }
        if !self.is(":") {
            return Err(self.error_wrong_token("expected ':' followed by operation type"));
        }
        self.advance();
        let type_span = self.span();
        let inputs = match self.is("(") {
            true => self.paren_types()?,
            false if self.at_type() => return Err(self.error("expected function type")),
            false => return Err(self.no_type()),
        };
        self.expect_or("->", "expected '->' in function type")?;
        build.results.extend(self.result_types()?);
        if inputs.len() != operands.len() {
            let plural = if operands.len() == 1 { "" } else { "s" };
            let message =
                format!("expected {} operand type{plural} but had {}", operands.len(), inputs.len());
            return Err(self.error_at(self.span_from(type_span.start), message));
        }
        for (name, ty) in operands.iter().zip(inputs) {
            build.operands.push(self.resolve(name, ty)?);
        }
        self.set_properties(build, properties)
    }

    fn check_registered(&self, name: &str, span: Span) -> Parsed<()> {
        if self.ctx.registered_kind(name).is_some() {
            return Ok(());
        }
        // A name without a dot is of no dialect.
        let dialect = name.split_once('.').map_or("", |(dialect, _)| dialect);
        if self.ctx.dialect(dialect).is_some() {
            let kinds: Vec<_> = self.ctx.dialect(dialect).map_or(&[][..], |dialect| dialect.ops()).to_vec();
            let near = nearest(name, kinds.iter().map(|&kind| self.ctx.kind_name(kind)));
            let message = format!(
                "unregistered operation '{name}' found in dialect ('{dialect}') that does not allow unknown operations"
            );
            return Err(self.report(Diagnostic::error(message).at(span).did_you_mean(near)));
        }
        if self.compiled && !self.allows_unregistered() && name != "builtin.module" {
            return Err(self.not_loaded(&format!("operation '{name}'"), dialect, span));
        }
        if !self.allows_unregistered() && name != "builtin.module" {
            let message = "operation being parsed with an unregistered dialect. If this is intended, please use \
                           -allow-unregistered-dialect with the MLIR tool used";
            let near = nearest(dialect, self.ctx.dialects().iter().map(|dialect| dialect.name()));
            let help = near.map(|near| format!("there is no dialect '{dialect}'; did you mean '{near}'?"));
            let error = Diagnostic::error(message);
            return Err(self.report_here(help.into_iter().fold(error, Diagnostic::help)));
        }
        Ok(())
    }
}
