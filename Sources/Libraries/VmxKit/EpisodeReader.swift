import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// The open store of a library, and what may be read of it.
struct EpisodeReader: Sendable {
  let home: LibraryHome
  let store: LibraryStore
  /// The folder of unlock tickets.
  let runtime: String?

  /// Returns the present rule of parental control: the strictest one if its files cannot be read.
  func rule() -> ParentalRule {
    do throws(Failure) {
      guard let settings = try ParentalStore.settings(of: home) else { return .unlimited }
      let left = UnlockTicket(of: home, runtime: runtime)?
        .remaining(for: settings, now: .now(SystemClock()))
      return settings.rule(isUnlocked: (left ?? 0) > 0)
    } catch {
      return .strictest
    }
  }
}

extension ParentalRule {
  /// The rule of a library without a PIN.
  fileprivate static let unlimited = ParentalRule(limit: 0, unrated: .show, isUnlocked: true)

  /// Whether an episode may be shown, by its rating or that of its show.
  func allows(_ episode: VmxModel.Episode, in store: StoreSnapshot) -> Bool {
    isUnlocked || allows(episode.ageRating, ofShow: store.ageRating(ofShow: episode.id.show))
  }
}
