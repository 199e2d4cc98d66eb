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
                    let value = parser.resource(key, dialect && owner == "builtin")?;
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

    /// The value of a key. One of `builtin` is a blob; of another owner, a boolean, a blob, or any other string.
    fn resource(&mut self, key: &str, is_blob: bool) -> Parsed<Resource> {
        let word = self.spelling();
        let value = match self.tok.kind {
            Tok::String if is_blob || word.starts_with("\"0x") => self.blob(key)?,
            _ if is_blob => return Err(self.error(format!("expected hex string blob for key '{key}'"))),
            Tok::Word if word == "true" || word == "false" => Resource::Bool(word == "true"),
            Tok::String => Resource::String(unescape(word).into()),
            _ => return Err(self.error(format!("expected string value for key '{key}'"))),
        };
        self.advance();
        Ok(value)
    }

    /// The blob that the current token spells: an alignment of 4 bytes in little-endian order, then the data.
    fn blob(&self, key: &str) -> Parsed<Resource> {
        let expected = format!("expected hex string blob for key '{key}'");
        let digits = self.spelling().strip_prefix("\"0x").and_then(|text| text.strip_suffix('"'));
        let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
        let byte = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
        let bytes =
            digits.and_then(|digits| digits.as_bytes().chunks(2).map(byte).collect::<Option<Vec<u8>>>());
        let Some(bytes) = bytes else { return Err(self.error(expected)) };
        let expected = format!("{expected} to encode alignment in first 4 bytes");
        let Some((alignment, data)) = bytes.split_first_chunk::<4>() else {
            return Err(self.error(expected));
        };
        let alignment = u32::from_le_bytes(*alignment);
        if !data.is_empty() && !alignment.is_power_of_two() {
            return Err(self.error(format!("{expected}, but got non-power-of-2 value: {alignment}")));
        }
        Ok(Resource::Blob { alignment, data: data.into() })
    }
}
