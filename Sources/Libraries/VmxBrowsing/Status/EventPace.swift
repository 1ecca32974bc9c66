import VmxModel
import VmxPresentation

/// Lets the progress of each item through at most twice a second, and only where there is any.
struct EventPace {
  private static let apart: Int64 = 500

  private var told: [String: (item: StatusItem, at: Timestamp)] = [:]

  /// Of what is in work, what is worth a line now.
  mutating func due(of items: [StatusItem], now: Timestamp) -> [StatusItem] {
    let ids = Set(items.map(\.id))
    told = told.filter { ids.contains($0.key) }
    return items.filter { item in
      if let last = told[item.id] {
        let span = now.milliseconds - last.at.milliseconds
        // A clock that was set back must not silence an item until it has caught up.
        guard item.at != last.item.at, span >= Self.apart || span < 0 else { return false }
      }
      told[item.id] = (item, now)
      return true
    }
  }
}
