//! What the attributes say.

use minoan_ir::text::parse_attr;
use minoan_ir::{Attr, AttrData, Context, Type};

/// What an entry is about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A type, or all types of its kind.
    Type(Type),
    /// A property with a name: `dlti.endianness`.
    Name(String),
}

impl From<Type> for Key {
    fn from(ty: Type) -> Self {
        Key::Type(ty)
    }
}

impl From<&str> for Key {
    fn from(name: &str) -> Self {
        Key::Name(name.to_owned())
    }
}

impl Key {
    /// The key that an attribute is: a string or a type.
    pub fn of(ctx: &Context, attr: Attr) -> Option<Key> {
        let name = || attr.as_str(ctx).map(Key::from);
        attr.as_type(ctx).map(Key::Type).or_else(name)
    }
}

/// What an attribute of the dialect lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `#dlti.dl_entry<key, value>`: one entry.
    Entry,
    /// `#dlti.dl_spec<..>`: how types lie in memory.
    Layout,
    /// `#dlti.map<..>`: anything.
    Map,
    /// `#dlti.target_system_spec<..>`: devices.
    System,
    /// `#dlti.target_device_spec<..>`: properties of a device.
    Device,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Entry, Kind::Layout, Kind::Map, Kind::System, Kind::Device];

    /// What stands behind `#dlti.`.
    pub fn mnemonic(self) -> &'static str {
        match self {
            Kind::Entry => "dl_entry",
            Kind::Layout => "dl_spec",
            Kind::Map => "map",
            Kind::System => "target_system_spec",
            Kind::Device => "target_device_spec",
        }
    }

    pub(crate) fn of_mnemonic(mnemonic: &str) -> Option<Kind> {
        Self::ALL.into_iter().find(|kind| kind.mnemonic() == mnemonic)
    }

    /// The kind of an attribute; `None` for one that is not of this dialect, or lists nothing.
    pub fn of(ctx: &Context, attr: Attr) -> Option<Kind> {
        parts(ctx, attr).map(|(kind, _)| kind)
    }
}

/// The kind of an attribute, and what stands between its brackets.
fn parts(ctx: &Context, attr: Attr) -> Option<(Kind, &str)> {
    let AttrData::Opaque { dialect, text, .. } = attr.data(ctx) else { return None };
    let text = text.as_str(ctx).strip_prefix('.').filter(|_| dialect.as_str(ctx) == "dlti")?;
    let (mnemonic, inside) = text.strip_suffix('>')?.split_once('<')?;
    Some((Kind::of_mnemonic(mnemonic)?, inside))
}

/// The entries of an attribute in order; `None` for one that is not of this dialect, or lists nothing.
pub fn entries(ctx: &Context, attr: Attr) -> Option<Vec<(Key, Attr)>> {
    let (kind, inside) = parts(ctx, attr)?;
    let pieces = split(inside, ',');
    let pairs: Vec<(&str, &str)> = match kind {
        Kind::Entry => pieces
            .split_first()
            .map(|(&key, rest)| (key, rest.first().copied().unwrap_or("")))
            .into_iter()
            .collect(),
        _ => pieces
            .iter()
            .filter_map(|piece| {
                let key = split(piece, '=').first()?.len();
                Some((&piece[..key], piece.get(key + 1..)?))
            })
            .collect(),
    };
    let read = |(key, value): (&str, &str)| {
        let attr = |text: &str| parse_attr(ctx, text.trim()).ok();
        Some((Key::of(ctx, attr(key)?)?, attr(value)?))
    };
    pairs.into_iter().map(read).collect()
}

/// The value of a key; `None` where there is no such entry.
pub fn lookup(ctx: &Context, attr: Attr, key: Key) -> Option<Attr> {
    entries(ctx, attr)?.into_iter().find(|(entry, _)| *entry == key).map(|(_, value)| value)
}

/// The elements of `dense<[32, 64]> : vector<2xi64>`.
pub(crate) fn dense_i64(ctx: &Context, attr: Attr) -> Option<Vec<i64>> {
    let AttrData::DenseElements { ty, data, splat } = attr.data(ctx) else { return None };
    if ty.element(ctx) != Some(Type::I64) {
        return None;
    }
    let numbers: Vec<i64> = data.as_chunks().0.iter().map(|&bytes| i64::from_le_bytes(bytes)).collect();
    match (splat, ty.shape(ctx)?, numbers.first()) {
        (true, &[count], Some(&number)) => Some(vec![number; usize::try_from(count).ok()?.min(3)]),
        _ => Some(numbers),
    }
}

/// The pieces of a text between separators that stand outside of brackets and strings.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut quoted, mut escaped, mut start) = (0usize, false, false, 0);
    let (mut pieces, mut last) = (Vec::new(), ' ');
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '<' | '[' | '(' | '{' => depth += 1,
            // The arrow of a function type is no bracket.
            '>' if last == '-' => {}
            '>' | ']' | ')' | '}' => depth = depth.saturating_sub(1),
            c if c == separator && depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        last = c;
    }
    if !text[start..].trim().is_empty() {
        pieces.push(&text[start..]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_inside_of_brackets_and_strings_do_not_count() {
        assert_eq!(
            split("a = 1, \"b,\\\",\" = [2, 3], () -> (i32, i32) = 4", ','),
            ["a = 1", " \"b,\\\",\" = [2, 3]", " () -> (i32, i32) = 4"]
        );
        assert_eq!(split("", ','), [""; 0]);
    }
}
