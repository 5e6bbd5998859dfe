/* xctrace_xml.h - the XML that xctrace writes, a token at a time: elements with attributes, and
 * text, with the five entities of XML and numbers of characters. All else that XML has is an error. */
#ifndef PROFPIPE_XCTRACE_XML_H
#define PROFPIPE_XCTRACE_XML_H

#include "base/buf.h"
#include "base/diag.h"

enum xml_token {
    XML_OPEN,  /* <name attributes> */
    XML_EMPTY, /* <name attributes/> */
    XML_CLOSE, /* </name> */
    XML_TEXT,  /* up to the next element; blanks alone are left out */
    XML_END,   /* of the file */
};

/* What is borrowed here is from the file. */
struct xml {
    struct place where; /* the line of the token */
    const char *p, *end;
    const char *counted;   /* lines up to here are in WHERE */
    struct str name;       /* of XML_OPEN, XML_EMPTY, XML_CLOSE */
    struct str attributes; /* of XML_OPEN, XML_EMPTY, for xml_attribute */
    struct str text;       /* of XML_TEXT, for xml_unescape */
};

/* The file WHOLE, called FILE in messages. */
struct xml xml_open(const char *file, struct str whole);

/* The next token. Ends the tool (STATUS_INPUT) where there is none. */
enum xml_token xml_next(struct xml *x);

/* The value of the attribute NAME, for xml_unescape; a null p if it is not there. */
struct str xml_attribute(struct str attributes, struct str name);

/* Appends TEXT to TO with characters for its entities. */
void xml_unescape(struct buf *to, struct str text);

#endif
