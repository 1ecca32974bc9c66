#!/bin/bash
# Feeds: two hundred without changes, parsing of twenty thousand items, and the additional memory
# for a document of 100 MB. Also the memory for a show of the catalogue with 15,000 episodes.
# Budgets are absolute, since no other tool does the same.
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/site.sh"
# shellcheck disable=SC2154 # site and origin are of site.sh
feeds=$site/feeds
mkdir -p "$feeds"
for ((n = 0; n < 200; n++)); do
  echo "<rss version='2.0'><channel><title>Feed $n</title><item><title>Film</title><guid>$n</guid><enclosure url='$n.mp4'/></item></channel></rss>" >"$feeds/$n.xml"
done
# items COUNT WORDS: a feed with this many items, whose descriptions have this many words each.
items() {
  awk -v count="$1" -v words="$2" 'BEGIN {
    for (i = 0; i < words; i++) text = text "word "
    print "<rss version=\"2.0\"><channel><title>Many</title>"
    for (i = 0; i < count; i++)
      printf "<item><title>Film %d</title><guid>%d</guid><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate><description><![CDATA[<p>%s</p>]]></description><enclosure url=\"%d.mp4\" length=\"0\" type=\"video/mp4\"/></item>\n", i, i, text, i
    print "</channel></rss>"
  }'
}
items 20000 100 >"$feeds/items.xml"
items 20000 900 >"$feeds/large.xml"

anew
{
  echo '<opml><body>'
  for ((n = 0; n < 200; n++)); do echo "<outline xmlUrl='$origin/feeds/$n.xml'/>"; done
  echo '</body></opml>'
} >"$BENCH/feeds.opml"
vmx-feed import -q "$BENCH/feeds.opml"
vmx-feed update -q --all
size=$(stat -c %s "$VMX_HOME/store.jsonl")
side_unchanged() { vmx-feed update -q --all; }
race "${ROUNDS:-3}" unchanged
[ "$(stat -c %s "$VMX_HOME/store.jsonl")" = "$size" ] || { echo 'feed: the store has grown' >&2 && exit 1; }
ratio "vmx-feed update of 200 feeds, all 304 / 2 s, wall" "${least_wall[unchanged]}" 2000 most 1

# No title contains the word, so that the document is only received and parsed.
side_read() { vmx-feed add -q --dry-run --match nothing "$origin/feeds/items.xml"; }
race "${ROUNDS:-3}" read
ratio "vmx-feed reading 20,000 items / 1 s, cpu" "${least_cpu[read]}" 1000 most 1
prepare_taken() { anew; }
side_taken() { vmx-feed add -q "$origin/feeds/items.xml"; }
race "${ROUNDS:-3}" taken
echo "vmx-feed add of 20,000 items: ${least_wall[taken]} ms wall, ${least_cpu[taken]} ms cpu"

anew
peak_anonymous vmx-feed add -q "$origin/feeds/large.xml"
bytes=$(stat -c %s "$feeds/large.xml")
ratio "anonymous memory of a feed of $((bytes >> 20)) MiB / 64 MiB and the feed" "$peak" \
  $((65536 + bytes / 1024 + 20000 * 48 / 1024)) most 1

# A daily show as the catalogue describes it, requested from the server and from the cache.
mkdir -p "$site/catalogue/shows/7"
echo '{"id":7,"name":"The Daily Show"}' >"$site/catalogue/shows/7.json"
awk -v count=15000 'BEGIN {
  for (i = 0; i < 60; i++) text = text " word"
  for (i = 0; i < count; i++)
    printf "%s{\"id\":%d,\"url\":\"https://www.tvmaze.com/episodes/%d/x\",\"name\":\"Film %d\",\"season\":%d,\"number\":%d,\"type\":\"regular\",\"airdate\":\"2019-02-03\",\"airstamp\":\"2019-02-04T03:00:00+00:00\",\"runtime\":30,\"image\":{\"medium\":\"https://static.tvmaze.com/m/%d.jpg\",\"original\":\"https://static.tvmaze.com/o/%d.jpg\"},\"summary\":\"<p>%s</p>\",\"_links\":{\"self\":{\"href\":\"https://api.tvmaze.com/episodes/%d\"}}}", (i ? "," : "["), i + 1, i + 1, i, 2000 + i / 250, i % 250 + 1, i, i, text, i + 1
  print "]"
}' >"$site/catalogue/shows/7/episodes.json"
export VMX_CATALOGUE_URL=$origin/catalogue XDG_CACHE_HOME=$scratch/cache
for case in 'asked for' 'from the cache'; do
  peak_anonymous vmx-episodes 7 --json
  ratio "memory of vmx-episodes of 15,000, $case / 64 MiB + 48 B each" "$peak" \
    $((65536 + 15000 * 48 / 1024)) most 1
done
