//! Files that are written whole or not at all.
//!
//! A [`NewFile`] takes its place, or that of an older file, when it is [committed](NewFile::commit). Until then, on Linux, it
//! has no name: nothing remains of it if writing fails or the process is killed. Elsewhere, and on file systems without
//! unnamed files, it is a temporary file beside its place, which remains only if the process is killed.
//!
//! ```
//! use std::io::Write;
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("a.txt");
//! let mut file = minoan_files::NewFile::create(&path)?;
//! file.write_all(b"text")?;
//! assert!(!path.exists());
//! file.commit()?;
//! assert_eq!(std::fs::read(&path)?, b"text");
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is being written.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(NamedTempFile),
}

impl NewFile {
    /// Starts a file. It gets the permissions of the file that it replaces, or those of a new file.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::with_mode(path, 0o666)
    }

    /// Starts an executable file. It gets the permissions of the file that it replaces, or those of a new executable file.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn create_executable(path: &Path) -> io::Result<Self> {
        Self::with_mode(path, 0o777)
    }

    fn with_mode(path: &Path, mode: u32) -> io::Result<Self> {
        // Behind a link, the file that it leads to is replaced.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let file = Self { contents: Contents::create(folder(&path), mode)?, path };
        if let Ok(replaced) = file.path.metadata() {
            file.contents.file().set_permissions(replaced.permissions())?;
        }
        Ok(file)
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// Errors of the file system; nothing of the file remains.
    pub fn commit(self) -> io::Result<()> {
        if self.path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        match self.contents {
            #[cfg(target_os = "linux")]
            Contents::Unnamed(file) => linux::link(&file, &self.path),
            Contents::Named(file) => file.persist(&self.path).map(drop).map_err(|error| error.error),
        }
    }
}

/// Writes an executable file.
///
/// # Errors
/// Errors of the file system; nothing of the file remains.
pub fn write_executable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create_executable(path)?;
    file.write_all(bytes)?;
    file.commit()
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.contents.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.contents.file().flush()
    }
}

impl Contents {
    fn create(folder: &Path, mode: u32) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(file) = linux::unnamed(folder, mode) {
            return Ok(Contents::Unnamed(file));
        }
        // The operating system's own error if there is no such folder.
        std::fs::metadata(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".minoan-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        // `tempfile` adds the temporary file's name to its messages.
        let named = builder.tempfile_in(folder);
        Ok(Contents::Named(named.map_err(|error| match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => error.kind().into(),
        })?))
    }

    fn file(&self) -> &File {
        match self {
            #[cfg(target_os = "linux")]
            Contents::Unnamed(file) => file,
            Contents::Named(file) => file.as_file(),
        }
    }
}

/// The directory of a path.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(target_os = "linux")]
mod linux {
    use super::folder;
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    /// Opens a file without a name; `None` where that cannot be done, or cannot be given a name later.
    pub(super) fn unnamed(folder: &Path, mode: u32) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = File::from(openat(CWD, folder, flags, Mode::from_raw_mode(mode)).ok()?);
        Path::new(&descriptor(&file)).symlink_metadata().ok()?;
        Some(file)
    }

    fn descriptor(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }

    /// Gives the file a name, in place of a file that has it.
    pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
        let link = |to: &Path| -> io::Result<()> {
            Ok(linkat(CWD, descriptor(file).as_str(), CWD, to, AtFlags::SYMLINK_FOLLOW)?)
        };
        match link(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done,
        }
        // A link replaces nothing, but renaming does.
        let mut builder = tempfile::Builder::new();
        let beside = builder.prefix(".minoan-").make_in(folder(path), link)?;
        beside.into_temp_path().persist(path).map_err(|error| error.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn entries(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_when_it_is_committed() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        fs::write(&path, "old")?;
        let mut file = NewFile::create(&path)?;
        file.write_all(b"new")?;
        assert_eq!(fs::read(&path)?, b"old");
        file.commit()?;
        assert_eq!(fs::read(&path)?, b"new");
        assert_eq!(entries(folder.path()), ["a"]);
        Ok(())
    }

    #[test]
    fn a_failed_write_left_a_temporary_file() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        let mut file = NewFile::create(&path)?;
        file.write_all(b"half of")?;
        if cfg!(target_os = "linux") {
            // A signal at this point would leave no file.
            assert_eq!(entries(folder.path()), Vec::<String>::new());
        }
        drop(file);
        assert_eq!(entries(folder.path()), Vec::<String>::new());
        fs::create_dir(&path)?;
        assert!(write_executable(&path, b"text").is_err());
        assert_eq!(entries(folder.path()), ["a"]);
        assert!(write_executable(&folder.path().join("b/c"), b"text").is_err());
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() -> io::Result<()> {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir()?;
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        write_executable(&path, b"one")?;
        assert_ne!(fs::metadata(&path)?.permissions().mode() & 0o100, 0);
        symlink(&path, &link)?;
        let mut file = NewFile::create(&link)?;
        file.write_all(b"two")?;
        file.commit()?;
        assert_eq!(fs::read(&path)?, b"two");
        assert!(link.is_symlink());
        assert_ne!(fs::metadata(&path)?.permissions().mode() & 0o100, 0);
        Ok(())
    }
}
