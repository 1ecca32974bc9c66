/// Decides which parameters of a URL's query are credentials.
package enum SecretQuery {
  /// The endings of the names of credentials, in lower case.
  package static let marks = ["token", "key", "auth"]
  private static let moreMarks = [
    "sig", "signature", "secret", "password", "passwd", "pass", "pwd", "session", "credential",
    "hash", "hmac", "policy",
  ]
  /// The minimum length in bytes of a value that may be random.
  private static let minRandomLength = 20

  /// Whether a parameter is a credential: by its name, or by a long random value. The value of a
  /// parameter that is called an id or a list is none.
  package static func isSecret(name: Substring, value: Substring) -> Bool {
    let name = name.lowercased()
    if (marks + moreMarks).contains(where: name.hasSuffix) { return true }
    guard !name.hasSuffix("id"), !name.hasSuffix("list"), value.utf8.count >= minRandomLength else {
      return false
    }
    let digits = value.utf8.filter { $0.isASCIIDigit }.count
    let letters = value.utf8.filter { $0.isASCIIAlphanumeric }.count - digits
    return digits >= 3 && letters >= 3 && digits + letters >= value.utf8.count * 9 / 10
  }

  /// Returns a URL without user info, with the values of credentials masked, so that two addresses
  /// that differ in another parameter can be told apart. Text that is not a URL is redacted.
  package static func masked(_ text: String) -> String {
    do throws(Failure) {
      let url = try WebURL(text)
      let shown = URLRedaction.redacted(url)
      guard let query = url.query else { return shown }
      let fields = query.split(separator: "&", omittingEmptySubsequences: false).map { field in
        let name = field.prefix { $0 != "=" }
        let value = field.dropFirst(name.count + 1)
        return isSecret(name: name, value: value) ? "\(name)=…" : String(field)
      }
      return "\(shown)?\(fields.joined(separator: "&"))"
    } catch {
      return URLRedaction.redacted(text)
    }
  }
}
