import Testing
import VmxModel

struct ErrorCatalogueTests {
  @Test(arguments: ErrorCode.allCases)
  func `every code has a summary and a hint in the project's style`(code: ErrorCode) {
    for text in [code.entry.sentence, code.entry.hint] {
      #expect(text.count >= 10)
      #expect(text.first?.isUppercase == false)
      #expect(text.last.map { !".!? ".contains($0) } == true)
      #expect(!text.contains("\n"))
    }
  }

  @Test(arguments: ErrorCode.allCases)
  func `every code consists of words joined by hyphens`(code: ErrorCode) {
    let words = code.rawValue.split(separator: "-", omittingEmptySubsequences: false)
    #expect(words.allSatisfy { word in !word.isEmpty && word.allSatisfy { "a"..."z" ~= $0 } })
    #expect((1...3).contains(words.count))
  }

  @Test func `no two codes have the same text`() {
    let codes = ErrorCode.allCases
    #expect(Set(codes.map(\.rawValue)).count == codes.count)
    #expect(Set(codes.map(\.entry.sentence)).count == codes.count)
  }

  @Test func `retired names are never used again`() {
    #expect(Set(ErrorCode.retired).isDisjoint(with: ErrorCode.allCases.map(\.rawValue)))
    #expect(Set(ErrorCode.retired).count == ErrorCode.retired.count)
  }

  @Test(arguments: ErrorCode.allCases)
  func `only codes that are not failures of an episode count as success`(code: ErrorCode) {
    #expect((code.entry.status == .success) == ([.held, .hookFailed, .fileUnknown].contains(code)))
    #expect(code.entry.status != .someFailed)
  }

  @Test(arguments: ErrorCode.allCases)
  func `waiting codes exit with the status try-later`(code: ErrorCode) {
    if case .wait = code.entry.retry { #expect(code.entry.status == .tryLater) }
  }

  @Test(
    arguments: [
      (.badID, .dataError), (.noFile, .noInput), (.noSuchEpisode, .noInput), (.lockBusy, .tryLater),
      (.hostUnreachable, .unavailable), (.diskFull, .tryLater), (.storeNotDurable, .ioError),
      (.storeFull, .ioError), (.outputFailed, .ioError), (.badSetting, .configuration),
      (.badLine, .dataError), (.usage, .usage), (.digestMismatch, .protocolError),
    ] as [(ErrorCode, VmxModel.ExitStatus)])
  func `the documented exit statuses are kept`(code: ErrorCode, status: VmxModel.ExitStatus) {
    #expect(code.entry.status == status)
  }

  @Test func `exit statuses are those of sysexits`() {
    #expect(
      VmxModel.ExitStatus.allCases.map(\.rawValue) == [
        0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 76, 77, 78,
      ])
  }

  @Test func `the names of retry classes are stable`() {
    #expect([RetryClass.never, .later, .wait(.space)].map(\.name) == ["never", "later", "wait"])
  }

  @Test func `a failure uses the catalogue's hint unless it has its own`() {
    #expect(Failure(.diskFull, "x").hint == ErrorCode.diskFull.entry.hint)
    #expect(Failure(.diskFull, "x", hint: "y").hint == "y")
  }

  @Test func `any error becomes a failure and an error with a code keeps it`() {
    struct Odd: Error {}
    let coded = Failure(.netReset, "x", hint: "y", retryAt: Timestamp(seconds: 1))
    #expect(Failure(coded as any Error) == coded)
    #expect(Failure(Odd()).code == .internalError)
  }
}
