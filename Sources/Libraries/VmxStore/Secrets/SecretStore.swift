import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// User names, passwords and tokens are stored in a separate file with mode 0600, or by a program
// that keeps them (`SecretBackend`). Everywhere else they appear only as a random reference, which
// reveals nothing. The file is replaced atomically under the write lock of the store, so a crash
// leaves the old file or the new one.
//
// A secret that another program keeps also has a line in the file, which names the location. To add
// a secret, vmx writes the line as pending, stores the secret, reads it back, compares it and then
// marks the line as complete. To remove one, vmx marks the line as pending, erases the secret and
// then removes the line. So a crash leaves at most a pending line, never a secret without a line,
// and the next change removes both. The programs run under the lock of a job, not under the write
// lock.

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
  /// The maximum size in bytes of a secret that another program keeps; secret-tool truncates at 8
  /// KiB without an error.
  private static let maxBytes = 4096

  private let store: LibraryStore
  private var locks: StoreLocks { store.writer.locks }
  private var home: LibraryHome { store.home }
  var rule: SecretRule { store.writer.options.secrets }

  init(_ store: LibraryStore) { self.store = store }

  /// Stores a secret durably and returns its reference; storing an equal secret again in the same
  /// location returns the same reference.
  ///
  /// - Parameter isTyped: whether the user typed it at a prompt. Without a setting only such
  ///   secrets are stored in the Secret Service, because a background run may not reach it.
  /// - Throws: `secret-locked` and `bad-setting` if the configured location cannot store it;
  ///   `StoreError.lock`, `.full` or `.file`; `lock-busy`; `WorkEnded.interrupted`.
  package func save(_ secret: Secret, isTyped: Bool = false) throws -> String {
    let text = SecretEntry.text(of: secret)
    guard text.utf8.count <= Self.maxBytes, let keeper = try rule.backend(isTyped: isTyped) else {
      return try saveToFile(secret)
    }
    do {
      return try save(secret, text, with: keeper)
    } catch let failure as Failure where failure.code == .secretLocked && rule.location == .auto {
      return try saveToFile(secret)
    }
  }

  private func saveToFile(_ secret: Secret) throws -> String {
    try locks.withWriteLock {
      var bytes = try contents()
      let known = SecretEntry.all(in: bytes)
      if let old = known.first(where: { $0.secret == secret && $0.location == nil }) {
        return old.reference
      }
      let entry = SecretEntry(reference: Hex.text(of: UInt64.random(in: .min ... .max)), secret)
      try append(entry.record, to: &bytes)
      return entry.reference
    }
  }

  private func save(_ secret: Secret, _ text: String, with keeper: any SecretBackend) throws
    -> String
  {
    let job = try store.waitForJob(.secrets)
    defer { job.release() }
    try sweep()
    let entries = try entries()
    for entry in entries where entry.location == keeper.location.rawValue && !entry.isPending {
      if try keeper.text(of: entry.reference) == Array(text.utf8) { return entry.reference }
    }
    // A pair that is in the file because no program was configured is moved and keeps its
    // reference. With 'auto' it stays in the file for runs that may not reach the service.
    let moved =
      rule.location == .auto ? nil : entries.first { $0.secret == secret && $0.location == nil }
    var entry = moved ?? SecretEntry(reference: Hex.text(of: UInt64.random(in: .min ... .max)), nil)
    entry.location = keeper.location.rawValue
    entry.isPending = true
    try replace(entry.reference, with: entry)
    do {
      try keeper.store(text, as: entry.reference)
      guard try keeper.text(of: entry.reference) == Array(text.utf8) else {
        throw Failure(
          .secretLocked, "a stored password was read back differently (\(keeper.location.rawValue))"
        )
      }
    } catch {
      do { try undo(entry, keeper) } catch { /* The next change, or 'vmx doctor', tries again. */  }
      throw error
    }
    entry.secret = nil
    entry.isPending = false
    try replace(entry.reference, with: entry)
    return entry.reference
  }

  /// Returns the secret of a reference. This process queries another program at most once for each
  /// reference; meanwhile, only threads that need the same secret wait.
  ///
  /// - Throws: `StoreError.noSecret` if there is none, `.file` if the file cannot be read;
  ///   `secret-locked` if the program that keeps it does not return it; `WorkEnded.interrupted`.
  package func get(_ reference: String) throws -> Secret {
    let entry = try entries().first { $0.reference == reference }
    guard let entry else { throw StoreError.noSecret(reference) }
    if let secret = entry.secret { return secret }
    guard !entry.isPending else { throw StoreError.noSecret(reference) }
    let known = store.cachedSecrets.when({ $0[reference] != .pending }) { cache in
      defer { cache[reference] = cache[reference] ?? .pending }
      return cache[reference]
    }
    if case .known(let result) = known { return try result.get() }
    if case .missing = known { throw StoreError.noSecret(reference) }
    // Without an answer, such as after an interruption, the next thread asks again.
    var answer: CachedSecret?
    defer { store.cachedSecrets.withLock { $0[reference] = answer } }
    do {
      let secret = try kept(entry)
      answer = .known(.success(secret))
      return secret
    } catch let failure as Failure {
      answer = .known(.failure(failure))
      throw failure
    } catch StoreError.noSecret {
      answer = .missing
      throw StoreError.noSecret(reference)
    }
  }

  /// Returns the location of a secret; nil for the file, or if there is no such secret.
  ///
  /// - Throws: `StoreError.file`.
  package func location(of reference: String) throws(StoreError) -> SecretLocation? {
    try entries().first { $0.reference == reference }?.location.flatMap {
      SecretLocation(rawValue: $0)
    }
  }

  private func kept(_ entry: SecretEntry) throws -> Secret {
    guard let text = try backend(of: entry).text(of: entry.reference) else {
      throw StoreError.noSecret(entry.reference)
    }
    guard let secret = SecretEntry.secret(of: text) else {
      throw Failure(
        .secretLocked, "the password in '\(entry.location ?? "")' is not the one that vmx stored")
    }
    return secret
  }

  private func backend(of entry: SecretEntry) throws(Failure) -> any SecretBackend {
    guard let location = entry.location.flatMap({ SecretLocation(rawValue: $0) }),
      location == .service || location == .command
    else { throw Failure(.secretLocked, "a password is in a store that this vmx does not support") }
    return try rule.backend(location)
  }

  /// Removes the secret of a reference durably; does nothing if there is none. Unreadable lines are
  /// kept.
  ///
  /// - Throws: `StoreError.lock`, `.full` or `.file`; `secret-locked` if the program that keeps it
  ///   has not removed it. It then counts as removed, and `sweep` tries again.
  package func remove(_ reference: String) throws {
    guard var entry = try entries().first(where: { $0.reference == reference }) else { return }
    guard entry.location != nil else { return try replace(reference, with: nil) }
    let job = try store.waitForJob(.secrets)
    defer { job.release() }
    (entry.secret, entry.isPending) = (nil, true)
    try replace(reference, with: entry)
    try undo(entry, backend(of: entry))
  }

  /// Removes the secrets that interrupted changes and failed removals have left in other programs.
  ///
  /// - Throws: as `remove`.
  package func finishChanges() throws {
    let job = try store.waitForJob(.secrets)
    defer { job.release() }
    for entry in try entries() where entry.isPending { try undo(entry, backend(of: entry)) }
  }

  /// Does the same as `finishChanges` for a caller that holds the lock of the job; skips programs
  /// that refuse until the next change.
  private func sweep() throws {
    for entry in try entries() where entry.isPending {
      do {
        try undo(entry, backend(of: entry))
      } catch let failure as Failure
        where failure.code != .secretLocked && failure.code != .badSetting
      {
        throw failure
      } catch is Failure {
        continue
      }
    }
  }

  /// Removes the secret that a pending entry may have left; a secret in the file stays there.
  private func undo(_ entry: SecretEntry, _ keeper: any SecretBackend) throws {
    try keeper.erase(entry.reference)
    try replace(
      entry.reference,
      with: entry.secret.map { SecretEntry(reference: entry.reference, $0) })
  }

  /// Returns the id of this installation for a provider of licences. The id is random, is stored
  /// durably at its first use, and differs for each provider, so that providers cannot correlate
  /// it.
  ///
  /// - Parameter machine: the id of this machine. A library that was copied to another machine gets
  ///   new ids there, and neither file contains the id of a machine.
  /// - Throws: `StoreError.lock`, `.full` or `.file`.
  package func device(for provider: String, on machine: String) throws -> String {
    let mark = Hex.text(of: StableHash.of(machine))
    if let known = Self.device(for: provider, mark, in: try contents()) { return known }
    return try locks.withWriteLock {
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

  /// Replaces the line of a reference, or appends one, or removes it, durably.
  private func replace(_ reference: String, with entry: SecretEntry?) throws {
    try locks.withWriteLock {
      let lines = try contents().split(separator: UInt8(ascii: "\n"))
      let kept = lines.filter { SecretEntry.all(in: Array($0)).first?.reference != reference }
      guard entry != nil || kept.count < lines.count else { return }
      var bytes = kept.flatMap { $0 + [UInt8(ascii: "\n")] }
      guard let entry else { return try replace(bytes) }
      try append(entry.record, to: &bytes)
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
    try LibraryHome.replace(home.secrets, with: bytes)
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

  /// Parses the legible lines of the file.
  func entries() throws(StoreError) -> [SecretEntry] { SecretEntry.all(in: try contents()) }

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
}

/// The answer of the program that keeps a secret.
enum CachedSecret: Sendable, Equatable {
  /// A thread of this process waits for it.
  case pending
  case known(Result<Secret, Failure>)
  /// The program has no such secret.
  case missing
}
