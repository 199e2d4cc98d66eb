//! The dlti attributes and their assembly.

use crate::{Key, Kind};
use minoan_ir::text::{AttrParser, AttrPrinter, ParseError, print_attr};
use minoan_ir::{Attr, Context, attr};
use rustc_hash::FxHashSet;

/// An entry: `#dlti.dl_entry<i32, 4 : i64>`.
#[attr("dlti.dl_entry", assembly = "`<` $key `,` $value `>`", verify = verify_entry)]
pub struct DataLayoutEntryAttr {
    /// A type or a string.
    #[param(unaliased)]
    key: Attr,
    /// The value.
    value: Attr,
}

fn verify_entry(ctx: &Context, key: Attr, _: Attr) -> Result<(), &'static str> {
    Key::of(ctx, key).map(|_| ()).ok_or("invalid kind of attribute specified")
}

/// `#dlti.function_pointer_alignment<64, function_dependent = true>`.
#[attr(
    "dlti.function_pointer_alignment",
    assembly = "`<` $alignment `,` `function_dependent` `=` $function_dependent `>`"
)]
pub struct FunctionPointerAlignmentAttr {
    /// The alignment in bits.
    alignment: i64,
    /// Whether the alignment of a pointer depends on that of the function.
    function_dependent: bool,
}

macro_rules! lists {
    ($($doc:literal $attr:ident $mnemonic:literal $kind:ident;)*) => {$(
        #[doc = $doc]
        #[attr($mnemonic, assembly = custom($attr::parse, $attr::print))]
        pub struct $attr {
            /// The keys, types or strings.
            #[param(unaliased)]
            keys: Vec<Attr>,
            /// The value of each key.
            values: Vec<Attr>,
        }

        impl $attr {
            fn parse(p: &mut AttrParser<'_, '_>) -> Result<Self, ParseError> {
                let (keys, values) = parse_list(p, Kind::$kind)?;
                Ok(Self::get(p.ctx(), keys, values))
            }

            fn print(self, p: &mut AttrPrinter<'_, '_>) {
                print_list(p, &self.keys(p.ctx()), &self.values(p.ctx()));
            }
        }
    )*};
}

lists! {
    "A data layout: `#dlti.dl_spec<index = 32 : i64>`." DataLayoutSpecAttr "dlti.dl_spec" Layout;
    "Arbitrary entries: `#dlti.map<\"a\" = 1 : i64>`." MapAttr "dlti.map" Map;
    "The devices of a system: `#dlti.target_system_spec<\"CPU\" = #dlti.target_device_spec<..>>`." TargetSystemSpecAttr "dlti.target_system_spec" System;
    "The properties of a device: `#dlti.target_device_spec<\"L1_cache_size_in_bytes\" = 32 : i32>`." TargetDeviceSpecAttr "dlti.target_device_spec" Device;
}

fn print_list(p: &mut AttrPrinter<'_, '_>, keys: &[Attr], values: &[Attr]) {
    p.text("<");
    for (at, (&key, &value)) in keys.iter().zip(values).enumerate() {
        p.text(if at > 0 { ", " } else { "" });
        p.attr_without_alias(key);
        p.text(" = ");
        p.attr(value);
    }
    p.text(">");
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

/// The entries parsed so far.
#[derive(Default)]
struct Entries {
    found: FxHashSet<Key>,
    keys: Vec<Attr>,
    values: Vec<Attr>,
}

impl Entries {
    /// Appends an entry. An error of an attribute as a whole is reported at its mnemonic.
    #[inline(never)]
    fn add(
        &mut self,
        p: &AttrParser<'_, '_>,
        kind: Kind,
        (name, key): (Attr, Key),
        value: Attr,
    ) -> Result<(), ParseError> {
        let checked = check(p.ctx(), kind, (name, &key), value, &self.found);
        checked.map_err(|message| p.error_at(p.mnemonic_span(), message))?;
        self.keys.push(name);
        self.values.push(value);
        self.found.insert(key);
        Ok(())
    }

    /// Parses an entry. A value may be nested deeply, and every level has a frame of this function.
    fn entry(&mut self, p: &mut AttrParser<'_, '_>, kind: Kind) -> Result<(), ParseError> {
        if p.at_hash() {
            return self.entry_attribute(p, kind);
        }
        let key = key(p, kind)?;
        p.punct("=")?;
        let value = p.attribute()?;
        self.add(p, kind, key, value)
    }

    /// Parses `#dlti.dl_entry<i32, 4>`.
    #[inline(never)]
    fn entry_attribute(&mut self, p: &mut AttrParser<'_, '_>, kind: Kind) -> Result<(), ParseError> {
        let (span, ctx) = (p.span(), p.ctx());
        let attr = p.attribute()?;
        let entry = DataLayoutEntryAttr::cast(ctx, attr).map(|entry| (entry.key(ctx), entry.value(ctx)));
        let entry = entry.and_then(|(name, value)| Some((name, Key::of(ctx, name)?, value)));
        let Some((name, key, value)) = entry else {
            return Err(p.error_at(span, "invalid kind of attribute specified"));
        };
        self.add(p, kind, (name, key), value)
    }
}

/// Parses `<i32 = 4 : i64, "a" = "b">`; each entry may be a `#dlti.dl_entry`.
fn parse_list(p: &mut AttrParser<'_, '_>, kind: Kind) -> Result<(Vec<Attr>, Vec<Attr>), ParseError> {
    let mut entries = Entries::default();
    p.punct("<")?;
    if p.optional_punct(">") {
        if matches!(kind, Kind::System | Kind::Device) {
            return Err(p.error_at(p.mnemonic_span(), "no DLTI entries provided"));
        }
        return Ok((entries.keys, entries.values));
    }
    loop {
        entries.entry(p, kind)?;
        if !p.optional_punct(",") {
            break;
        }
    }
    p.punct(">")?;
    Ok((entries.keys, entries.values))
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
