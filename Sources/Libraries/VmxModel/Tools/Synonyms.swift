extension Toolbox {
  /// Common names for what vmx names differently, each with a hint. An installed tool with such a
  /// name is run as any other tool.
  package static let synonyms: [(names: [String], hint: String)] = [
    (["remove", "delete", "del", "erase"], "run 'vmx rm' to remove episodes"),
    (["get", "download"], "run 'vmx fetch' to download episodes"),
    (["config", "settings"], "see 'man vmx-config' for the settings and their file"),
    (["info", "describe"], "run 'vmx show' for all details of an episode"),
    (["open", "watch"], "run 'vmx play' to play an episode, 'vmx path' for the path of its file"),
    (["watched", "seen"], "run 'vmx mark watched' to mark episodes as watched"),
    (["du"], "run 'vmx list --fields id,size' for the size of each episode"),
    (["df"], "run 'vmx status --disk' for the free space on the disks"),
    (["ls"], "run 'vmx list' to list episodes"),
    (["mv"], "run 'vmx rename' to change the id of an episode"),
    (["history", "log"], "run 'vmx list --history' for past changes"),
    (["check", "fsck"], "run 'vmx verify' to verify files, 'vmx doctor' to check the library"),
    (["restore"], "run 'vmx undo' to undo what rm and clean did"),
  ]

  /// Returns the hint for a name; nil if it is not a synonym.
  package static func hint(forSynonym name: String) -> String? {
    synonyms.first { $0.names.contains(name) }?.hint
  }
}
