# Makes the list of codes in man/vmx-errors.7, between its two marks, from
#   vmx explain --fields code,status,retry,sentence,hint | awk -f Tests/Manual/catalogue.awk
# The test of the manual compares; whoever changes the catalogue puts the new text in by hand.
function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  return text
}
BEGIN { FS = "\t" }
{
  printf ".TP\n.B %s\n", roff($1)
  printf "%s%s.\n", roff(toupper(substr($4, 1, 1))), roff(substr($4, 2))
  printf ".br\nNext: %s.\n", roff($5)
  printf ".br\nStatus %s, retry: %s.\n", $2, $3
}
