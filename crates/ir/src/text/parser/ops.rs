//! Parsing of operations: results, custom forms, and regions.

use super::types::is_integer_type;
use super::{OpBuild, Parsed, Parser, Tok, default_dialect, short};
use crate::body::OpParts;
use crate::text::op_parser::{OpParser, RegionArg, Unresolved};
use crate::{Assembly, Body, InsertionPoint, Loc, Op, OpKind, OpState, Region, Traits};
use minoan_diag::{Diagnostic, Span, nearest};
use smallvec::SmallVec;

impl<'c> Parser<'c> {
    /// Parses an operation with its result names and its location.
    pub(crate) fn operation(&mut self, point: InsertionPoint) -> Parsed<()> {
        self.seen_types.clear();
        self.spelled_out = 0;
        let mut names: SmallVec<[(Unresolved, u32); 1]> = SmallVec::new();
        let result = self.operation_named(point, &mut names);
        if result.is_err() {
            for (name, _) in &names {
                self.poison(name);
            }
        }
        result
    }

    /// The name of a single result, if written as by a printer, and the start of the operation after it.
    #[inline]
    fn result_name(&self) -> Option<(Unresolved, u32)> {
        let span = self.span();
        let behind = short::head(self.text.as_bytes(), span.end, span.end + 3);
        let name = Unresolved { span, name_end: span.end, number: 0 };
        (behind == short::number(b" = ")).then_some((name, span.end + 3))
    }

    /// Parses result names and the following `=`.
    fn result_names(&mut self, names: &mut SmallVec<[(Unresolved, u32); 1]>) -> Parsed<()> {
        loop {
            if self.tok.kind != Tok::Percent {
                return Err(self.error_wrong_token("expected valid ssa identifier"));
            }
            let span = self.span();
            self.advance();
            let mut count = 1;
            if self.eat(":") {
                count = match self.spelling().parse() {
                    Ok(count) if self.tok.kind == Tok::Integer && count > 0 => count,
                    Ok(0) => return Err(self.error("expected named operation to have at least 1 result")),
                    _ => return Err(self.error_wrong_token("expected integer number of results")),
                };
                self.advance();
            }
            names.push((Unresolved { span, name_end: span.end, number: 0 }, count));
            if !self.eat(",") {
                return self.expect_or("=", "expected '=' after SSA name");
            }
        }
    }

    fn operation_named(
        &mut self,
        point: InsertionPoint,
        names: &mut SmallVec<[(Unresolved, u32); 1]>,
    ) -> Parsed<()> {
        if self.tok.kind == Tok::Percent {
            match self.result_name() {
                Some((name, start)) => {
                    if let Some(op) = self.operation_like_before(start, point) {
                        return self.define_results(op, name, names);
                    }
                    names.push((name, 1));
                    self.reset(start);
                }
                None => self.result_names(names)?,
            }
        } else if self.tok.kind == Tok::Word && self.operation_like_before(self.tok.start, point).is_some() {
            return Ok(());
        }
        let op = match self.tok.kind {
            Tok::String => self.generic_operation(point)?,
            Tok::Word => self.custom_operation(point)?,
            _ => return Err(self.no_operation()),
        };
        match names[..] {
            [] => Ok(()),
            [(name, 1)] => self.define_results(op, name, names),
            _ => self.define_several(names, op),
        }
    }

    /// Names the only result of an operation; reports an error if it is not the only one.
    #[inline]
    fn define_results(
        &mut self,
        op: Op,
        name: Unresolved,
        names: &mut SmallVec<[(Unresolved, u32); 1]>,
    ) -> Parsed<()> {
        let view = self.body().op(op);
        if view.n_results() == 1 {
            let value = view.result(0);
            return self.define(&name, value);
        }
        *names = SmallVec::from_buf([(name, 1)]);
        self.define_several(names, op)
    }

    /// Names the results of an operation.
    #[inline(never)]
    fn define_several(&mut self, names: &[(Unresolved, u32)], op: Op) -> Parsed<()> {
        let n_results = self.body().op(op).n_results();
        let expected: u64 = names.iter().map(|&(_, count)| u64::from(count)).sum();
        let span = Span { end: names[names.len() - 1].0.span.end, ..names[0].0.span };
        if n_results == 0 {
            return Err(self.error_at(span, "cannot name an operation with no results"));
        }
        if expected != n_results as u64 {
            let message =
                format!("operation defines {n_results} results but was provided {expected} to bind");
            return Err(self.error_at(span, message));
        }
        let mut result = 0;
        for &(name, count) in names {
            for number in 0..count {
                let value = self.body().op(op).result(result);
                result += 1;
                self.define(&Unresolved { number, ..name }, value)?;
            }
        }
        Ok(())
    }

    /// Creates the parsed operation; a location may follow.
    #[inline(never)]
    pub(super) fn finish(&mut self, build: &mut OpBuild, point: InsertionPoint) -> Parsed<Op> {
        let ctx = self.ctx;
        let props = match build.default_props {
            Some(props) => props,
            None => {
                build.fill_defaults(ctx);
                self.recent.dictionary(ctx, &build.props)
            }
        };
        if build.operands.len() > usize::from(u16::MAX) || build.results.len() > usize::from(u16::MAX) {
            return Err(self.error_at(build.span, "an operation has at most 65,535 operands and results"));
        }
        // A definition in a region replaced a forward reference, but is not visible to the operation itself.
        if !build.regions.is_empty() {
            let body = self.body();
            if let Some(index) = build.operands.iter().position(|&operand| !body.contains_value(operand)) {
                let message = format!("operand #{index} is defined inside the operation that uses it");
                return Err(self.error_at(build.span, message));
            }
        }
        let loc = self.optional_loc()?.unwrap_or(build.loc);
        let mut nested = build.nested.take();
        if self.is_recording() {
            let ty = build.get_attr(ctx.names().function_type).and_then(|attr| attr.as_type(ctx));
            let has_blocks = nested.as_deref().is_some_and(|body| {
                let mut regions = body.regions();
                regions.any(|region| !body.region(region).is_empty())
            });
            let has_blocks = has_blocks || !build.regions.is_empty();
            self.record_finished(build.kind, build.span, has_blocks, ty);
        }
        if nested.is_none() && ctx.info(build.kind).is_some_and(|info| info.traits.has(Traits::ISOLATED)) {
            nested = Some(Box::new(Body::new(ctx, 0)));
        }
        let parts = OpParts {
            kind: build.kind,
            loc,
            operands: &build.operands,
            results: &build.results,
            props,
            attrs: self.recent.dictionary(ctx, &build.attrs),
            successors: &build.successors,
            regions: &build.regions,
            nested,
        };
        Ok(self.body().create_from_parts(parts, point))
    }

    /// Parses the next region of an operation.
    pub(crate) fn op_region(&mut self, build: &mut OpBuild, args: &[RegionArg]) -> Parsed<()> {
        let info = build.info(self.ctx);
        let isolated = info.is_some_and(|info| info.traits.has(Traits::ISOLATED));
        let dialect = match info.and_then(|info| info.spec.map(|spec| (info, spec))) {
            Some((info, spec)) => default_dialect(info, spec.name),
            None => "",
        };
        self.default_dialects.push(dialect);
        let outer = self.record_table(build.kind, build.span.start);
        let result = if isolated {
            // The first region is parsed into a body with spare capacity, which is kept for the next operation.
            let first = build.nested.is_none();
            let region = self.open_body(build.nested.take());
            let result = self.region_body(region, args, true);
            build.nested = Some(self.close_body(first));
            result
        } else {
            let region = self.body().new_detached_region();
            build.regions.push(region);
            self.region_body(region, args, false)
        };
        self.restore_table(outer);
        self.default_dialects.pop();
        result
    }

    /// Opens a body, a spare one by default, with a new region. Not inlined, since bodies are large to move and would
    /// take stack space at each level of nesting.
    #[inline(never)]
    fn open_body(&mut self, kept: Option<Box<Body>>) -> Region {
        let mut body = match kept {
            Some(body) => *body,
            None => self.spare_bodies.pop().unwrap_or_else(|| Body::new(self.ctx, 0)),
        };
        let region = body.push_root();
        self.bodies.push(body);
        region
    }

    /// Closes the current body; if `exact`, moves its contents to a body without spare capacity and keeps it.
    #[inline(never)]
    fn close_body(&mut self, exact: bool) -> Box<Body> {
        let mut body = self.bodies.pop().expect("opened before");
        if !exact {
            return Box::new(body);
        }
        let kept = Box::new(body.take_exact());
        self.spare_bodies.push(body);
        kept
    }

    /// Appends a region without blocks.
    pub(crate) fn empty_region(&mut self, build: &mut OpBuild) {
        if build.info(self.ctx).is_some_and(|info| info.traits.has(Traits::ISOLATED)) {
            let body = build.nested.get_or_insert_with(|| Box::new(Body::new(self.ctx, 0)));
            body.push_root();
        } else {
            let region = self.body().new_detached_region();
            build.regions.push(region);
        }
    }

    /// Adds the implicit block and terminator of the last region.
    #[inline(never)]
    pub(crate) fn complete_region(&mut self, build: &mut OpBuild) {
        let Some((info, spec)) = build.info(self.ctx).and_then(|info| Some((info, info.spec?))) else {
            return;
        };
        let implicit = info.traits.has(Traits::IMPLICIT_TERMINATOR);
        if !implicit && !info.traits.has(Traits::SINGLE_BLOCK) {
            return;
        }
        let ctx = self.ctx;
        let (body, region) = match &mut build.nested {
            Some(body) => {
                let Some(region) = body.regions().last() else { return };
                (&mut **body, region)
            }
            None => {
                let Some(&region) = build.regions.last() else { return };
                (self.body(), region)
            }
        };
        let last = body.region(region).blocks().next_back();
        let block = match last {
            Some(block) => block,
            None => body.add_block(region, &[]),
        };
        // An unknown operation may be a terminator, but MLIR does not treat it as this one.
        let ends = body.block(block).last().is_some_and(|op| body.op(op).has_trait(Traits::TERMINATOR));
        let terminator = spec.terminator.filter(|_| implicit && !ends);
        if let Some(kind) = terminator.and_then(|name| ctx.op_kind(name)) {
            // Its own regions are as empty as permitted.
            let spec = ctx.info(kind).and_then(|info| info.spec);
            let regions = spec.into_iter().flat_map(|spec| spec.regions).filter(|region| !region.variadic);
            let regions: Vec<_> = regions.collect();
            let state = OpState::new(kind).loc(build.loc).regions(regions.len());
            let op = body.create(&state, InsertionPoint::End(block));
            for (index, _) in regions.iter().enumerate().filter(|(_, region)| region.non_empty) {
                let region = body.op(op).region(index);
                body.add_block(region, &[]);
            }
        }
    }

    /// Keeps storage for the next operations, except for what deep nesting needed.
    pub(super) fn keep_build(&mut self, build: Box<OpBuild>) {
        const KEPT: usize = 64;
        if self.spare_builds.len() < KEPT {
            self.spare_builds.push(build);
        }
    }

    pub(super) fn new_build(&mut self, kind: OpKind, loc: Loc, span: Span) -> Box<OpBuild> {
        match self.spare_builds.pop() {
            Some(mut build) => {
                build.reset(kind, loc, span);
                build
            }
            None => Box::new(OpBuild::new(kind, loc, span)),
        }
    }

    /// Functions that are called rarely, or before or after a region, in the recursion over nested regions are not
    /// inlined, since they would take stack space at each level of nesting.
    #[inline(never)]
    fn custom_operation(&mut self, point: InsertionPoint) -> Parsed<Op> {
        let (loc, span, word) = (self.here(), self.span(), self.spelling());
        let kind = self.kind_of_word(word, span)?;
        let info = self.ctx.info(kind).expect("a registered kind");
        let spec = info.spec.expect("a registered kind");
        self.record_op(kind, span);
        self.advance();
        let build = self.new_build(kind, loc, span);
        let mut parser = OpParser::new(self, build);
        match spec.assembly {
            Assembly::Generic => return Err(self.no_custom_form(spec.name, span)),
            Assembly::Custom { parse, .. } => parse(&mut parser)?,
            Assembly::Format(_) => match crate::text::format::compiled(parser.ctx(), info) {
                Ok(format) => format.parse(&mut parser)?,
                Err(message) => return Err(self.wrong_format(spec.name, message, span)),
            },
        }
        let OpParser { p, mut build } = parser;
        let op = p.finish(&mut build, point);
        p.keep_build(build);
        if let Ok(op) = op {
            p.keep_line(span.start, op);
        }
        op
    }

    #[inline(never)]
    fn no_custom_form(&self, name: &str, span: Span) -> super::ParseError {
        self.error_at(span, format!("op '{name}' has no custom assembly form"))
    }

    #[inline(never)]
    fn wrong_format(&self, name: &str, message: &str, span: Span) -> super::ParseError {
        self.error_at(span, format!("the assembly format of '{name}' is wrong: {message}"))
    }

    /// The operation kind for a name, either in full or without the implicit dialect prefix.
    #[inline(never)]
    pub(crate) fn kind_of_word(&mut self, word: &'c str, span: Span) -> Parsed<OpKind> {
        let dialect = self.default_dialects.last().copied().unwrap_or("");
        if let Some(kind) = self.recent.kind(word, dialect) {
            return Ok(kind);
        }
        let mut name = std::borrow::Cow::Borrowed(word);
        let mut left_out = None;
        if !word.contains('.') && self.ctx.registered_kind(word).is_none() {
            name = format!("{dialect}.{word}").into();
            left_out = Some(dialect);
        }
        let Some(kind) = self.ctx.registered_kind(&name) else {
            return Err(self.unknown_custom(word, &name, span));
        };
        self.recent.keep_kind(word, left_out, kind);
        Ok(kind)
    }

    #[inline(never)]
    fn unknown_custom(&self, word: &str, name: &str, span: Span) -> super::ParseError {
        if is_integer_type(word) && span == self.span() {
            return self.no_operation();
        }
        let dialect = name.split('.').next().unwrap_or("");
        let tried = if word == name { String::new() } else { format!(" (tried '{name}' as well)") };
        match self.ctx.dialect(dialect) {
            Some(loaded) => {
                let names = loaded.ops().iter().map(|&kind| self.ctx.kind_name(kind));
                let error = Diagnostic::error(format!("custom op '{word}' is unknown{tried}")).at(span);
                let other = self.instead_of_operation(word, span);
                self.report(error.did_you_mean(other.as_deref().or_else(|| nearest(name, names))))
            }
            None => {
                // Upstream has two blanks here.
                let tried = tried.replacen(' ', "  ", 1);
                let message = format!("Dialect `{dialect}' not found for custom op '{word}'{tried}");
                let names: Vec<_> = self.ctx.dialects().iter().map(|dialect| dialect.name()).collect();
                let near = nearest(dialect, names.iter().copied());
                let error = Diagnostic::error(message).at(span).did_you_mean(near);
                self.report(error.note(format!("Available dialects: {}", names.join(", "))))
            }
        }
    }
}
