/* The writer and the parser of libxml2: xmlTextWriter* and xmlRead* import as they are. */
#pragma once
#include <libxml/parser.h>
#include <libxml/xmlwriter.h>
