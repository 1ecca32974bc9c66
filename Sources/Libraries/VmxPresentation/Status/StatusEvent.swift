package import VmxModel

/// Something that became of an episode, as a line of a stream.
package struct StatusEvent: Sendable, Equatable {
  /// What became of it.
  package enum What: Sendable, Equatable {
    /// It is new to the library.
    case added(state: EpisodeState, want: Want)
    /// A part went from one state to another.
    case state(Transition, reason: WaitReason?, until: Timestamp?)
    /// Somebody wants something else of it.
    case want(from: Want, to: Want)
    /// How far a part is.
    case progress(StatusItem)
    /// Nobody works on it any longer, and nothing was recorded: its fetcher was interrupted or died.
    case stopped(StatusItem)
    /// Its record is gone.
    case removed
  }

  /// The episode.
  package let id: String
  /// What became of it.
  package let what: What

  /// An event of an episode.
  package init(_ id: String, _ what: What) {
    self.id = id
    self.what = what
  }

  /// The line of it; `schema`, `id` and `event` stand first.
  package var record: JSONObject {
    var object = EpisodeJSON.head(id)
    switch what {
    case .added(let state, let want):
      object.append("event", "added")
      object.append("state", state.rawValue)
      object.append("want", want.rawValue)
    case .state(let step, let reason, let until):
      object.append("event", "state")
      object.append("part", step.part)
      object.append("from", step.from.rawValue)
      object.append("to", step.to.rawValue)
      object.append("code", step.code?.rawValue)
      object.append("reason", reason?.rawValue)
      object.append("until", until?.text)
      object.append("at", step.at.text)
    case .want(let from, let to):
      object.append("event", "want")
      object.append("from", from.rawValue)
      object.append("to", to.rawValue)
    case .progress(let item): return StatusRow(item, now: item.at).record(nil)
    case .stopped(let item):
      var record = StatusRow(item, now: item.at).record(nil)
      record["event"] = "stopped"
      return record
    case .removed: object.append("event", "removed")
    }
    return object
  }
}
