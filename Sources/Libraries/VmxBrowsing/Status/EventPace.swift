import VmxModel
import VmxPresentation

/// Limits the progress events of each item to two a second, and drops events without progress.
struct EventPace {
  private static let apart: Int64 = 500

  private var told: [String: (item: StatusItem, at: Timestamp)] = [:]

  /// Returns the items in progress whose event may be printed now.
  mutating func due(of items: [StatusItem], now: Timestamp) -> [StatusItem] {
    let ids = Set(items.map(\.id))
    told = told.filter { ids.contains($0.key) }
    return items.filter { item in
      if let last = told[item.id] {
        let span = now.milliseconds - last.at.milliseconds
        // After a backward step of the clock, items are reported at once, not when it has caught
        // up.
        guard item.at != last.item.at, span >= Self.apart || span < 0 else { return false }
      }
      told[item.id] = (item, now)
      return true
    }
  }
}
