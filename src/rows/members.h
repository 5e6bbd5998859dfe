/* members.h - walks over the dotted columns of a row and over the members of the objects in
 * them, checked against the list in schema.h (profstream(5), DOTTED NAMES).
 *
 *     struct members walk = members_of(row, where, NULL);
 *     struct member m;
 *     while (members_next(&walk, &m))
 *         switch (m.id) {
 *         case MEMBER_ID_ADDRESS: address = m.address; break;
 *         default: loss_add_column(row, m.name);
 *         } */
#ifndef PROFPIPE_MEMBERS_H
#define PROFPIPE_MEMBERS_H

#include "rows/finding.h"
#include "rows/row.h"

/* A walk over the members of one object. */
struct members {
    struct row_site site; /* still to come: first these, */
    struct str rest;      /* then these, as text */
    enum object object;
    bool references;           /* read only references; all others are OTHER */
    struct findings *findings; /* where errors go; NULL: the tool ends */
    struct place where;
    struct str table;  /* of the row, for messages */
    struct str column; /* the column of the row that holds the object; empty for the row itself */
    unsigned seen;     /* which of the required members were seen, as bits */
};

/* One member.  All texts are borrowed from the row. */
struct member {
    enum member_id id; /* MEMBER_ID_OTHER: not in the list */
    struct str name;   /* canonical text without quotes */
    struct str value;  /* the whole value, as text; a null p for one from a struct row_site */
    enum member_kind kind;
    enum table refers;   /* of REF */
    union {              /* by kind */
        bool flag;       /* FLAG */
        int64_t integer; /* INTEGER, ORDINAL, REF; ROW_NULL is a REF that is null */
        uint64_t address;
        struct str text; /* TEXT, HEX: the text between the quotes */
    };
};

/* Starts a walk over the members of ROW, at WHERE, that are not columns: the dotted columns, or
 * all members in a dotted table.  A member that is invalid or missing is reported to FINDINGS;
 * if that is NULL it ends the tool (STATUS_INPUT). */
struct members members_of(const struct row *row, struct place where, struct findings *findings);

/* The same, but reads only members that refer to other rows: these have their own id, all
 * others, valid or not, are MEMBER_ID_OTHER. */
struct members members_references(const struct row *row, struct place where,
                                  struct findings *findings);

/* Starts a walk over the object VALUE: the value of MEMBER, a MEMBER_OBJECT, or one item of it,
 * a MEMBER_OBJECTS.  MEMBER was taken from WALK. */
struct members members_inside(const struct members *walk, const struct member *member,
                              struct str value);

/* Takes the next member; false after the last.  An invalid one is reported and skipped. */
bool members_next(struct members *walk, struct member *member);

/* Walks over the rest of WALK and everything inside it, to check it. */
void members_check(struct members *walk);

/* The same for what is inside MEMBER, which was taken from WALK. */
void members_check_inside(const struct members *walk, const struct member *member);

/* Whether NAME is a column or a member of ROW that is a string, so that `.bytes` may hold its
 * bytes. */
bool members_is_string(const struct row *row, struct str name);

/* Stores the member ID of ROW in *MEMBER; false if ROW has no valid one. */
bool members_get(const struct row *row, enum member_id id, struct member *member);

/* Whether the member ID has ROLE. */
bool members_has_role(enum member_id id, enum member_role role);

/* Stores the first member of ROW with ROLE in *MEMBER; false if there is none. */
bool members_get_role(const struct row *row, enum member_role role, struct member *member);

/* Whether the flag ID of ROW is true; false if ROW does not have it. */
bool members_flag(const struct row *row, enum member_id id);

/* The entry of the member ID in the list in schema.h. */
const struct schema_member *members_known(enum member_id id);

/* The object of that list that the rows of TABLE are. */
enum object members_object(enum table table);

#endif
