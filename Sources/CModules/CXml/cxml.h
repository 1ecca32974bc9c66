/* The writer and the parser of libxml2, and the entities of HTML; all are imported directly. */
#pragma once
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlwriter.h>
