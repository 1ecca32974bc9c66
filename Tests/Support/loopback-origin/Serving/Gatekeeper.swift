/// Responses that need no file: authorization, Retry-After, redirects, plain statuses.
struct Gatekeeper {
  private let request: RequestHead
  private let gate: Gate
  private let state: ServiceState

  init(_ request: RequestHead, _ gate: Gate, state: ServiceState) {
    self.request = request
    self.gate = gate
    self.state = state
  }

  /// Returns the response; nil if the file may be served.
  func reply(_ welcome: ServiceState.Welcome) -> Reply? {
    guard ["GET", "HEAD", "POST", "CONNECT"].contains(request.method) else {
      return .text(405, "only GET, HEAD and POST")
    }
    if let expected = gate.authorization, request["authorization"] != expected {
      var reply = Reply.text(401, "who are you?")
      reply.fields.append(("WWW-Authenticate", "Basic realm=\"origin\""))
      return reply
    }
    if let digest = gate.digest, !digest.admits(request) {
      var reply = Reply.text(401, "who are you?")
      reply.fields.append(("WWW-Authenticate", digest.field(for: request)))
      return reply
    }
    if let patience = gate.patience, welcome != .served {
      var reply = Reply.text(Int(patience.status), "come again later")
      reply.fields.append(("Retry-After", "\(patience.seconds)"))
      return reply
    }
    if let signing = gate.signing, let reply = unsigned(signing) { return reply }
    if let cookie = gate.cookie, let pair = cookie.split(separator: ";").first,
      !(request["cookie"] ?? "").contains(pair)
    {
      var reply = redirect(302, to: request.target)
      reply.fields.append(("Set-Cookie", cookie))
      return reply
    }
    if let (status, location) = gate.redirect {
      return redirect(Int(status), to: location.isEmpty ? request.target : location)
    }
    guard let status = gate.status else { return nil }
    var reply = Reply.text(Int(status), "status \(status), as the rules say")
    if let retryAfter = gate.retryAfter { reply.fields.append(("Retry-After", retryAfter)) }
    return reply
  }

  private func unsigned(_ signing: Gate.Signing) -> Reply? {
    guard let signature = request.parameter("signature") else {
      let mark = request.query.isEmpty ? "?" : "&"
      return redirect(302, to: "\(request.target)\(mark)signature=\(state.sign(signing))")
    }
    if state.use(signature, of: signing) { return nil }
    return .text(Int(signing.status), "this signature is no longer valid")
  }

  private func redirect(_ status: Int, to location: String) -> Reply {
    var reply = Reply.text(status, "elsewhere")
    reply.fields.append(("Location", location))
    return reply
  }
}
