extension JSONShape {
  private static func head(_ meaning: String) -> [JSONKey] {
    [JSONKey("schema", .number, "1"), JSONKey("id", .text, meaning)]
  }

  private static func row(_ name: String) -> JSONKey { JSONKey("row", .word, name) }

  /// The attribution that the licence of the catalogue requires.
  private static let source = [
    JSONKey("source", .text, "The catalogue; its licence requires attribution"),
    JSONKey("source_url", .text, "The URL of its page in the catalogue"),
  ]

  /// Returns the keys of a kind of rows that other tools read; for nil those of an episode in the
  /// catalogue. Empty for rows of other kinds.
  static func keys(ofKind kind: String?) -> Set<String> { keysByShape[kind ?? "described"] ?? [] }

  private static let keysByShape = Dictionary(
    catalogue.map { ($0.name, Set($0.keys.map(\.path))) }, uniquingKeysWith: { first, _ in first })

  /// The shapes of rows about feeds and the catalogue.
  static let catalogue: [JSONShape] = [
    JSONShape(
      "feed", of: ["feed"], with: ["result"], "A subscribed feed",
      head("The feed") + [row("feed")] + feed),
    JSONShape(
      "show", of: ["search", "shows"], "A show in the catalogue",
      head("The id in the catalogue") + [row("show")] + show + source),
    JSONShape(
      "described", of: ["episodes"], "An episode in the catalogue, as input of vmx add",
      head("The id that it would have in the library") + described + source),
    JSONShape(
      "person", of: ["search", "people"], "A person in the catalogue",
      head("The id in the catalogue") + [row("person")] + person + source),
    JSONShape(
      "credit", of: ["people"], "A credit of a person (people --credits)",
      head("The id of the show in the catalogue") + [row("credit")] + credit + source),
    JSONShape(
      "favourite", of: ["favourite"], with: ["result"], "A favourite show",
      head("The show, as the first half of the ids of its episodes") + [row("favourite")]
        + favourite + source),
  ]

  private static let imageFile =
    JSONKey("image_file", .text, "The absolute path of the image in the cache (--images)")

  private static let feed = [
    JSONKey("title", .text, "The title"),
    JSONKey("show", .text, "The linked show"),
    JSONKey("want", .text, "The new episodes to request: none, all, new or latest:N"),
    JSONKey("checked", .time, "The time of the last check"),
    JSONKey("items", .number, "The number of items with a file, if this run read the feed"),
    JSONKey("added", .number, "The number of added episodes"),
    JSONKey("wanted", .number, "The number of added episodes that are wanted"),
    JSONKey("excluded", .number, "The number of items that the filters exclude"),
    JSONKey("url", .text, "The URL without user, password and secret values of its query"),
    JSONKey("keep_last", .number, "The number of newest episodes that vmx clean keeps"),
    JSONKey("match", .list, "Only titles that contain one of these texts"),
    JSONKey("skip", .list, "Skips titles that contain one of these texts"),
    JSONKey("quality", .text, "The preferred quality"),
    JSONKey("on_change", .text, "The rule for other versions of ready episodes, if not keep"),
    JSONKey("folder", .text, "The folder for new episodes, relative to the root"),
    JSONKey("interval_ms", .milliseconds, "The time between two checks"),
    JSONKey("complete", .boolean, "Whether the publisher has declared the feed complete"),
    JSONKey("paused", .boolean, "Whether checks are paused because another device unsubscribed"),
    JSONKey("failing_since", .time, "The time of the first failed check since a successful one"),
    JSONKey("code", .text, "The error code of the last failed check"),
    JSONKey("attempts", .number, "The number of failed checks since a successful one"),
  ]

  private static let show = [
    JSONKey("title", .text, "The title"),
    JSONKey("show", .text, "The first half of the ids of its episodes"),
    JSONKey("type", .text, "The kind of show, as in the catalogue"),
    JSONKey("language", .text, "The main language, as a BCP 47 tag"),
    JSONKey("genres", .list, "The genres"),
    JSONKey("status", .text, "The status of the show, as in the catalogue"),
    JSONKey("premiered", .day, "The date of the first episode"),
    JSONKey("ended", .day, "The date of the last episode"),
    JSONKey("duration_ms", .milliseconds, "The usual duration"),
    JSONKey("network", .text, "The network or web channel"),
    JSONKey("web_channel", .text, "The web channel, also beside a network"),
    JSONKey("schedule", .text, "The days and the local time of new episodes"),
    JSONKey("country", .text, "The country of the network, as an ISO 3166 code"),
    JSONKey("rating", .decimal, "The average rating of viewers, from 0 to 10"),
    JSONKey("site", .text, "The website of the show"),
    JSONKey("imdb", .text, "The id at IMDb"),
    JSONKey("tvdb", .number, "The id at TheTVDB"),
    JSONKey("tvrage", .number, "The id at TVRage"),
    JSONKey("image", .text, "The URL of the poster"),
    imageFile,
    JSONKey("summary", .text, "The summary"),
    JSONKey("updated", .time, "The time of the last change in the catalogue"),
  ]

  private static let described = [
    JSONKey("title", .text, "The title"),
    JSONKey("show", .text, "The show, as the first half of the id"),
    JSONKey("show_title", .text, "The title of the show"),
    JSONKey("season", .number, "The season; 0 for specials"),
    JSONKey("number", .number, "The number within the season"),
    JSONKey("date", .day, "The date of first showing"),
    JSONKey("airs", .time, "The time of first showing"),
    JSONKey("duration_ms", .milliseconds, "The duration"),
    JSONKey("language", .text, "The main language of the show, as a BCP 47 tag"),
    JSONKey("type", .text, "The kind of episode, as in the catalogue"),
    JSONKey("rating", .decimal, "The average rating of viewers, from 0 to 10"),
    JSONKey("summary", .text, "The summary"),
    JSONKey("want", .word, "Always none"),
    JSONKey("parts", .list, "A video without a source, and the image"),
    JSONKey("parts[].role", .word, "video or image"),
    JSONKey("parts[].variants", .list, "The image; empty for the video"),
    JSONKey("parts[].variants[].sources", .list, "The URL of the image"),
    imageFile,
    JSONKey("tvmaze", .number, "The id in the catalogue"),
    JSONKey("tvmaze_show", .number, "The id of the show in the catalogue"),
  ]

  private static let person = [
    JSONKey("name", .text, "The name"),
    JSONKey("country", .text, "The name of the country"),
    JSONKey("born", .day, "The date of birth"),
    JSONKey("died", .day, "The date of death"),
    JSONKey("gender", .text, "The gender, as in the catalogue"),
    JSONKey("image", .text, "The URL of the image"),
    imageFile,
    JSONKey("updated", .time, "The time of the last change in the catalogue"),
  ]

  private static let credit = [
    JSONKey("kind", .word, "cast, crew or guest"),
    JSONKey("role", .text, "The name of the character, or the job in the crew"),
    JSONKey("self", .boolean, "Whether the person appears as themselves"),
    JSONKey("voice", .boolean, "Whether it is a voice role"),
    JSONKey("title", .text, "The title of the show"),
    JSONKey("show", .text, "The first half of the ids of its episodes"),
    JSONKey("premiered", .day, "The date of the first episode"),
    JSONKey("status", .text, "The status of the show, as in the catalogue"),
    JSONKey("network", .text, "The network or web channel"),
    JSONKey("episode", .text, "The title of the episode with the guest"),
    JSONKey("person", .text, "The name of the person"),
  ]

  private static let favourite = [
    JSONKey("show", .text, "The same as the id"),
    JSONKey("title", .text, "The title"),
    JSONKey("tvmaze", .number, "The id at TVMaze"),
    JSONKey("added", .time, "The time when it became a favourite"),
  ]
}
