//! The tests of the IR.

mod data;
mod declarations;
mod edits;
mod edits_across;
mod edits_refused;
mod edits_verified;
mod services;
mod shared_parts;
mod short_declarations;
mod text;
mod toy;
mod ui;
mod verify;
mod verify_services;
mod verify_structure;
mod walk;
