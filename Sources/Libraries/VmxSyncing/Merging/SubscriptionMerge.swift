package import VmxModel
import VmxStore

/// Compares the subscriptions of the library with those of the server.
///
/// `known` lists the server's addresses that the library already merged or sent. An address that is
/// only at the server was thus added by another device. A known address without a feed was removed
/// from the library. A repeated server response restores neither.
package struct SubscriptionMerge: Sendable, Equatable {
  /// The addresses to subscribe to.
  package private(set) var added: [String] = []
  /// The ids of the feeds to pause, because another device unsubscribed.
  package private(set) var paused: [String] = []
  /// The ids of the paused feeds to resume, because another device subscribed.
  package private(set) var resumed: [String] = []
  /// The known addresses after the merge. Those in `added` are missing until they prove usable.
  package private(set) var known: [String]

  /// Merges the changes from a server.
  ///
  /// - Parameters:
  ///   - everywhere: the subscriptions of all devices, for a server that keeps one list per device.
  ///   - isWhole: whether the changes are the server's whole list, so that missing addresses count
  ///     as removed.
  package init(
    _ changes: SubscriptionChanges, everywhere: [String] = [], isWhole: Bool,
    feeds: [Subscription], _ state: SyncState
  ) {
    let gone = Set(changes.removed.map(FeedAddress.known))
    let there = changes.added + everywhere.filter { !gone.contains(FeedAddress.known($0)) }
    let before = Set(state.known)
    let ended = gone.intersection(before)
    let present = Set(there.map(FeedAddress.known))
    let absent = isWhole ? before.subtracting(present).subtracting(ended) : []
    known = state.known.filter { !ended.contains($0) && !absent.contains($0) }
    // A server that lost its data has none of the known addresses, and gets them again. Another
    // device that ended each subscription is rarer, and the user can end them again.
    let removed = before.isDisjoint(with: present) ? ended : ended.union(absent)
    var seen = Set(known)
    for address in there where seen.insert(FeedAddress.known(address)).inserted {
      let feeds = feeds.filter { state.isFeed($0, at: FeedAddress.normalised(address)) }
      if feeds.isEmpty {
        added.append(address)
      } else {
        known.append(FeedAddress.known(address))
        resumed += feeds.filter(\.isPaused).map(\.id)
      }
    }
    paused = feeds.filter { feed in
      !feed.isPaused && removed.contains { state.isFeed(feed, at: FeedAddress.normalised($0)) }
        && !known.contains { state.isFeed(feed, at: FeedAddress.normalised($0)) }
    }.map(\.id)
  }

  /// Returns whether so many subscriptions end at once that the user must confirm.
  ///
  /// - Parameters:
  ///   - ended: the number of subscriptions that end.
  ///   - all: the number of subscriptions before.
  package static func isBulk(_ ended: Int, of all: Int) -> Bool {
    ended > 10 || ended > 1 && ended * 2 > all
  }
}

/// The subscription changes to send to a server.
package struct SubscriptionUpload: Sendable, Equatable {
  /// The addresses that are missing at the server.
  package private(set) var added: [String] = []
  /// The addresses at the server whose feeds were removed from the library.
  package private(set) var removed: [String] = []
  /// The number of feeds that are not sent because their addresses contain a password or a token.
  package private(set) var secret = 0

  /// Whether there is nothing to send.
  package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// Compares the feeds of the library with the known addresses of the server.
  ///
  /// - Parameters:
  ///   - allowsSecrets: whether addresses with passwords or tokens are sent too.
  ///   - address: returns the address of a feed as sent to the server; nil if its password is lost.
  package init(
    _ feeds: [Subscription], _ state: SyncState, allowsSecrets: Bool,
    address: (Subscription) throws -> String?
  ) rethrows {
    var there = Set(state.known)
    for feed in feeds where !feed.isPaused && !state.isRefused(feed) {
      let isKnown = state.known.contains { state.isFeed(feed, at: FeedAddress.normalised($0)) }
      guard !isKnown else { continue }
      guard allowsSecrets || !feed.hasSecretAddress else {
        secret += 1
        continue
      }
      if let address = try address(feed), there.insert(address).inserted { added.append(address) }
    }
    removed = state.known.filter { known in
      !feeds.contains { state.isFeed($0, at: FeedAddress.normalised(known)) }
    }
  }
}

extension FeedAddress {
  /// Returns the address as the sync state records it: without user and password, otherwise
  /// unchanged. A text that is not a URL is redacted if it may contain a password.
  package static func known(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    do throws(Failure) {
      let url = try WebURL(fetched(text))
      return url.user == nil && url.password == nil ? text : url.text
    } catch {
      return URLRedaction.redacted(text)
    }
  }

  /// Returns the address with user and password, as only the server receives it.
  static func sent(_ address: String, with secret: Secret) -> String {
    let user = PercentCoding.codedComponent(secret.user)
    let password = PercentCoding.codedComponent(secret.password)
    return address.replacing("://", with: "://\(user):\(password)@", maxReplacements: 1)
  }

  /// Returns the address in the form of a library feed, without user and password. Returns the same
  /// text if it is not a URL.
  package static func normalised(_ text: String) -> String {
    do throws(Failure) {
      return try WebURL(fetched(text)).text
    } catch {
      return text
    }
  }
}
