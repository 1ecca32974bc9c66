import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// User names, passwords and tokens are stored in a file of their own, mode 0600. Everywhere else
// they appear only as a reference, which is random and reveals nothing. Lines are only added. The
// file is replaced atomically under the write lock of the store, so that a crash leaves the old
// file or the new one.

/// A user name with a password.
package struct Secret: Sendable, Equatable {
  /// The user name, not percent-encoded.
  package let user: String
  /// The password, not percent-encoded.
  package let password: String

  /// Creates a pair of credentials for a server.
  package init(user: String, password: String) {
    self.user = user
    self.password = password
  }
}

/// The user names and passwords of a library.
package struct SecretStore: Sendable {
  private let locks: StoreLocks
  private let home: LibraryHome

  init(_ locks: StoreLocks) {
    self.locks = locks
    home = locks.home
  }

  /// Stores a secret durably and returns its reference; storing an equal secret again returns the
  /// same reference.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func put(_ secret: Secret) throws -> String {
    try locks.whileWriting {
      var bytes = try contents()
      let known = Self.entries(in: bytes)
      if let old = known.first(where: { $0.secret == secret }) { return old.reference }
      let reference = Hex.text(of: UInt64.random(in: .min ... .max))
      var object = JSONObject()
      object.append("kind", "secret")
      object.append("id", reference)
      object.append("user", secret.user)
      object.append("password", secret.password)
      try append(object, to: &bytes)
      return reference
    }
  }

  /// Returns the id of this installation for a provider of licences: random, stored durably at its
  /// first use, and another one for each provider, so that none can compare notes with another.
  ///
  /// - Parameter machine: the id of this machine. A library that was copied to another machine gets
  ///   new ids there, and neither file contains the id of a machine.
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func device(for provider: String, on machine: String) throws -> String {
    let mark = Hex.text(of: StableHash.of(machine))
    if let known = Self.device(for: provider, mark, in: try contents()) { return known }
    return try locks.whileWriting {
      var bytes = try contents()
      if let known = Self.device(for: provider, mark, in: bytes) { return known }
      let id = randomUUID()
      var object = JSONObject()
      object.append("kind", "device")
      object.append("id", id)
      object.append("provider", provider)
      object.append("machine", mark)
      try append(object, to: &bytes)
      return id
    }
  }

  /// Removes the secret of a reference durably; does nothing if there is none. Lines that cannot be
  /// read stay.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func remove(_ reference: String) throws {
    try locks.whileWriting {
      let lines = try contents().split(separator: UInt8(ascii: "\n"))
      let kept = lines.filter { Self.entries(in: Array($0)).first?.reference != reference }
      guard kept.count < lines.count else { return }
      try replace(kept.flatMap { $0 + [UInt8(ascii: "\n")] })
    }
  }

  /// Appends a line and replaces the file, durably.
  private func append(_ object: JSONObject, to bytes: inout [UInt8]) throws(StoreError) {
    // A last line without a line end, left by a crash or an editor, must not merge with the next
    // one.
    if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    try replace(bytes)
  }

  private func replace(_ bytes: [UInt8]) throws(StoreError) {
    do throws(FileError) {
      try AtomicFile.replace(home.secrets, with: bytes, durable: true)
    } catch {
      throw error.isFull ? .full(home.secrets, error.errno ?? .noSpace) : StoreError.file(error)
    }
  }

  private static func device(for provider: String, _ mark: String, in bytes: [UInt8]) -> String? {
    let parser = JSONParser()
    return bytes.split(separator: UInt8(ascii: "\n")).lazy.compactMap { line in
      line.withUnsafeBytes { line in
        parser.withTape(copying: line) { entry -> String? in
          guard entry.field("kind")?.string == "device",
            entry.field("provider")?.string == provider, entry.field("machine")?.string == mark
          else { return nil }
          return entry.field("id")?.string
        }
      }
    }.first
  }

  /// Returns the secret of a reference.
  ///
  /// - Throws: `StoreError.noSecret` if there is none, `.file` if the file cannot be read.
  package func get(_ reference: String) throws(StoreError) -> Secret {
    let entry = Self.entries(in: try contents()).first { $0.reference == reference }
    guard let entry else { throw .noSecret(reference) }
    return entry.secret
  }

  private func contents() throws(StoreError) -> [UInt8] {
    do throws(FileError) {
      let file = try OpenFile(home.secrets, .readOnly, options: .nonBlocking)
      let facts = try file.facts()
      guard facts.isRegular else { throw .notRegular(home.secrets) }
      return try file.read(Int(facts.size), at: 0)
    } catch {
      if error.errno == .noSuchFileOrDirectory { return [] }
      throw .file(error)
    }
  }

  /// Parses the legible lines; a broken line loses only its own secret.
  private static func entries(in bytes: [UInt8]) -> [(reference: String, secret: Secret)] {
    let parser = JSONParser()
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.withUnsafeBytes { line in
        parser.withTape(copying: line) { entry in
          guard let reference = entry.field("id")?.string,
            let user = entry.field("user")?.string,
            let password = entry.field("password")?.string
          else { return nil }
          return (reference, Secret(user: user, password: password))
        }
      }
    }
  }
}
