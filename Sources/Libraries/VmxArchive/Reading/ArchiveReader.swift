import CArchive
import Glibc
package import SystemPackage
import VmxModel

// Only the formats that vmx writes are enabled in libarchive. A ZIP file is also read as a stream,
// so that memory use is constant and no byte is unpacked twice. (Zip bombs use overlapping
// entries.) An entry yields only bytes, and creates no file. Skipped entries are unpacked under the
// same limits as entries that are read, unless their packed size is known and libarchive can skip
// it.

/// A reader of an archive, which detects the format from the first bytes.
///
///     let reader = try ArchiveReader(.standardInput)
///     while let entry = try reader.next() { … }
///
/// Owners, modes and times of entries are ignored. Used by one thread at a time.
package final class ArchiveReader: BundleReader {
  private let archive: OpaquePointer
  private let input: ArchiveInput
  private let locale: UTF8Locale
  private let sevenZip: SevenZipHeader?
  private let hasPassphrase: Bool
  private let limits: BundleLimits
  private var names = EntryNames()
  private var count = 0
  private var produced: Int64 = 0
  private var current: BundleEntry?
  private var readOfCurrent: Int64 = 0
  private var isEnded = false

  /// Begins to read at the current offset of a descriptor, which remains open.
  ///
  /// - Parameters:
  ///   - descriptor: a file or pipe, open for reading; 7z needs a file.
  ///   - passphrase: the passphrase for the encrypted entries of a zip; nil for none.
  ///   - shouldContinue: called before each read of a pipe, and ten times a second while it
  ///     delivers no bytes, with the idle time in milliseconds. Once it returns false, the reading
  ///     ends with the code `interrupted`.
  /// - Throws: `resources-short`. `next` reports an unknown format.
  package init(
    _ descriptor: FileDescriptor, passphrase: [UInt8]? = nil, limits: BundleLimits = .init(),
    while shouldContinue: @escaping (Int64) -> Bool = { _ in true }
  ) throws(ArchiveError) {
    guard let locale = UTF8Locale(), let archive = archive_read_new() else { throw .unsupported }
    self.archive = archive
    self.locale = locale
    self.limits = limits
    input = ArchiveInput(descriptor.rawValue, while: shouldContinue)
    hasPassphrase = passphrase != nil
    var isSet =
      archive_read_support_format_tar(archive) == ARCHIVE_OK
      && archive_read_support_format_zip_streamable(archive) == ARCHIVE_OK
      && archive_read_support_filter_zstd(archive) == ARCHIVE_OK
      // Exports do not write these, but bags of other programs are compressed by them.
      && archive_read_support_filter_gzip(archive) == ARCHIVE_OK
      && archive_read_support_filter_xz(archive) == ARCHIVE_OK
      && archive_read_support_filter_bzip2(archive) == ARCHIVE_OK
    // Enabled only if the first bytes are those of a 7z: libarchive would also search for a 7z
    // after an executable.
    sevenZip = input.sevenZip()
    if sevenZip != nil { isSet = isSet && archive_read_support_format_7zip(archive) == ARCHIVE_OK }
    if let passphrase {
      isSet =
        isSet
        && (passphrase + [0]).withUnsafeBytes {
          archive_read_add_passphrase(archive, $0.bindMemory(to: CChar.self).baseAddress)
        } == ARCHIVE_OK
    }
    guard isSet else { throw .unsupported }
  }

  deinit { archive_read_free(archive) }

  /// The format of the archive; nil before the first entry.
  package var format: ArchiveFormat? {
    switch archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK {
    case ARCHIVE_FORMAT_TAR: isFiltered ? .tarZstd : .tar
    case ARCHIVE_FORMAT_ZIP: .zip
    case ARCHIVE_FORMAT_7ZIP: .sevenZip
    default: nil
    }
  }

  /// The name of its type: that of the format as in `vmx export --type`, or that of a tar with
  /// another compression, such as `tar.gz`. Nil before the first entry.
  package var typeName: String? {
    guard let format else { return nil }
    switch archive_filter_code(archive, 0) {
    case ARCHIVE_FILTER_GZIP: return "tar.gz"
    case ARCHIVE_FILTER_XZ: return "tar.xz"
    case ARCHIVE_FILTER_BZIP2: return "tar.bz2"
    default: return format.rawValue
    }
  }

  package func next() throws(ArchiveError) -> BundleEntry? {
    if isEnded { return nil }
    isEnded = true
    try skipRest()
    if count == 0, let sevenZip {
      guard let size = sevenZip.size else { throw .damaged(entry: nil) }
      guard size <= limits.list else { throw .tooLarge(.list(limits.list)) }
      if let range = sevenZip.range { input.readInOnePiece(range) }
    }
    while true {
      var header: OpaquePointer?
      let status = locale.withLocale {
        if count == 0, current == nil, format == nil, input.open(archive) != ARCHIVE_OK {
          return ARCHIVE_FATAL
        }
        return archive_read_next_header(archive, &header)
      }
      if status == ARCHIVE_EOF {
        // libarchive reads any file that begins with zeros, such as a damaged archive or a disk
        // image, as a tar without entries.
        if current == nil { throw .notABundle }
        if format == .zip, input.entriesOfZip() != Int64(count) {
          throw input.errno.map { .unreadable($0) } ?? .damaged(entry: nil)
        }
        return nil
      }
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let header else { throw failure() }
      if count == 0, format == .zip, let error = input.faultOfZip() { throw error }
      count += 1
      guard count <= limits.entries else { throw .tooLarge(.entries(limits.entries)) }
      guard let entry = try checked(header) else { continue }
      current = entry
      readOfCurrent = 0
      try addProduced(BundleLimits.ofEntry, by: entry)
      isEnded = false
      return entry
    }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
    guard !isEnded, let current, current.kind == .file, !buffer.isEmpty else { return 0 }
    if current.isEncrypted {
      if format != .zip { throw ended(.refused(entry: current.path, .encryption)) }
      if !hasPassphrase { throw ended(.passphraseNeeded(entry: current.path)) }
    }
    let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
    guard count >= 0 else {
      let isLocked =
        current.isEncrypted && readOfCurrent == 0 && input.errno == nil && count == ARCHIVE_FAILED
      throw ended(isLocked ? .wrongPassphrase(entry: current.path) : failure())
    }
    try account(for: Int64(count), of: current)
    // libarchive does not return a hole at the end of a sparse file.
    if count < buffer.count, let size = current.size, readOfCurrent != size {
      throw ended(.damaged(entry: current.path))
    }
    return count
  }

  /// Skips the unread bytes of the entry.
  private func skipRest() throws(ArchiveError) {
    guard let current, current.kind == .file else { return }
    // libarchive skips by the packed size, at the cost of reading it.
    let isBounded = format == .tar || format == .zip && current.size != nil
    if isBounded || current.isEncrypted { return }
    while true {
      var bytes: UnsafeRawPointer?
      var count = 0
      var offset: Int64 = 0
      let status = archive_read_data_block(archive, &bytes, &count, &offset)
      if status == ARCHIVE_EOF { return }
      guard status == ARCHIVE_OK else { throw failure() }
      try account(for: max(0, offset + Int64(count) - readOfCurrent), of: current)
    }
  }

  private func account(for more: Int64, of entry: BundleEntry) throws(ArchiveError) {
    readOfCurrent += more
    try addProduced(more, by: entry)
  }

  /// Adds to the number of unpacked bytes, and compares it with the limits.
  private func addProduced(_ more: Int64, by entry: BundleEntry) throws(ArchiveError) {
    produced = produced.addingClamped(more)
    if produced > limits.bytes { throw ended(.tooLarge(.bytes(limits.bytes))) }
    if produced > BundleLimits.free, produced / limits.ratio > input.consumed {
      throw ended(.tooLarge(.ratio(entry.path)))
    }
  }

  /// Returns the checked entry of a header; nil for the root folder.
  private func checked(_ header: OpaquePointer) throws(ArchiveError) -> BundleEntry? {
    let path = PathBytes(entry: name(of: header))
    let kind = Int(vmx_archive_kind(header))
    if kind == vmx_archive_link { throw .refused(entry: path, .link) }
    if kind == vmx_archive_special { throw .refused(entry: path, .special) }
    // Other formats repeat the bytes, or have them with the last link (cpio).
    let isHardLink = kind == vmx_archive_hard_link
    if isHardLink, format != .tar { throw .refused(entry: path, .link) }
    let isFolder = kind == vmx_archive_folder
    if isFolder, path.bytes.isEmpty { return nil }
    try names.insert(path, isFolder: isFolder)
    let size = archive_entry_size_is_set(header) != 0 ? archive_entry_size(header) : nil
    if let size, !isFolder, size < 0 || size > limits.bytes - produced {
      throw size < 0 ? .damaged(entry: path) : .tooLarge(.bytes(limits.bytes))
    }
    return BundleEntry(
      path: path, kind: isFolder ? .folder : .file, size: isFolder ? nil : size,
      isEncrypted: archive_entry_is_encrypted(header) != 0,
      linkTarget: isHardLink ? PathBytes(entry: target(of: header)) : nil)
  }

  /// Returns the name as UTF-8 if its encoding is known, else its bytes.
  private func name(of header: OpaquePointer) -> [UInt8] {
    bytes { archive_entry_pathname_utf8(header) ?? archive_entry_pathname(header) }
  }

  /// Returns the name of the entry to which a hard link leads, like `name(of:)`.
  private func target(of header: OpaquePointer) -> [UInt8] {
    bytes { archive_entry_hardlink_utf8(header) ?? archive_entry_hardlink(header) }
  }

  private func bytes(of name: () -> UnsafePointer<CChar>?) -> [UInt8] {
    let name = locale.withLocale(name)
    guard let name else { return [] }
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  private var isFiltered: Bool { archive_filter_code(archive, 0) != ARCHIVE_FILTER_NONE }

  private func ended(_ error: ArchiveError) -> ArchiveError {
    isEnded = true
    return error
  }

  /// Returns the error of the libarchive call that has just failed.
  private func failure() -> ArchiveError {
    if let errno = input.errno { return .unreadable(errno) }
    if input.needsFile { return .needsFile(.sevenZip) }
    if archive_errno(archive) == ENOMEM { return .unsupported }
    // The header of a 7z may be encrypted too.
    let isUnknown = format == nil || count == 0 && archive_read_has_encrypted_entries(archive) > 0
    return isUnknown ? .notABundle : .damaged(entry: current?.path)
  }
}
