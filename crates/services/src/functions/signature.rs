//! Signatures of functions: the raw ABI of types, and the attributes that carry both signatures.

use minoan_ir::{Attr, AttrData, Context, OpRef, Type, service};
use minoan_sip::{Key, Mode, RawSignature, RawType, SipSignature};

/// The raw ABI of types. Queried by the pass that writes signatures; a type without an implementation is unrecognized there.
pub trait RawAbi: Send + Sync {
    /// The raw form of a type; `None` for a type of another dialect.
    fn raw_type(&self, ctx: &Context, ty: Type) -> Option<RawType>;
}
service!(dyn RawAbi, "RawAbi", Optional);

/// The attribute of an argument or result with its index path, its position in the structure of the source: an array of
/// integers and strings.
pub const INDEX_PATH: &str = "minoan.index_path";

/// The attribute of an argument or result with its type in the source, where lowering changes it: integers without
/// sign become signless.
pub const SOURCE_TYPE: &str = "minoan.type";

/// The symbol of the private function that returns the value of the function `symbol` in packed form. It exists where values of
/// the result's type have several layouts, such as a tensor of rows that is a part of a larger one: the flat values of the
/// packed form are the elements of the value and no others.
pub fn packed_symbol(symbol: &str) -> String {
    format!("{symbol}#packed")
}

/// An index path as an attribute.
pub fn index_path_attr(ctx: &Context, path: &[Key]) -> Attr {
    let key = |key: &Key| match key {
        Key::Index(index) => Attr::integer(ctx, i64::from(*index), Type::I64),
        Key::Name(name) => Attr::string(ctx, name),
    };
    Attr::array(ctx, &path.iter().map(key).collect::<Vec<_>>())
}

/// The index path of an attribute.
///
/// # Errors
/// The attribute is not an array of integers and strings.
pub fn index_path(ctx: &Context, attr: Attr) -> Result<Vec<Key>, String> {
    let Some(keys) = attr.as_array(ctx) else {
        return Err(format!("'{INDEX_PATH}' is an array of integers and strings"));
    };
    let key = |key: &Attr| match key.data(ctx) {
        AttrData::String { bytes, .. } => Some(Key::Name(bytes.to_vec())),
        _ => key.as_i64(ctx).and_then(|index| i32::try_from(index).ok()).map(Key::Index),
    };
    let keys: Option<Vec<Key>> = keys.iter().map(key).collect();
    keys.ok_or_else(|| "each index path component must be a string or integer".to_owned())
}

/// Both signatures of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionSignature {
    /// The type of each value.
    pub raw: RawSignature,
    /// The position of each value.
    pub sip: SipSignature,
}

impl FunctionSignature {
    /// The attributes that hold the signatures, as `(name, value)`: `abi`, `abiv`, `sip`, `f`, `fv`.
    pub fn attributes(&self, ctx: &Context) -> [(&'static str, Attr); 5] {
        [
            ("abi", Attr::string(ctx, SipSignature::ABI)),
            ("abiv", Attr::integer(ctx, i64::from(SipSignature::VERSION), Type::I32)),
            ("sip", Attr::string(ctx, self.sip.encode())),
            ("f", Attr::string(ctx, self.raw.encode())),
            ("fv", Attr::string(ctx, RawSignature::VERSION)),
        ]
    }

    /// The signatures in the attributes of a function; `None` if it has neither `sip` nor `f`.
    ///
    /// # Errors
    /// One of the five attributes is missing, of another version or not canonical, or the signatures do not place each
    /// value of the function type once.
    pub fn read(function: OpRef<'_>) -> Result<Option<Self>, String> {
        let ctx = function.context();
        let text = |name: &str| match function.attr_named(name)?.data(ctx) {
            AttrData::String { bytes, .. } => Some(bytes),
            _ => None,
        };
        if function.attr_named("sip").is_none() && function.attr_named("f").is_none() {
            return Ok(None);
        }
        let expect = |name: &str, is: bool, wanted: String| {
            if is {
                Ok(())
            } else {
                Err(format!("a function with signatures has the attribute '{name}' = {wanted}"))
            }
        };
        let version = function.attr_named("abiv").and_then(|attr| attr.as_i64(ctx));
        let is = |name: &str, value: &str| text(name).is_some_and(|found| **found == *value.as_bytes());
        expect("abi", is("abi", SipSignature::ABI), format!("\"{}\"", SipSignature::ABI))?;
        let wanted = SipSignature::VERSION;
        expect("abiv", version == Some(i64::from(wanted)), format!("{wanted} : i32"))?;
        expect("fv", is("fv", RawSignature::VERSION), format!("\"{}\"", RawSignature::VERSION))?;
        let text = |name: &str| text(name).ok_or_else(|| format!("the attribute '{name}' is a string"));
        let sip =
            SipSignature::parse(text("sip")?, Mode::Strict).map_err(|error| format!("'sip' {error}"))?;
        let raw = RawSignature::parse(text("f")?, Mode::Strict).map_err(|error| format!("'f' {error}"))?;
        let read = Self { raw: raw.signature, sip: sip.signature };
        let (inputs, results) = function_types(function).unwrap_or_default();
        read.sip
            .check_arity(inputs.len(), results.len())
            .map_err(|error| format!("'sip' does not match the function type: {error}"))?;
        for (what, said, has) in
            [("inputs", &read.raw.inputs, inputs.len()), ("results", &read.raw.results, results.len())]
        {
            if said.len() != has {
                let said = said.len();
                return Err(format!(
                    "'f' does not match the function type: it has {said} {what}, expected {has}"
                ));
            }
        }
        Ok(Some(read))
    }
}

/// The types of the arguments and results of a function.
pub fn function_types(function: OpRef<'_>) -> Option<(&[Type], &[Type])> {
    let ctx = function.context();
    function.attr(ctx.names().function_type)?.as_type(ctx)?.as_function(ctx)
}
