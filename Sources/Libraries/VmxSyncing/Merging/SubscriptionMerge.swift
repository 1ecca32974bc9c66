package import VmxModel

/// Compares the subscriptions of the library with those of the server.
///
/// `known` is the server's part that the library was told of before. So an address that is new there
/// was added by another device, one that is missing here was removed here, and neither comes back
/// because the server repeats an answer.
package struct SubscriptionMerge: Sendable, Equatable {
  /// The addresses that become feeds here.
  package private(set) var added: [String] = []
  /// The ids of feeds whose updates another device has ended.
  package private(set) var paused: [String] = []
  /// The ids of feeds whose updates begin again, because another device has added them.
  package private(set) var resumed: [String] = []
  /// The known addresses after it; without those of `added`, which may turn out to be unusable.
  package private(set) var known: [String]

  /// Merges the changes of a server.
  ///
  /// - Parameters:
  ///   - everywhere: the subscriptions of all devices, where the server keeps a list for each.
  ///   - isWhole: whether the changes are all that the server has, so that what is missing is removed.
  package init(
    _ changes: SubscriptionChanges, everywhere: [String] = [], isWhole: Bool,
    feeds: [Subscription], _ state: SyncState
  ) {
    let gone = Set(changes.removed.map(FeedAddress.known))
    let there = changes.added + everywhere.filter { !gone.contains(FeedAddress.known($0)) }
    let before = Set(state.known)
    var removed = gone.intersection(before)
    if isWhole { removed.formUnion(before.subtracting(there.map(FeedAddress.known))) }
    known = state.known.filter { !removed.contains($0) }
    var seen = Set(known)
    for address in there where seen.insert(FeedAddress.known(address)).inserted {
      let feeds = feeds.filter { state.isFeed($0, at: FeedAddress.plain(address)) }
      if feeds.isEmpty {
        added.append(address)
      } else {
        known.append(FeedAddress.known(address))
        resumed += feeds.filter(\.isPaused).map(\.id)
      }
    }
    paused = feeds.filter { feed in
      !feed.isPaused && removed.contains { state.isFeed(feed, at: FeedAddress.plain($0)) }
        && !known.contains { state.isFeed(feed, at: FeedAddress.plain($0)) }
    }.map(\.id)
  }

  /// Whether so many subscriptions end at once that it is asked about.
  ///
  /// - Parameters:
  ///   - ended: the number that ends.
  ///   - all: the number before.
  package static func isBulk(_ ended: Int, of all: Int) -> Bool {
    ended > 10 || ended > 1 && ended * 2 > all
  }
}

/// The subscriptions that are to be sent to a server.
package struct SubscriptionUpload: Sendable, Equatable {
  /// The addresses that the server does not have yet.
  package private(set) var added: [String] = []
  /// The addresses that the server has, and whose feeds were removed here.
  package private(set) var removed: [String] = []
  /// The number of feeds whose addresses contain a password or a token and are not sent.
  package private(set) var secret = 0

  /// Whether nothing is to be sent.
  package var isEmpty: Bool { added.isEmpty && removed.isEmpty }

  /// Compares the feeds of the library with what the server has.
  ///
  /// - Parameters:
  ///   - allowsSecrets: whether addresses with passwords or tokens are sent too.
  ///   - address: returns the address of a feed as it is sent; nil if that is not known here.
  package init(
    _ feeds: [Subscription], _ state: SyncState, allowsSecrets: Bool,
    address: (Subscription) -> String?
  ) {
    var there = Set(state.known)
    for feed in feeds where !feed.isPaused && !state.refused.contains(feed.url) {
      let isKnown = state.known.contains { state.isFeed(feed, at: FeedAddress.plain($0)) }
      guard !isKnown else { continue }
      guard allowsSecrets || !feed.hasSecretAddress else {
        secret += 1
        continue
      }
      if let address = address(feed), there.insert(address).inserted { added.append(address) }
    }
    removed = state.known.filter { known in
      !feeds.contains { state.isFeed($0, at: FeedAddress.plain(known)) }
    }
  }
}

/// The addresses of feeds as other programs write them.
package enum FeedAddress {
  private static let schemes = ["feed:", "itpc:", "pcast:"]

  /// Returns an address with the scheme by which it is fetched.
  package static func fetched(_ text: String) -> String {
    for scheme in schemes where text.lowercased().hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      return rest.hasPrefix("//") ? "http:\(rest)" : String(rest)
    }
    return text
  }

  /// Returns an address as it is recorded: without user and password, else unchanged.
  package static func known(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
    do throws(Failure) {
      let url = try WebURL(fetched(text))
      return url.user == nil && url.password == nil ? text : url.text
    } catch {
      return text
    }
  }

  /// Returns an address as a feed of the library has it, without user and password; the same text if
  /// it is no URL.
  package static func plain(_ text: String) -> String {
    do throws(Failure) {
      return try WebURL(fetched(text)).text
    } catch {
      return text
    }
  }
}
