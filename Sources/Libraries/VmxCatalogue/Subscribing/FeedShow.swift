import VmxLibrary
import VmxModel
import VmxStore

// The first feed of a show describes it. A title that the user gave the feed is that of a person,
// and so is one that the library had before. The title of the document follows the publisher.

/// Records what the document of a feed says of its show.
struct FeedShow {
  private let found: Feed
  private let isForeign: Bool

  /// Prepares the description.
  ///
  /// - Parameter isForeign: whether the address of the picture may not lead to a private network.
  init(_ found: Feed, isForeign: Bool) {
    self.found = found
    self.isForeign = isForeign
  }

  /// Describes the show of a feed in the transaction.
  ///
  /// - Throws: `store-damaged`, and the errors of the store.
  func describe(of feed: Subscription, in transaction: inout StoreTransaction) throws {
    let slug = try slug(of: feed, in: transaction)
    let known = try transaction.knownShow(slug)
    var show = described(slug)
    // A feed that the user tied to a known show describes it, and does not name it.
    let isTied = known.feed == nil && feed.show != nil && known.title != nil
    guard !isTied, known.feed ?? feed.id == feed.id else {
      show.title = nil
      try transaction.describe(show, from: .feed, isCompletion: true)
      return
    }
    show.feed = feed.id
    if known.feed == nil, feed.title != found.title {
      var named = LibraryShow(slug: slug, title: feed.title)
      named.feed = feed.id
      try transaction.describe(named, from: .person)
      show.title = nil
    }
    try transaction.describe(show, from: .feed)
  }

  /// Returns the slug that the next item of the feed gets.
  private func slug(of feed: Subscription, in transaction: StoreTransaction) throws -> String {
    if let slug = feed.show { return slug.description }
    var description = EpisodeDescription()
    (description.show, description.showTitle) = (feed.title, feed.title)
    description.feed = feed.id
    description.origin = .feed
    return try ShowOwners(transaction).resolve(description).showSlug.description
  }

  private func described(_ slug: String) -> LibraryShow {
    var show = LibraryShow(slug: slug, title: found.title)
    show.summary = found.summary.flatMap(FeedItem.plain)
    show.language = found.language
    show.network = found.author
    show.genres = found.categories
    show.site = found.site?.text
    if found.isComplete { show.hasEnded = true }
    show.picture = found.image.map { image in
      var picture = ShowPicture(url: image.text)
      picture.isForeign = isForeign
      return picture
    }
    return show
  }
}
