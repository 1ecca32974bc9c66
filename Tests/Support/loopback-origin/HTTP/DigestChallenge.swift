import VmxDigest
import VmxModel

/// Digest authentication with SHA-256 (RFC 7616).
struct DigestChallenge: Sendable {
  let user: String
  let password: String
  let nonce: String

  /// Whether the request has a valid digest response.
  func admits(_ request: RequestHead) -> Bool {
    let told = Self.parameters(of: request)
    let first = hash("\(user):origin:\(password)")
    let second = hash("\(request.method):\(told["uri"] ?? "")")
    let middle = ["nc", "cnonce", "qop"].map { told[$0] ?? "" }.joined(separator: ":")
    return told["username"] == user && told["nonce"] == nonce && told["uri"] == request.target
      && told["response"] == hash("\(first):\(nonce):\(middle):\(second)")
  }

  /// Returns the value of WWW-Authenticate; a response to another nonce is stale.
  func field(for request: RequestHead) -> String {
    let old = Self.parameters(of: request)["nonce"]
    let stale = old.map { $0 != nonce } ?? false ? ", stale=true" : ""
    return "Digest realm=\"origin\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=SHA-256\(stale)"
  }

  private static func parameters(of request: RequestHead) -> [String: String] {
    guard let field = request["authorization"], field.hasPrefix("Digest ") else { return [:] }
    var found: [String: String] = [:]
    for piece in field.dropFirst(7).split(separator: ",") {
      let sides = piece.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else { continue }
      found[sides[0].filter { $0 != " " }] = sides[1].filter { $0 != "\"" }
    }
    return found
  }

  private func hash(_ text: String) -> String {
    var hasher = SHA256Hasher()
    hasher.update(Array(text.utf8))
    return hasher.finish().hex
  }
}
