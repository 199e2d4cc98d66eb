//! `--verify-roundtrip`: checks that a module is equal after printing and parsing.

use crate::Session;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::text::{ParseOptions, PrintFlags, parse_module, print_module};
use minoan_ir::{Module, verify::verify};

/// Prints the module in custom form, parses that, and compares both modules in generic form.
///
/// # Errors
/// The text cannot be parsed, or the modules differ.
pub(super) fn check(session: &Session, module: &Module, options: &ParseOptions) -> Result<(), Diagnostics> {
    let usual = PrintFlags { debuginfo: true, ..PrintFlags::default() };
    // Custom forms omit the locations of some region arguments.
    let generic = PrintFlags { generic: true, ..PrintFlags::default() };
    let op = module.holder().op(module.op());
    let wrong = |message: String| {
        let place = op.loc().place(module.context());
        Diagnostic::error(format!("'{}' op {message}", op.name())).at(place)
    };
    let file = session.sources().add("<round-trip>", print_module(module, &usual));
    let read = parse_module(session.context(), session.sources(), file, options);
    let again = read.and_then(|again| verify(&again).map(|()| again)).map_err(|mut errors| {
        errors.push(wrong("failed to parse textual content back, cannot verify round-trip".to_owned()));
        errors
    })?;
    let (reference, again) = (print_module(module, &generic), print_module(&again, &generic));
    let different = reference.lines().zip(again.lines()).find(|(reference, again)| reference != again);
    match different {
        None if reference.len() == again.len() => Ok(()),
        None => Err(wrong(
            "textual roundTrip testing roundtripped module is longer or shorter than reference".to_owned(),
        )
        .into()),
        Some((reference, again)) => {
            let error =
                wrong("textual roundTrip testing roundtripped module differs from reference".to_owned());
            Err(error
                .note(format!("reference: {}", reference.trim()))
                .note(format!("roundtripped: {}", again.trim()))
                .into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use minoan_ir::constraints::I32_ATTR;
    use minoan_ir::text::{OpParser, OpPrinter, ParseError};
    use minoan_ir::{Attr, Context, Dialect, DialectBuilder, op};

    /// Prints a constant text.
    #[op("odd.forgetful", assembly = custom(parse_nothing, print_nothing))]
    struct Forgetful {
        #[attr(I32_ATTR)]
        number: Attr,
    }

    /// Prints a text that it does not parse.
    #[op("odd.unreadable", assembly = custom(parse_nothing, print_brace))]
    struct Unreadable {}

    fn parse_nothing(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
        let zero = Attr::integer(p.ctx(), 0, minoan_ir::Type::I32);
        p.set_attr("number", zero);
        Ok(())
    }

    fn print_nothing(_: &mut OpPrinter<'_, '_>) {}

    fn print_brace(p: &mut OpPrinter<'_, '_>) {
        p.text(" {");
    }

    struct Odd;

    impl Dialect for Odd {
        fn name(&self) -> &'static str {
            "odd"
        }
        fn register(&self, dialect: &mut DialectBuilder<'_>) {
            dialect.op::<Forgetful>().op::<Unreadable>();
        }
    }

    fn checked(text: &str) -> Result<(), Vec<String>> {
        let mut dialects = registry();
        dialects.add(Odd);
        let session = Session::with_context(Context::new(dialects).expect("they go together"));
        let options = ParseOptions::default();
        let file = session.sources().add("odd.mlir", text);
        let module = parse_module(session.context(), session.sources(), file, &options).expect("it is valid");
        let errors = check(&session, &module, &options).err();
        errors.map_or(Ok(()), |errors| Err(errors.iter().map(|error| error.message.clone()).collect()))
    }

    #[test]
    fn what_does_not_read_back_the_same_is_found() {
        assert_eq!(checked("\"odd.forgetful\"() {number = 0 : i32} : () -> ()"), Ok(()));
        assert_eq!(
            checked("\"odd.forgetful\"() {number = 1 : i32} : () -> ()"),
            Err(vec![
                "'builtin.module' op textual roundTrip testing roundtripped module differs from reference"
                    .to_owned()
            ])
        );
        let errors = checked("\"odd.unreadable\"() : () -> ()").expect_err("a brace is left open");
        assert_eq!(
            errors.last().map(String::as_str),
            Some("'builtin.module' op failed to parse textual content back, cannot verify round-trip")
        );
    }
}
