/// A response before it is sent.
struct Reply {
  var status: Int
  var fields: [(name: String, value: String)] = []
  var content = Content("")
  /// The range of the content that is the body.
  var range: Range<Int64> = 0..<0

  /// Returns a response with one line of text.
  static func text(_ status: Int, _ text: String) -> Reply {
    let content = Content(text + "\n")
    return Reply(
      status: status, fields: [("Content-Type", "text/plain; charset=utf-8")], content: content,
      range: 0..<content.size)
  }

  /// Whether the status allows a body (RFC 9110, 6.4.1).
  var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }

  /// Returns the reason phrase of a status.
  static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 416: "Range Not Satisfiable"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}
