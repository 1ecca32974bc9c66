import VmxLibrary
import VmxModel
import VmxStore

extension CleaningPlanner {
  /// Plans the steps of the shows' rules (`vmx queue set keep-next=N`): the requests of the next
  /// unwatched episodes, and the removals of the watched ones.
  ///
  /// - Throws: the errors of the store.
  func showSteps(
    _ present: Set<String>
  ) throws -> (requests: [CleaningStep], removals: [CleaningStep]) {
    guard options.appliesFeedRules, options.roots.isEmpty else { return ([], []) }
    let snapshot = try store.snapshot()
    var rules: [RetentionRules] = []
    snapshot.records(of: .show) { record in
      do throws(Failure) {
        let show = try LibraryShow(record.fields, slug: record.id)
        if let rule = RetentionRules(show) { rules.append(rule) }
      } catch {
        // An unreadable rule requests and removes nothing; 'vmx shows' reports the record.
      }
      return true
    }
    var requests: [CleaningStep] = []
    var removals: [CleaningStep] = []
    for rule in rules {
      requests += try requestSteps(by: rule, in: snapshot)
      removals += try Retention(rule, in: snapshot, roots: present, now: now).choices()
        .map { step(removing: $0, by: rule) }
    }
    return (requests, removals)
  }

  /// Plans requests for those of the next episodes that are neither fetched nor wanted. Episodes
  /// that the user removed, or that no fetch can complete, are not counted.
  private func requestSteps(
    by rule: RetentionRules, in snapshot: StoreSnapshot
  ) throws -> [CleaningStep] {
    guard let count = rule.keepNext else { return [] }
    var query = EpisodeQuery()
    query.prefix = rule.query.prefix
    let next = try snapshot.unwatched(count, matching: query) { episode in
      episode.state == .ready
        || (episode.want != .gone && !episode.lacksSource && !episode.isExpired(at: now))
    }
    return next.filter { $0.want == .none && $0.state != .ready }.map {
      CleaningStep(
        .request(EpisodeRevision($0.id, rev: $0.rev)),
        explanation: "among the next \(count) unwatched of its show")
    }
  }
}
