# A store of COUNT episodes that are all ready, with a file of ten bytes each.
# awk -v count=100000 -v shows=1000 -v root=FOLDER -f files.awk
BEGIN {
  at = "2026-03-01T12:00:00.000Z"
  printf "{\"kind\":\"header\",\"id\":\"store\",\"seq\":0,\"at\":\"%s\"", at
  printf ",\"library\":\"5c6ad4bb-7c51-4bd2-9f34-0c9e9a5f3b11\""
  print ",\"format\":{\"major\":1,\"minor\":0},\"epoch\":1,\"seq_floor\":0}"
  printf "{\"kind\":\"root\",\"id\":\"1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10\",\"seq\":1,\"at\":\"%s\"", at
  print ",\"path\":\"" root "\"}"
  for (n = 0; n < count; n++) {
    show = n % shows
    season = int(n / shows / 20) + 1
    number = int(n / shows) % 20 + 1
    printf "{\"kind\":\"episode\",\"id\":\"show-%03d/s%02de%02d\",\"seq\":%d", show, season, number, n + 2
    printf ",\"at\":\"%s\",\"identity\":[\"u:%016x\"]", at, n
    printf ",\"title\":\"Number %d\",\"show_title\":\"Show %03d\"", number, show
    printf ",\"season\":%d,\"number\":%d,\"want\":\"fetch\",\"added\":\"%s\"", season, number, at
    printf ",\"summary\":\"In this one somebody explains why the first thing does not work without"
    printf " the second, and what can be done about it before the third comes along.\""
    printf ",\"parts\":[{\"role\":\"video\",\"state\":\"ready\""
    printf ",\"root\":\"1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10\""
    printf ",\"path\":\"Show %03d/Season %02d/Show %03d - S%02dE%02d - Number %d.mp4\"", show, season,
      show, season, number, number
    printf ",\"size\":10,\"sha256\":\"%064x\",\"proof\":\"published\"", n
    printf ",\"variants\":[{\"height\":720,\"type\":\"video/mp4\",\"sources\":[{\"url\":"
    printf "\"https://media.example.org/%03d/%02d/%02d.mp4\"}]}]}]", show, season, number
    printf ",\"trail\":[{\"at\":\"%s\",\"part\":\"video\",\"from\":\"checked\"", at
    print ",\"to\":\"ready\"}]}"
  }
}
