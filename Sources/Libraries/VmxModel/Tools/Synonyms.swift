extension Toolbox {
  /// Common names for what vmx names differently, each with a hint. An installed tool with such a
  /// name is run as any other tool.
  package static let synonyms: [(names: [String], hint: String)] = [
    (["remove", "delete", "del", "erase"], "run 'vmx rm' to remove episodes"),
    (["get", "download"], "run 'vmx fetch' to download episodes"),
    (["settings", "set", "preferences"], "run 'vmx config' to read and change settings"),
    (["info", "describe"], "run 'vmx show' for all details of an episode"),
    (["open", "watch"], "run 'vmx play' to play an episode, 'vmx path' for the path of its file"),
    (["watched", "seen"], "run 'vmx mark watched' to mark episodes as watched"),
    (["du"], "run 'vmx list --fields id,size' for the size of each episode"),
    (["df"], "run 'vmx status --disk' for the free space on the disks"),
    (["ls"], "run 'vmx list' to list episodes"),
    (["mv"], "run 'vmx rename' to change the id of an episode"),
    (["history", "log"], "run 'vmx list --history' for past changes"),
    (["check", "fsck"], "run 'vmx verify' to verify files, 'vmx doctor' to check the library"),
    (["version"], "run 'vmx --version' for the version"),
    (
      ["plugins", "alias", "aliases", "extension"],
      "run 'vmx plugin list' for plugins and aliases; 'man vmx-plugins' says how to make one"
    ),
    (["restore"], "run 'vmx undo' to undo what rm, clean and rename did"),
    (["subscribe"], "run 'vmx feed add URL' to follow a feed"),
    (["unsubscribe"], "run 'vmx feed remove FEED' to follow a feed no longer"),
    (["find", "grep"], "run 'vmx list SHOW' for a show you have, 'vmx search TITLE' for others"),
    (["stop"], "run 'vmx queue pause ID' to stop a transfer, 'vmx queue cancel ID' to give it up"),
    (["playlist"], "run 'vmx path --m3u SHOW' to print a playlist"),
    (["update", "pull"], "run 'vmx feed update' to read the feeds for new episodes"),
    (["star"], "run 'vmx favourite add SHOW' to mark a show as a favourite"),
    (["purge"], "run 'vmx rm --permanent' to remove without the trash"),
  ]

  /// Names of options in other programs, each with the option of vmx. Only tools that have the
  /// option use it.
  package static let optionSynonyms: [(names: [String], option: String)] = [
    (
      ["--limit", "--rate", "--max-rate", "--rate-limit", "--bwlimit", "--throttle"], "--limit-rate"
    ),
    (["--max-download-limit", "--max-overall-download-limit", "--throttled-rate"], "--limit-rate"),
    (["--resolution", "--height", "-f"], "--quality"),
    (["--threads", "--parallel", "--max-concurrent-downloads", "--transfers"], "--jobs"),
    (["--split", "--max-connection-per-server", "--concurrent-fragments", "-s"], "--connections"),
    (["--simulate", "--just-print", "--preview", "--check"], "--dry-run"),
    (["--silent", "--no-progress"], "--quiet"),
    (["--force", "--assume-yes", "--no-confirm"], "--yes"),
    (["--dir", "--directory", "--directory-prefix", "--paths", "-d", "-P"], "--root"),
    (["--episode", "--ep"], "--number"),
    (["--series", "--name"], "--show"),
    (["--status"], "--state"),
    (["--no-color", "--no-colour", "--monochrome"], "--color"),
    (["--columns", "--print"], "--fields"),
    (["--checksum", "--hash"], "--sha256"),
    (["--count", "--max", "--head"], "--limit"),
    (["--fix", "--repair", "--auto-repair"], "--mend"),
    (["--unwatched", "--unplayed", "--new"], "--no-watched"),
    (["--unkept"], "--no-kept"),
  ]

  /// Options of other programs for the name of the file to write; tools with `--root` choose names.
  package static let fileNameOptions: Set = ["--output", "--out", "-o", "-O"]

  /// Returns the first option of a tool for which another name is a synonym; nil if there is none.
  ///
  /// - Parameter options: the long options of the tool.
  package static func option(forSynonym name: String, among options: [String]) -> String? {
    optionSynonyms.first { $0.names.contains(name) && options.contains($0.option) }?.option
  }

  /// Returns the hint for a name; nil if it is not a synonym.
  package static func hint(forSynonym name: String) -> String? {
    synonyms.first { $0.names.contains(name) }?.hint
  }
}
