//! Verification of dlti attributes on operations.

use crate::entries::dense_i64;
use crate::{Key, Kind, entries};
use minoan_ir::text::print_attr;
use minoan_ir::verify::AttrRules;
use minoan_ir::{Attr, Context, OpRef, Type, TypeData};

pub(crate) struct DltiRules;

impl AttrRules for DltiRules {
    fn check(&self, op: OpRef<'_>, name: &str, attr: Attr) -> Option<String> {
        let ctx = op.context();
        let want = match name {
            "dlti.dl_spec" => Kind::Layout,
            "dlti.map" => Kind::Map,
            "dlti.target_system_spec" => Kind::System,
            _ => return Some(format!("attribute '{name}' not supported by dialect")),
        };
        if Kind::of(ctx, attr) != Some(want) {
            return Some(format!("'{name}' is expected to be a #dlti.{} attribute", want.mnemonic()));
        }
        // Upstream verifies data layouts only on operations with the data layout interface.
        let for_layouts = want == Kind::Layout && op.name() == "builtin.module";
        let list = entries(ctx, attr).filter(|_| for_layouts)?;
        list.into_iter().find_map(|(key, value)| match key {
            Key::Type(ty) => type_entry(ctx, ty, value).err(),
            Key::Name(name) => named_entry(ctx, &name, value).err(),
        })
    }
}

/// Verifies a named property with the dialect's prefix.
fn named_entry(ctx: &Context, name: &str, value: Attr) -> Result<(), String> {
    const KNOWN: [&str; 8] = [
        "dlti.default_memory_space",
        "dlti.alloca_memory_space",
        "dlti.program_memory_space",
        "dlti.global_memory_space",
        "dlti.stack_alignment",
        "dlti.function_pointer_alignment",
        "dlti.legal_int_widths",
        "dlti.mangling_mode",
    ];
    if name == "dlti.endianness" {
        return match value.as_str(ctx) {
            Some("big" | "little") => Ok(()),
            _ => Err(format!("'{name}' data layout entry is expected to be either 'big' or 'little'")),
        };
    }
    if name.starts_with("dlti.") && !KNOWN.contains(&name) {
        return Err(format!("unknown data layout entry name: {name}"));
    }
    Ok(())
}

/// Verifies the entry of a type; only some builtin types have a configurable layout.
fn type_entry(ctx: &Context, ty: Type, value: Attr) -> Result<(), String> {
    let entry = || {
        let key = print_attr(ctx, Attr::ty(ctx, ty));
        format!("#dlti.dl_entry<{key}, {}>", print_attr(ctx, value))
    };
    match ty.data(ctx) {
        TypeData::Index if value.as_int(ctx).is_some() => Ok(()),
        TypeData::Index => Err("expected integer attribute in the data layout entry for 'index'".to_owned()),
        TypeData::Integer { .. } | TypeData::Float(_) => {
            let numbers = dense_i64(ctx, value);
            let Some(numbers) = numbers else {
                return Err(format!(
                    "expected a dense i64 elements attribute in the data layout entry {}",
                    entry()
                ));
            };
            match numbers[..] {
                // An unsigned comparison, as upstream's.
                [abi, preferred] if (preferred as u64) < abi as u64 => Err(format!(
                    "preferred alignment is expected to be greater than or equal to the abi alignment in data layout entry {}",
                    entry()
                )),
                [_] | [_, _] => Ok(()),
                _ => Err(format!("expected 1 or 2 elements in the data layout entry {}", entry())),
            }
        }
        TypeData::Declared(_) | TypeData::Opaque { .. } => Ok(()),
        _ => Err("unexpected data layout for a built-in type".to_owned()),
    }
}
