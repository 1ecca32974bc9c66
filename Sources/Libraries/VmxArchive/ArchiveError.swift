package import SystemPackage
package import VmxModel
package import VmxSystem

/// The reason why a bundle cannot be written or read.
package enum ArchiveError: CodedError, Equatable {
  /// A bundle of this format cannot be read from a pipe.
  case needsFile(ArchiveFormat)
  /// The bytes are in no format that vmx reads.
  case notABundle
  /// The archive ends early or contradicts its checksums, within this entry if it is known.
  case damaged(entry: PathBytes?)
  /// The archive holds an entry that is never unpacked.
  case refused(entry: PathBytes, EntryFault)
  /// The archive exceeds a limit.
  case tooLarge(BundleLimit)
  /// An entry is encrypted and no passphrase was given.
  case passphraseNeeded(entry: PathBytes)
  /// The passphrase does not open this entry.
  case wrongPassphrase(entry: PathBytes)
  /// The system call to read the archive failed; `.interrupted` if the caller requested a stop.
  case unreadable(Errno)
  /// The system call to write the archive failed; `.interrupted` as for reading.
  case unwritable(Errno)
  /// The number of bytes written for an entry differs from the announced size.
  case sizeChanged(entry: PathBytes, expected: Int64)
  /// A file operation failed in a folder that is read as a bundle.
  case file(FileError)
  /// libarchive has no memory left, or lacks a format.
  case unsupported

  package var code: ErrorCode {
    switch self {
    case .needsFile: .needsFile
    case .notABundle: .notABundle
    case .damaged: .bundleDamaged
    case .refused: .entryRefused
    case .tooLarge: .bundleTooLarge
    case .passphraseNeeded: .passphraseNeeded
    case .wrongPassphrase: .passphraseWrong
    case .unreadable(.interrupted), .unwritable(.interrupted): .interrupted
    case .unreadable: .inputMissing
    case .unwritable(.noSpace), .unwritable(.diskQuotaExceeded): .diskFull
    case .unwritable(.fileTooLarge): .fileTooLarge
    case .unwritable: .outputFailed
    case .sizeChanged: .inputChanged
    case .file(let error): error.code
    case .unsupported: .resourcesShort
    }
  }

  package var summary: String {
    switch self {
    case .needsFile(let format): "a bundle in \(format.rawValue) cannot be read from a pipe"
    case .notABundle: "not a bundle in tar, tar.zst, zip or 7z"
    case .damaged(nil): "the bundle is cut or damaged"
    case .damaged(let entry?): "the bundle is cut or damaged in '\(entry.escaped)'"
    case .refused(let entry, let fault): "the entry '\(entry.escaped)' \(fault.rawValue)"
    case .tooLarge(let excess): excess.summary
    case .passphraseNeeded(let entry): "the entry '\(entry.escaped)' is encrypted"
    case .wrongPassphrase(let entry): "the passphrase does not open '\(entry.escaped)'"
    case .unreadable(let errno): "cannot read the bundle: \(errno.message)"
    case .unwritable(let errno): "cannot write the bundle: \(errno.message)"
    case .sizeChanged(let entry, let expected):
      "'\(entry.escaped)' has a size other than the \(expected) bytes that its header states"
    case .file(let error): error.summary
    case .unsupported: "libarchive cannot begin the bundle"
    }
  }
}

/// The reason why an entry of a bundle is never unpacked, as words after its name.
package enum EntryFault: String, Sendable, CaseIterable {
  case absolute = "has an absolute path"
  case parent = "leads out of the bundle by '..'"
  case backslash = "has a backslash in its path"
  case drive = "begins with a drive letter"
  case control = "has a control character in its path"
  case empty = "has no name"
  case tooLong = "has a name of more than 255 bytes or a path of more than 4095"
  case tooDeep = "is nested in 64 or more folders"
  case link = "is a link"
  case special = "is neither a file nor a folder"
  case duplicate = "appears twice, or differs from another only by case or Unicode form"
  case encryption = "is encrypted in a way that cannot be read"
}

/// The limit that a bundle exceeds.
package enum BundleLimit: Sendable, Equatable {
  /// More entries than this.
  case entries(Int)
  /// More unpacked bytes than this in total.
  case bytes(Int64)
  /// More bytes than this in the list of entries of a 7z.
  case list(Int64)
  /// More unpacked bytes than the compression ratio limit allows, up to this entry.
  case ratio(PathBytes)
  /// More bytes than this in the records or the tag files, up to this entry.
  case metadata(PathBytes, limit: Int64)

  var summary: String {
    switch self {
    case .entries(let limit): "the bundle holds more than \(limit) entries"
    case .bytes(let limit): "the bundle holds more than \(limit) bytes"
    case .ratio(let entry): "'\(entry.escaped)' unpacks to far more bytes than were packed"
    case .list(let limit): "the list of entries has more than \(limit) bytes"
    case .metadata(let entry, let limit):
      "the metadata up to '\(entry.escaped)' has more than \(limit) bytes"
    }
  }
}

extension PathBytes {
  /// The path for messages; each byte that is not UTF-8 appears as `\xHH`.
  package var escaped: String { ArgumentText.shown(ArgumentText.text(of: bytes)) }
}
