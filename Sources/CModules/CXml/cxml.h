/* The writer and the parser of libxml2: xmlTextWriter* and xmlRead* are imported directly. */
#pragma once
#include <libxml/parser.h>
#include <libxml/xmlwriter.h>
