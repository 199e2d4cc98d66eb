//! Reading of whole files.

use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// The size from which a file is read by several threads.
const LONG: u64 = 4 << 20;

/// The size of the part that a thread reads at once.
const PART: usize = 1 << 20;

/// The size of the longest text that is read.
const LONGEST: u64 = 2 << 30;

/// Reads a file, or standard input as `-`. Parts of a long file are read in parallel, since most of the time is spent on page
/// faults.
///
/// # Errors
/// The file cannot be read, or has more than 2 GiB, as files of devices that never end.
pub(crate) fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == "-" {
        return read_rest(io::stdin(), bytes);
    }
    let mut file = File::open(path)?;
    let known = file.metadata()?;
    if known.len() > LONGEST {
        return Err(too_long());
    }
    if cfg!(unix) && known.is_file() && known.len() >= LONG && rayon::current_num_threads() > 1 {
        bytes = vec![0; usize::try_from(known.len()).map_err(io::Error::other)?];
        let part = |(number, part): (usize, &mut [u8])| read_part(&file, part, (number * PART) as u64);
        bytes.par_chunks_mut(PART).enumerate().try_for_each(part)?;
        file.seek(SeekFrom::Start(known.len()))?;
    }
    // The whole file, or the part that was appended after its size was queried.
    read_rest(file, bytes)
}

/// Appends all that follows to the bytes that have been read.
fn read_rest(from: impl Read, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let left = LONGEST.saturating_sub(bytes.len() as u64);
    let more = from.take(left + 1).read_to_end(&mut bytes)?;
    if more as u64 > left { Err(too_long()) } else { Ok(bytes) }
}

fn too_long() -> io::Error {
    io::Error::other("it has more than 2 GiB")
}

/// Reads from an offset of a file, without moving its position.
#[cfg(unix)]
fn read_part(file: &File, bytes: &mut [u8], from: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, from)
}

/// Other systems cannot read from an offset, so one thread reads the file.
#[cfg(not(unix))]
fn read_part(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_file_is_read_whole() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        for length in [0, 1000, 3 * PART + 17, 5 * PART, 5 * PART + 17] {
            let bytes: Vec<u8> = (0..length).map(|at| (at / 7 % 251) as u8).collect();
            let path = folder.path().join("long");
            std::fs::write(&path, &bytes)?;
            assert!(read(path.to_str().expect("a temporary path is text"))? == bytes, "{length} bytes");
        }
        assert_eq!(read("no/such/file").map_err(|error| error.kind()), Err(io::ErrorKind::NotFound));
        Ok(())
    }
}
