package import VmxModel

/// All details of one episode, as text and as a record.
package struct EpisodeDetails: Sendable {
  private let episode: Episode
  private let facts: EpisodeFacts
  private let zone: (any LocalZone)?

  /// Creates the details of an episode.
  ///
  /// - Parameter zone: the time zone of times in the text; nil for RFC 3339 in UTC.
  package init(_ episode: Episode, _ facts: EpisodeFacts, in zone: (any LocalZone)? = nil) {
    self.episode = facts.shown(episode)
    self.facts = facts
    self.zone = zone
  }

  /// All details as text; unknown values are omitted.
  package var details: Details {
    Details(
      heading: episode.id.description, lines: lines,
      sections: episode.parts.map { section(of: $0) } + (episode.trail.isEmpty ? [] : [trail]))
  }

  /// The episode as a line among those of its show: the rest of its id, its state and its title.
  package var line: Details.Line {
    let state = StateText.state(of: episode, facts)
    return Details.Line(
      episode.id.episode, "\(state.text)  \(episode.title)", style: state.style)
  }

  /// Only the reason why the episode is not ready.
  package var reasonDetails: Details {
    Details(heading: episode.id.description, lines: [stateLine] + failureLines + reasonLines)
  }

  /// The record of `vmx list`, extended by the history and the reason.
  package var record: JSONObject {
    var object = EpisodeRow(episode, facts).record(nil)
    object.append(EpisodeField.imageFile.rawValue, facts.imageFile)
    object.append("position_ms", facts.position.map { .integer($0.milliseconds) })
    object.append("position_at", facts.position?.at.text)
    object.append("licence", episode.licence.map { .object($0.record) })
    object.append("trail", .array(episode.trail.map { .object($0.record) }))
    object.append("why", .object(reasonObject))
    return object
  }

  /// The keys of the record in addition to those of `vmx list`.
  static let keys: [JSONKey] =
    JSONKey.keys(of: [HistoryField.at, .part, .from, .to, .code]).map {
      JSONKey("trail[].\($0.path)", $0.type, meaning: $0.meaning)
    } + [
      JSONKey("position_at", .time, meaning: "The time when the position was recorded"),
      JSONKey("licence", .object, meaning: "The rights of its licence; they end at expires"),
      JSONKey("licence.state", .word, meaning: "The state of the licence, as in vmx-states(7)"),
      JSONKey("licence.starts", .time, meaning: "The start of the right to play it"),
      JSONKey(
        "licence.clock_contradicted", .boolean,
        meaning: "Whether the provider's clock differed from the local clock by more than an hour"),
      JSONKey("trail", .list, meaning: "The last 16 changes of state, oldest first"),
      JSONKey("why", .object, meaning: "The reason why it waits"),
      JSONKey("why.waits_for", .text, meaning: "The reason, as a phrase"),
      JSONKey("why.release", .text, meaning: "How to continue, as a phrase"),
      JSONKey("why.code", .word, meaning: "The error code of the reason, as in vmx-errors(7)"),
    ]

  /// A record of the id, the state and the reason.
  package var reasonRecord: JSONObject {
    var object = EpisodeRow(episode, facts).record([
      .rev, .want, .state, .code, .reason, .until, .lacks, .removal, .work,
    ])
    object.append("why", .object(reasonObject))
    return object
  }

  private var reasonObject: JSONObject {
    let reason = EpisodeReason(episode, facts)
    var object = JSONObject()
    object.append("waits_for", reason.waitsFor)
    object.append("release", reason.release)
    object.append("code", reason.code?.rawValue)
    return object
  }

  private var lines: [Details.Line] {
    let row = EpisodeRow(episode, facts)
    var lines = [Details.Line("title", episode.title), Details.Line("show", episode.showTitle)]
    for field in EpisodeField.described {
      if field == .summary, let summary = episode.summary {
        lines.append(Details.Line(field.rawValue, prose: summary))
        continue
      }
      lines += line(field.label, row.cell(field).text)
    }
    lines.append(stateLine)
    lines.append(Details.Line("want", episode.want.rawValue))
    lines += failureLines + reasonLines
    let marks = [EpisodeField.keep, .watched, .meteredOK].filter { row.exact($0) == "true" }
    lines += line("marks", marks.map(\.rawValue).joined(separator: ", "))
    lines += line("position", facts.position?.text ?? "")
    lines += line("priority", episode.priority == 0 ? "" : row.exact(.priority))
    lines += line("after", row.exact(.after))
    lines += line("licence", episode.licence?.state.rawValue ?? "")
    lines += timeLine("starts", episode.licence?.starts)
    lines += timeLine("expires", episode.expires) + timeLine("added", episode.added)
    if let removal = episode.removal {
      lines += timeLine("removed", removal.at) + line("removed by", "vmx \(removal.tool)")
    }
    lines.append(Details.Line("rev", row.exact(.rev)))
    return lines
  }

  private var stateLine: Details.Line {
    let cell = StateText.state(of: episode, facts)
    return Details.Line("state", cell.text, style: cell.style)
  }

  private var failureLines: [Details.Line] {
    guard let part = episode.decisivePart else { return [] }
    return line("code", part.code?.rawValue ?? "")
      + line("message", TimeText.localised(part.message ?? "", in: zone))
      + line("reason", EpisodeRow(episode, facts).exact(.reason)) + timeLine("until", part.until)
  }

  private var reasonLines: [Details.Line] {
    guard episode.state != .ready || !episode.missingParts.isEmpty else { return [] }
    let reason = EpisodeReason(episode, facts, in: zone)
    return [Details.Line("why", reason.text)] + line("then", reason.release ?? "")
  }

  private var trail: Details {
    let lines = episode.trail.map { step in
      let code = step.code.map { " (\($0.rawValue))" } ?? ""
      return Details.Line(
        TimeText.absolute(step.at, in: zone),
        "\(step.part): \(step.from.rawValue) → \(step.to.rawValue)\(code)")
    }
    return Details(heading: "trail", lines: lines)
  }

  private func section(of part: Part) -> Details {
    let state = StateText.state(of: part, facts)
    var lines = [Details.Line("state", state.text, style: state.style)]
    lines += line("file", facts.file(of: part) ?? "")
    lines += line("size", part.size.map { "\($0.forPeople) (\($0.bytes) bytes)" } ?? "")
    let held = facts.completedBytes(of: part)
    lines += line("held", held == part.size || held.bytes == 0 ? "" : held.forPeople)
    lines += line("sha256", part.sha256?.hex ?? "")
    let original = part.original.map { "\($0.encoding), \($0.size.forPeople)" }
    lines += line("received as", original ?? "")
    lines += line("proof", part.proof?.rawValue ?? "") + timeLine("proven", part.verifiedAt)
    for variant in part.variants {
      lines += part.variants.count > 1 ? line("offered", Self.text(for: variant, in: part)) : []
      for source in variant.sources {
        let failure = source.failure.map { " (\($0.rawValue))" } ?? ""
        lines += line("source", source.url + failure)
      }
    }
    return Details(heading: part.isRequired ? part.name : "\(part.name) (optional)", lines: lines)
  }

  /// Formats a variant as `720p, 2500 kbit/s, 310 MiB, 1:02:03, video/mp4, chosen`; unknown values
  /// are omitted.
  private static func text(for variant: Variant, in part: Part) -> String {
    let words = [
      variant.height.map { "\($0)p" }, variant.bitrate.map { "\($0 / 1000) kbit/s" },
      variant.size?.forPeople, variant.duration.map(PlayingTime.text), variant.type,
      variant == part.variant ? "chosen" : nil,
    ]
    return words.compactMap { $0 }.joined(separator: ", ")
  }

  private func line(_ label: String, _ text: String) -> [Details.Line] {
    text.isEmpty ? [] : [Details.Line(label, text)]
  }

  private func timeLine(_ label: String, _ moment: Timestamp?) -> [Details.Line] {
    guard let moment else { return [] }
    let text = TimeText.absolute(moment, in: zone)
    return [Details.Line(label, "\(text) (\(TimeText.relative(moment, to: facts.now)))")]
  }
}
