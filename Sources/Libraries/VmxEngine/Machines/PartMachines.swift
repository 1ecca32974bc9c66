package import VmxModel

/// The machines that fetch a part, in the order in which it passes through them. An import of a
/// local file enters at `Finishing`.
package let fetchMachines = [
  Preparation.machine, Transferring.machine, Finishing.machine, Repair.machine,
]

/// The tables of all state machines of a part.
package let partTables: [StateTable<PartState>] =
  fetchMachines.map(\.table) + [Removal.machine.table]

/// Prepares a wanted part for its transfer.
package enum Preparation {
  /// In `new` and `queued` the part waits only for a worker; in `probed` the held bytes are known.
  package static let machine = StateMachine<PartState, FetchContext>(
    "preparation",
    [
      .new: Action(to: [.queued], isReadOnly: true, enter),
      .queued: Action(to: [.probed, .complete], isReadOnly: true, inspect),
      .probed: Action(to: [.partial], isReadOnly: true, admit),
    ])

  /// Queues the part. A part without a source cannot be fetched.
  static func enter(_ context: inout FetchContext) throws(Failure) -> PartState {
    try context.checkSources()
    // The name of a cancelled part may be that of another file by now.
    context.part.path = nil
    return .queued
  }

  /// Inspects the held bytes. Bytes that an earlier process fetched are used regardless of the
  /// record, unless they belong to another variant than the chosen one.
  static func inspect(_ context: inout FetchContext) throws -> PartState {
    var held = try context.actions.source.completedBytes(of: context)
    let isBegun = held != .some(0)
    let usual = context.part.openChoice(by: context.options, isBegun: isBegun)
    let wish = try usual.map { try context.actions.source.variant(of: context, usual: $0) }
    if try context.part.chooseVariant(by: context.options, isBegun: isBegun, wish: wish) {
      held = try context.actions.source.completedBytes(of: context)
    }
    guard case .some(let bytes) = held else { return .complete }
    context.bytesBefore = bytes
    return .probed
  }

  /// Queries the policies again each time, since their conditions may have changed while the part
  /// waited.
  static func admit(_ context: inout FetchContext) throws -> PartState {
    try context.checkSources()
    try context.actions.source.admit(context)
    return .partial
  }
}

/// Fetches the bytes of a part.
package enum Transferring {
  /// A transfer that ends early stays `partial` and resumes from the held bytes. It returns to
  /// `queued` for the next variant if no source of this one can provide the file any more.
  package static let machine = StateMachine<PartState, FetchContext>(
    "transfer",
    [
      .partial: Action(to: [.complete, .queued], fetch)
    ])

  static func fetch(_ context: inout FetchContext) throws -> PartState {
    try context.checkSources()
    let found: FoundBytes
    do {
      found = try context.actions.source.transfer(context)
    } catch let end as SourcesFailed {
      context.part.replace(failures: end.permanent.mapValues { $0 })
      if context.part.hasAlternative(by: context.options) { return .queued }
      throw end.failure
    }
    context.found = found
    context.hasTransferred = true
    context.part.size = found.size
    context.part.sha256 = found.sha256
    // A repair only shows that the bytes are those of the recorded file.
    if context.part.repairs == nil { context.part.proof = found.proof }
    context.part.original = nil
    return .complete
  }
}

/// Publishes a part whose bytes are all received.
package enum Finishing {
  /// The name is recorded before the file gets it, so that the next process finds the file after a
  /// crash.
  package static let machine = StateMachine<PartState, FetchContext>(
    "finishing",
    [
      .complete: Action(to: [.checked, .queued], isReadOnly: true, check),
      .checked: Action(to: [.ready, .complete], publish),
    ])

  /// Verifies the bytes. Rejected bytes are set aside, and fetched again after a crash at that
  /// point. Bytes of an earlier run that were removed since are fetched again too: `vmx clean`
  /// removes those of an episode that was dropped between its check and its publication.
  static func check(_ context: inout FetchContext) throws -> PartState {
    // A file under repair has a name; a record without one does not identify the damaged file.
    if context.part.path == nil { context.part.repairs = nil }
    let checked: CheckedBytes
    do {
      checked = try context.actions.finisher.check(context.work, context.found)
    } catch let failure as Failure where failure.code == .partLost {
      guard context.found == nil, !context.part.offered.isEmpty else { throw failure }
      return .queued
    }
    context.checked = checked
    if let fault = checked.fault { try context.refuse(fault) }
    context.part.size = checked.found.size
    context.part.sha256 = checked.found.sha256
    let isRepair = context.part.repairs != nil
    if !isRepair { context.part.proof = checked.found.proof }
    context.part.original = checked.original
    if context.part.role == .video, context.episode.duration == nil {
      context.episode.duration = checked.duration
    }
    // From here on `found` describes the kept bytes; their source is still the same.
    if let before = context.found {
      context.found = checked.found
      context.found?.source = before.source
    }
    context.part.root = checked.root
    // A repaired file keeps its name.
    if !isRepair { context.part.path = checked.path }
    return .checked
  }

  /// Publishes the file. If another file has taken the recorded name since, the next free name is
  /// recorded before the file gets it. A record without a name or a digest gets both in this way.
  /// A file whose structure is broken is published as `damaged`: it may play to some point.
  ///
  /// - Throws: `media-broken`, and errors of the publication.
  static func publish(_ context: inout FetchContext) throws -> PartState {
    // The check needs the recorded name to find a file that was published before a crash.
    let checked = context.checked?.found.file
    guard let placed = try context.actions.finisher.publish(context.work, checked: checked) else {
      return .complete
    }
    context.part.path = placed.path
    context.part.verifiedAt = placed.verifiedAt ?? context.part.verifiedAt
    context.part.repairs = nil
    // After a crash the result of the check is lost.
    let fault =
      try context.checked.map(\.fault) ?? context.actions.finisher.fault(of: context.work)
    if let fault {
      if context.isFetched { context.markSourcesBroken() }
      throw Failure(.mediaBroken, "the file \(fault.text)")
    }
    return .ready
  }
}

/// Prepares a damaged or missing file to be fetched again.
package enum Repair {
  /// A damaged file keeps its name until a sound one replaces it. From `queued` on, its intact
  /// ranges count as fetched.
  package static let machine = StateMachine<PartState, FetchContext>(
    "repair",
    [
      .missing: Action(to: [.queued], isReadOnly: true, fetchAgain),
      .damaged: Action(to: [.queued], isReadOnly: true, begin),
    ])

  static func fetchAgain(_ context: inout FetchContext) -> PartState { .queued }

  /// Records the damaged file's identity, so that no other file is ever replaced.
  ///
  /// - Throws: `media-broken` if the file has its recorded bytes, whose structure is broken, and no
  ///   source may have others; `repair-refused`.
  static func begin(_ context: inout FetchContext) throws -> PartState {
    context.part.repairs = try context.actions.finisher.damage(of: context.work)
    if context.part.repairs?.sha256 == nil, context.part.repairs != nil {
      context.part.retrySources()
    }
    return .queued
  }
}

/// Removes a part's files from the library.
package enum Removal {
  /// Expired and revoked parts are removed like those that the user removed. `removing` is recorded
  /// before the first file is changed.
  package static let machine = StateMachine<PartState, RemovalContext>(
    "removal",
    [
      .expired: Action(to: [.removing], isReadOnly: true, begin),
      .revoked: Action(to: [.removing], isReadOnly: true, begin),
      .removing: Action(to: [.removed], remove),
    ])

  static func begin(_ context: inout RemovalContext) -> PartState { .removing }

  /// Removes the files. A missing file is not an error: an earlier run may have removed it.
  static func remove(_ context: inout RemovalContext) throws -> PartState {
    try context.actions.remove(context.work)
    context.part.clearBytes()
    return .removed
  }
}
