/* What Glibc's Swift import lacks. Never define _GNU_SOURCE in this header: see facts in
   CONTRIBUTING.md, "C modules". */
#pragma once
#include <stdint.h>
