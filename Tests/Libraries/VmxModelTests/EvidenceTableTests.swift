import Testing
import VmxModel

// Each line compares two descriptions: `LEFT | RIGHT | VERDICT | ROW`, where `-` is no row or any
// row. Signs: `f:a` a guid, `u:a` a URL, `v:a` an id of vmx, `c:a` a catalogue id, `d:a` a digest,
// `p:a` a page, `n:a` and `t:a` keys of a number and a day, `file=a` a file name, `~f:a` a key of
// the document, `show=T` a title of a show, `slug=s` its slug alone, `S` the show "Show", `Y` "Show
// (2024)", `w:a` and `e:a` keys of a title and a file name within a show, `g:a` a guid in a name,
// `*f:a` the guid of an item of any feed, `z:a` a file name and its size, `s1e2`, a day, `"title"`,
// `60s`, `m60s` measured, `100b`, `!day` for a day with several episodes.

private let table = """
  # an id of vmx, a guid or a URL is one episode, whatever the texts say
  v:a | v:a | same | ownID
  v:a "One" | v:a "Two" | same | ownID
  v:a 2024-05-01 | v:a | same | ownID
  v:a s1e1 | v:a s1e1 2024-05-02 | same | ownID
  v:a show=Show | v:a show=Other | same | ownID
  v:a s1e1 | v:a s1e2 | different | otherNumber
  v:a 2024-05-01 | v:a 2024-05-02 | different | -
  f:a | f:a | same | item
  f:a "One" | f:a "Two" | same | item
  f:a u:a | f:a u:b | same | item
  f:a u:a 2024-05-01 "One" | f:a u:b 2024-05-02 "Two" | same | item
  f:a s1e1 | f:a s1e2 | same | item
  f:a show=C | f:a show=C++ | same | item
  f:a f:b | f:b f:c | same | item
  f:a 60s | f:a 3600s | same | item
  f:a | f:a ~f:b ~u:b | same | item
  u:a | u:a | same | address
  f:a u:a | f:b u:a | same | address
  f:a u:a 2024-05-01 | f:b u:a 2024-05-02 | same | address
  u:a "One" | u:a "Two" | same | address
  u:a u:b | u:b u:c | same | address
  u:a s1e1 | u:a s1e2 | same | address
  u:a show=C | u:a show=C++ | same | address
  u:a 60s | u:a 90s | same | address
  u:a | u:a file=x | same | address
  # no sign in common
  | | different | -
  f:a | f:b | different | -
  u:a | u:b | different | -
  f:a u:a | f:b u:b | different | -
  v:a | v:b | different | -
  "One" | "One" | different | -
  s1e1 | s1e1 | different | -
  2024-05-01 | 2024-05-01 | different | -
  60s | 60s | different | -
  100b | 100b | different | -
  show=Show | show=Show | different | -
  show=Show "One" | S "One" | different | -
  show=Show 60s | S 60s | different | -
  show=Show 100b | S 100b | different | -
  show=Show "One" | show=Other "One" | different | -
  show=Show 2024-05-01 "One" | show=Other 2024-05-01 "One" | different | -
  file=a | file=a | different | -
  file=a 60s | file=a 60s | different | -
  # equal bytes, unless number or day differ
  d:a | d:a | same | digest
  d:a "One" | d:a "Two" | same | digest
  d:a show=Show | d:a show=Other | same | digest
  d:a s1e1 | d:a | same | digest
  d:a s1e1 | d:a s1e1 | same | digest
  d:a 2024-05-01 | d:a | same | digest
  d:a s1e1 f:a u:a 2024-05-01 | d:a s1e1 f:b u:b 2024-05-02 | same | digest
  d:a 2024-05-01 | d:a 2024-05-01 | same | digest
  d:a show=C | d:a show=C++ | same | digest
  d:a s1e1 | d:a s1e2 | different | otherNumber
  d:a s1e1 | d:a s2e1 | different | otherNumber
  d:a 2024-05-01 | d:a 2024-05-02 | different | -
  d:a | d:b | different | -
  # an id at a catalogue, unless number or day differ
  c:a show=Show 2024-05-01 "One" | c:b show=Show 2024-05-01 "One" | different | otherCatalogueID
  c:a | c:a | same | catalogueID
  c:a "One" | c:a "Two" | same | catalogueID
  c:a s1e1 | c:a | same | catalogueID
  c:a show=Show | c:a show=Other | same | catalogueID
  c:a 2024-05-01 | c:a 2024-05-01 | same | catalogueID
  c:a f:a | c:a f:b | same | catalogueID
  c:a s1e1 | c:a s1e2 | different | otherNumber
  c:a 2024-05-01 | c:a 2024-05-02 | different | -
  # the page of an episode, of which each item of a feed has its own
  p:a "One" | S p:a u:a f:a "One" 2024-05-01 | same | page
  p:a "One" 2024-05-01 | S p:a u:a f:a "The one" 2024-05-01 | same | page
  p:a "One" 2024-05-01 60s | S p:a u:a f:a "One" 2024-05-02 60s | same | page
  p:a show=Show | p:a show=Other | same | page
  p:a "One" m60s | p:a "Two" 90s | different | -
  p:a s1e1 | p:a s1e2 | different | otherNumber
  S p:a "One" 2024-05-01 | S p:a "Two" 2024-05-02 | different | -
  S p:a f:a u:a 2024-05-01 | S p:a f:b u:b 2024-05-02 | different | otherItem
  S p:a f:a u:a "One" | S p:a f:b u:b "Two" | different | -
  S p:a | S p:b | different | -
  # the name of the enclosure outweighs another title of the day
  S t:a 2024-05-01 "Talk" file=t 100b | S t:a 2024-05-01 "Ants" file=t 100b | same | fileNameAndMore
  S t:a 2024-05-01 "Talk" file=t | S t:a 2024-05-01 "Ants" file=t 100b | likely | day
  # a title whose marks a file system or a program has left out
  S 2024-05-01 "Four/Five" | S 2024-05-01 "FourFive" | same | dayAndTitle
  S 2024-05-01 "Third: a talk" | S 2024-05-01 "Third a talk" | same | dayAndTitle
  S s1e1 "What's new?" | S s1e1 "Whats new" | same | numberAndMore
  S 60s "Re:Set" | S m60s "ReSet" | likely | titleAndDuration
  S 2024-05-01 "Four/Five" | S 2024-05-01 "Four/Six" | different | -
  S 2024-05-01 "Lecture 1.1" | S 2024-05-01 "Lecture 11" | different | -
  S 2024-05-01 "Part 1/2" | S 2024-05-01 "Part 1-2" | same | dayAndTitle
  c:a f:a u:a 2024-05-01 | c:a f:b u:b 2024-05-02 | different | otherItem
  # another guid, URL and day outweigh number, title and length
  S f:a u:a 2024-05-01 | S f:b u:b 2024-05-02 | different | otherItem
  S f:a u:a 2024-05-01 s1e1 | S f:b u:b 2024-05-02 s1e1 | different | otherItem
  S f:a u:a 2024-05-01 "One" | S f:b u:b 2024-05-02 "One" | different | otherItem
  S f:a u:a 2024-05-01 60s | S f:b u:b 2024-05-02 60s | different | otherItem
  S f:a u:a 2024-05-01 s1e1 "One" | S f:b u:b 2024-05-02 s1e1 "One" | different | otherItem
  S f:a u:a 2024-05-01 s1e1 "One" | S f:b u:b 2024-05-02 s1e1 "Two" | different | otherItem
  S f:a u:a 2024-05-01 s1e1 60s | S f:b u:b 2024-05-02 s1e1 60s | different | otherItem
  S f:a u:a 2024-05-01 file=a 100b | S f:b u:b 2024-05-02 file=a 100b | different | otherItem
  S f:a u:a 2024-05-01 "One" 60s | S f:b u:b 2024-05-02 "One" 60s | different | otherItem
  S f:a u:a 2024-05-01 s0e1 | S f:b u:b 2024-05-02 s0e1 | different | otherItem
  S f:a u:a 2024-05-01 s1e1 100b | S f:b u:b 2024-05-02 s1e1 100b | different | otherItem
  S f:a u:a s1e4 "Four" | S f:b u:b s1e4 "Six" | different | otherItem
  S f:a u:a s1e4 "Four" | S f:b u:b s1e4 "Four" | same | numberAndMore
  S f:a u:a s1e4 | S f:b u:b s1e4 | same | numberAndMore
  S f:a u:a s1e1 2024-05-01 | S f:b u:b s1e1 2024-05-01 | same | numberAndMore
  S u:a s1e1 2024-05-01 "One" | S u:b s1e1 2024-05-02 "Two" | likely | number
  S f:a s1e1 2024-05-01 "One" | S u:b s1e1 2024-05-02 "Two" | likely | number
  # two items of one document
  S f:a u:a ~f:b ~u:b 2024-05-01 "Talk" | S f:b u:b 2024-05-01 "Talk" | different | sibling
  S f:a u:a ~f:b ~u:b s1e1 | S f:b u:b s1e1 | different | sibling
  S f:a u:a ~f:b ~u:b "Talk" 60s | S f:b u:b "Talk" 60s | different | sibling
  S f:a u:a ~f:b ~u:b s1e1 "Talk" | S f:b u:b s1e1 "Talk" | different | sibling
  S f:a u:a ~f:b ~u:b file=video 100b | S f:b u:b file=video 100b | different | sibling
  S f:a u:a ~f:b ~u:b | S f:b u:b | different | sibling
  S f:a u:u ~f:b 2024-05-01 "A" | S f:b u:u 2024-05-02 "B" | different | otherListed
  S f:a u:u ~f:b "A" | S f:b u:u "B" | same | address
  S f:a u:u ~f:b 2024-05-01 "A" | S f:b u:u 2024-05-01 "A" | same | address
  S f:a u:u 2024-05-01 "A" | S f:b u:u 2024-05-02 "B" | same | address
  S f:a u:a ~f:a ~u:a 2024-05-01 "Talk" | S f:b u:b 2024-05-01 "Talk" | same | dayAndTitle
  f:a u:a ~u:b | f:b u:b u:a | same | address
  f:a u:c ~f:b | f:a f:b | same | item
  S f:a d:a ~f:b | S f:b d:a | same | digest
  # another show with the slug of the title
  show=C s1e1 | show=C++ s1e1 | different | otherShow
  show=C 2024-05-01 "One" | show=C++ 2024-05-01 "One" | different | otherShow
  show=C++ s1e1 | show=C# s1e1 | different | otherShow
  show=C++ 2024-05-01 "One" | show=C# 2024-05-01 "One" | different | otherShow
  show=Café s1e1 | show=Cafe s1e1 | different | otherShow
  show=Café 2024-05-01 "One" | show=Cafe 2024-05-01 "One" | different | otherShow
  show=Über s1e1 | show=Uber s1e1 | different | otherShow
  show=Über 2024-05-01 "One" | show=Uber 2024-05-01 "One" | different | otherShow
  show=A/B s1e1 | show=A-B s1e1 | different | otherShow
  show=A/B 2024-05-01 "One" | show=A-B 2024-05-01 "One" | different | otherShow
  show=C s1e1 | show=C! s1e1 | different | otherShow
  show=C 2024-05-01 "One" | show=C! 2024-05-01 "One" | different | otherShow
  show=C file=a 60s | show=C++ file=a 60s | different | otherShow
  show=C s1e1 | show=c s1e1 | same | numberAndMore
  show=My_Show s1e1 | show=my_show s1e1 | same | numberAndMore
  show=It’s s1e1 | show=It's s1e1 | same | numberAndMore
  show=A–B s1e1 | show=A-B s1e1 | same | numberAndMore
  show=日本 s1e1 | show=日本 s1e1 | same | numberAndMore
  slug=c s1e1 | show=C++ s1e1 | same | numberAndMore
  slug=c s1e1 | slug=c s1e1 | same | numberAndMore
  show=日本 s1e1 | show=中国 s1e1 | different | -
  # show, season and number
  S s1e2 | S s1e2 | same | numberAndMore
  S s1e2 "One" | S s1e2 "One" | same | numberAndMore
  S s1e2 "One" | S s1e2 | same | numberAndMore
  S s1e2 | S s1e2 2024-05-01 | same | numberAndMore
  S s1e2 2024-05-01 | S s1e2 2024-05-01 | same | numberAndMore
  S s1e2 "One" 2024-05-01 | S s1e2 "Two" 2024-05-01 | same | numberAndMore
  S s1e2 "One" 2024-05-01 | S s1e2 "One" 2024-05-02 | same | numberAndMore
  S s1e2 "One" 60s | S s1e2 "Two" 60s | same | numberAndMore
  S s1e2 "One" 100b | S s1e2 "Two" 100b | same | numberAndMore
  S s1e2 60s | S s1e2 61s | same | numberAndMore
  S s1e2 3600s | S s1e2 3650s | same | numberAndMore
  S s1e2 "One" | S s1e2 60s | same | numberAndMore
  S s1e2 "One" | S s1e2 100b | same | numberAndMore
  S s1e2 100b | S s1e2 200b | same | numberAndMore
  S s1e2 "Über Moos" | S s1e2 "uber moos" | same | numberAndMore
  S s1e2 "A: B" | S s1e2 "A - B" | same | numberAndMore
  S s1e2 "One" | S s1e2 "Two" | likely | number
  S s1e2 2024-05-01 | S s1e2 2024-05-02 | likely | number
  S s1e2 60s | S s1e2 600s | likely | number
  S s1e2 "One" 2024-05-01 | S s1e2 "Two" 2024-05-02 | likely | number
  S s1e2 "One" 60s | S s1e2 "Two" 600s | likely | number
  S s1e2 3600s | S s1e2 3700s | likely | number
  S e2 | S s1e2 | same | numberAndMore
  S s0e2 | S s1e2 | different | otherNumber
  S s1e2 "One" | S s1e3 "One" | different | otherNumber
  S s1e2 2024-05-01 "One" | S s2e2 2024-05-01 "One" | different | otherNumber
  S s1e1 | show=Other s1e1 | different | -
  s1e1 | S s1e1 | different | -
  show=Feed n:a s1e1 | S n:a s1e1 | same | numberAndMore
  show=Feed n:a "One" | S n:a s1e1 "Two" | likely | number
  # show, day and title
  S 2024-05-01 "One" | S 2024-05-01 "One" | same | dayAndTitle
  S 2024-05-01 "One" f:a u:a | S 2024-05-01 "One" f:b u:b | same | dayAndTitle
  S 2024-05-01 "One" 60s | S 2024-05-01 "One" 600s | same | dayAndTitle
  S 2024-05-01 "One" u:a | S 2024-05-01 "One" u:b | same | dayAndTitle
  S 2024-05-01 "One" s1e1 | S 2024-05-01 "One" | same | dayAndTitle
  S 2024-05-01 "One" 100b | S 2024-05-01 "One" 200b | same | dayAndTitle
  S 2024-05-01 "Vier/Fünf" | S 2024-05-01 "Vier-Fünf" | same | dayAndTitle
  S 2024-05-01 2024-05-02 "One" | S 2024-05-02 "One" | same | dayAndTitle
  S 2024-05-01 "One" | S 2024-05-02 "One" | different | -
  S 2024-05-01 "One" | S 2024-05-01 "Two" | different | -
  # the only episode of a day, and daily shows
  S 2024-05-01 | S 2024-05-01 | same | onlyOfDay
  S 2024-05-01 "One" | S 2024-05-01 | same | onlyOfDay
  S 2024-05-01 | S 2024-05-01 "One" f:a u:a | same | onlyOfDay
  S 2024-05-01 100b | S 2024-05-01 60s | same | onlyOfDay
  S 2024-05-01 !day "One" | S 2024-05-01 | different | -
  S t:a 2024-05-01 "One" | S t:a 2024-05-01 "Two" | likely | day
  S t:a 2024-05-01 !day "One" | S t:a 2024-05-01 "Two" | likely | day
  # the file name of an enclosure
  S file=e1 100b | S file=e1 100b | same | fileNameAndMore
  S file=e1 60s | S file=e1 60s | same | fileNameAndMore
  S file=e1 100b 60s | S file=e1 200b 61s | same | fileNameAndMore
  S file=e1 100b f:a u:a "One" 2024-05-01 | S file=e1 100b | same | fileNameAndMore
  S file=e1 "One" 60s | S file=e1 "Two" 60s | same | fileNameAndMore
  # the name and the exact size of an enclosure, of a file in no folder of the show
  z:a | S z:a f:a u:a "One" 2024-05-01 60s | likely | sizedName
  slug=downloads z:a "e1" m60s | S z:a f:a "One" 60s | likely | sizedName
  z:a 2024-05-01 | S z:a f:a 2024-05-02 | different | -
  z:a m60s | S z:a f:a 90s | different | -
  S z:a s1e1 | S z:a s1e2 | different | otherNumber
  show=Other z:a f:b u:b | S z:a f:a u:a | different | -
  z:a | S z:b f:a | different | -
  Y z:a s1e2 "One" | S z:a f:a s1e2 "One" | same | namesakeAndMore
  S file=e1 | S file=e1 | likely | fileName
  S file=e1 100b | S file=e1 200b | likely | fileName
  S file=e1 60s | S file=e1 90s | likely | fileName
  S file=e1 f:a "One" | S file=e1 100b | likely | fileName
  S file=e1 100b | S file=e2 100b | different | -
  S file=e1 100b | show=Other file=e1 100b | different | -
  S s1e1 file=e1 100b | S s1e2 file=e1 100b | different | otherNumber
  # show, title and duration
  S "One" 60s | S "One" 60s | likely | titleAndDuration
  S "One" m60s | S "One" 60s | likely | titleAndDuration
  S "One" m60s | S "One" 90s | different | -
  S "A/B_C" m60s | S "A_B/C" 60s | likely | titleAndDuration
  S file=e1 m60s | S file=e1 60s | same | fileNameAndMore
  S s1e1 m90s | S s1e1 60s | same | numberAndMore
  S "One" 3600s | S "One" 3650s | likely | titleAndDuration
  S "One" 60s | S "One" 61s | likely | titleAndDuration
  S "One" 60s 2024-05-01 | S "One" 60s | likely | titleAndDuration
  S "One" 60s | S "One" 90s | different | -
  S "One" 60s 2024-05-01 | S "One" 60s 2024-05-02 | different | -
  S "One" 60s | S "Two" 60s | different | -
  S "One" 60s | show=Other "One" 60s | different | -
  # a guid in brackets at the end of a name
  g:a | *f:a | same | item
  g:a S "One" | *f:a show=Other "Two" | same | item
  g:a S s1e1 | *f:a S s1e2 | same | item
  g:a | g:a | different | -
  S g:a s1e1 | S g:a s1e2 | different | otherNumber
  S g:a 2024-05-01 "One" | S g:a 2024-05-02 "Two" | different | -
  g:a | *f:b | different | -
  *f:a | *f:a | different | -
  # a record that a second feed, or a URL without a show, has given another show
  show=Host w:a 2024-05-01 "One" | S w:a 2024-05-01 "One" | same | dayAndTitle
  show=Host t:a 2024-05-01 | S t:a 2024-05-01 "One" | same | onlyOfDay
  show=Host n:a s1e1 "One" | S n:a s1e1 "One" | same | numberAndMore
  show=Host e:a 100b | S e:a 100b | same | fileNameAndMore
  show=Host e:a | S e:a | likely | fileName
  show=Host w:a "One" 60s | S w:a "One" 60s | likely | titleAndDuration
  show=Host w:a 2024-05-01 "One" | S w:a 2024-05-02 "One" | different | -
  show=Host w:a "One" | S w:b "One" 60s | different | -
  show=Host 2024-05-01 "One" | S 2024-05-01 "One" | different | -
  # a show with and without its year
  S s1e1 "One" | Y s1e1 "One" | same | namesakeAndMore
  S s1e1 "One" 2024-05-01 | Y s1e1 2024-05-01 "Two" | same | namesakeAndMore
  S s1e1 "One" 100b | Y s1e1 100b | same | namesakeAndMore
  S 2024-05-01 "One" | Y 2024-05-01 "One" | same | namesakeAndMore
  S 2024-05-01 "One" f:a u:a | Y 2024-05-01 "One" m60s | same | namesakeAndMore
  S s1e1 | Y s1e1 | likely | namesake
  S s1e1 "One" 2024-05-01 | Y s1e1 | likely | namesake
  S s1e1 60s | Y s1e1 m90s | likely | namesake
  S 2024-05-01 "One" | Y 2024-05-01 | likely | namesake
  S "One" 60s | Y "One" m60s | likely | namesake
  S s1e1 "One" | Y s1e1 "Two" | different | -
  S s1e1 "Pilot" 2005-01-01 | Y s1e1 "Pilot" 1978-01-01 | different | -
  S s1e1 "Pilot" 1200s | Y s1e1 "Pilot" 2700s | different | -
  S s1e1 60s "One" | Y s1e1 60s "Two" | different | -
  S s1e1 "One" | Y s1e2 "One" | different | otherNumber
  S "One" | Y "One" | different | -
  S !day 2024-05-01 "One" | Y 2024-05-01 | different | -
  S u:a | Y u:a | same | address
  show=Show_(1963) s1e1 "One" | Y s1e1 "One" | different | -
  show=Show_Two_(2024) s1e1 "One" | S s1e1 "One" | different | -
  show=Show_(2024) s1e1 | show=Show-2024 s1e1 | different | otherShow
  slug=show-2024 s1e1 | Y s1e1 | same | numberAndMore
  """

struct EvidenceTableTests {
  private static let rows = table.split(separator: "\n").map(String.init).filter {
    !$0.hasPrefix("#")
  }

  @Test func `the table has at least 150 rows`() {
    #expect(Self.rows.count >= 150)
  }

  @Test(arguments: rows)
  func `two descriptions are judged by the table, in either order`(_ row: String) throws {
    let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
      $0.split(separator: " ").joined(separator: " ")
    }
    try #require(cells.count == 4)
    let (left, right) = (try signs(cells[0]), try signs(cells[1]))
    let judgement = EvidenceTable.judge(left, right)
    #expect(judgement.verdict.rawValue == cells[2])
    if cells[3] != "-" { #expect(judgement.row.map { "\($0)" } == cells[3]) }
    #expect(EvidenceTable.judge(right, left) == judgement)
  }

  @Test func `every row of the table has examples`() {
    let named = Set(Self.rows.compactMap { $0.split(separator: " ").last.map(String.init) })
    for row in EvidenceRow.allCases { #expect(named.contains("\(row)")) }
  }

  private func signs(_ text: String) throws -> EpisodeSigns {
    var signs = EpisodeSigns()
    var rest = text[...]
    while let first = rest.first {
      if first == " " {
        rest.removeFirst()
      } else if first == "\"" {
        let title = rest.dropFirst().prefix { $0 != "\"" }
        signs.title = EpisodeSigns.folded(title: String(title))
        rest = rest.dropFirst(title.count + 2)
      } else {
        let word = rest.prefix { $0 != " " }
        try set(String(word), in: &signs)
        rest = rest.dropFirst(word.count)
      }
    }
    return signs
  }

  private func set(_ word: String, in signs: inout EpisodeSigns) throws {
    let halves = word.split(separator: "=").map(String.init)
    if word == "S" {
      try set("show=Show", in: &signs)
    } else if word == "Y" {
      try set("show=Show (2024)", in: &signs)
    } else if word.hasPrefix("*") {
      signs.guidOfAnyFeed = key(word.dropFirst())
    } else if word == "!day" {
      signs.isOnlyOfDay = false
    } else if halves.first == "show" {
      signs.show = Slug(transliterating: halves[1], fallback: halves[1]).description
      signs.showTitle = EpisodeSigns.folded(show: halves[1])
    } else if halves.first == "slug" {
      signs.show = halves[1]
    } else if halves.first == "file" {
      // A name of a file is a key only within a show.
      if let show = signs.show { signs.keys.insert(.fileName(halves[1], show: show)) }
    } else if word.hasPrefix("~") {
      signs.siblings.insert(key(word.dropFirst()))
    } else if word.dropFirst().hasPrefix(":") {
      signs.keys.insert(key(word[...]))
    } else if let day = CalendarDay(word) {
      signs.days.insert(day)
    } else if word.hasPrefix("m") {
      signs.measuredDuration = try #require(Int64(word.dropFirst().dropLast())) * 1000
    } else if word.hasSuffix("s") {
      signs.duration = try #require(Int64(word.dropLast())) * 1000
    } else if word.hasSuffix("b") {
      signs.sizes.insert(try #require(Int64(word.dropLast())))
    } else {
      let numbers = word.split { "se".contains($0) }.compactMap { Int64($0) }
      signs.season = word.hasPrefix("s") ? numbers.first : nil
      let number: Int64 = try #require(numbers.last)
      signs.number = number
    }
  }

  private func key(_ text: Substring) -> IdentityKey { .key(String(text)) }
}
