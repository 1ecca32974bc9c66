import CArchive
import Glibc
package import SystemPackage
package import VmxModel

// The bytes of an archive depend only on the entries and their order. Owner, mode and time are the
// same for all entries. A time of 0 is earlier than ZIP can express, so that the local time in a
// ZIP does not depend on the time zone. Names are UTF-8 in every locale. Only an encrypted archive
// differs each time, because of its salt.

/// A writer of an archive to a descriptor, one entry at a time.
///
///     let writer = try ArchiveWriter(.tar, to: descriptor)
///     try writer.begin("travel/bagit.txt", size: Int64(text.count))
///     try text.withUnsafeBytes { try writer.write($0) }
///     try writer.end()
///     try writer.finish()
///
/// The descriptor remains open and is not flushed. A writer that was not finished leaves an
/// incomplete archive. Used by one thread at a time.
package final class ArchiveWriter {
  private let archive: OpaquePointer
  private let output: ArchiveOutput
  private let locale: UTF8Locale
  private var names = EntryNames()
  private var entry = PathBytes([])
  private var announced: Int64 = 0
  private var remaining: Int64 = 0

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - descriptor: open for writing. A 7z is written only when the archive is finished.
  ///   - passphrase: encrypts the bytes of the entries, not their names, with AES-256; only for
  ///     zip.
  ///   - scratch: the folder for the temporary file of 7z, which is as large as the archive. It
  ///     becomes `TMPDIR` of this process, which libarchive reads.
  ///   - shouldContinue: called before each write to a pipe, and ten times a second while it
  ///     accepts no bytes, with the idle time in milliseconds. Once it returns false, the writing
  ///     ends with the code `interrupted`.
  /// - Throws: `resources-short`.
  package init(
    _ format: ArchiveFormat, to descriptor: FileDescriptor, passphrase: [UInt8]? = nil,
    scratch: FilePath? = nil, while shouldContinue: @escaping (Int64) -> Bool = { _ in true }
  ) throws(ArchiveError) {
    guard let locale = UTF8Locale(), let archive = archive_write_new() else {
      throw .unsupported
    }
    let isFormatSet = locale.withLocale { Self.set(format, of: archive) }
    self.archive = archive
    self.locale = locale
    output = ArchiveOutput(descriptor.rawValue, while: shouldContinue)
    if format == .sevenZip, let scratch { setenv("TMPDIR", scratch.string, 1) }
    let context = Unmanaged.passUnretained(output).toOpaque()
    var isSet =
      isFormatSet
      // Blocks of libarchive would copy every byte; `ArchiveOutput` joins small pieces instead.
      && archive_write_set_bytes_per_block(archive, 0) == ARCHIVE_OK
      && archive_write_set_bytes_in_last_block(archive, 1) == ARCHIVE_OK
    if let passphrase {
      isSet =
        isSet && format == .zip
        && archive_write_set_options(archive, "zip:encryption=aes256") == ARCHIVE_OK
        && (passphrase + [0]).withUnsafeBytes {
          archive_write_set_passphrase(archive, $0.bindMemory(to: CChar.self).baseAddress)
        } == ARCHIVE_OK
    }
    guard isSet,
      archive_write_open2(archive, context, nil, ArchiveOutput.write, nil, nil)
        == ARCHIVE_OK
    else { throw .unsupported }
  }

  deinit {
    // Without this call, freeing would try to finish the archive, and would write again after an
    // error.
    archive_write_fail(archive)
    archive_write_free(archive)
  }

  /// Begins the entry of a file.
  ///
  /// - Parameters:
  ///   - path: a path that the readers accept, and that differs from earlier ones in more than case
  ///     and Unicode form.
  ///   - size: the number of bytes that the calls of `write` will pass.
  /// - Throws: `entry-refused`, `disk-full`, `output-failed`.
  package func begin(_ path: PathBytes, size: Int64) throws(ArchiveError) {
    try names.insert(path, isFolder: false)
    guard let header = archive_entry_new() else { throw .unsupported }
    defer { archive_entry_free(header) }
    let status = locale.withLocale {
      let name = path.bytes.map { CChar(bitPattern: $0) } + [0]
      guard archive_entry_update_pathname_utf8(header, name) == 1 else { return ARCHIVE_FATAL }
      vmx_archive_set_file(header, size)
      return archive_write_header(archive, header)
    }
    guard status == ARCHIVE_OK else { throw failure() }
    (entry, announced, remaining) = (path, size, size)
  }

  /// Begins the entry of a file.
  ///
  /// - Throws: as `begin(_:size:)` with bytes.
  package func begin(_ path: String, size: Int64) throws(ArchiveError) {
    try begin(PathBytes(path), size: size)
  }

  /// Writes the next bytes of the entry. Large pieces are written directly from the caller's
  /// memory.
  ///
  /// - Throws: `input-changed` beyond the announced size, `disk-full`, `output-failed`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
    guard Int64(bytes.count) <= remaining else {
      throw .sizeChanged(entry: entry, expected: announced)
    }
    var rest = bytes
    while !rest.isEmpty {
      let count = archive_write_data(archive, rest.baseAddress, rest.count)
      guard count > 0 else { throw failure() }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      remaining -= Int64(count)
    }
  }

  /// Ends the entry.
  ///
  /// - Throws: `input-changed` if fewer bytes were written than announced, `disk-full`,
  ///   `output-failed`.
  package func end() throws(ArchiveError) {
    guard remaining == 0 else { throw .sizeChanged(entry: entry, expected: announced) }
    guard archive_write_finish_entry(archive) == ARCHIVE_OK else { throw failure() }
  }

  /// Writes the end of the archive.
  ///
  /// - Throws: `disk-full`, `output-failed`.
  package func finish() throws(ArchiveError) {
    let status = locale.withLocale { archive_write_close(archive) }
    guard status == ARCHIVE_OK, output.flush() else { throw failure() }
  }

  /// Sets the format and its options, such as UTF-8 as the character set of names.
  private static func set(_ format: ArchiveFormat, of archive: OpaquePointer) -> Bool {
    let (status, options) =
      switch format {
      case .tar, .tarZstd:
        (archive_write_set_format_pax_restricted(archive), "pax:hdrcharset=UTF-8")
      case .zip: (archive_write_set_format_zip(archive), "zip:compression=store,hdrcharset=UTF-8")
      case .sevenZip: (archive_write_set_format_7zip(archive), "7zip:compression=store")
      }
    guard status == ARCHIVE_OK, archive_write_set_options(archive, options) == ARCHIVE_OK else {
      return false
    }
    guard format == .tarZstd else { return true }
    // Without the option `threads`, libarchive uses one thread, so that the bytes do not depend on
    // the machine.
    return archive_write_add_filter_zstd(archive) == ARCHIVE_OK
      && archive_write_set_options(archive, "zstd:compression-level=3") == ARCHIVE_OK
  }

  /// Returns the error of the call that has just failed: that of the descriptor, or else that of
  /// the temporary file.
  private func failure() -> ArchiveError {
    if let errno = output.errno { return .unwritable(errno) }
    let number = archive_errno(archive)
    return number > 0 ? .unwritable(Errno(rawValue: number)) : .unsupported
  }
}
