# Prints the origin's log of requests as a table: status, body bytes sent, range, path, faults.
function field(name,    text) {
  if (!match($0, "\"" name "\":(\"[^\"]*\"|\\[[^]]*\\]|[0-9]+)")) return "-"
  text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
  gsub(/["\[\]]/, "", text)
  gsub(/,/, " ", text)
  return text
}
{
  printf "  %s %6d  %-14s %-18s %s\n", field("status"), field("sent"), field("range"),
    field("path"), field("faults")
}
