import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxCatalogue

struct ShowSlugsTests {
  private let scratch: ScratchFolder
  private let store: LibraryStore

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(
      LibraryHome(scratch.path.appending("vmx")), clock: FixedClock())
  }

  private func show(_ id: Int64, _ title: String, premiered: String? = nil) -> CatalogueShow {
    var show = CatalogueShow(id: id, title: title)
    show.premiered = premiered.flatMap { CalendarDay($0) }
    return show
  }

  @Test func `the second show with a title has its year, and each keeps its slug`() throws {
    var slugs = ShowSlugs(in: try store.snapshot())
    let first = show(1, "Harbour", premiered: "2019-01-01")
    let second = show(2, "Harbour", premiered: "1974-01-01")
    #expect(slugs.slug(of: first).description == "harbour")
    #expect(slugs.slug(of: second).description == "harbour-1974")
    #expect(slugs.slug(of: first).description == "harbour")
    #expect(slugs.slug(of: show(3, "Harbour")).description == "harbour-3")
  }

  @Test func `a link in the library takes precedence over a title`() throws {
    let editor = FavouriteEditor(store: store, clock: FixedClock())
    _ = try editor.add(
      LibraryShow(show(2, "Harbour"), slug: Slug(transliterating: "old", fallback: "")))
    _ = try editor.add(LibraryShow(slug: "harbour", title: "Harbour"))
    var slugs = ShowSlugs(in: try store.snapshot())
    #expect(slugs.slug(of: show(2, "Harbour")).description == "old")
    // A favourite without a catalogue id reserves no slug.
    #expect(slugs.slug(of: show(5, "Harbour")).description == "harbour")
  }

  @Test func `a favourite is added once, keeps its time, and is removed completely`() throws {
    let clock = FixedClock()
    let editor = FavouriteEditor(store: store, clock: clock)
    let harbour = LibraryShow(
      show(7, "Harbour"), slug: Slug(transliterating: "Harbour", fallback: ""))
    let added = try editor.add(harbour)
    clock.advance(milliseconds: 60_000)
    let again = try editor.add(harbour)
    #expect(added.isChanged && !again.isChanged && again.show.added == added.show.added)
    #expect(try store.snapshot().favourites().map(\.slug) == ["harbour"])
    #expect(try editor.remove("harbour").isChanged)
    #expect(try !editor.remove("harbour").isChanged)
    #expect(try store.snapshot().favourites().isEmpty)
  }

  @Test(
    arguments: [
      ("139", ShowRequest.id(139)), ("https://www.tvmaze.com/shows/139/girls", .id(139)),
      ("tvmaze:139", .id(139)), ("girls", .name("girls")), ("24 hours", .name("24 hours")),
      ("-1", .name("-1")),
    ])
  func `an operand is an id, a page URL, or a name`(text: String, request: ShowRequest) {
    #expect(ShowRequest(text) == request)
  }
}
