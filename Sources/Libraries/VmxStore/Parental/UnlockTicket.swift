import SystemPackage
import VmxJSON
package import VmxModel
package import VmxSystem

// A ticket is valid only for the boot, the login session and the PIN for which it was written. It
// expires by a clock that no user can set. It is in XDG_RUNTIME_DIR, which the system empties at
// logout and which only its user may enter.

/// The file that keeps a login session unlocked for a limited time after the user entered the PIN.
package struct UnlockTicket: Sendable {
  private let path: FilePath
  private let session: LoginSession

  /// Determines the path of the ticket of a library in this login session; the file may not exist.
  ///
  /// - Parameter runtime: `XDG_RUNTIME_DIR`.
  /// - Returns: nil if that is not an absolute path, or not a folder private to this user.
  package init?(
    of home: LibraryHome, runtime: String?, session: LoginSession = .ofProcess()
  ) {
    guard let runtime, runtime.hasPrefix("/"), isFolderOfUserAlone(FilePath(runtime)) else {
      return nil
    }
    let name = Hex.text(of: StableHash.of(home.folder.string))
    path = FilePath(runtime).appending("vmx-unlocked-\(name)")
    self.session = session
  }

  /// Writes the ticket.
  ///
  /// - Parameters:
  ///   - milliseconds: the validity in milliseconds.
  ///   - settings: the settings whose PIN the user entered; the ticket is valid only for these.
  /// - Throws: `FileError`.
  package func write(
    for milliseconds: Int64, _ settings: ParentalSettings, now: ClockReading
  ) throws(FileError) {
    let object = JSONObject(distinct: [
      ("boot", .string(now.boot)), ("session", .string(session.name)),
      ("from", .integer(now.sinceBoot)),
      ("until", .integer(now.sinceBoot.addingClamped(milliseconds))),
      ("pin", .string(Self.mark(of: settings))),
    ])
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    try AtomicFile.replace(path, with: bytes, durable: false)
  }

  /// Removes the ticket if it exists.
  ///
  /// - Throws: `FileError`.
  package func remove() throws(FileError) { try RegularFile.remove(path) }

  /// Returns the remaining validity in milliseconds; 0 if there is no valid ticket.
  package func remaining(for settings: ParentalSettings, now: ClockReading) -> Int64 {
    do {
      guard let bytes = try readFile(path, limit: ByteCount(clamping: 4096)),
        case .object(let ticket) = try JSONParser().parse(bytes),
        ticket["boot"]?.string == now.boot, ticket["session"]?.string == session.name,
        ticket["pin"]?.string == Self.mark(of: settings),
        let from = ticket["from"]?.integer, let until = ticket["until"]?.integer,
        from <= now.sinceBoot
      else { return 0 }
      return max(0, until - now.sinceBoot)
    } catch {
      return 0
    }
  }

  /// Returns a fingerprint of the PIN that does not reveal it: the hash is salted, and only 64 bits
  /// of a hash of it are written.
  private static func mark(of settings: ParentalSettings) -> String {
    Hex.text(of: StableHash.of(settings.hash + settings.seal))
  }
}
