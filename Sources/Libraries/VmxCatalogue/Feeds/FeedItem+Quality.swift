package import VmxModel

extension FeedItem {
  /// Returns the item with the file preferred that the quality rule selects. Returns the item
  /// unchanged if no file satisfies the rule.
  package func preferring(_ quality: Quality) -> FeedItem {
    var item = self
    let variants = media.indices.map { index in
      Variant(
        height: media[index].height, bitrate: media[index].bitrate, type: media[index].type,
        sources: [Source(url: "\(index)")])
    }
    guard let choice = quality.choice(among: variants),
      let index = choice.sources.first.flatMap({ Int($0.url) })
    else { return item }
    for place in item.media.indices { item.media[place].isDefault = place == index }
    return item
  }
}
