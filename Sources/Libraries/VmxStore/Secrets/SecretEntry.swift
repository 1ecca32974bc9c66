import VmxJSON
import VmxModel

/// A line of kind `secret` in `secrets.jsonl`.
struct SecretEntry {
  /// The random reference.
  private(set) var reference: String
  /// The secret, if the file contains it.
  var secret: Secret? {
    get { login.secret }
    set { login = SecretLogin(newValue) }
  }
  /// The location that has it in addition to the file or instead of it; nil for the file alone.
  var location: String?
  /// Whether a change of it has begun and not ended; the location may or may not have it.
  var isPending = false
  private var login: SecretLogin

  init(reference: String, _ secret: Secret?) {
    self.reference = reference
    login = SecretLogin(secret)
  }

  /// Parses the legible lines; a broken line loses only its own secret.
  static func all(in bytes: [UInt8]) -> [SecretEntry] {
    let parser = JSONParser()
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.withUnsafeBytes { line in
        parser.withTape(copying: line) { fields -> SecretEntry? in
          guard var entry = SecretEntry(reading: fields) else { return nil }
          entry.isPending = entry.isPending && entry.location != nil
          return entry.secret == nil && entry.location == nil ? nil : entry
        }
      }
    }
  }

  /// Returns the one-line text that another program stores for a secret.
  static func text(of secret: Secret) -> String {
    var bytes: [UInt8] = []
    SecretLogin(secret).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes such a text; nil if it is invalid.
  static func secret(of text: [UInt8]) -> Secret? {
    text.withUnsafeBytes { line in
      JSONParser().withTape(copying: line) { SecretLogin(reading: $0)?.secret }
    }
  }
}

extension SecretEntry: LenientRecord {
  enum Field: String, RecordField {
    case kind
    case reference = "id"
    case user, password
    case location = "in"
    case pending
  }

  static let fields = FieldSet<Field>(Field.allCases)
  static var blank: SecretEntry { SecretEntry(reference: "", nil) }

  mutating func code<C: FieldCoder>(_ field: Field, _ coder: inout C) throws(C.Problem) {
    switch field {
    case .kind:
      var kind = "secret"
      try coder.field(&kind, absent: "secret")
    case .reference: try coder.required(&reference)
    case .user: try login.code(.user, &coder)
    case .password: try login.code(.password, &coder)
    case .location: try coder.field(&location)
    case .pending: try coder.field(&isPending, omitting: false)
    }
  }
}

/// The two fields of a secret, which is absent unless both are present.
private struct SecretLogin: LenientRecord {
  enum Field: String, RecordField { case user, password }

  static let fields = FieldSet<Field>(Field.allCases)
  static var blank: SecretLogin { SecretLogin(nil) }
  private var user: String?
  private var password: String?

  init(_ secret: Secret?) { (user, password) = (secret?.user, secret?.password) }

  var secret: Secret? {
    guard let user, let password else { return nil }
    return Secret(user: user, password: password)
  }

  mutating func code<C: FieldCoder>(_ field: Field, _ coder: inout C) throws(C.Problem) {
    switch field {
    case .user: try coder.field(&user)
    case .password: try coder.field(&password)
    }
  }
}
