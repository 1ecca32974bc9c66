/// A command for a purpose that a person has.
package struct Purpose: Sendable {
  /// The words for the purpose.
  package let words: Set<String>
  /// The command without `vmx`; operands in capital letters.
  package let command: String
  /// Its effect, as one phrase without a full stop.
  package let text: String

  fileprivate init(_ words: String, command: String, _ text: String) {
    self.words = Set(words.split(separator: " ").map(String.init))
    self.command = command
    self.text = text
  }
}

extension Toolbox {
  /// Words of a question that name no purpose.
  package static let fillers: Set = [
    "a", "an", "and", "by", "can", "do", "for", "from", "how", "i", "in", "is", "it", "my", "of",
    "on", "or", "the", "to", "what", "which", "with", "you",
  ]

  /// Returns the commands for the purposes that words name: those of all words, else those of any.
  package static func purposes(of words: [String]) -> [Purpose] {
    let all = purposes.filter { purpose in words.allSatisfy(purpose.words.contains) }
    guard all.isEmpty || words.isEmpty else { return all }
    return purposes.filter { !$0.words.isDisjoint(with: words) }
  }

  /// The commands for common purposes. `vmx help WORDS` searches them.
  package static let purposes: [Purpose] = [
    Purpose(
      "podcast podcasts rss atom opml subscribe subscription channel follow",
      command: "feed add URL",
      "Follow a podcast or another feed"),
    Purpose(
      "download get save url link video film movie mp4", command: "fetch URL",
      "Download a film and add its episode"),
    Purpose(
      "continue resume restart interrupted again retry unfinished", command: "fetch",
      "Continue what was interrupted, and fetch what is due"),
    Purpose(
      "file folder own local video film movie", command: "add FILE", "Add a file that you have"),
    Purpose(
      "usb stick backup copy share pack archive zip tar burn travel",
      command: "export --all -o FILE.tar",
      "Pack episodes for another disk or machine"),
    Purpose(
      "usb stick unpack bundle zip tar restore", command: "import FILE.tar",
      "Add the episodes of a bundle"),
    Purpose(
      "kids children child parental age pin protect restrict", command: "lock set --limit 12",
      "Hide episodes above an age limit behind a PIN"),
    Purpose(
      "plugin plugins extension extensions addon alias aliases shortcut", command: "plugin list",
      "List plugins and aliases; 'man vmx-plugins' says how to make one"),
    Purpose(
      "where file folder location path find", command: "path ID",
      "Print the path of an episode's file"),
    Purpose(
      "where copies copy disk bundle", command: "whereis ID", "List the copies of an episode"),
    Purpose(
      "space full disk free size usage", command: "status --disk",
      "Show the free space on the disks"),
    Purpose(
      "space full free tidy old watched", command: "clean --watched",
      "Remove the files of watched episodes"),
    Purpose("space free trash empty purge", command: "clean --empty-trash", "Empty the trash"),
    Purpose(
      "subtitle subtitles captions srt vtt", command: "fetch --only subtitle ID",
      "Fetch the subtitles of an episode"),
    Purpose(
      "delete remove erase del uninstall", command: "rm ID",
      "Move the files of an episode to the trash"),
    Purpose(
      "restore back mistake recover undelete wrong", command: "undo",
      "Undo the last removal or import"),
    Purpose("watch open view player mpv vlc", command: "play ID", "Play an episode"),
    Purpose(
      "next new watch continue", command: "play --next SHOW",
      "Play the next unwatched episode of a show"),
    Purpose("watched seen mark", command: "mark watched ID", "Mark an episode as watched"),
    Purpose("unwatched new unseen", command: "list --no-watched", "List what you have not watched"),
    Purpose(
      "damaged corrupt corrupted checksum hash sha256 bitrot check", command: "verify --all",
      "Verify all files against their digests"),
    Purpose(
      "damaged corrupt repair fix broken mend", command: "fetch --repair", "Replace damaged files"),
    Purpose("repair fix broken mend problem", command: "doctor", "Check the library for problems"),
    Purpose(
      "migrate move import switch gpodder sonarr kodi ytdlp get_iplayer dlp yt youtube",
      command: "migrate FOLDER", "Take over the files of another program"),
    Purpose("pause hold stop", command: "pause ID", "Put an episode on hold"),
    Purpose("cancel abort stop", command: "cancel ID", "Cancel an unfinished episode"),
    Purpose(
      "first priority order queue", command: "queue move --first ID", "Fetch an episode first"),
    Purpose(
      "slow speed rate limit bandwidth throttle", command: "fetch --limit-rate 1MiB/s",
      "Fetch with a limit on the rate"),
    Purpose(
      "progress live percent running", command: "status --live", "Watch the running transfers"),
    Purpose(
      "phone gpodder nextcloud antennapod server devices", command: "sync",
      "Exchange subscriptions and marks with a server"),
    Purpose(
      "duplicate duplicates twins double twice same", command: "clean --join -n",
      "Show records of one episode"),
    Purpose(
      "why waiting stuck failed error wait", command: "show --why ID", "Show why an episode waits"),
    Purpose("log history past", command: "list --history", "List past changes"),
    Purpose(
      "licence license drm rights expire key", command: "licence show",
      "Show licences and their ends"),
    Purpose("actor actress person cast people", command: "people NAME", "Show a person's credits"),
    Purpose(
      "favourite favorite star like", command: "favourite add SHOW", "Mark a show as a favourite"),
    Purpose(
      "settings setting config configure preferences options", command: "config list",
      "List the settings and where they are set"),
    Purpose(
      "tv television series catalogue tvmaze", command: "search WORDS",
      "Search the catalogue for shows"),
  ]
}
