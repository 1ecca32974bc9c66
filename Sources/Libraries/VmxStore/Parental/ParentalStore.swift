import SystemPackage
import VmxJSON
package import VmxModel
import VmxSystem

// Both files are replaced atomically and durably under the write lock of the store, whose holder
// also removes the temporary files that a crash left. The attempts are in a separate file, because
// each attempt changes it and the file with the hash must not change.

/// The files of parental control in a library: `pin.json` and `pin-attempts.json`.
package struct ParentalStore: Sendable {
  /// The maximum size of each file.
  private static let largest = ByteCount(clamping: 64 << 10)

  private let locks: StoreLocks
  private let home: LibraryHome

  init(_ locks: StoreLocks) {
    self.locks = locks
    home = locks.home
  }

  /// Returns the settings of a library; nil if no PIN is set. Takes no lock and creates no file.
  ///
  /// - Throws: `store-unreadable` or `resources-short` if the file cannot be read, `store-damaged`
  ///   if its content is invalid.
  package static func settings(of home: LibraryHome) throws(Failure) -> ParentalSettings? {
    guard let object = try object(at: home.pin) else { return nil }
    do throws(Failure) {
      return try ParentalSettings(fields: object)
    } catch {
      throw damaged(home.pin)
    }
  }

  /// The current settings; nil if no PIN is set.
  ///
  /// - Throws: as `settings(of:)`.
  package func settings() throws(Failure) -> ParentalSettings? { try Self.settings(of: home) }

  /// Writes the settings durably.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func put(_ settings: ParentalSettings) throws {
    try replace(home.pin, settings.record)
  }

  /// Replaces the settings durably, unless they are no longer the given ones.
  ///
  /// - Returns: whether they were replaced.
  /// - Throws: as `settings` and `put`.
  package func replace(
    _ old: ParentalSettings, with new: ParentalSettings
  ) throws -> Bool {
    try locks.whileWriting {
      guard try settings() == old else { return false }
      try write(home.pin, new.record)
      return true
    }
  }

  /// Removes both files durably.
  ///
  /// - Throws: `StoreError.lock` or `.file`.
  package func remove() throws {
    try locks.whileWriting {
      do throws(FileError) {
        for path in [home.pin, home.pinAttempts] { try RegularFile.remove(path) }
        try syncFolder(home.folder)
      } catch {
        throw StoreError.file(error)
      }
    }
  }

  /// Returns the record of wrong PINs. A file that cannot be decoded is treated as edited by the
  /// user: all free attempts count as used.
  ///
  /// - Parameter now: the time of the last attempt for a file that cannot be decoded.
  /// - Throws: `store-unreadable`.
  package func attempts(now: ClockReading) throws(Failure) -> PINAttempts {
    do throws(Failure) {
      guard let object = try Self.object(at: home.pinAttempts) else { return PINAttempts() }
      return try PINAttempts(fields: object)
    } catch {
      guard error.code == .storeDamaged else { throw error }
      return PINAttempts(failures: Int64(PINAttempts.free), last: now)
    }
  }

  /// Records the wrong PINs durably.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func put(_ attempts: PINAttempts) throws {
    try replace(home.pinAttempts, attempts.fields)
  }

  private func replace(_ path: FilePath, _ object: JSONObject) throws {
    try locks.whileWriting { try write(path, object) }
  }

  /// Replaces a file; the caller holds the write lock.
  private func write(_ path: FilePath, _ object: JSONObject) throws(StoreError) {
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    do throws(FileError) {
      try AtomicFile.replace(path, with: bytes, durable: true)
    } catch {
      throw error.isFull ? .full(path, error.errno ?? .noSpace) : StoreError.file(error)
    }
  }

  private static func object(at path: FilePath) throws(Failure) -> JSONObject? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try readFile(path, limit: largest)
    } catch {
      let code: ErrorCode = error.code == .resourcesShort ? .resourcesShort : .storeUnreadable
      throw Failure(code, "cannot read the files of the PIN: \(error.summary)")
    }
    guard let bytes else { return nil }
    do throws(JSONSyntaxError) {
      guard case .object(let object) = try JSONParser().parse(bytes) else {
        throw JSONSyntaxError(offset: 0, reason: "not an object")
      }
      return object
    } catch {
      throw damaged(path)
    }
  }

  private static func damaged(_ path: FilePath) -> Failure {
    Failure(
      .storeDamaged, "invalid content in '\(path)'",
      hint: "restore a backup, or remove it and run 'vmx lock set' to set a PIN")
  }
}

extension LibraryStore {
  /// The files of parental control.
  package var parental: ParentalStore { ParentalStore(writer.locks) }

  /// Acquires the lock of a job. Waits for another process to release it, up to the timeout of the
  /// write lock.
  ///
  /// - Throws: `lock-busy` after that time; `interrupted`; `StoreError.lock` or `.file` if the lock
  ///   file cannot be used.
  package func waitForJob(_ job: JobByte, what: String) throws -> ByteLock {
    let deadline = Deadline(milliseconds: writer.options.lockTimeout)
    while true {
      if let lock = try tryJob(job) { return lock }
      if writer.options.shouldStop() { throw WorkEnded.interrupted }
      guard !deadline.isPast else { throw Failure(.lockBusy, "another vmx process \(what)") }
      deadline.sleep(nanoseconds: 5_000_000)
    }
  }
}

extension StoreSnapshot {
  /// Returns the age rating of a show by its slug; nil if none is recorded.
  package func ageRating(ofShow slug: String) -> AgeRating? {
    record(.show, slug)?.fields["age_rating"]?.string.flatMap { AgeRating($0) }
  }
}
