extension Toolbox {
  /// Common names for what vmx names differently, each with a hint. An installed tool with such a
  /// name is run as any other tool.
  package static let synonyms: [(names: [String], hint: String)] = [
    (["remove", "delete", "del", "erase"], "'vmx rm' removes episodes"),
    (["get", "download"], "'vmx fetch' brings episodes here"),
    (["config", "settings"], "'man vmx-config' tells of the settings and their file"),
    (["info", "describe"], "'vmx show' tells all of an episode"),
    (["open", "watch"], "'vmx play' plays an episode, 'vmx path' prints where its file is"),
    (["watched", "seen"], "'vmx mark watched' marks episodes as watched"),
    (["du"], "'vmx list --fields id,size' tells how large each is"),
    (["df"], "'vmx status --disk' tells what is left on the disks"),
    (["ls"], "'vmx list' lists episodes"),
    (["mv"], "'vmx rename' gives an episode another id"),
    (["history", "log"], "'vmx list --history' tells what was done"),
    (["check", "fsck"], "'vmx verify' proves files, 'vmx doctor' looks at the library"),
    (["restore"], "'vmx undo' takes back what rm and clean did"),
  ]

  /// Returns the hint for a name; nil if it is not a synonym.
  package static func hint(forSynonym name: String) -> String? {
    synonyms.first { $0.names.contains(name) }?.hint
  }
}
