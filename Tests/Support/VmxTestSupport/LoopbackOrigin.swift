import Glibc
import SystemPackage
import VmxJSON
import VmxModel

/// The origin with faults, running for one test; it ends with the last reference to it.
///
///     let origin = try LoopbackOrigin(
///       films: ["a.mp4": 300_000], rules: ["/a.mp4 cut:5000 times 1"])
///     fetch("\(origin.url)/a.mp4")
///     #expect(try origin.requests().map(\.status) == [200, 206])
///
/// `loopback-origin --help` lists the faults.
package final class LoopbackOrigin: Sendable {
  /// The folder of the served files: `folder.path("a.mp4")`, and `a.mp4@2` for a second version.
  package let folder: ScratchFolder
  /// `http://127.0.0.1:PORT`, without a slash.
  package let url: String
  private let process: ChildProcess

  /// Starts the origin and waits until it listens.
  ///
  /// - Parameters:
  ///   - films: names and sizes of files that it creates. Each starts like an MP4 file; the rest
  ///     are pseudo-random bytes that depend only on the name and size.
  ///   - rules: fault rules, one per element.
  package init(films: [String: Int] = [:], rules: [String] = []) throws {
    folder = try ScratchFolder()
    var arguments = ["--root", folder.path.string, "--life", "300"]
    arguments += ["--log", folder.path(".log").string]
    for (name, size) in films { arguments += ["--film", "\(name)=\(size)"] }
    for rule in rules { arguments += ["--rule", rule] }
    let output = folder.path(".ports")
    process = try ChildProcess(
      try BuiltProgram.path("loopback-origin"), arguments, environment: [:],
      streams: .init(output: output, error: folder.path(".errors")))
    url = "http://127.0.0.1:\(try Self.ports(of: process, folder)[0])"
  }

  deinit {
    process.kill(SIGKILL)
    _ = process.wait(seconds: 5)
  }

  /// The bytes of a served file.
  package func bytes(of name: String) throws -> [UInt8] {
    try folder.bytes(name)
  }

  /// The requests that it has answered, in the order of their arrival.
  package func requests() throws -> [OriginRequest] {
    let parser = JSONParser()
    return try folder.text(".log").split(separator: "\n").map { line in
      let value = try parser.parse(String(line))
      return try OriginRequest(FieldReader(value.object ?? JSONObject(), of: "request"))
    }.sorted { $0.arrival < $1.arrival }
  }

  private static func ports(of process: ChildProcess, _ folder: ScratchFolder) throws -> [Substring]
  {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(60)
    while clock.now < deadline, process.poll() == nil {
      let text = try folder.text(".ports")
      let lines = text.split(separator: "\n")
      if lines.count == 2, text.hasSuffix("\n") { return lines }
      usleep(1000)
    }
    throw Failure(.internalError, "the origin does not start: \(try folder.text(".errors"))")
  }
}

/// One request as the origin logged it, with its response.
package struct OriginRequest: Sendable, Equatable {
  /// The number of the request in the order of arrival.
  let arrival: Int64
  /// The path, percent-decoded, without the query.
  package let path: String
  /// Whether the request had an Authorization field.
  package let hasAuthorization: Bool
  /// The status; nil if no response was sent.
  package let status: Int64?
  /// The number of body bytes sent.
  package let sent: Int64
  /// `whole`, `cut`, `reset`, `stalled`, or `abandoned` by the client.
  package let ended: String
  /// Whether the request arrived before the time named by Retry-After (`patience`).
  package let isEarly: Bool

  fileprivate init(_ reader: FieldReader) throws {
    arrival = try reader.integer("arrival") ?? 0
    path = try reader.string("path") ?? ""
    hasAuthorization = try reader.bool("authorization") ?? false
    status = try reader.integer("status")
    sent = try reader.integer("sent") ?? 0
    ended = try reader.string("ended") ?? ""
    isEarly = try reader.bool("early") ?? false
  }
}
