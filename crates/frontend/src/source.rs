//! Decodes source files.

use minoan_diag::{Diagnostic, FileId, SourceMap, Span};

/// Adds the bytes of a file to the source map.
///
/// # Errors
/// A diagnostic at the first invalid byte if the bytes are not UTF-8 (the valid text before it is added to `sources`,
/// so that the line can be shown), or a diagnostic that the file is too large for 32-bit offsets.
pub fn load(sources: &SourceMap, name: &str, bytes: Vec<u8>) -> Result<FileId, Box<Diagnostic>> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(Box::new(Diagnostic::error(format!("'{name}' is larger than 4 GiB"))));
    }
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(sources.add(name, text)),
        Err(error) => error,
    };
    let good = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let bad = bytes.get(good).copied().unwrap_or_default();
    let line_end = bytes[good..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| good + at);
    let shown = String::from_utf8_lossy(&bytes[..line_end.min(good + 80)]).into_owned();
    let file = sources.add(name, shown);
    Err(Box::new(
        Diagnostic::error(format!("'{name}' is not UTF-8: invalid byte 0x{bad:02x}")).at(Span::new(
            file,
            good as u32,
            good as u32 + 1,
        )),
    ))
}
