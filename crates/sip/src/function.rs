//! The common part of both kinds of signatures: inputs `I`, results `R`, and strictness.

use crate::component::{Component, SignatureParser, Value};
use crate::error::{Code, Deviation, Error};

/// The strictness of parsing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Accepts canonical texts only: exactly those that this crate writes.
    #[default]
    Strict,
    /// Accepts the texts that the original implementation accepts; each difference from a canonical text is a
    /// [`Deviation`].
    Lenient,
}

/// A parsed signature and the deviations of its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed<T> {
    /// The signature.
    pub signature: T,
    /// The deviations in text order; empty in strict mode.
    pub deviations: Vec<Deviation>,
}

/// Collects deviations, or rejects the first one in strict mode.
#[derive(Clone, Debug)]
pub(crate) struct Judge<'a> {
    text: &'a [u8],
    mode: Mode,
    pub(crate) deviations: Vec<Deviation>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(text: &'a [u8], mode: Mode) -> Self {
        Self { text, mode, deviations: Vec::new() }
    }

    pub(crate) fn deviation(&mut self, code: Code, offset: usize) -> Result<(), Error> {
        match self.mode {
            Mode::Strict => Err(Error::new(code, self.text, offset)),
            Mode::Lenient => {
                self.deviations.push(Deviation { offset, code });
                Ok(())
            }
        }
    }

    /// Checks that numbers are written without leading zeros.
    pub(crate) fn digits(&mut self, component: &Component) -> Result<(), Error> {
        let code = match component.value {
            _ if component.is_minimal => return Ok(()),
            Value::Integer(_) => Code::LongInteger,
            Value::Span(_) => Code::LongLength,
        };
        self.deviation(code, component.offset + 1)
    }

    pub(crate) fn into_deviations(mut self) -> Vec<Deviation> {
        self.deviations.sort_unstable();
        self.deviations
    }
}

/// The inputs and the results of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function<'a> {
    pub(crate) inputs: Component<'a>,
    pub(crate) results: Component<'a>,
}

impl<'a> Function<'a> {
    pub(crate) fn parse(text: &'a [u8], judge: &mut Judge<'a>) -> Result<Self, Error> {
        let (mut inputs, mut results) = (None, None);
        let mut components = SignatureParser::new(text);
        loop {
            let start = components.offset();
            let component = match components.next() {
                None => break,
                Some(Ok(component)) => component,
                Some(Err(_)) if inputs.is_some() && results.is_some() => {
                    judge.deviation(Code::TrailingBytes, start)?;
                    break;
                }
                Some(Err(error)) => return Err(error),
            };
            judge.digits(&component)?;
            match component.tag {
                b'I' if inputs.is_none() => {
                    if results.is_some() {
                        judge.deviation(Code::ResultsFirst, component.offset)?;
                    }
                    inputs = Some(component);
                }
                b'R' if results.is_none() => results = Some(component),
                _ => judge.deviation(Code::ExtraComponent, component.offset)?,
            }
        }
        let missing = |code| Error::new(code, text, text.len());
        Ok(Self {
            inputs: inputs.ok_or_else(|| missing(Code::MissingInputs))?,
            results: results.ok_or_else(|| missing(Code::MissingResults))?,
        })
    }
}
