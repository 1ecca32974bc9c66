package import VmxModel

/// A change of an episode, as a line of a stream.
package struct StatusEvent: Sendable, Equatable {
  /// The kind of the change, with its data.
  package enum What: Sendable, Equatable {
    /// The episode was added to the library.
    case added(state: EpisodeState, want: Want)
    /// A part went from one state to another.
    case state(Transition, reason: WaitReason?, until: Timestamp?)
    /// The user or a command changed the requested action.
    case want(from: Want, to: Want)
    /// The progress of a part.
    case progress(StatusItem)
    /// The worker has stopped without recording a result: it was interrupted or died.
    case stopped(StatusItem)
    /// The record of the episode was removed.
    case removed
  }

  /// The episode.
  package let id: String
  /// The change.
  package let what: What

  /// Creates an event of an episode.
  package init(_ id: String, _ what: What) {
    self.id = id
    self.what = what
  }

  /// The event as a record, beginning with `schema`, `id` and `event`.
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
