/// The faults that replace the file: responses that do not contain it.
struct Gate: Sendable {
  /// The maximum number of concurrent requests. Further requests get the status, or a reset if it
  /// is 0.
  struct Limit: Sendable {
    let requests: Int64
    let status: Int64
    let key: String
  }

  /// The maximum number of requests to all paths of a rule within a time. Further requests get the
  /// status.
  struct Budget: Sendable {
    let requests: Int
    let milliseconds: Int64
    let status: Int64
    let key: String
  }

  /// A `Retry-After` period that restarts with every request that arrives too early.
  struct QuietPeriod: Sendable {
    let seconds: Int64
    let status: Int64
    let key: String
  }

  /// Redirects to a signed form of the URL that is valid for a time and a number of requests.
  struct Signing: Sendable {
    let milliseconds: Int64
    let uses: Int64
    let status: Int64
    let key: String
  }

  var limit: Limit?
  var budget: Budget?
  var patience: QuietPeriod?
  var signing: Signing?
  /// The required value of the Authorization field.
  var authorization: String?
  /// The user, the password and the nonce for digest authentication.
  var digest: DigestChallenge?
  /// The cookie without which the response is a redirect to the same URL that sets it.
  var cookie: String?
  var redirect: (status: Int64, location: String)?
  var status: Int64?
  var retryAfter: String?

  static let words: [FaultWord] = [
    FaultWord("status", "CODE", "answer with that status and a line of text") {
      $0.gate.status = try $1.integer(0)
    },
    FaultWord("retry-after", "TEXT", "add Retry-After, seconds or anything") {
      $0.gate.retryAfter = try $1.rest(0)
    },
    FaultWord("retry-at", "SECONDS", "add Retry-After as a date so far ahead") {
      $0.gate.retryAfter = HTTPDate.text(HTTPDate.now + Int(try $1.integer(0)))
    },
    FaultWord("patience", "SECONDS[:STATUS]", "429 until so long nobody asked; early: anew") {
      $0.gate.patience = QuietPeriod(
        seconds: try $1.integer(0), status: try $1.integer(1, else: 429), key: $1.key)
    },
    FaultWord(
      "connections", "N[:STATUS]", "more than N at once, to all paths, get 503 (0: a reset)"
    ) {
      $0.gate.limit = Limit(
        requests: try $1.integer(0), status: try $1.integer(1, else: 503), key: $1.rule)
    },
    FaultWord("requests", "N:MS[:STATUS]", "more than N within MS ms, to all paths, get 503") {
      $0.gate.budget = Budget(
        requests: Int(try $1.integer(0)), milliseconds: try $1.integer(1),
        status: try $1.integer(2, else: 503), key: $1.rule)
    },
    FaultWord("auth", "USER:PASSWORD", "ask for basic authorization") {
      let pair = try $1.rest(0)
      $0.gate.authorization = "Basic \(Base64.text(of: Array(pair.utf8)))"
    },
    FaultWord("digest-auth", "USER:PASSWORD[:NONCE]", "ask for digest authorization (*: anew)") {
      $0.gate.digest = DigestChallenge(
        user: try $1.text(0), password: try $1.text(1),
        nonce: try $1.text(2, else: "n0").replacing("*", with: "n\($1.turn)"))
    },
    FaultWord("redirect", "CODE:URL", "redirect to any text: path, host, scheme") {
      $0.gate.redirect = (try $1.integer(0), try $1.rest(1))
    },
    FaultWord("loop", "[CODE]", "redirect to the same URL") {
      $0.gate.redirect = (try $1.integer(0, else: 302), "")
    },
    FaultWord("cookie", "NAME=VALUE[;...]", "redirect to the same URL until the cookie comes") {
      $0.gate.cookie = try $1.rest(0)
    },
    FaultWord("signed", "MS[:USES[:STATUS]]", "redirect to a URL that dies with 403") {
      $0.gate.signing = Signing(
        milliseconds: try $1.integer(0), uses: try $1.integer(1, else: .max),
        status: try $1.integer(2, else: 403), key: $1.key)
    },
  ]
}
