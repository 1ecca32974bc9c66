# Prints a file that a manual page contains between the comments `BEGIN NAME` and `END NAME`, without
# the requests and escapes of roff: awk -v part=NAME -f part.awk PAGE
$0 == ".\\\" END " part { exit }
inside && !/^\.(EX|EE|PP)/ {
  sub(/^\\&/, "")
  gsub(/\\-/, "-")
  gsub(/\\\(aq/, "'")
  gsub(/\\\(ga/, "`")
  gsub(/\\\(ha/, "^")
  gsub(/\\\(ti/, "~")
  gsub(/\\e/, "\\")
  print
}
$0 == ".\\\" BEGIN " part { inside = 1 }
