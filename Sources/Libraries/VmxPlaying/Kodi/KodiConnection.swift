import VmxJSON
package import VmxModel

/// Calls a Kodi instance by JSON-RPC 2.0 over HTTP (Kodi's JSON-RPC API, version 13). The user
/// enables it in Kodi's settings (`Control by HTTP`).
///
/// ```swift
/// let connection = try KodiConnection("http://tv.local:8080", send: network.send)
/// let result = try connection.call("JSONRPC.Ping")
/// ```
package struct KodiConnection: Sendable {
  /// The maximum size of a response.
  private static let maxResponseSize = ByteCount(clamping: 64 << 20)

  private let url: String
  private let credentials: HTTPRequest.Credentials?
  private let send: HTTPSending

  /// Creates the client of a Kodi instance.
  ///
  /// - Parameters:
  ///   - url: the address of Kodi, with user and password if required. It may lead into a private
  ///     network, since the user entered it.
  /// - Throws: `bad-url`, `source-unsupported`.
  package init(_ url: String, send: @escaping HTTPSending) throws(Failure) {
    let address = try WebURL(url)
    credentials = address.user.map {
      HTTPRequest.Credentials(
        user: $0, password: address.password ?? "", isPreemptive: true)
    }
    var base = address.text
    while base.hasSuffix("/") { base.removeLast() }
    self.url = base.hasSuffix("/jsonrpc") ? base : "\(base)/jsonrpc"
    self.send = send
  }

  /// Calls a method and returns its result.
  ///
  /// - Throws: `auth-refused`; `sync-unreadable` for a response that is not from Kodi;
  ///   `sync-refused` if Kodi refuses the call; network errors; `WorkEnded.interrupted`.
  package func call(_ method: String, _ params: JSONObject = JSONObject()) throws -> JSONValue {
    let question = JSONObject(distinct: [
      ("jsonrpc", "2.0"), ("id", 1), ("method", .string(method)), ("params", .object(params)),
    ])
    var bytes: [UInt8] = []
    JSONWriter.append(question, to: &bytes)
    var request = HTTPRequest(
      url, .post, accepts: ["application/json"], limit: Self.maxResponseSize,
      allowsPrivateAddresses: true)
    request.body = HTTPRequest.Body(bytes, type: "application/json")
    request.credentials = credentials
    // All methods in use are idempotent, so an earlier Retry-After of the host is overridden.
    request.ignoresRetryAfter = true
    request.acceptedStatuses = .all
    let answer = try send(request)
    try check(answer)
    guard let object = JSONParser().object(in: answer.bytes) else {
      throw unreadable("the response of '\(redactedURL)' is not JSON")
    }
    if let error = object["error"]?.object {
      throw Failure(
        .syncRefused, "'\(redactedURL)' refused \(method): \(Self.message(of: error))",
        hint: "update Kodi, or retry if its library has changed; nothing was changed")
    }
    guard let result = object["result"] else {
      throw unreadable("the response of '\(redactedURL)' is not from Kodi")
    }
    return result
  }

  private func check(_ answer: HTTPResponse) throws(Failure) {
    switch answer.status {
    case 200..<300: break
    case 401, 403:
      throw Failure(
        .authRefused, "'\(redactedURL)' refused the user or the password",
        hint:
          "set both in 'kodi.url', as http://USER:PASSWORD@HOST:8080, to those in Kodi's settings")
    case 408, 425, 429, 500..<600:
      throw Failure(.httpFailing, "'\(redactedURL)' responded with status \(answer.status)")
    default: throw unreadable("'\(redactedURL)' responded with status \(answer.status)")
    }
  }

  /// Returns the text of an error object (JSON-RPC 2.0, section 5.1), with the parameter that Kodi
  /// names.
  private static func message(of error: JSONObject) -> String {
    let message = error["message"]?.string ?? "no reason given"
    let code = error["code"]?.integer.map { " (\($0))" } ?? ""
    let parameter = error["data"]?.object?["stack"]?.object?["name"]?.string
    return message + code + (parameter.map { ", parameter '\($0)'" } ?? "")
  }

  private func unreadable(_ summary: String) -> Failure {
    Failure(
      .syncUnreadable, summary,
      hint: "check 'kodi.url', and that Kodi's settings allow control by HTTP")
  }

  /// The redacted address for messages.
  private var redactedURL: String { URLRedaction.redacted(url) }
}
