package import SystemPackage
import VmxJSON
package import VmxModel
import VmxSystem

// The catalogue allows 20 requests in 10 s. Its responses are valid for one hour, its index pages
// for one day. Responses are therefore cached on disk and requested again only after they expire.
// If the catalogue is unreachable, an expired response is used.

/// The TVMaze catalogue: shows, episodes and people from its public API, or from a recorded copy.
///
/// ```swift
/// let catalogue = TVMazeCatalogue(at: base, cache: cache, clock: clock, send: service.send)
/// for show in try catalogue.shows(matching: "girls") { … }
/// ```
package struct TVMazeCatalogue: Sendable {
  /// The validity of responses and of index pages, in milliseconds.
  private static let validity: Int64 = 3_600_000
  private static let indexValidity: Int64 = 24 * 3_600_000

  private let base: String
  private let origin: String
  private let cache: ResponseCache
  private let images: ImageCache
  private let freshness: CatalogueFreshness
  private let clock: any WallClock
  private let note: @Sendable (String) -> Void
  private let send: HTTPSending

  /// Creates a catalogue.
  ///
  /// - Parameters:
  ///   - base: the address of the API, without credentials.
  ///   - cache: the folder for responses and pictures.
  ///   - note: receives notes for the user, for example that an expired response is used.
  package init(
    at base: WebURL, cache: FilePath, freshness: CatalogueFreshness = .useCache,
    clock: any WallClock,
    note: @escaping @Sendable (String) -> Void = { _ in }, send: @escaping HTTPSending
  ) {
    origin = base.origin
    var base = base.text
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
    self.cache = ResponseCache(folder: cache)
    images = ImageCache(ofCatalogueIn: cache)
    self.freshness = freshness
    self.clock = clock
    self.note = note
    self.send = send
  }

  /// Returns the shows that match a text, the best match first, at most ten.
  ///
  /// - Throws: the errors of `response`.
  package func shows(matching text: String) throws -> [CatalogueShow] {
    let query = PercentCoding.codedComponent(text)
    return try rows(
      at: "/search/shows?q=\(query)", about: "shows like '\(text)'", decode: TVMazeDecoder.show)
  }

  /// Returns the people that match a text, the best match first.
  ///
  /// - Throws: the errors of `response`.
  package func people(matching text: String) throws -> [CataloguePerson] {
    let query = PercentCoding.codedComponent(text)
    return try rows(
      at: "/search/people?q=\(query)", about: "people like '\(text)'", decode: TVMazeDecoder.person)
  }

  /// Returns a page of the index of all shows, starting at 0; nil after the last page.
  ///
  /// - Throws: the errors of `response`.
  package func shows(page: Int64) throws -> [CatalogueShow]? {
    do {
      return try rows(
        at: "/shows?page=\(page)", about: "page \(page)", validity: Self.indexValidity,
        decode: TVMazeDecoder.show)
    } catch let failure as Failure where failure.code == .notInCatalogue {
      return nil
    }
  }

  /// Returns a show.
  ///
  /// - Throws: the errors of `response`.
  package func show(_ id: Int64) throws -> CatalogueShow {
    try record(at: "/shows/\(id)", about: "show \(id)", decode: TVMazeDecoder.show)
  }

  /// Returns the episodes of a show in the catalogue's order, including specials.
  ///
  /// - Throws: the errors of `response`.
  package func episodes(of show: Int64) throws -> CatalogueEpisodes {
    try response(
      at: "/shows/\(show)/episodes?specials=1", about: "show \(show)", validity: Self.validity,
      decode: CatalogueEpisodes.init)
  }

  /// Returns a person.
  ///
  /// - Throws: the errors of `response`.
  package func person(_ id: Int64) throws -> CataloguePerson {
    try record(at: "/people/\(id)", about: "person \(id)", decode: TVMazeDecoder.person)
  }

  /// Returns a person's credits of one kind.
  ///
  /// - Throws: the errors of `response`.
  package func credits(
    of person: Int64, _ kind: CatalogueCredit.Kind
  ) throws -> [CatalogueCredit] {
    let question =
      switch kind {
      case .cast: "castcredits?embed[]=show&embed[]=character"
      case .crew: "crewcredits?embed=show"
      case .guest: "guestcastcredits?embed[]=episode&embed[]=character"
      }
    return try rows(at: "/people/\(person)/\(question)", about: "person \(person)") {
      TVMazeDecoder.credit($0, kind)
    }
  }
}

// MARK: - Pictures

extension TVMazeCatalogue {
  /// Returns the file of a picture, from the cache or else from the network. Returns nil with a
  /// note if the download fails, and nil without a note in offline mode.
  ///
  /// - Throws: `interrupted`.
  package func file(of image: CatalogueImage) throws -> FilePath? {
    guard let url = image.best else { return nil }
    do {
      if let file = try images.file(of: url) { return file }
      guard freshness != .offline else { return nil }
      let request = HTTPRequest(
        url, accepts: ["image/*"], limit: ImageCache.maxImageSize,
        allowsPrivateAddresses: url.hasPrefix(origin + "/"))
      return try images.keep(try send(request).bytes, of: url)
    } catch let error {
      guard !error.isInterruption else { throw error }
      note("cannot fetch the image: \(Failure(error).summary)")
      return nil
    }
  }
}

// MARK: - Answers

extension TVMazeCatalogue {
  private func rows<Row>(
    at path: String, about subject: String, validity: Int64 = validity,
    decode: (JSONValue) -> Row?
  ) throws -> [Row] {
    try response(at: path, about: subject, validity: validity) { document in
      document.withRoot { tape in
        if tape.isNull { return [] }
        guard tape.isArray else { return nil }
        var rows: [Row] = []
        tape.forEachElement { element in
          if let row = decode(element.value) { rows.append(row) }
          return true
        }
        return rows
      }
    }
  }

  private func record<Row>(
    at path: String, about subject: String, decode: (JSONValue) -> Row?
  ) throws -> Row {
    let found: Row?? = try response(at: path, about: subject, validity: Self.validity) { document in
      document.withRoot { $0.isNull ? .some(nil) : decode($0.value).map { .some($0) } }
    }
    guard let row = found ?? nil else { throw Failure.notInCatalogue(subject) }
    return row
  }

  /// Returns the decoded response of a path: the cached one while it is valid, else a new one.
  ///
  /// - Parameter decode: decodes the body; returns nil for another form.
  /// - Throws: `not-in-catalogue` if the catalogue has no such record, `catalogue-unreadable` for
  ///   an invalid body, `offline` without a cached response, and the errors of the fetch.
  private func response<Value>(
    at path: String, about subject: String, validity: Int64, decode: (JSONDocument) -> Value?
  ) throws -> Value {
    let url = base + path
    // A response may have tens of megabytes, so only one copy of its bytes exists at a time.
    func cached(_ isUsable: (Timestamp) -> Bool) -> (value: Value, received: Timestamp)? {
      guard var answer = cache.response(of: url), isUsable(answer.received),
        let value = JSONDocument(answer.moveBytes()).flatMap(decode)
      else { return nil }
      return (value, answer.received)
    }
    if freshness != .refresh,
      let answer = cached({ freshness == .offline || isValid($0, validity) })
    {
      return answer.value
    }
    guard freshness != .offline else {
      throw Failure(
        .offline, "the response for \(subject) is not in the cache",
        hint: "run the command again without --offline")
    }
    do {
      return try request(url, about: subject, decode: decode)
    } catch let error as any CodedError
      where Self.isUnreachable(error.code)
    {
      guard let answer = cached({ _ in true }) else { throw error }
      note(
        "cannot reach the catalogue (\(error.code.rawValue)); using its response of "
          + "\(answer.received.text)")
      return answer.value
    }
  }

  /// Requests a response from the catalogue and caches it.
  ///
  /// - Throws: the errors of `response`.
  private func request<Value>(
    _ url: String, about subject: String, decode: (JSONDocument) -> Value?
  ) throws -> Value {
    let bytes = try received(url, subject)
    guard let value = JSONDocument(bytes).flatMap(decode) else {
      throw CatalogueRefusal(bytes).failure(subject)
    }
    keep(bytes, of: url)
    return value
  }

  private func isValid(_ received: Timestamp, _ validity: Int64) -> Bool {
    (0..<validity).contains(clock.now.milliseconds - received.milliseconds)
  }

  private func received(_ url: String, _ subject: String) throws -> [UInt8] {
    // The user entered the address of the catalogue.
    let request = HTTPRequest(
      url, accepts: ["application/json"], limit: ResponseCache.maxResponseSize,
      allowsPrivateAddresses: true)
    do {
      return try send(request).bytes
    } catch let error as any CodedError where error.code == .httpGone {
      throw Failure.notInCatalogue(subject)
    } catch let error as any CodedError where error.code == .rateLimited {
      let failure = Failure(error)
      throw Failure(
        failure.code, failure.summary, hint: "wait until then, then run the command again",
        retryAt: failure.retryAt)
    }
  }

  private func keep(_ bytes: [UInt8], of url: String) {
    do {
      try cache.store(bytes, of: url, at: clock.now)
    } catch {
      // The response is usable; it is only requested again next time.
      note("cannot cache a response of the catalogue: \(Failure(error).summary)")
    }
  }

  /// Returns whether an error means that the catalogue did not respond, so that an expired response
  /// is acceptable.
  private static func isUnreachable(_ code: ErrorCode) -> Bool {
    [
      .hostUnreachable, .offline, .netStalled, .netReset, .bodyCut, .tlsFailed, .httpFailing,
      .rateLimited, .catalogueUnreadable, .encodedBody, .protocolBroken,
    ].contains(code)
  }
}

/// A body of an unexpected form: an error of the catalogue or of an intermediary.
struct CatalogueRefusal {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the failure that the body represents.
  func failure(_ subject: String) -> Failure {
    if let object = parsed?.object, let status = object["status"]?.integer {
      if status == 404 { return .notInCatalogue(subject) }
      let message = object["message"]?.string ?? object["name"]?.string ?? ""
      return Failure(
        .catalogueUnreadable,
        "the catalogue refused \(subject) with status \(status): \(message.prefix(200))")
    }
    let isPage = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    let form = bytes.isEmpty ? "empty" : isPage ? "a web page" : "not the expected JSON"
    return Failure(
      .catalogueUnreadable, "the catalogue's response for \(subject) is \(form)")
  }

  private var parsed: JSONValue? {
    do throws(JSONSyntaxError) {
      return try JSONParser().parse(bytes)
    } catch {
      return nil
    }
  }
}

extension Failure {
  static func notInCatalogue(_ subject: String) -> Failure {
    Failure(.notInCatalogue, "the catalogue has no \(subject)")
  }
}
