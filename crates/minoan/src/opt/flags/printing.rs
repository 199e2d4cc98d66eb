//! The flags of `mlir-opt` for printing the module.

use clap::{Args, ValueEnum};
use minoan_ir::text::PrintFlags;

/// The text that a module is printed as.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::opt) enum Emit {
    /// MLIR's text.
    Mlir,
    /// The functions of the relay dialect as Relay text, which TVM reads.
    Relay,
}

#[derive(Args)]
#[command(next_help_heading = "Printing")]
pub(in crate::opt) struct PrintArgs {
    /// The text to print the module as.
    #[arg(long, value_enum, value_name = "TEXT", default_value = "mlir")]
    pub(in crate::opt) emit: Emit,
    /// Print the generic form of every operation.
    #[arg(long)]
    mlir_print_op_generic: bool,
    /// Print locations.
    #[arg(long)]
    mlir_print_debuginfo: bool,
    /// With --mlir-print-debuginfo: print locations in a readable form, which cannot be parsed.
    #[arg(long)]
    mlir_pretty_debuginfo: bool,
    /// Print types and attributes without aliases, so that each operation is self-contained.
    #[arg(long)]
    mlir_print_local_scope: bool,
    /// Elide dense literals with more elements than this.
    #[arg(long, value_name = "N")]
    mlir_elide_elementsattrs_if_larger: Option<usize>,
    /// Elide resources whose text is longer than this.
    #[arg(long, value_name = "N")]
    mlir_elide_resource_strings_if_larger: Option<usize>,
    /// Print dense literals with more elements than this in hexadecimal; -1 disables it.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    mlir_print_elementsattrs_with_hex_if_larger: Option<i64>,
    /// Print `{...}` instead of regions.
    #[arg(long)]
    mlir_print_skip_regions: bool,
    /// Make the numbers and names of values unique across regions.
    #[arg(long)]
    mlir_print_unique_ssa_ids: bool,
    /// Print custom forms without verifying the module first.
    #[arg(long)]
    pub(in crate::opt) mlir_print_assume_verified: bool,
    /// Print the users of each value as a comment.
    #[arg(long)]
    mlir_print_value_users: bool,
    /// Use the names in locations as the names of values.
    #[arg(long)]
    mlir_use_nameloc_as_prefix: bool,
}

impl PrintArgs {
    /// The flags of the printer.
    pub(in crate::opt) fn flags(&self) -> PrintFlags {
        PrintFlags {
            generic: self.mlir_print_op_generic,
            debuginfo: self.mlir_print_debuginfo,
            pretty_debuginfo: self.mlir_pretty_debuginfo,
            local_scope: self.mlir_print_local_scope,
            elide_elements: self.mlir_elide_elementsattrs_if_larger,
            elide_resources: self.mlir_elide_resource_strings_if_larger,
            hex_elements: self.mlir_print_elementsattrs_with_hex_if_larger,
            skip_regions: self.mlir_print_skip_regions,
            unique_ssa_ids: self.mlir_print_unique_ssa_ids,
            value_users: self.mlir_print_value_users,
            name_locs: self.mlir_use_nameloc_as_prefix,
        }
    }
}
