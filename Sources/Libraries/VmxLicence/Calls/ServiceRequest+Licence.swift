import VmxModel

extension ServiceRequest {
  /// Creates a request to a licence provider. A refusal is returned as a response with its problem
  /// document. Methods other than GET have an empty body.
  static func licence(
    _ url: String, _ method: Method = .get, accepts: [String], limit: Int, mayBePrivate: Bool
  ) -> ServiceRequest {
    var request = ServiceRequest(
      url, method, accepts: accepts, limit: limit, mayBePrivate: mayBePrivate)
    if method != .get { request.body = Body([], type: "application/octet-stream") }
    request.answers = .refusals
    request.ignoresRetryAfter = true
    return request
  }
}
