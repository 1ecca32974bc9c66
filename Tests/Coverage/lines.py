"""Prints the line coverage of each library from the report of llvm-cov that `swift test` writes."""

import collections
import json
import re
import sys

totals: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
with open(sys.argv[1], encoding="utf-8") as report:
    for file in json.load(report)["data"][0]["files"]:
        place = re.search(r"/Sources/Libraries/(\w+)/", file["filename"])
        if place:
            lines = file["summary"]["lines"]
            for name in (place.group(1), "all"):
                totals[name][0] += lines["covered"]
                totals[name][1] += lines["count"]

print(f"{'library':18} lines  covered")
for name in sorted(totals, key=lambda name: (name == "all", name)):
    covered, count = totals[name]
    print(f"{name:18} {count:5}  {100 * covered / count:5.1f} %")
