import SystemPackage
package import VmxModel
import VmxSystem

// The attempts are in a separate file, because each attempt changes it and the file with the hash
// must not change.

/// The files of parental control in a library: `pin.json` and `pin-attempts.json`.
package struct ParentalStore: Sendable {
  private let locks: StoreLocks
  private var home: LibraryHome { locks.home }
  private var pin: HomeFile { Self.file(home.pin) }
  private var pinAttempts: HomeFile { Self.file(home.pinAttempts) }

  init(_ locks: StoreLocks) { self.locks = locks }

  private static func file(_ path: FilePath) -> HomeFile {
    HomeFile(
      path: path, name: "the files of the PIN",
      hint: "restore a backup, or remove it and run 'vmx lock set' to set a PIN")
  }

  /// Returns the settings of a library; nil if no PIN is set. Takes no lock and creates no file.
  ///
  /// - Throws: `store-unreadable` or `resources-short` if the file cannot be read, `store-damaged`
  ///   if its content is invalid.
  package static func settings(of home: LibraryHome) throws(Failure) -> ParentalSettings? {
    try file(home.pin).read(ParentalSettings.init(fields:))
  }

  /// The current settings; nil if no PIN is set.
  ///
  /// - Throws: as `settings(of:)`.
  package func settings() throws(Failure) -> ParentalSettings? { try Self.settings(of: home) }

  /// Writes the settings durably.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func save(_ settings: ParentalSettings) throws {
    try locks.withWriteLock { try pin.replace(with: settings.record) }
  }

  /// Replaces the settings durably, unless they are no longer the given ones.
  ///
  /// - Returns: whether they were replaced.
  /// - Throws: as `settings` and `save`.
  package func replace(
    _ old: ParentalSettings, with new: ParentalSettings
  ) throws -> Bool {
    try locks.withWriteLock {
      guard try settings() == old else { return false }
      try pin.replace(with: new.record)
      return true
    }
  }

  /// Removes both files durably.
  ///
  /// - Throws: `StoreError.lock` or `.file`.
  package func remove() throws {
    try locks.withWriteLock {
      try pin.remove()
      try pinAttempts.remove()
    }
  }

  /// Returns the record of wrong PINs. A file that cannot be decoded is treated as edited by the
  /// user: all free attempts count as used.
  ///
  /// - Parameter now: the time of the last attempt for a file that cannot be decoded.
  /// - Throws: `store-unreadable`.
  package func attempts(now: ClockReading) throws(Failure) -> PINAttempts {
    do throws(Failure) {
      return try pinAttempts.read(PINAttempts.init(fields:)) ?? PINAttempts()
    } catch {
      guard error.code == .storeDamaged else { throw error }
      return PINAttempts(failures: Int64(PINAttempts.free), last: now)
    }
  }

  /// Records the wrong PINs durably.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func save(_ attempts: PINAttempts) throws {
    try locks.withWriteLock { try pinAttempts.replace(with: attempts.fields) }
  }
}

extension LibraryStore {
  /// The files of parental control.
  package var parental: ParentalStore { ParentalStore(writer.locks) }
}

extension StoreSnapshot {
  /// Returns the age rating of a show by its slug; nil if none is recorded.
  package func ageRating(ofShow slug: String) -> AgeRating? {
    record(.show, slug)?.fields["age_rating"]?.string.flatMap { AgeRating($0) }
  }
}
