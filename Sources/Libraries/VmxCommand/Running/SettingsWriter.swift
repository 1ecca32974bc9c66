import Glibc
package import SystemPackage
import VmxConfiguration
package import VmxModel
package import VmxSettings
package import VmxSystem

// The file is replaced as a whole, under its lock: a process that is killed leaves the old file or
// the new one, and of two changes at the same time the second one begins with the result of the
// first. The bytes are on the disk before the command ends.

/// Changes the user's settings file.
///
/// ```swift
/// let writer = try SettingsWriter(in: context, until: interruption)
/// let edit = try writer.edit { text throws(Failure) in try text.set(name, to: "6") }
/// ```
package struct SettingsWriter {
  /// The file as the user names it.
  package let path: FilePath
  private let isNamed: Bool
  private let timeout: Int64
  private let holder: String
  private let interruption: Interruption
  /// Whether other users can read the file.
  package var isReadableByOthers: Bool {
    do {
      let permissions = try FileFacts.of(resolved(path))?.permissions ?? []
      return !permissions.isDisjoint(with: [.groupRead, .otherRead])
    } catch {
      return false
    }
  }
  private let isDryRun: Bool

  /// The end of a change.
  package struct Edit<Result> {
    /// The result of the closure.
    package let result: Result
    /// Whether the bytes of the file changed.
    package let isChanged: Bool
    /// Whether the file was created.
    package let isNew: Bool
  }

  /// Creates a writer.
  ///
  /// - Throws: `bad-setting` if no variable determines the file.
  package init(in context: CommandContext, until interruption: Interruption) throws(Failure) {
    let files = context.settingsFiles
    guard let user = files.user else {
      _ = try context.folder("XDG_CONFIG_HOME", beneathHome: ".config")
      throw Failure(.badSetting, "no settings file")
    }
    path = user
    isNamed = files.isNamed
    timeout = try Self.timeout(context.settings)
    holder = "\(context.tool), \(ProcessIdentity(clock: context.systemClock).text)"
    self.interruption = interruption
    isDryRun = context.isDryRun
  }

  /// Returns the lock timeout; the built-in one if the setting is invalid, which the user perhaps
  /// corrects now.
  private static func timeout(_ settings: Settings) throws(Failure) -> Int64 {
    do throws(Failure) {
      return try settings.milliseconds(.lockTimeout)
    } catch {
      return try Settings().milliseconds(.lockTimeout)
    }
  }

  /// Changes the bytes of the file; a missing file is created with its folders, unless `VMX_CONFIG`
  /// names it: then its folder must exist.
  ///
  /// A symbolic link is followed, and the file keeps its mode and owner.
  ///
  /// - Throws: `bad-setting` for a file with a syntax error, `settings-unwritable`, `disk-full`,
  ///   `lock-busy`, `WorkEnded.interrupted`; the errors of the closure. Nothing is changed then.
  package func edit<Result>(
    _ change: (inout SettingsText) throws -> Result
  ) throws -> Edit<Result> {
    let target = try reporting { try resolved(path) }
    if isDryRun { return try draft(target, change).edit }
    if !isNamed { try reporting { try makeFolders(target.folder) } }
    try checkWritable(target)
    let lock = try locked(target)
    defer { lock.release() }
    let (edit, bytes) = try draft(target, change)
    guard edit.isChanged else { return edit }
    let facts = try reporting { try FileFacts.of(target) }
    try reporting {
      try AtomicFile.replace(
        target, with: bytes, mode: facts?.permissions ?? .ownerReadWrite, ownerOf: facts,
        durable: true)
    }
    return edit
  }

  /// Creates the file with the given text, if it does not exist.
  ///
  /// - Returns: whether it was created.
  /// - Throws: as `edit`.
  package func create(_ text: String) throws -> Bool {
    // A file with a syntax error can be read by no editor but that of the user.
    guard try reporting({ try FileFacts.of(resolved(path)) }) == nil else { return false }
    return try edit { file in
      if file.bytes.isEmpty { file = try SettingsText(Array(text.utf8), path: path.string) }
    }.isNew
  }

  /// Reads the file and applies the change in memory.
  private func draft<Result>(
    _ target: FilePath, _ change: (inout SettingsText) throws -> Result
  ) throws -> (edit: Edit<Result>, bytes: [UInt8]) {
    let bytes = try SettingLayers.contents(of: target)
    var text = try SettingsText(bytes ?? [], path: path.string)
    let result = try change(&text)
    guard text.bytes.count <= SettingLayers.maxSize.bytes else {
      throw unwritable("larger than \(SettingLayers.maxSize.bytes) bytes")
    }
    let isChanged = text.bytes != bytes ?? []
    return (
      Edit(result: result, isChanged: isChanged, isNew: isChanged && bytes == nil), text.bytes
    )
  }

  private func locked(_ target: FilePath) throws -> DotLock {
    do {
      return try DotLock.acquire(target, timeout: timeout, as: holder) { [interruption] in
        interruption.isRequested
      }
    } catch let error as LockError {
      switch error {
      case .unusable(let error): throw failure(error)
      case .busy(_, let lock, let holder, _) where holder == nil:
        throw Failure(
          .lockBusy, error.summary,
          hint: "if no other program is writing the settings, remove '\(lock)'")
      case .busy:
        throw Failure(
          .lockBusy, error.summary,
          hint: "wait for that process to end, or give -c core.lock-timeout=1m")
      default: throw error
      }
    }
  }

  /// Refuses anything but a regular file, and a file without the permission to write it, which a
  /// replacement would ignore.
  private func checkWritable(_ target: FilePath) throws {
    guard let facts = try reporting({ try FileFacts.of(target) }) else { return }
    guard facts.isRegular else { throw unwritable("not a regular file") }
    guard facts.permissions.contains(.ownerWrite),
      target.withPlatformString({ access($0, W_OK) }) == 0
    else { throw unwritable("the file is read-only") }
  }

  /// Returns the file to which a path leads, through links; it need not exist.
  private func resolved(_ path: FilePath) throws(FileError) -> FilePath {
    var path = path
    for _ in 0..<40 {
      guard let target = linkTarget(of: path) else { break }
      path = path.folder.pushing(target)
    }
    // The folder may be reached by a link too.
    return realPath(of: path.folder).flatMap { folder in
      path.lastComponent.map { folder.appending($0) }
    } ?? path
  }

  private func unwritable(_ reason: String) -> Failure {
    Failure(.settingsUnwritable, "cannot write the settings '\(path)': \(reason)")
  }

  private func failure(_ error: FileError) -> Failure {
    switch error.code {
    case .diskFull:
      Failure(
        .diskFull, "cannot write the settings '\(path)': no space left on device",
        hint: "free space on that disk; the settings are unchanged")
    case .resourcesShort: Failure(error)
    default: unwritable(error.errno?.message ?? error.summary)
    }
  }

  @discardableResult
  private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError {
      throw failure(error)
    }
  }
}
