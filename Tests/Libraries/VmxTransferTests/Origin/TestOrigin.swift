import Glibc
import Synchronization
import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// A loopback-origin for one test, with a folder that it serves and one for the received bytes.
final class TestOrigin: Sendable {
  /// One request in the origin's log.
  struct Hit: Equatable {
    /// The number in the order of arrival.
    let arrival: Int64
    let method: String
    let path: String
    let body: String?
    let type: String?
    let range: String?
    let ifRange: String?
    let status: Int64?
    let sent: Int64
    let hasAuthorization: Bool
    /// The scheme of the authorization.
    let scheme: String?
    let hasCookie: Bool
    let isEarly: Bool
    /// The time of the request since the start of the origin, and the duration of the response.
    let milliseconds: Int64
    let took: Int64
    /// The faults that were applied, as written.
    let faults: [String]
  }

  let scratch: ScratchFolder
  private let process: ChildProcess
  let port: String
  let secondPort: String

  /// Starts an origin with these rules.
  convenience init(_ rules: String...) throws {
    try self.init(rules)
  }

  /// Starts an origin with these rules.
  init(_ rules: [String]) throws {
    let scratch = try ScratchFolder()
    self.scratch = scratch
    for folder in ["site", "partial"] { try scratch.makeFolder(folder) }
    var arguments = [
      "--root", scratch.path("site").string, "--log", scratch.path("log").string,
      "--port-file", scratch.path("port").string, "--life", "120",
      "--second-port-file", scratch.path("port2").string,
    ]
    for rule in rules { arguments += ["--rule", rule] }
    let program = try Self.folderOfTests().appending("loopback-origin")
    process = try ChildProcess(
      program.string, arguments, environment: [:],
      streams: .init(output: scratch.path("out"), error: scratch.path("err")))
    port = try Self.word(scratch, "port", process)
    secondPort = try Self.word(scratch, "port2", process)
  }

  deinit { process.kill(SIGKILL); _ = process.wait(seconds: 10) }

  /// A URL of the origin.
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  /// Adds a file of pseudo-random bytes to the site, with an old modification time.
  @discardableResult
  func serve(_ name: String, _ size: Int, seed: UInt64 = 1) throws -> [UInt8] {
    let bytes = Noise.bytes(size, seed: seed)
    try serve(name, bytes)
    return bytes
  }

  /// Adds a file to the site, with an old modification time.
  func serve(_ name: String, _ bytes: [UInt8]) throws {
    try scratch.write("site/\(name)", bytes)
    // A second version has a different time.
    let moment = timespec(tv_sec: name.hasSuffix("@2") ? 1_650_000_000 : 1_600_000_000, tv_nsec: 0)
    utimensat(AT_FDCWD, scratch.path("site/\(name)").string, [moment, moment], 0)
  }

  /// Returns a job that fetches from the given paths of the origin.
  func job(_ paths: String..., kind: TransferJob.Kind = .media) throws -> TransferJob {
    TransferJob(
      episode: try EpisodeID("show/s01e01"), partName: "video",
      sources: paths.map { TransferSource(url: $0.hasPrefix("http") ? $0 : url($0)) },
      partial: scratch.path("partial/a.part"), resume: scratch.path("partial/a.part.json"),
      kind: kind)
  }

  /// Returns the requests so far, in the order of their arrival. The origin logs a request after
  /// its response has ended.
  func hits() throws -> [Hit] {
    guard scratch.exists("log") else { return [] }
    let parser = JSONParser()
    return try scratch.text("log").split(separator: "\n").compactMap { line in
      guard let object = try parser.parse(String(line)).object else { return nil }
      return Hit(
        arrival: object["arrival"]?.integer ?? 0,
        method: object["method"]?.string ?? "", path: object["path"]?.string ?? "",
        body: object["body"]?.string, type: object["type"]?.string, range: object["range"]?.string,
        ifRange: object["if_range"]?.string, status: object["status"]?.integer,
        sent: object["sent"]?.integer ?? 0,
        hasAuthorization: object["authorization"]?.bool ?? false,
        scheme: object["scheme"]?.string, hasCookie: object["cookie"]?.bool ?? false,
        isEarly: object["early"]?.bool ?? false,
        milliseconds: object["ms"]?.integer ?? 0, took: object["took"]?.integer ?? 0,
        faults: (object["faults"]?.array ?? []).compactMap(\.string))
    }.sorted { $0.arrival < $1.arrival }
  }

  /// The received bytes.
  func partial() throws -> [UInt8] { try scratch.bytes("partial/a.part") }

  /// Waits until at least this many requests have ended, and returns all requests.
  func hits(atLeast count: Int) throws -> [Hit] {
    let end = Deadline.nowMilliseconds + 600_000
    while try hits().count < count, Deadline.nowMilliseconds < end { usleep(2000) }
    return try hits()
  }

  private static func folderOfTests() throws -> FilePath {
    guard let real = realpath("/proc/self/exe", nil) else { throw Errno(rawValue: errno) }
    defer { free(real) }
    let runner = FilePath(platformString: real)
    // If the bundle is the test program itself, the origin is beside it.
    return runner.removingLastComponent()
  }

  private static func word(
    _ scratch: ScratchFolder, _ name: String, _ process: ChildProcess
  ) throws -> String {
    let end = Deadline.nowMilliseconds + 600_000
    while Deadline.nowMilliseconds < end {
      if scratch.exists(name) {
        let text = try scratch.text(name)
        if text.hasSuffix("\n") { return String(text.dropLast()) }
      }
      if process.poll() != nil { break }
      usleep(1000)
    }
    throw Failure(.internalError, "the origin did not start")
  }
}

/// Bytes without patterns that are the same in every run.
enum Noise {
  static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    let bytes = [UInt8](unsafeUninitializedCapacity: count + 8) { buffer, filled in
      while filled < count {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        UnsafeMutableRawBufferPointer(buffer).storeBytes(
          of: state, toByteOffset: filled, as: UInt64.self)
        filled += 8
      }
    }
    return Array(bytes[..<count])
  }
}
