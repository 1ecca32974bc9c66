import VmxJSON
import VmxModel

extension StoreDiagnosis {
  func lines(
    _ damage: [DamagedLine], statistics: LineStatistics, in snapshot: StoreSnapshot
  ) -> [Finding] {
    var findings: [Finding] = []
    if statistics.unknownKinds > 0 {
      findings.append(
        .note(
          .lines, "lines of unknown kinds, which are kept: \(statistics.unknownKinds)"
        ))
    }
    findings += statistics.replaced.prefix(LineStatistics.maxReported).map { _, number in
      .note(
        .lines, "a damaged line that is not the last of its record", line: number, isMendable: true)
    }
    guard !damage.isEmpty, let image = snapshot.image else {
      if statistics.replaced.isEmpty { findings.append(.ok(.lines, "all lines are legible")) }
      return findings
    }
    let parser = JSONParser()
    for (line, number) in zip(damage, statistics.damageLines).prefix(LineStatistics.maxReported) {
      findings.append(broken(line, number: number, in: image, snapshot: snapshot, parser: parser))
    }
    if damage.count > LineStatistics.maxReported {
      findings.append(
        .problem(
          .lines, .lineDamaged,
          summary: "\(damage.count - LineStatistics.maxReported) more unreadable lines",
          isMendable: true))
    }
    return findings
  }

  private func broken(
    _ line: DamagedLine, number: Int, in image: StoreImage, snapshot: StoreSnapshot,
    parser: JSONParser
  ) -> Finding {
    let bytes = image.line(at: line.offset)
    let fault = LineFault(of: bytes, at: line.offset, image, parser)
    let key = fault.key
    let rest = key.map { key in
      Self.isKnown(key, in: snapshot) ? "; an earlier line counts" : "; no earlier line exists"
    }
    // A later version may have given the field another type than this version expects.
    let isMendable = !fault.isUnknown || (image.file.header?.minor ?? 0) <= StoreHeader.minor
    return .problem(
      .lines, .lineDamaged, summary: fault.summary + (rest ?? ""), of: fault.detail ?? key?.id,
      line: number,
      isMendable: isMendable)
  }

  /// Whether the store has a good line of a record.
  private static func isKnown(_ key: RecordKey, in snapshot: StoreSnapshot) -> Bool {
    snapshot.found(key) { line, facts in RecordReader.isLegible(line, facts) ? true : nil } != nil
  }

  func order(_ statistics: LineStatistics, index: StoreIndex, header: StoreHeader?) -> [Finding] {
    var findings: [Finding] = []
    if max(index.highestSeq, header?.seqFloor ?? 0) > LineNumbers.plausible {
      findings.append(
        .problem(
          .order, .storeDamaged, summary: "a line or the header has a number that is too large",
          isMendable: true))
    }
    findings += statistics.misplaced.map { line in
      line.isDuplicate
        ? .note(
          .order, "duplicate line; the last line of a record counts", line: line.line,
          isMendable: true)
        : .note(
          .order, "the line is out of order; the last line of a record counts",
          line: line.line, isMendable: true)
    }
    if statistics.misplacedCount > statistics.misplaced.count {
      findings.append(
        .note(
          .order,
          "\(statistics.misplacedCount - statistics.misplaced.count) more lines out of order",
          isMendable: true))
    }
    findings += statistics.unfinished.prefix(LineStatistics.maxReported).map { line in
      .note(
        .order, "a transaction that begins here is incomplete and is ignored",
        line: line, isMendable: true)
    }
    return findings.isEmpty ? [.ok(.order, "all lines are in order")] : findings
  }

  /// Returns a note for each fault: a trail is a history, by which no tool decides about files.
  func trails(of inspection: LineInspection) -> [Finding] {
    if inspection.trails.isEmpty {
      return [.ok(.trails, "each trail is a path of the state tables")]
    }
    let faults = inspection.trails.flatMap { trail in trail.faults.map { (trail.id, $0) } }
    var findings = faults.prefix(LineStatistics.maxReported).map { id, fault in
      Finding.note(
        .trails, fault.summary, of: "\(id) \(fault.part)",
        hint: "run 'vmx verify \(id)' to check its files")
    }
    if inspection.trailFaults > findings.count {
      findings.append(
        .note(.trails, "\(inspection.trailFaults - findings.count) more faults of trails"))
    }
    return findings
  }

  func end(of image: StoreImage) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    let hint = "no action needed; the next tool that writes moves them to 'store.damaged'"
    if image.lastNewline > image.bound {
      findings.append(
        .note(
          .end, "\(image.lastNewline - image.bound) bytes of an unfinished transaction at the end",
          hint: hint, isMendable: true))
    }
    if image.size > image.lastNewline {
      let count = image.size - image.lastNewline
      findings.append(
        try image.tailIsRecord
          ? .note(
            .end, "\(count) bytes of a record without its newline at the end",
            hint: "no action needed; the next tool that writes adds it, then the record counts",
            isMendable: true)
          : .note(
            .end, "\(count) bytes of an unfinished line at the end", hint: hint, isMendable: true))
    }
    return findings.isEmpty ? [.ok(.end, "the store ends with a complete line")] : findings
  }
}

/// The reason why a line is ignored.
struct LineFault {
  /// The description of the fault.
  let summary: String
  /// The message of the parser or the model, if it quotes the content of the line.
  let detail: String?
  /// The key of the record, if the line is legible enough to contain one.
  let key: RecordKey?
  /// Whether the line is valid JSON that this version cannot interpret.
  let isUnknown: Bool

  init(of line: UnsafeRawBufferPointer, at offset: Int, _ image: StoreImage, _ parser: JSONParser) {
    let start = LineStart(line)?.key
    guard line.count <= LineWriter.maxLineLength else {
      summary = "a line of \(line.count) bytes, longer than \(LineWriter.maxLineLength)"
      (detail, key, isUnknown) = (nil, start, false)
      return
    }
    do throws(JSONSyntaxError) {
      _ = try parser.parse(line)
    } catch {
      summary = "invalid JSON at byte \(error.offset) of \(line.count)"
      (detail, key, isUnknown) = (error.reason, start, false)
      return
    }
    let facts = image.facts(of: line, at: offset, parser)
    key = facts?.key
    isUnknown = facts != nil
    summary = facts == nil ? "JSON without a kind and an id" : "a field with an invalid value"
    detail = facts.flatMap { facts in
      image.withTape(of: line, at: offset, parser) { tape in
        Self.parseError(tape, facts)
      }
    }
  }

  private static func parseError(_ tape: JSONTape, _ facts: LineFacts) -> String? {
    do {
      if facts.key.kind == .show {
        _ = try LibraryShow(tape.object ?? JSONObject(), slug: facts.key.id)
      } else {
        _ = try Episode(line: tape, id: try EpisodeID(facts.key.id), rev: facts.seq)
      }
      return nil
    } catch {
      return Failure(error).summary
    }
  }
}
