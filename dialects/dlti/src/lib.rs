//! The dlti dialect: data layout and target information, as attributes of modules.
//!
//! Attributes, assembly and verification are those of MLIR's dlti dialect: `#dlti.dl_spec<index = 32 : i64>`,
//! `#dlti.dl_entry`, `#dlti.map`, `#dlti.target_system_spec`, `#dlti.target_device_spec` and
//! `#dlti.function_pointer_alignment`. They are parsed to a canonical form, in which they are printed; [`entries`]
//! returns their contents.
//!
//! ```
//! use minoan_dlti::{DltiDialect, entries, lookup};
//! use minoan_ir::text::parse_attr;
//! use minoan_ir::{Context, Registry, Type};
//!
//! let mut registry = Registry::new();
//! registry.add(DltiDialect);
//! let ctx = Context::new(registry).expect("one dialect");
//! let spec = parse_attr(&ctx, "#dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>, \"dlti.endianness\" = \"little\">");
//! let spec = spec.expect("it is well formed");
//! assert_eq!(entries(&ctx, spec).map(|all| all.len()), Some(2));
//! let index = lookup(&ctx, spec, Type::INDEX.into());
//! assert_eq!(index.and_then(|bits| bits.as_i64(&ctx)), Some(32));
//! ```
#![forbid(unsafe_code)]

mod entries;
mod layout;
mod machine;
mod read;
mod rules;

pub use entries::{Key, Kind, entries, lookup};
pub use read::{
    DataLayoutEntryAttr, DataLayoutSpecAttr, FunctionPointerAlignmentAttr, MapAttr, TargetDeviceSpecAttr,
    TargetSystemSpecAttr,
};

use minoan_ir::dialect;
use minoan_ir::verify::AttrRules;
use minoan_services::{DataLayout, MachineSpec, SameInMlir, ToMlir};

dialect! {
    /// The dlti dialect.
    pub DltiDialect = "dlti":
        attrs(
            DataLayoutEntryAttr, DataLayoutSpecAttr, MapAttr, TargetSystemSpecAttr, TargetDeviceSpecAttr,
            FunctionPointerAlignmentAttr,
        ),
        services(
            ToMlir = SameInMlir,
            AttrRules = rules::DltiRules,
            DataLayout = layout::Specification,
            MachineSpec = machine::Specification,
        )
}
