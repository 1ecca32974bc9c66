extension JSONShape {
  private static func head(_ meaning: String) -> [JSONKey] {
    [JSONKey("schema", .number, "1"), JSONKey("id", .text, meaning)]
  }

  private static func row(_ name: String) -> JSONKey { JSONKey("row", .word, name) }

  /// The attribution that the licence of the catalogue requires.
  private static let source = [
    JSONKey("source", .text, "The catalogue that tells it, which its licence asks to name"),
    JSONKey("source_url", .text, "Its page in the catalogue"),
  ]

  /// The shapes of rows about feeds and the catalogue.
  static let catalogue: [JSONShape] = [
    JSONShape(
      "feed", of: ["feed"], with: ["result"], "A feed that is followed",
      head("The feed") + [row("feed")] + feed),
    JSONShape(
      "show", of: ["search", "shows"], "A show of the catalogue",
      head("The id in the catalogue") + [row("show")] + show + source),
    JSONShape(
      "described", of: ["episodes"], "An episode of the catalogue, which vmx add takes",
      head("The id that it gets in the library") + described + source),
    JSONShape(
      "person", of: ["search", "people"], "A person of the catalogue",
      head("The id in the catalogue") + [row("person")] + person + source),
    JSONShape(
      "credit", of: ["people"], "What a person took part in (people --credits)",
      head("The id of the show in the catalogue") + [row("credit")] + credit + source),
    JSONShape(
      "favourite", of: ["favourite"], with: ["result"], "A favourite show",
      head("The show, as the first half of the ids of its episodes") + [row("favourite")]
        + favourite + source),
  ]

  private static let imageFile =
    JSONKey("image_file", .text, "The absolute path of the picture in the cache (--images)")

  private static let feed = [
    JSONKey("title", .text, "The title"),
    JSONKey("show", .text, "The show that it is tied to"),
    JSONKey("want", .text, "Which new episodes are wanted: none, all, new or latest:N"),
    JSONKey("checked", .time, "When it was last checked"),
    JSONKey("items", .number, "The items with a file, if it was read now"),
    JSONKey("added", .number, "The episodes that were added"),
    JSONKey("wanted", .number, "The added episodes that are wanted"),
    JSONKey("url", .text, "The address without query, user and password"),
    JSONKey("keep_last", .number, "How many of its newest episodes vmx clean leaves"),
    JSONKey("match", .list, "Texts of which a title has one"),
    JSONKey("skip", .list, "Texts of which a title has none"),
    JSONKey("quality", .text, "Which of several files comes first"),
    JSONKey("folder", .text, "The folder of new episodes below the root"),
    JSONKey("interval_ms", .milliseconds, "The time between two checks"),
    JSONKey("complete", .boolean, "Whether the publisher says that no more come"),
    JSONKey("paused", .boolean, "Whether it is not checked, as another device has ended it"),
  ]

  private static let show = [
    JSONKey("title", .text, "The title"),
    JSONKey("show", .text, "The first half of the ids that its episodes get"),
    JSONKey("type", .text, "The kind of show, in the words of the catalogue"),
    JSONKey("language", .text, "The main language, as a tag of BCP 47"),
    JSONKey("genres", .list, "The genres"),
    JSONKey("status", .text, "Whether it runs, in the words of the catalogue"),
    JSONKey("premiered", .day, "The day of the first episode"),
    JSONKey("ended", .day, "The day of the last episode"),
    JSONKey("duration_ms", .milliseconds, "The usual playing time"),
    JSONKey("network", .text, "The network or web channel"),
    JSONKey("country", .text, "The country of the network, as in ISO 3166"),
    JSONKey("rating", .decimal, "The average rating of viewers, from 0 to 10"),
    JSONKey("site", .text, "The site of the show"),
    JSONKey("imdb", .text, "The id at IMDb"),
    JSONKey("image", .text, "The address of the poster"),
    imageFile,
    JSONKey("summary", .text, "What it is about"),
    JSONKey("updated", .time, "When the catalogue last changed it"),
  ]

  private static let described = [
    JSONKey("title", .text, "The title"),
    JSONKey("show", .text, "The show, as the first half of the id"),
    JSONKey("show_title", .text, "The title of the show"),
    JSONKey("season", .number, "The season; 0 for specials"),
    JSONKey("number", .number, "The number within the season"),
    JSONKey("date", .day, "The day of first showing"),
    JSONKey("airs", .time, "The moment of first showing"),
    JSONKey("duration_ms", .milliseconds, "The playing time"),
    JSONKey("language", .text, "The main language of the show, as a tag of BCP 47"),
    JSONKey("type", .text, "The kind of episode, in the words of the catalogue"),
    JSONKey("rating", .decimal, "The average rating of viewers, from 0 to 10"),
    JSONKey("summary", .text, "What it is about"),
    JSONKey("want", .word, "none"),
    JSONKey("parts", .list, "A video without a source, and the picture"),
    JSONKey("parts[].role", .word, "video or image"),
    JSONKey("parts[].variants", .list, "The picture; empty for the video"),
    JSONKey("parts[].variants[].sources", .list, "The address of the picture"),
    imageFile,
    JSONKey("tvmaze", .number, "The id in the catalogue"),
    JSONKey("tvmaze_show", .number, "The id of the show in the catalogue"),
  ]

  private static let person = [
    JSONKey("name", .text, "The name"),
    JSONKey("country", .text, "The name of the country"),
    JSONKey("born", .day, "The day of birth"),
    JSONKey("died", .day, "The day of death"),
    JSONKey("gender", .text, "The gender, in the words of the catalogue"),
    JSONKey("image", .text, "The address of the picture"),
    imageFile,
    JSONKey("updated", .time, "When the catalogue last changed it"),
  ]

  private static let credit = [
    JSONKey("kind", .word, "cast, crew or guest"),
    JSONKey("role", .text, "The name of the character, or the work in the crew"),
    JSONKey("self", .boolean, "Whether the person appears as itself"),
    JSONKey("voice", .boolean, "Whether only the voice is heard"),
    JSONKey("title", .text, "The title of the show"),
    JSONKey("show", .text, "The first half of the ids that its episodes get"),
    JSONKey("premiered", .day, "The day of the first episode"),
    JSONKey("status", .text, "Whether the show runs, in the words of the catalogue"),
    JSONKey("network", .text, "The network or web channel"),
    JSONKey("episode", .text, "The title of the episode of a guest"),
    JSONKey("person", .text, "The name of the person"),
  ]

  private static let favourite = [
    JSONKey("show", .text, "The same as the id"),
    JSONKey("title", .text, "The title"),
    JSONKey("tvmaze", .number, "The id at TVMaze"),
    JSONKey("added", .time, "When it became a favourite"),
  ]
}
