//! Entries of the dlti attributes.

use crate::read::{
    DataLayoutEntryAttr, DataLayoutSpecAttr, MapAttr, TargetDeviceSpecAttr, TargetSystemSpecAttr,
};
use minoan_ir::{Attr, AttrData, Context, Type};

/// The key of an entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A type, or all types of its class.
    Type(Type),
    /// A named property, such as `dlti.endianness`.
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
    /// The key that an attribute denotes: a string or a type.
    pub fn of(ctx: &Context, attr: Attr) -> Option<Key> {
        let name = || attr.as_str(ctx).map(Key::from);
        attr.as_type(ctx).map(Key::Type).or_else(name)
    }
}

/// The kind of a dlti attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `#dlti.dl_entry<key, value>`: a single entry.
    Entry,
    /// `#dlti.dl_spec<..>`: a data layout.
    Layout,
    /// `#dlti.map<..>`: arbitrary entries.
    Map,
    /// `#dlti.target_system_spec<..>`: the devices of a system.
    System,
    /// `#dlti.target_device_spec<..>`: the properties of a device.
    Device,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Entry, Kind::Layout, Kind::Map, Kind::System, Kind::Device];

    /// The mnemonic after `#dlti.`.
    pub fn mnemonic(self) -> &'static str {
        match self {
            Kind::Entry => "dl_entry",
            Kind::Layout => "dl_spec",
            Kind::Map => "map",
            Kind::System => "target_system_spec",
            Kind::Device => "target_device_spec",
        }
    }

    /// The kind of an attribute; `None` if it is not a dlti attribute with entries.
    pub fn of(ctx: &Context, attr: Attr) -> Option<Kind> {
        let spec = attr.declared(ctx)?.spec();
        Self::ALL.into_iter().find(|kind| kind.mnemonic() == spec.mnemonic && spec.dialect == "dlti")
    }
}

/// The entries of an attribute, in order; `None` if it is not a dlti attribute with entries.
pub fn entries(ctx: &Context, attr: Attr) -> Option<Vec<(Key, Attr)>> {
    let (keys, values) = match Kind::of(ctx, attr)? {
        Kind::Entry => {
            let entry = DataLayoutEntryAttr::cast(ctx, attr)?;
            (vec![entry.key(ctx)], vec![entry.value(ctx)])
        }
        Kind::Layout => DataLayoutSpecAttr::cast(ctx, attr).map(|of| (of.keys(ctx), of.values(ctx)))?,
        Kind::Map => MapAttr::cast(ctx, attr).map(|of| (of.keys(ctx), of.values(ctx)))?,
        Kind::System => TargetSystemSpecAttr::cast(ctx, attr).map(|of| (of.keys(ctx), of.values(ctx)))?,
        Kind::Device => TargetDeviceSpecAttr::cast(ctx, attr).map(|of| (of.keys(ctx), of.values(ctx)))?,
    };
    keys.into_iter().zip(values).map(|(key, value)| Some((Key::of(ctx, key)?, value))).collect()
}

/// The value of a key; `None` if there is no such entry.
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
