import VmxModel
import VmxPresentation

/// The path of one file of an episode, as a row of JSON output.
struct PathRow: Sendable {
  private let id: EpisodeID
  private let part: String
  private let path: String
  private let received: JSONObject

  /// Creates the row of a file.
  ///
  /// - Parameters:
  ///   - part: the part as the user named it.
  ///   - path: the absolute path.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  init(id: EpisodeID, part: String, path: String, received: JSONObject) {
    self.id = id
    self.part = part
    self.path = path
    self.received = received
  }

  /// Returns the record, with the name of the tool as its stage.
  func record(stage: String) -> JSONObject {
    var object = EpisodeJSON.head(id.description)
    object.append("part", part)
    object.append("path", path)
    let known = EpisodeJSON.known.union(["part"])
    for field in received.without(known).fields { object.append(field.key, field.value) }
    OperationResult.done.append(to: &object, stage: stage)
    return object
  }
}
