@testable import VmxVerifying
import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct TrackProberTests {
  let library: VerifyingLibrary

  init() throws {
    library = try VerifyingLibrary()
  }

  /// Returns settings that use a script in place of ffprobe.
  private func settings(
    _ script: String, or interruption: Interruption? = nil, environment: [String: String] = [:],
    timeout: Int64 = TrackProber.timeout
  ) throws -> VerificationSettings {
    try library.scratch.write("ffprobe", "#!/bin/sh\n\(script)\n")
    let program = library.scratch.path("ffprobe")
    #expect(chmod(program.string, 0o700) == 0)
    var settings = VerificationSettings()
    settings.prober = TrackProber(
      program, environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 },
      or: try interruption ?? Interruption(), timeout: timeout)
    return settings
  }

  private let hour = """
    echo '{"streams":[{"codec_type":"video","duration":"3600.5"},{"codec_type":"audio"}]}'
    """

  private func declare(_ id: String, _ milliseconds: Int64) throws {
    var episode = try #require(try library.store.snapshot().episode(EpisodeID(id)))
    var variant = Variant(sources: [])
    variant.duration = milliseconds
    episode.parts[0].variants = [variant]
    try library.store.update(.soon) { $0.write(episode) }
  }

  @Test(arguments: [nil, 3_600_000] as [Int64?])
  func `a video with the declared duration is intact, with its tracks`(declared: Int64?) throws {
    try library.add("t/a", [1, 2, 3])
    if let declared { try declare("t/a", declared) }
    let results = try library.verify(settings(hour))
    #expect(results.map(\.verdict) == [.intact])
    let tracks = [MediaTrack(.video, 3_600_500), MediaTrack(.audio, nil)]
    #expect(results.map(\.times) == [TrackTimes(tracks, declared: declared)])
    #expect(try library.video("t/a")?.verifiedAt == library.clock.now)
  }

  @Test(arguments: [false, true])
  func `a video with another duration is broken, and its record is kept`(isLarge: Bool) throws {
    let film = [UInt8](repeating: 7, count: isLarge ? 9_000_000 : 3)
    try library.add("t/a", film, withSegments: isLarge)
    try declare("t/a", 3_900_000)
    let before = try library.video("t/a")
    let results = try library.verify(settings(hour))
    #expect(results.map(\.verdict) == [.damaged])
    #expect(results[0].failure?.code == .mediaBroken)
    let words = "'video' of 't/a' has a video track of 1:00:01 instead of 1:05:00 (declared): "
    #expect(results[0].failure?.summary.hasPrefix(words) == true)
    #expect(results[0].times?.declared == 3_900_000)
    #expect(try library.video("t/a") == before)
  }

  @Test func `many differing tracks are reported briefly`() throws {
    let track = #"{"codec_type":"audio","duration":"41"}"#
    let tracks = Array(repeating: track, count: 5).joined(separator: ",")
    try library.add("t/a", [1])
    try declare("t/a", 60_000)
    let results = try library.verify(settings(#"echo '{"streams":[\#(tracks)]}'"#))
    let one = "an audio track of 0:41"
    let words = "has \(one) and \(one) and \(one) and more instead of 1:00 (declared)"
    #expect(results[0].failure?.summary.contains(words) == true)
  }

  @Test func `a file without tracks is broken`() throws {
    try library.add("t/a", [1])
    let results = try library.verify(settings(#"echo '{"streams":[]}'"#))
    #expect(results.map(\.failure?.code) == [.mediaBroken])
  }

  @Test(arguments: [
    ("kill -SEGV $$", "was killed by signal 11"), ("exit 3", "exited with status 3"),
    ("head -c 1100000 /dev/zero", "printed more than 1048576 bytes"),
    ("sleep 60", "timed out after 300ms"), ("exec sleep 60 >&- 2>&-", "timed out after 300ms"),
    ("echo; echo no >&2", "printed no JSON: no"),
  ])
  func `a missing result proves nothing about the bytes, which are verified`(
    script: String, words: String
  ) throws {
    try library.add("t/a", [1])
    let results = try library.verify(settings(script, timeout: 300))
    #expect(results.map(\.verdict) == [nil])
    #expect(results[0].failure?.code == .programFailed)
    #expect(
      results[0].failure?.summary == "ffprobe failed for 'video' of 't/a': it \(words)")
    #expect(try library.video("t/a")?.state == .ready)
    #expect(try library.video("t/a")?.verifiedAt == library.clock.now)
  }

  @Test func `a program that cannot be started yields no result`() throws {
    try library.add("t/a", [1])
    let settings = try settings(hour)
    try library.scratch.write("ffprobe", "\u{7F}ELF")
    let results = try library.verify(settings)
    #expect(results.map(\.failure?.code) == [.programFailed])
  }

  @Test func `an interruption ends it without a message`() throws {
    try library.add("t/a", [1])
    let interruption = try Interruption()
    let settings = try settings("touch '\(library.scratch.path)/began'; sleep 60", or: interruption)
    let scratch = library.scratch
    let watch = try WorkerThread.start("watch") {
      let deadline = Deadline(milliseconds: 600_000)
      while !scratch.exists("began"), !deadline.isPast { deadline.sleep(nanoseconds: 1_000_000) }
      interruption.request()
    }
    let results = try library.verify(settings, shouldStop: { interruption.isRequested })
    watch.join()
    #expect(results.isEmpty)
    #expect(try library.video("t/a")?.verifiedAt == nil)
  }

  @Test func `it reads the open file and cannot open another one`() throws {
    try library.add("t/a", Array("film".utf8), path: "-i concat:x\n.mp4")
    let script = """
      cat > '\(library.scratch.path)/read'
      printf '%s\\n' "$@" > '\(library.scratch.path)/arguments'
      env > '\(library.scratch.path)/variables'
      \(hour)
      """
    let variables = ["FFREPORT": "file=/x", "AV_LOG_FORCE_COLOR": "1", "OTHER": "kept"]
    #expect(
      try library.verify(settings(script, environment: variables)).map(\.verdict) == [.intact])
    #expect(try library.scratch.text("read") == "film")
    let arguments = try library.scratch.text("arguments").split(separator: "\n").map(String.init)
    #expect(arguments.last == "file:/dev/fd/0")
    let options = zip(arguments, arguments.dropFirst())
    #expect(options.contains { $0 == ("-protocol_whitelist", "file") })
    let formats = try #require(options.first { $0.0 == "-format_whitelist" }?.1)
    #expect(formats.split(separator: ",").allSatisfy { !["hls", "concat", "dash"].contains($0) })
    let seen = try library.scratch.text("variables")
    #expect(seen.contains("OTHER=kept"))
    #expect(!seen.contains("FFREPORT") && !seen.contains("AV_LOG_FORCE_COLOR"))
  }

  @Test func `only videos with correct bytes are probed`() throws {
    try library.add("t/a", [1, 2, 3])
    try library.flip("t/a.mp4", at: 1)
    try library.add("t/b", [1, 2, 4])
    var episode = try #require(try library.store.snapshot().episode(EpisodeID("t/b")))
    var picture = episode.parts[0]
    picture.role = .image
    episode.parts = [picture]
    try library.store.update(.soon) { $0.write(episode) }
    let results = try library.verify(settings("exit 9"))
    #expect(results.answers == ["t/a": .damaged, "t/b": .intact])
    #expect(results.allSatisfy { $0.failure?.code != .programFailed })
  }
}
