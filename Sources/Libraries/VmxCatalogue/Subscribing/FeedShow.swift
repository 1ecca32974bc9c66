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
  /// - Returns: the slug of the show.
  /// - Throws: `store-damaged`, and the errors of the store.
  @discardableResult
  func describe(of feed: Subscription, in transaction: inout StoreTransaction) throws -> String {
    let slug =
      try feed.show?.description
      ?? ShowOwners(transaction).slug(ofShow: feed.title, of: feed.id)
    var known = try transaction.knownShow(slug)
    let describing = known.feed
    // A feed that was removed describes nothing any more.
    let isFree = describing.map { transaction.record(.feed, $0) == nil } ?? false
    if isFree {
      let before = known
      known.feed = feed.id
      try transaction.write(known, replacing: before)
    }
    var show = described(slug)
    // A publisher may take the end of a feed back; a catalogue knows better than a feed.
    if known.tvmaze == nil, found.isComplete || known.hasEnded == true {
      show.hasEnded = found.isComplete
    }
    // A feed that the user tied to a known show describes it, and does not name it.
    let isTied = known.feed == nil && feed.show != nil && known.title != nil
    guard !isTied, known.feed ?? feed.id == feed.id else {
      show.title = nil
      try transaction.describe(show, from: .feed, isCompletion: true)
      return slug
    }
    show.feed = feed.id
    // Feeds of one host without titles have one show, which is none of them.
    if feed.isTitledByHost, isShared(feed, in: transaction) { show.title = nil }
    if known.feed == nil, let title = found.title, feed.title != title, !feed.isTitledByHost {
      var named = LibraryShow(slug: slug, title: feed.title)
      named.feed = feed.id
      try transaction.describe(named, from: .person)
      show.title = nil
    }
    try transaction.describe(show, from: .feed)
    return slug
  }

  /// Gives a feed that was read without a title, and has its host's name for it, the title of the
  /// document, unless other feeds of that host have it too. Its show keeps the slug; `vmx doctor
  /// --mend` changes it.
  ///
  /// - Returns: the recorded feed.
  func title(
    _ feed: Subscription, of slug: String, in transaction: inout StoreTransaction
  ) throws -> Subscription {
    guard feed.isTitledByHost, let title = found.title, title != feed.title,
      !isShared(feed, in: transaction)
    else { return feed }
    return try Subscriptions.change(feed.id, in: &transaction) { present in
      present.show = Slug(valid: slug)
      present.title = title
    } ?? feed
  }

  private func isShared(_ feed: Subscription, in transaction: StoreTransaction) -> Bool {
    transaction.records(of: .feed).contains { record in
      record.id != feed.id && record.fields["title"]?.string == feed.title
    }
  }

  private func described(_ slug: String) -> LibraryShow {
    var show = LibraryShow(slug: slug, title: found.title)
    show.summary = found.summary.flatMap(FeedItem.plain)
    show.language = found.language
    show.network = found.author
    show.genres = found.categories
    show.site = found.site?.text
    show.picture = found.image.map { ShowPicture(url: $0.text, isForeign: isForeign) }
    return show
  }
}
