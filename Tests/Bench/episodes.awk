# A store of COUNT episodes, as left by a long history of adding and fetching: a thousand shows,
# most episodes ready, some waiting, failed or never wanted.
# awk -v count=1000000 -v root=FOLDER -f episodes.awk
BEGIN {
  srand(7)
  at = "2026-03-01T12:00:00.000Z"
  printf "{\"kind\":\"header\",\"id\":\"store\",\"seq\":0,\"at\":\"%s\"", at
  printf ",\"library\":\"5c6ad4bb-7c51-4bd2-9f34-0c9e9a5f3b11\""
  print ",\"format\":{\"major\":1,\"minor\":0},\"epoch\":1,\"seq_floor\":0}"
  printf "{\"kind\":\"root\",\"id\":\"1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10\",\"seq\":1,\"at\":\"%s\"", at
  print ",\"path\":\"" root "\"}"
  # The episodes are distributed over the shows in rotation, as by feeds.
  shows = count >= 1000 ? 1000 : count
  for (n = 0; n < count; n++) {
    show = n % shows
    season = int(n / shows / 20) + 1
    number = int(n / shows) % 20 + 1
    id = sprintf("show-%03d/s%02de%02d", show, season, number)
    title = sprintf("Number %d of season %d: \\\"Grüße\\\" & more", number, season)
    url = sprintf("media.example.org/%03d/%02d/%02d.mp4", show, season, number)
    hex = sprintf("%08x%08x", n * 2654435761 % 4294967296, (n + 7) * 40503 % 4294967296)
    state = n % 50 == 0 ? "failed" : n % 20 == 0 ? "waiting" : n % 4 == 0 ? "queued" : "ready"
    printf "{\"kind\":\"episode\",\"id\":\"%s\",\"seq\":%d,\"at\":\"%s\"", id, n + 2, at
    printf ",\"identity\":[\"u:%s\",\"n:%08x%08x\"]", hex, season * 100 + number, show
    printf ",\"title\":\"%s\",\"show_title\":\"Show %03d\",\"season\":%d,\"number\":%d", title,
      show, season, number
    printf ",\"date\":\"2025-%02d-%02d\"", n % 12 + 1, n % 28 + 1
    printf ",\"summary\":\"In this one somebody explains why the first thing does not work without"
    printf " the second, and what can be done about it before the third comes along.\""
    printf ",\"want\":\"%s\",\"added\":\"%s\"", state == "queued" && n % 8 ? "none" : "fetch", at
    printf ",\"parts\":[{\"role\":\"video\",\"state\":\"%s\"", state
    if (state == "failed") printf ",\"at\":\"partial\",\"code\":\"http-gone\""
    if (state == "waiting") printf ",\"at\":\"queued\",\"reason\":\"metered\""
    if (state == "ready") {
      printf ",\"root\":\"1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10\""
      printf ",\"path\":\"Show %03d/Season %02d/Show %03d - S%02dE%02d.mp4\"", show, season, show,
        season, number
      printf ",\"size\":%d,\"sha256\":\"%s%s%s%s\",\"proof\":\"published\"", 100000000 + n, hex,
        hex, hex, hex
    }
    printf ",\"variants\":[{\"height\":720,\"type\":\"video/mp4\",\"sources\":[{\"url\":"
    printf "\"https://" url "\"}]}]}]"
    from = state == "ready" ? "checked" : state == "failed" ? "partial" : \
      state == "waiting" ? "queued" : "new"
    printf ",\"trail\":[{\"at\":\"%s\",\"part\":\"video\",\"from\":\"%s\"", at, from
    print ",\"to\":\"" state "\"}]}"
  }
}
