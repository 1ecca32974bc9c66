import SystemPackage
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

extension CleaningPlanner {
  /// What leaves the trash of each root, and the episodes that do not stay by the rules.
  ///
  /// Roots on one disk are looked at together: what one of them gives way for is free for all.
  func retentionSteps(_ sights: [RootSight]) throws -> [CleaningStep] {
    let roots = sights.compactMap(\.root)
    // A root may be a link: what counts is the disk behind it.
    let disks = try Dictionary(grouping: roots) { root in
      try FileFacts.of(realPath(of: root.folder) ?? root.folder)?.device ?? 0
    }
    var steps: [CleaningStep] = []
    var needs: [(roots: Set<String>, bytes: Int64)] = []
    for group in disks.values.sorted(by: { $0[0].uuid < $1[0].uuid }) {
      var freed: Int64 = 0
      do throws(FileError) {
        for root in group { steps += try trashSteps(of: root, &freed) }
        let free = try freeSpace(at: group[0].folder).bytes.addingClamped(freed)
        needs.append((Set(group.map(\.uuid)), (order.rules.free?.bytes ?? 0) - free))
      } catch {
        // A disk that went away meanwhile gives no room, and none is asked of it.
        var step = CleaningStep(.reachRoot, why: error.summary)
        step.root = group[0].uuid
        steps.append(step)
      }
    }
    guard !order.rules.isEmpty else { return steps }
    return steps + (try ruleSteps(needs, Set(roots.map(\.uuid))))
  }

  private func trashSteps(
    of root: MediaRoot, _ freed: inout Int64
  ) throws(FileError) -> [CleaningStep] {
    let free = try freeSpace(at: root.folder) + ByteCount(clamping: freed)
    let plan = TrashPlan(order.trash, now: now).steps(
      try Trash(root: root).held(), disk: try diskSize(at: root.folder), free: free,
      target: order.rules.free)
    freed = freed.addingClamped(plan.freed)
    return plan.steps.map { $0.below(root) }
  }

  private func ruleSteps(
    _ needs: [(roots: Set<String>, bytes: Int64)], _ present: Set<String>
  ) throws -> [CleaningStep] {
    let snapshot = try store.snapshot()
    guard order.rules.free != nil else {
      let retention = try Retention(order.rules, in: snapshot, roots: present, now: now)
      return retention.choices(need: nil).map { step(removing: $0) }
    }
    return try needs.filter { $0.bytes > 0 }.flatMap { need in
      let retention = try Retention(order.rules, in: snapshot, roots: need.roots, now: now)
      return retention.choices(need: need.bytes).map { step(removing: $0) }
    }
  }

  private func step(removing choice: Retention.Choice) -> CleaningStep {
    var step = CleaningStep(.remove, why: choice.why)
    step.episode = choice.id
    step.rev = choice.rev
    step.bytes = ByteCount(clamping: choice.bytes)
    // In the trash it would take the room that is to become free.
    step.isPermanent = order.rules.free != nil
    return step
  }

  /// Rows of steps that nobody can take back any longer: the trash has nothing of them.
  func stepRowSteps(_ present: Set<String>) throws -> [CleaningStep] {
    let limit = now.adding(milliseconds: -order.trash.keep)
    return try store.snapshot().stepRows().compactMap { row in
      guard row.run.at < limit, row.state != .begun, row.roots.allSatisfy(present.contains) else {
        return nil
      }
      var step = CleaningStep(
        .forgetStep, why: "it is older than what could be taken back")
      step.name = row.id
      return step
    }
  }

  /// What nobody used for long in the folder of what can be had again; nothing where that cannot be
  /// looked at.
  func cacheSteps() -> [CleaningStep] {
    guard let cache = order.cache, order.roots.isEmpty else { return [] }
    var steps: [CleaningStep] = []
    do throws(FileError) {
      guard try FileFacts.of(cache)?.isFolder == true else { return [] }
      var folders: [[UInt8]] = [[]]
      while let path = folders.popLast() {
        let folder = try OpenFolder(cache.appending(FilePath(bytes: path).components))
        while let entry = try folder.next() {
          let whole = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
          if entry.kind == .folder { folders.append(whole) }
          guard entry.kind == .file, let facts = try folder.facts(of: entry.name) else { continue }
          let file = LooseFile(path: PathBytes(whole), facts: facts)
          guard file.isOlder(than: CleaningOrder.cacheRest, now: now) else { continue }
          steps.append(CleaningStep(cached: file))
        }
      }
    } catch {
      // What cannot be read there is of no use to anybody, and in nobody's way.
    }
    return steps.sorted { $0.id < $1.id }
  }
}

extension CleaningStep {
  fileprivate init(cached file: LooseFile) {
    self.init(.dropCache, why: "it was not used for 30 days")
    path = file.path
    self.file = file.mark
    bytes = ByteCount(clamping: file.facts.size)
  }
}
