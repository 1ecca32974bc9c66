# Draws the paths of its input (sorted, `size<TAB>path`) as a tree; folders end in '/'.
BEGIN { FS = "\t" }
{ size[NR] = $1; path[NR] = $2; depth[NR] = split($2, parts, "/") }
END {
  for (i = NR; i > 0; i--) {
    # Whether another one follows below the same folder.
    last[i] = !(depth[i] in open)
    for (d in open) if (d + 0 > depth[i]) delete open[d]
    open[depth[i]] = 1
  }
  for (i = 1; i <= NR; i++) {
    line = ""
    for (d = 1; d < depth[i]; d++) line = line (closed[d] ? "    " : "│   ")
    closed[depth[i]] = last[i]
    name = path[i]
    sub(/.*\//, "", name)
    printf "%s%s%s%s\n", line, last[i] ? "└── " : "├── ", name, size[i] == "" ? "/" : sprintf("  (%.1f KiB)", size[i] / 1024)
  }
}
