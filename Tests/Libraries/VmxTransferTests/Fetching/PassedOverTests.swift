import Testing
import VmxModel
import VmxSystem

@testable import VmxTransfer

/// Sources that the observer gives up because of their hosts.
@Suite struct PassedOverTests {
  /// An observer that refuses a source before its first request, or as soon as an attempt failed.
  private struct Observer: TransferObserver {
    static let until = Timestamp(seconds: 4_000_000_000)
    let refused: String
    var code = ErrorCode.rateLimited
    let tried = TestObserver()

    func willTry(source url: String) -> Failure? {
      url.hasSuffix(refused) ? Failure(code, "not now", retryAt: Self.until) : nil
    }
    func progressed(held: Int64, total: Int64?, received: Int64, connections: Int) {}
    func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64) {
      tried.retrying(attempt: attempt, after: failure, delay: milliseconds)
    }
    var sourceRefusal: Failure? {
      refused == "none" && !tried.retries.isEmpty ? Failure(.hostUnreachable, "silent") : nil
    }
    func noted(_ text: String) {}
    var stop: StopRequest? { nil }
  }

  @Test func `the next source is tried instead`() throws {
    let origin = try TestOrigin()
    try origin.serve("a.mp4", 1000, seed: 1)
    let bytes = try origin.serve("b.mp4", 1000, seed: 2)
    try fetch(origin.job("a.mp4", "b.mp4"), observer: Observer(refused: "a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 1).map(\.path) == ["/b.mp4"])
  }

  @Test(arguments: ["status:404", "drop"])
  func `its time is reported even if the others fail`(_ fault: String) throws {
    let origin = try TestOrigin("/b.mp4 \(fault)")
    let error = #expect(throws: TransferError.self) {
      try fetch(origin.job("b.mp4", "a.mp4"), observer: Observer(refused: "a.mp4"))
    }
    #expect(error?.code == .rateLimited)
    #expect(error?.retryAt == Observer.until)
  }

  @Test func `a source that is given up after an attempt is replaced at once`() throws {
    let origin = try TestOrigin("/a.mp4 drop")
    let bytes = try origin.serve("b.mp4", 1000)
    let observer = Observer(refused: "none")
    #expect(try failure(origin.job("a.mp4", "b.mp4"), observer: observer) == .hostUnreachable)
    #expect(try origin.hits(atLeast: 1).filter { $0.path == "/a.mp4" }.count == 1)
    #expect(bytes.count == 1000)
  }
}
