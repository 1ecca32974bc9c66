#!/bin/bash
# All measurements, one line `ratio … (budget …)` each; exits 1 if a budget is exceeded. The many
# small files come before the parts that remove thousands of files: for minutes afterwards ext4
# creates others slowly.
. "$(dirname "$0")/measure.sh"
here=$(dirname "$0")
rm -f "$BENCH/over"
if sha_instructions; then
  echo 'budgets of a processor with instructions for SHA-256'
else
  echo 'budgets of a processor without instructions for SHA-256'
fi
for part in start many list store queue clean fetch slow verify bundle migrate feed; do bash "$here/$part.sh"; done
if [ -s "$BENCH/over" ]; then
  echo "over budget: $(wc -l <"$BENCH/over")"
  exit 1
fi
echo 'all within budget'
