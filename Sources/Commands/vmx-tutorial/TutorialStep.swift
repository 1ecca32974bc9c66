import VmxModel
import VmxStore

/// A step of the lesson: a command, the check of its effect, and its meaning.
struct TutorialStep: Sendable {
  /// The purpose of the step, as one phrase.
  let goal: String
  /// The command.
  let command: String
  /// The effect of the command and its reason, as one paragraph.
  let explanation: String
  /// Whether the command took effect; nil if any run of its tool that succeeds is enough.
  var tookEffect: (@Sendable (StoreSnapshot) throws -> Bool)?

  /// The id of the film that the first step adds.
  static let film = "harbour/film"

  /// Returns the steps.
  ///
  /// - Parameter origin: the URL of the origin, without a slash at its end.
  static func all(at origin: String) -> [TutorialStep] {
    adding(at: origin) + following(at: origin) + keeping
  }

  private static func adding(at origin: String) -> [TutorialStep] {
    [
      TutorialStep(
        goal: "Add a film by its URL", command: "vmx add --id \(film) \(origin)/film.mp4",
        explanation: """
          The library now has a record of the film, and wants it. Nothing was downloaded: adding is \
          quick, and may be done for many films at once. Every episode has an id such as \(film), \
          by which all tools know it.
          """, tookEffect: { try episode($0) != nil }),
      TutorialStep(
        goal: "List the library", command: "vmx list",
        explanation: """
          Each line is an episode with its state. The film is new: the next fetch begins it. \
          In a pipe 'vmx list' prints lines for programs, and with --json complete records.
          """),
      TutorialStep(
        goal: "Download what is due", command: "vmx fetch",
        explanation: """
          The film was received into a partial file, compared with what the server promised, and \
          only then given its name. If a fetch is killed or the network fails, the same command goes \
          on where it stopped.
          """, tookEffect: { try episode($0)?.state == .ready }),
      TutorialStep(
        goal: "Find its file", command: "vmx path \(film)",
        explanation: """
          The media are ordinary files in ordinary folders, which every player opens: \
          mpv "$(vmx path \(film))". 'vmx play' also remembers how far you watched.
          """),
    ]
  }

  private static func following(at origin: String) -> [TutorialStep] {
    [
      TutorialStep(
        goal: "Subscribe to a feed", command: "vmx feed add --want all \(origin)/feed.xml",
        explanation: """
          The episodes of the feed are in the library now. With --want all each of them is wanted; \
          without it, only those that appear from now on. 'vmx feed update' looks for new ones.
          """, tookEffect: { try episodes($0).count >= 3 }),
      TutorialStep(
        goal: "Download its episodes", command: "vmx fetch",
        explanation: """
          Several files come at once, each in its turn of the queue. 'vmx queue \
          --install-timer' has a fetch run each hour, so that new episodes are there when you are \
          offline.
          """, tookEffect: { try episodes($0).allSatisfy { $0.state == .ready } }),
    ]
  }

  private static let keeping: [TutorialStep] = [
    TutorialStep(
      goal: "Mark the film as watched", command: "vmx mark watched \(film)",
      explanation: """
        The mark is what 'vmx clean --watched' goes by when space is short, and what \
        'vmx list --no-watched' leaves out.
        """, tookEffect: { try episode($0)?.isWatched == true }),
    TutorialStep(
      goal: "Verify the files", command: "vmx verify",
      explanation: """
        Each file was read and compared with the digest that was recorded when it arrived. A damaged \
        one would be named, and 'vmx fetch --repair' would fetch only its wrong segments again.
        """),
    TutorialStep(
      goal: "Remove the film", command: "vmx rm \(film)",
      explanation: """
        The file is in the trash of the library, not deleted, and no feed will bring the film back \
        against your wish. 'vmx clean' empties the trash after a month.
        """, tookEffect: { try episode($0)?.state == .removed }),
    TutorialStep(
      goal: "Undo that", command: "vmx undo",
      explanation: """
        The film is back with its file. 'vmx undo --list' shows what else can be undone. \
        That was the last step: 'vmx help' lists the tools, and 'vmx help WORDS' finds one.
        """, tookEffect: { try episode($0)?.state == .ready }),
  ]

  private static func episode(_ snapshot: StoreSnapshot) throws -> Episode? {
    try EpisodeID(valid: film).flatMap { try snapshot.episode($0) }
  }

  private static func episodes(_ snapshot: StoreSnapshot) throws -> [Episode] {
    var found: [Episode] = []
    try snapshot.episodes(matching: EpisodeQuery()) { episode in
      found.append(episode)
      return true
    }
    return found
  }
}
