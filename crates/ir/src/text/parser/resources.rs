//! Parsing of `{-# dialect_resources: {..}, external_resources: {..} #-}`.

use super::{Parsed, Parser, Tok, unescape};
use crate::{Resource, Resources};

impl Parser<'_> {
    /// Parses the sections of a file: keys of `builtin` are those of `dense_resource<..>`.
    pub(super) fn resource_sections(&mut self) -> Parsed<()> {
        self.expect("{-#")?;
        self.resource_dictionary("#-}", |parser, section| {
            let dialect = match section {
                "dialect_resources" => true,
                "external_resources" => false,
                _ => {
                    let span = parser.span();
                    let message = format!("unknown key '{section}' in file metadata dictionary");
                    return Err(parser.error_at(span, message));
                }
            };
            parser.expect("{")?;
            parser.resource_dictionary("}", |parser, owner| {
                parser.expect("{")?;
                parser.resource_dictionary("}", |parser, key| {
                    let value = parser.resource()?;
                    let Resources { dialects, external } = &mut parser.resources;
                    Resources::insert(if dialect { dialects } else { external }, owner, key, value);
                    Ok(())
                })
            })
        })
    }

    /// Parses `key: value, ..` up to and including `close`.
    fn resource_dictionary(
        &mut self,
        close: &str,
        mut entry: impl FnMut(&mut Self, &str) -> Parsed<()>,
    ) -> Parsed<()> {
        self.list_until(close, &format!("expected '{close}'"), |parser| {
            let key = match parser.tok.kind {
                Tok::String => parser.string_name()?,
                Tok::Word => {
                    let word = parser.spelling().to_owned();
                    parser.advance();
                    word
                }
                _ => return Err(parser.error("expected identifier key for file metadata entry")),
            };
            parser.expect(":")?;
            entry(parser, &key)
        })
    }

    fn resource(&mut self) -> Parsed<Resource> {
        let word = self.spelling();
        let value = match self.tok.kind {
            Tok::Word if word == "true" || word == "false" => Resource::Bool(word == "true"),
            Tok::String if word.starts_with("\"0x") => {
                let digits = word.trim_start_matches("\"0x").trim_end_matches('"').as_bytes();
                let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
                let pairs = digits.chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?));
                let bytes: Option<Vec<u8>> = pairs.collect();
                let Some((alignment, data)) = bytes.as_ref().and_then(|bytes| bytes.split_first_chunk::<4>())
                else {
                    return Err(self.error(
                        "expected hex string blob: an alignment of 4 bytes, then the data, in whole bytes",
                    ));
                };
                let alignment = u32::from_le_bytes(*alignment);
                if !data.is_empty() && !alignment.is_power_of_two() {
                    return Err(self.error(format!(
                        "expected hex string blob for key to encode alignment in first 4 bytes, but got \
                         non-power-of-2 value: {alignment}"
                    )));
                }
                Resource::Blob { alignment, data: data.into() }
            }
            Tok::String => Resource::String(unescape(word).into()),
            _ => return Err(self.error("expected a string or a boolean as the value of a resource")),
        };
        self.advance();
        Ok(value)
    }
}
