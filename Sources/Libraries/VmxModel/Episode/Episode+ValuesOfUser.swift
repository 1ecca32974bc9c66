// After a home was restored from a backup, the media may know later words of the user than the
// store. For each value that a person sets, the record has the time, so that the later one of two
// records holds, whichever of them has the higher rev.

extension Episode {
  /// Records the time of values that a person has set, or has taken back.
  ///
  /// - Parameter before: the record before that.
  package mutating func recordTimes(ofValuesSince before: Episode, at now: Timestamp) {
    if by.hasPerson || before.by.hasPerson {
      for field in DescriptiveField.ofUser where !field.isSame(self, before) {
        // A value that another source fills was never that of a person, who added the rest.
        let isOfPerson = [self, before].contains { episode in
          episode.by[field.name] == .person && !field.isMissing(episode)
        }
        if isOfPerson { by.set(field.name, at: now) }
      }
    }
    if isKept != before.isKept { by.set(.keep, at: now) }
  }

  /// Whether a person has set a value later than another record of the episode knows.
  package func hasLaterValues(than other: Episode) -> Bool {
    by.isLater(.keep, than: other.by)
      || DescriptiveField.ofUser.contains { by.isLater($0.name, than: other.by) }
  }

  /// Takes the values that a person has set later in another record of the same episode.
  ///
  /// - Parameters:
  ///   - isNewer: whether the other record is newer. Only then it may have values without a time,
  ///     as earlier versions wrote them.
  ///   - isPast: whether a time can have been written by a right clock.
  package mutating func takeValues(
    of other: Episode, isNewer: Bool, isPast: (Timestamp) -> Bool
  ) {
    let by = by
    func mayTake(_ field: Field, withoutTime isTaken: Bool) -> Bool {
      guard let time = other.by.time(of: field) else {
        return isNewer && isTaken && by.time(of: field) == nil
      }
      return isPast(time) && other.by.isLater(field, than: by)
    }
    for field in DescriptiveField.ofUser {
      let isStronger = by[field.name] < .person && other.by[field.name] == .person
      guard mayTake(field.name, withoutTime: isStronger) else { continue }
      field.restore(&self, other)
      self.by.take(field.name, from: other.by)
    }
    // A film that is kept without need is no loss.
    if mayTake(.keep, withoutTime: other.isKept) {
      isKept = other.isKept
      self.by.take(.keep, from: other.by)
    }
    takeRequest(of: other, isPast: isPast)
  }

  /// Takes the request of another record that has no files, if it is later than the removal here.
  private mutating func takeRequest(of other: Episode, isPast: (Timestamp) -> Bool) {
    guard let removal, want != .fetch, want != .hold, other.isPendingRequest,
      let time = other.by.time(of: .want), removal.at < time, isPast(time),
      !isExpired(at: time), parts.allSatisfy({ $0.path == nil })
    else { return }
    do {
      try add(now: time)
    } catch {
      // Expired in the meantime.
    }
  }

  /// Whether the user has requested it after a removal, and it has no file yet.
  package var isPendingRequest: Bool {
    want == .fetch && by.time(of: .want) != nil && parts.allSatisfy { $0.path == nil }
  }
}

extension DescriptiveField {
  /// The fields that a person can set.
  fileprivate static let ofUser = all.filter { ![.feed, .guid].contains($0.name) }
}
