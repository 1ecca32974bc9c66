import SystemPackage
import Testing
import VmxModel

@testable import VmxPlaying

/// The choice of a player, and its arguments.
struct PlayerProgramTests {
  private let file = PlayableFile(
    video: "/films/a b.mp4", subtitles: ["/films/a b.en.srt"], title: "T: A {path}",
    start: 65_004)
  private let bare = PlayableFile(video: "/films/a.mp4", subtitles: [], title: "A", start: 0)

  private func program(_ variable: String?, _ setting: String? = nil) throws -> PlayerProgram {
    try PlayerProgram(variable: variable, setting: setting) { name in
      name == "none" ? nil : FilePath("/bin/\(name)")
    }
  }

  @Test(arguments: [
    (nil, nil, "mpv"), (" ", "", "mpv"), (nil, "cvlc -f  $HOME", "cvlc -f $HOME"),
    ("other -a", "cvlc -f", "other -a"), ("", "other", "other"),
  ])
  func `the variable overrides the setting, which overrides mpv`(
    variable: String?, setting: String?, called: String
  ) throws {
    let chosen = try program(variable, setting)
    #expect(([chosen.name] + chosen.arguments).joined(separator: " ") == called)
  }

  @Test(arguments: [("none", "VMX_PLAYER"), (nil, "player.command")])
  func `a missing player is reported with its origin`(variable: String?, origin: String) throws {
    let failure = try #require(throws: Failure.self) { _ = try program(variable, "none") }
    #expect(failure.code == .playerMissing)
    #expect(failure.summary == "the player 'none' of \(origin) is not in PATH")
  }

  @Test(arguments: [
    ("other -f", ["-f", "/films/a b.mp4"]), ("other {path} -x", ["/films/a b.mp4", "-x"]),
    ("other --at={start_s}", ["--at=65.004", "/films/a b.mp4"]),
    ("other {sub}", ["/films/a b.en.srt", "/films/a b.mp4"]),
    ("other {title}", ["T: A {path}", "/films/a b.mp4"]),
    ("other {{start_s} {no} {", ["{65.004", "{no}", "{", "/films/a b.mp4"]),
  ])
  func `template words are replaced by their values`(command: String, arguments: [String]) throws {
    #expect(try program(command).arguments(for: file, usesTerminal: true) == arguments)
  }

  @Test func `no title and no path becomes an option of the player`() throws {
    let file = PlayableFile(video: "-rf.mp4", subtitles: [], title: "--version", start: 0)
    #expect(
      try program("other -x {title} --name={title}").arguments(for: file, usesTerminal: true)
        == ["-x", " --version", "--name=--version", "./-rf.mp4"])
    #expect(
      try program("other {path}").arguments(for: file, usesTerminal: true) == ["./-rf.mp4"])
  }

  @Test func `a subtitle option is omitted without a subtitle`() throws {
    let program = try program("other --sub={sub} {start_s}")
    #expect(program.arguments(for: bare, usesTerminal: true) == ["0.000", "/films/a.mp4"])
  }
}
