//! Assembly: `schedule.kernel ins(..) outs(..) plan <..> attributes {..} { .. } -> types`.

use minoan_diag::Span;
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionStyle};
use minoan_ir::{Attr, Type, Value};
use minoan_schedule::text::{Tokens, parse};

/// Parses `keyword(%a, %b : t, u)`.
fn operands(p: &mut OpParser<'_, '_>, keyword: &str) -> Result<usize, ParseError> {
    if !p.optional_keyword(keyword) {
        return Ok(0);
    }
    p.punct("(")?;
    let names = p.operand_list()?;
    p.punct(":")?;
    let types = p.type_list()?;
    p.punct(")")?;
    p.add_operands(&names, &types)?;
    Ok(names.len())
}

pub(crate) fn parse_kernel(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let inputs = operands(p, "ins")?;
    let outputs = operands(p, "outs")?;
    p.set_segments(&[inputs, outputs]);
    if p.optional_keyword("plan") {
        p.punct("<")?;
        let span = p.span();
        let plan = parse(&mut OfParser { parser: p, last: span })?;
        p.punct(">")?;
        let text = Attr::string(p.ctx(), plan.to_string());
        p.set_attr("plan", text);
    }
    p.attr_dict_with_keyword()?;
    p.region(&[])?;
    let results = p.optional_arrow_types()?;
    p.add_results(&results);
    Ok(())
}

/// The tokens of a plan in the text of an operation.
struct OfParser<'a, 'p, 'c> {
    parser: &'a mut OpParser<'p, 'c>,
    /// The token that was consumed last.
    last: Span,
}

impl OfParser<'_, '_, '_> {
    /// Records the token if it was consumed.
    fn consumed(&mut self, found: bool, token: Span) -> bool {
        if found {
            self.last = token;
        }
        found
    }
}

impl Tokens for OfParser<'_, '_, '_> {
    type Error = ParseError;

    fn optional_punct(&mut self, punct: &str) -> bool {
        let span = self.parser.span();
        let found = self.parser.optional_punct(punct);
        self.consumed(found, span)
    }

    fn punct(&mut self, punct: &str) -> Result<(), ParseError> {
        self.last = self.parser.span();
        self.parser.punct(punct)
    }

    fn optional_word(&mut self, word: &str) -> bool {
        let span = self.parser.span();
        let found = self.parser.optional_keyword(word);
        self.consumed(found, span)
    }

    fn word(&mut self, expected: &str) -> Result<String, ParseError> {
        self.last = self.parser.span();
        let word = self.parser.optional_any_keyword();
        word.ok_or_else(|| self.parser.error_at(self.last, format!("expected {expected}")))
    }

    fn integer(&mut self) -> Result<i64, ParseError> {
        self.last = self.parser.span();
        self.parser.integer()
    }

    fn error(&self, message: String) -> ParseError {
        self.parser.error_at(self.last, message)
    }

    fn at_end(&self) -> bool {
        self.parser.at_punct(">")
    }
}

pub(crate) fn print_kernel(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let inputs = op.operand_range(0).len();
    let values: Vec<Value> = op.operands().collect();
    for (keyword, values) in [(" ins(", &values[..inputs]), (" outs(", &values[inputs..])] {
        if values.is_empty() {
            continue;
        }
        p.text(keyword);
        p.values(values);
        p.text(" : ");
        let types: Vec<Type> = values.iter().map(|&value| p.body().ty(value)).collect();
        p.types(&types);
        p.text(")");
    }
    if let Some(plan) = op.attr_named("plan").and_then(|plan| plan.as_str(p.ctx())) {
        p.text(" plan <");
        p.text(plan);
        p.text(">");
    }
    p.attr_dict_with_keyword(&["operandSegmentSizes", "plan"]);
    p.text(" ");
    p.region(0, RegionStyle::FULL);
    let results: Vec<Type> = op.result_types().collect();
    p.arrow_types(&results);
}
