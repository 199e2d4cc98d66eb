//! MLIR's text, in and out.

/// A message was reported; the caller skips to where it can go on.
#[derive(Debug)]
pub struct ParseError;

/// What a custom parser sees.
pub struct OpParser<'p, 'c> {
    _parser: std::marker::PhantomData<(&'p (), &'c ())>,
}

/// What a custom printer sees.
pub struct OpPrinter<'p, 'b> {
    _printer: std::marker::PhantomData<(&'p (), &'b ())>,
}

/// A compiled assembly format.
pub(crate) struct Format;
