package import VmxModel

/// A doubt about the clock: a server that answered had another time, and no server has confirmed
/// the clock since.
struct ClockDoubt: Equatable {
  /// The id of the only record of its kind.
  static let id = "doubt"
  /// The time for which a doubt counts, by the doubted clock: a night, not the year after it.
  private static let span: Int64 = 86_400_000

  /// The time of the system when the server answered.
  let system: Timestamp
  /// The time of the server.
  let server: Timestamp

  init(system: Timestamp, server: Timestamp) {
    self.system = system
    self.server = server
  }

  init?(_ record: StoredRecord?) {
    guard let system = record?.fields["system"]?.string.flatMap({ Timestamp($0) }),
      let server = record?.fields["server"]?.string.flatMap({ Timestamp($0) })
    else { return nil }
    self.init(system: system, server: server)
  }

  var record: StoredRecord {
    var fields = JSONObject()
    fields.append("system", system.text)
    fields.append("server", server.text)
    return StoredRecord(kind: .clock, id: Self.id, fields: fields)
  }

  /// Whether the clock of the system, at a time, is still the doubted one.
  func applies(at time: Timestamp) -> Bool {
    system > server
      && (system.adding(milliseconds: -Self.span)...system.adding(milliseconds: Self.span))
        .contains(time)
  }

  /// The latest time that a line can have that was written before the clock was wrong.
  var limit: Timestamp { server.adding(milliseconds: TrustedClock.tolerance) }
}

extension StoreSnapshot {
  /// The time of the newest line of the store; nil without any.
  var newestTime: Timestamp? {
    image.flatMap { index(of: $0).newest }.flatMap { Timestamp($0.text) }
  }

  /// The time of the last line, without an index; nil without any.
  var lastTime: Timestamp? { image.flatMap { LineNumbers.lastLine(in: $0)?.at } }

  /// The time of the first line, which the last compaction wrote; nil without any.
  var firstTime: Timestamp? {
    image.flatMap { LineStart($0.line(at: 0)) }.flatMap { Timestamp(MomentText($0.at).text) }
  }

  /// The doubt about the clock that is recorded; nil for none.
  var clockDoubt: ClockDoubt? { ClockDoubt(record(.clock, ClockDoubt.id)) }

  /// Returns the newest time of all lines that is not after a limit; reads the whole store.
  func newestTime(until limit: Timestamp) -> Timestamp? {
    guard let image, let limit = MomentText(text: limit.text) else { return nil }
    var newest: MomentText?
    var offset = 0
    while offset < image.bound {
      let line = image.line(at: offset)
      if let start = LineStart(line) {
        let time = MomentText(start.at)
        if time <= limit, newest.map({ $0 < time }) ?? true { newest = time }
      }
      offset += line.count + 1
    }
    return newest.flatMap { Timestamp($0.text) }
  }

  /// Checks the clock against the store; with a wrong clock nothing may expire or be purged.
  ///
  /// - Throws: `StoreError.clockSuspect` if the time is more than an hour before the newest line of
  ///   the store, or more than 400 days after it, or if a server has cast doubt on the clock.
  package func checkClock(now: Timestamp) throws(StoreError) {
    guard let newest = newestTime else { return }
    if let doubt = clockDoubt, doubt.applies(at: now) {
      throw .clockSuspect(now: now, newest: doubt.server)
    }
    let since = now.milliseconds - newest.milliseconds
    if since < -TrustedClock.hour || since > 400 * 24 * TrustedClock.hour {
      throw .clockSuspect(now: now, newest: newest)
    }
  }
}
