import VmxModel

extension ServiceRequest {
  /// Creates a request to a provider of licences. A refusal is an answer with its problem document;
  /// calls have an empty body.
  static func licence(
    _ url: String, _ method: Method = .get, accepts: [String], limit: Int, mayBePrivate: Bool
  ) -> ServiceRequest {
    var request = ServiceRequest(
      url, method, accepts: accepts, limit: limit, mayBePrivate: mayBePrivate)
    if method != .get { request.body = Body([], type: "application/octet-stream") }
    request.answers = .refusals
    request.asksAnyway = true
    return request
  }
}
