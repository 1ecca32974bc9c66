// The only rule for credentials in addresses. Lists mask them, bundles, lists of feeds and hooks
// omit them, and `vmx sync` does not send an address that has one.

/// Decides which parameters of a URL's query are credentials.
package enum SecretQuery {
  /// The endings of the names of credentials, in lower case.
  private static let marks = [
    "token", "key", "auth", "sig", "signature", "secret", "password", "passwd", "pass", "pwd",
    "session", "credential", "hash", "hmac", "policy",
  ]
  /// The minimum length in bytes of a value that may be random.
  private static let minRandomLength = 20

  /// Whether a parameter is a credential: by its name, or by a long random value. The value of a
  /// parameter that is called an id or a list is none.
  package static func isSecret(name: Substring, value: Substring) -> Bool {
    guard !value.isEmpty else { return false }
    let name = name.lowercased()
    if marks.contains(where: name.hasSuffix) { return true }
    guard !name.hasSuffix("id"), !name.hasSuffix("list"), value.utf8.count >= minRandomLength else {
      return false
    }
    let digits = value.utf8.filter { $0.isASCIIDigit }.count
    let letters = value.utf8.filter { $0.isASCIIAlphanumeric }.count - digits
    return digits >= 3 && letters >= 3 && digits + letters >= value.utf8.count * 9 / 10
  }

  /// Whether a text has a credential among its parameters: those of its query, or the text itself
  /// if it has none, such as the guid of an item.
  package static func isPresent(in text: String) -> Bool {
    let query = Parts(text).query ?? text.prefix { $0 != "#" }
    return fields(of: query).contains { isSecret(name: $0.name, value: $0.value) }
  }

  /// Returns a URL without the parameters that are credentials; the rest is unchanged.
  package static func removed(from text: String) -> String {
    let parts = Parts(text)
    guard let query = parts.query else { return text }
    let all = fields(of: query)
    let kept = all.filter { !isSecret(name: $0.name, value: $0.value) }
    guard kept.count < all.count else { return text }
    let rest = kept.map { String($0.text) }.joined(separator: "&")
    return "\(parts.head)\(rest.isEmpty ? "" : "?\(rest)")\(parts.fragment)"
  }

  /// Returns a URL without user info, with the values of credentials masked, so that two addresses
  /// that differ in another parameter can be told apart. Text that is not a URL is redacted.
  package static func masked(_ text: String) -> String {
    do throws(Failure) {
      let url = try WebURL(text)
      let shown = URLRedaction.redacted(url)
      guard let query = url.query else { return shown }
      let fields = fields(of: query[...]).map { field in
        isSecret(name: field.name, value: field.value) ? "\(field.name)=…" : String(field.text)
      }
      return "\(shown)?\(fields.joined(separator: "&"))"
    } catch {
      return URLRedaction.redacted(text)
    }
  }

  /// A URL divided at its query and its fragment.
  private struct Parts {
    let head: Substring
    let query: Substring?
    let fragment: Substring

    init(_ text: String) {
      let whole = text.prefix { $0 != "#" }
      fragment = text[whole.endIndex...]
      head = whole.prefix { $0 != "?" }
      query = head.endIndex < whole.endIndex ? whole[whole.index(after: head.endIndex)...] : nil
    }
  }

  private static func fields(
    of query: Substring
  ) -> [(text: Substring, name: Substring, value: Substring)] {
    query.split(separator: "&", omittingEmptySubsequences: false).map { field in
      let name = field.prefix { $0 != "=" }
      return (field, name, field.dropFirst(name.count + 1))
    }
  }
}
