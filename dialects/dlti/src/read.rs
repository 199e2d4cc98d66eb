//! Parsing of the dlti attributes.

use crate::{Key, Kind};
use minoan_diag::Span;
use minoan_ir::text::{Asm, AttrParser, AttrText, ParseError, print_attr};
use minoan_ir::{Attr, Context};
use rustc_hash::FxHashSet;

pub(crate) struct DltiText;

impl Asm for DltiText {
    fn has_attr(&self, _: &str) -> bool {
        true
    }

    fn read_attr(&self, p: &mut AttrParser<'_, '_>, mnemonic: &str) -> Result<AttrText, ParseError> {
        // What is wrong with an attribute as a whole is reported at its mnemonic, which ends where the bracket opens.
        let angle = p.span();
        let span = Span { start: angle.start - mnemonic.len() as u32, end: angle.start, ..angle };
        if mnemonic == "function_pointer_alignment" {
            return pointer_alignment(p);
        }
        match Kind::of_mnemonic(mnemonic) {
            Some(Kind::Entry) => entry(p),
            Some(kind) => list(p, kind, span),
            None => Err(p.error_at(angle, format!("unknown attribute `{mnemonic}` in dialect `dlti`"))),
        }
    }
}

/// Parses `<64, function_dependent = true>`.
fn pointer_alignment(p: &mut AttrParser<'_, '_>) -> Result<AttrText, ParseError> {
    p.punct("<")?;
    let bits = p.integer()?;
    p.punct(",")?;
    p.keyword("function_dependent")?;
    p.punct("=")?;
    let span = p.span();
    let dependent = p.attribute()?;
    let Some(dependent) = dependent.as_bool(p.ctx()) else {
        return Err(p.error_at(span, "expected 'true' or 'false'"));
    };
    p.punct(">")?;
    Ok(format!("<{bits}, function_dependent = {dependent}>").into())
}

/// Parses a key.
fn key(p: &mut AttrParser<'_, '_>, kind: Kind) -> Result<(Attr, Key), ParseError> {
    let span = p.span();
    let attr = p.attribute()?;
    let wanted = |key: &Key| match kind {
        Kind::System | Kind::Device => matches!(key, Key::Name(_)),
        _ => true,
    };
    let key = Key::of(p.ctx(), attr).filter(wanted);
    key.map(|key| (attr, key)).ok_or_else(|| p.error_at(span, "invalid kind of attribute specified"))
}

/// Parses `<i32, 4 : i64>`.
fn entry(p: &mut AttrParser<'_, '_>) -> Result<AttrText, ParseError> {
    p.punct("<")?;
    let (attr, _) = key(p, Kind::Entry)?;
    p.punct(",")?;
    let value = p.attribute()?;
    p.punct(">")?;
    let mut text = AttrText::from("<");
    text.unaliased(attr).text(", ").attr(value).text(">");
    Ok(text)
}

/// Parses `<i32 = 4 : i64, "a" = "b">`; each entry may be a `#dlti.dl_entry`.
fn list(p: &mut AttrParser<'_, '_>, kind: Kind, span: Span) -> Result<AttrText, ParseError> {
    let ctx = p.ctx();
    let mut found: FxHashSet<Key> = FxHashSet::default();
    let mut text = AttrText::from("<");
    p.punct("<")?;
    if p.optional_punct(">") {
        if matches!(kind, Kind::System | Kind::Device) {
            return Err(p.error_at(span, "no DLTI entries provided"));
        }
        text.text(">");
        return Ok(text);
    }
    loop {
        let (name, key, value) = if p.at_hash() { from_entry(p)? } else { pair(p, kind)? };
        check(ctx, kind, (name, &key), value, &found).map_err(|message| p.error_at(span, message))?;
        if !found.is_empty() {
            text.text(", ");
        }
        text.unaliased(name).text(" = ").attr(value);
        found.insert(key);
        if !p.optional_punct(",") {
            break;
        }
    }
    p.punct(">")?;
    text.text(">");
    Ok(text)
}

/// Parses `i32 = 4`; returns the key as an attribute, the key, and the value.
fn pair(p: &mut AttrParser<'_, '_>, kind: Kind) -> Result<(Attr, Key, Attr), ParseError> {
    let (attr, key) = key(p, kind)?;
    p.punct("=")?;
    Ok((attr, key, p.attribute()?))
}

/// Parses `#dlti.dl_entry<i32, 4>`.
fn from_entry(p: &mut AttrParser<'_, '_>) -> Result<(Attr, Key, Attr), ParseError> {
    let (span, ctx) = (p.span(), p.ctx());
    let attr = p.attribute()?;
    let entries = crate::entries(ctx, attr).filter(|_| Kind::of(ctx, attr) == Some(Kind::Entry));
    match entries.map(|mut entries| entries.pop()) {
        Some(Some((key, value))) => {
            let name = match &key {
                Key::Type(ty) => Attr::ty(ctx, *ty),
                Key::Name(name) => Attr::string(ctx, name),
            };
            Ok((name, key, value))
        }
        _ => Err(p.error_at(span, "invalid kind of attribute specified")),
    }
}

/// Verifies an entry against the preceding ones.
fn check(
    ctx: &Context,
    kind: Kind,
    (name, key): (Attr, &Key),
    value: Attr,
    others: &FxHashSet<Key>,
) -> Result<(), String> {
    let repeated = others.contains(key);
    let name = || print_attr(ctx, name);
    match kind {
        Kind::System if matches!(key, Key::Type(_)) => Err("non-string key of DLTI system spec".to_owned()),
        Kind::Device if matches!(key, Key::Type(_)) => Err("type as DLTI key is not allowed".to_owned()),
        Kind::System if Kind::of(ctx, value) != Some(Kind::Device) => {
            Err(format!("value associated with key {} is not a DLTI device spec", name()))
        }
        Kind::System if repeated => Err(format!("repeated device ID in dlti.target_system_spec: {}", name())),
        Kind::System => Ok(()),
        _ if *key == Key::Name(String::new()) => Err("empty string as DLTI key is not allowed".to_owned()),
        _ if repeated => Err(format!("repeated DLTI key: {}", name())),
        _ => Ok(()),
    }
}
