import Testing

@testable import loopback_origin

@Suite struct RuleTests {
  private let state = ServiceState()
  private let places = Places(first: 1, second: 2)

  private func request(_ target: String, _ fields: String = "") throws -> RequestHead {
    let head = Array("GET \(target) HTTP/1.1\r\n\(fields)\r\n".utf8)
    return try #require(RequestHead(head[...]))
  }

  private func applied(_ plan: FaultPlan, _ target: String, _ fields: String = "") throws
    -> [String]
  {
    try plan.behaviour(for: try request(target, fields), state: state, places: places).applied
  }

  @Test func `all rules that match act together`() throws {
    let plan = try FaultPlan(lines: ["# both", "", "/* etag-weak", "/a.mp4 cut:5 close"])
    #expect(try applied(plan, "/a.mp4") == ["etag-weak", "cut:5", "close"])
    #expect(try applied(plan, "/b.mp4") == ["etag-weak"])
  }

  @Test func `each path is counted by itself`() throws {
    let plan = try FaultPlan(lines: ["*.mp4 drop times 1"])
    let targets = ["/a.mp4", "/b.mp4", "/a.mp4"]
    #expect(try targets.map { try applied(plan, $0) } == [["drop"], ["drop"], []])
  }

  @Test func `a rule on ranges leaves other requests uncounted`() throws {
    let plan = try FaultPlan(lines: ["/a.mp4 range-416 on range times 1"])
    #expect(try applied(plan, "/a.mp4") == [])
    #expect(try applied(plan, "/a.mp4", "Range: bytes=1-\r\n") == ["range-416"])
    #expect(try applied(plan, "/a.mp4", "Range: bytes=1-\r\n") == [])
  }

  @Test(arguments: [
    ("/a.mp4", "/a.mp4", true), ("/a.mp4", "/a.mp4x", false), ("*", "/x", true),
    ("/show/*.mp4", "/show/1/a.mp4", true), ("/show/*.mp4", "/a.mp4", false),
    ("*a*b*", "/xaxbx", true), ("*a*b*", "/xbxax", false),
  ])
  func `a glob matches whole paths`(glob: String, path: String, matches: Bool) throws {
    let rule = try FaultRule(glob: glob, words: ["drop"], name: "rule")
    #expect(try rule.matches(request(path)) == matches)
  }

  @Test func `each rule has a budget of requests of its own, for all its paths`() throws {
    let plan = try FaultPlan(lines: ["/a/* requests:2:60000", "/b/* requests:1:60000"])
    let isAdmitted = try ["/a/1", "/a/2", "/b/1", "/a/1", "/b/2"].map { target in
      let behaviour = try plan.behaviour(for: request(target), state: state, places: places)
      return state.spend(try #require(behaviour.gate.budget))
    }
    #expect(isAdmitted == [true, true, true, false, false])
  }

  @Test func `a redirect may lead to the second listener`() throws {
    let plan = try FaultPlan(lines: ["/a redirect:302:http://@SECOND@/b%20c"])
    let behaviour = try plan.behaviour(for: request("/a"), state: state, places: places)
    #expect(behaviour.gate.redirect?.location == "http://127.0.0.1:2/b c")
  }

  @Test(arguments: ["/a nonsense", "/a cut", "/a cut:x", "/a drop times", "/a drop on monday"])
  func `a rule that is not understood is refused at once`(line: String) {
    #expect(throws: OriginProblem.self) { try FaultPlan(lines: [line]) }
  }

  @Test func `no two faults have the same name`() {
    let names = FaultWord.all.map(\.name)
    #expect(Set(names).count == names.count)
  }
}
