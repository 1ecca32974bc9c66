package import SystemPackage
package import VmxModel
import VmxSettings

/// The program that plays videos.
package struct PlayerProgram: Sendable, Equatable {
  /// The players whose options vmx knows.
  package enum Kind: Sendable, Equatable {
    /// mpv, which reports the position.
    case mpv
    /// VLC, which can start at a position but does not report its last one.
    case vlc
    /// Any other player. It gets the file and the placeholders of its command line.
    case other
  }

  /// The kind, which decides the command-line options.
  package let kind: Kind
  /// The executable.
  package let path: FilePath
  /// The user's arguments, which precede those of vmx.
  package let arguments: [String]

  /// The environment variable that names a player. It overrides the setting.
  package static let variable = "VMX_PLAYER"

  /// Selects the player: the first command line that is given, else mpv, else VLC.
  ///
  /// A command line is split at spaces, without a shell.
  ///
  /// - Parameters:
  ///   - variable: the value of `VMX_PLAYER`; nil or empty for none.
  ///   - setting: the value of `player.command`; nil or empty for none.
  ///   - find: returns the executable of a name in PATH.
  /// - Throws: `player-missing`.
  package init(
    variable: String?, setting: String?, find: (String) -> FilePath?
  ) throws(Failure) {
    let origins = [(Self.variable, variable), (SettingKey.playerCommand.rawValue, setting)]
    let given = origins.lazy
      .map { ($0.0, ($0.1 ?? "").split(separator: " ").map(String.init)) }.first { !$0.1.isEmpty }
    guard let (origin, words) = given, let name = words.first else {
      for (name, kind) in [("mpv", Kind.mpv), ("vlc", .vlc)] {
        guard let path = find(name) else { continue }
        (self.kind, self.path, arguments) = (kind, path, [])
        return
      }
      throw Failure(.playerMissing, "no video player: neither 'mpv' nor 'vlc' is in PATH")
    }
    let path = name.contains("/") ? FilePath(name) : find(name)
    guard let path else {
      throw Failure(
        .playerMissing, "the player '\(name)' of \(origin) is not in PATH",
        hint: "install it, or set \(origin) to another player")
    }
    switch path.lastComponent?.string {
    case "mpv": kind = .mpv
    case "vlc", "cvlc": kind = .vlc
    default: kind = .other
    }
    self.path = path
    arguments = Array(words.dropFirst())
  }

  /// The name for messages.
  package var name: String { path.lastComponent?.string ?? path.string }
}

/// A file to play.
package struct PlayableFile: Sendable {
  /// The video.
  package let video: FilePath
  /// The subtitle files.
  package let subtitles: [FilePath]
  /// The title that the player shows.
  package let title: String
  /// The start position in milliseconds.
  package let start: Int64

  /// Creates a file to play.
  package init(video: FilePath, subtitles: [FilePath], title: String, start: Int64) {
    self.video = video
    self.subtitles = subtitles
    self.title = title
    self.start = start
  }
}

extension PlayerProgram {
  /// The file descriptor of mpv's end of the connection.
  static let channel: Int32 = 3

  /// Returns all arguments of the program for a file.
  ///
  /// - Parameter usesTerminal: whether the player may read keys from the terminal and write to it.
  func arguments(for file: PlayableFile, usesTerminal: Bool) -> [String] {
    switch kind {
    case .mpv:
      // The position in the store overrides mpv's own resume position.
      var all = arguments + ["--input-ipc-client=fd://\(Self.channel)", "--resume-playback=no"]
      if !usesTerminal { all.append("--no-terminal") }
      all.append("--force-media-title=\(file.title)")
      if file.start > 0 { all.append("--start=\(PlayingTime.seconds(of: file.start))") }
      all += file.subtitles.map { "--sub-file=\($0.string)" }
      return all + ["--", file.video.string]
    case .vlc:
      var all = arguments + ["--play-and-exit"]
      if file.start > 0 { all.append("--start-time=\(PlayingTime.seconds(of: file.start))") }
      all += file.subtitles.prefix(1).map { "--sub-file=\($0.string)" }
      return all + ["--", file.video.string]
    case .other:
      let words = arguments.compactMap { Self.filled($0, with: file) }
      let namesFile = arguments.contains { $0.contains("{path}") }
      return namesFile ? words : words + [Self.asOperand(file.video.string, isPath: true)]
    }
  }

  /// Replaces the placeholders in an argument; nil for a subtitle argument if the file has no
  /// subtitles.
  private static func filled(_ argument: String, with file: PlayableFile) -> String? {
    if argument.contains("{sub}"), file.subtitles.isEmpty { return nil }
    let values = [
      "path": file.video.string, "title": file.title,
      "start_s": PlayingTime.seconds(of: file.start), "sub": file.subtitles.first?.string ?? "",
    ]
    var (filled, rest) = ("", argument[...])
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}"),
        let value = values[String(rest[rest.index(after: open)..<close])]
      else {
        filled += rest[...open]
        rest = rest[rest.index(after: open)...]
        continue
      }
      filled += rest[..<open] + value
      rest = rest[rest.index(after: close)...]
    }
    filled += rest
    // An argument of the user may be an option; one that begins with a title must never be.
    guard argument.hasPrefix("{") else { return filled }
    return asOperand(filled, isPath: argument.hasPrefix("{path}") || argument.hasPrefix("{sub}"))
  }

  /// Returns text that no program takes for an option: a path with `./`, other text with a blank in
  /// front of its hyphen.
  private static func asOperand(_ text: String, isPath: Bool) -> String {
    text.hasPrefix("-") ? (isPath ? "./" : " ") + text : text
  }
}
