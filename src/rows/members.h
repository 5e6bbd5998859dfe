/* members.h - the dotted columns of a row, and the members of the objects in them, one by one, as the
 * list in schema.h says what they hold (profstream(5), DOTTED NAMES).
 *
 *     struct members walk = members_of(row, where, NULL);
 *     struct member m;
 *     while (members_next(&walk, &m))
 *         switch (m.id) {
 *         case MEMBER_ID_ADDRESS: address = m.address; break;
 *         default: loss_add_column(row, m.name);
 *         }
 */
#ifndef PROFPIPE_MEMBERS_H
#define PROFPIPE_MEMBERS_H

#include "rows/finding.h"
#include "rows/row.h"

/* A walk over the members of one object. */
struct members {
    struct row_site site; /* those to come: first these, */
    struct str rest;      /* then these, as text */
    enum object object;
    bool references;           /* only those that refer are read, all others are OTHER */
    struct findings *findings; /* who is told of what is wrong; NULL: the tool ends */
    struct place where;
    struct str table;  /* of the row, for messages */
    struct str column; /* of the row, that the object stands in; empty in the row itself */
    unsigned seen;     /* of what it needs, as bits */
};

/* One member.  All texts are borrowed from the row. */
struct member {
    enum member_id id; /* MEMBER_ID_OTHER: not in the list */
    struct str name;   /* canonical text without quotes */
    struct str value;  /* the whole value, as it stands; a null p: of a struct row_site */
    enum member_kind kind;
    enum table refers;   /* of REF */
    union {              /* by kind */
        bool flag;       /* FLAG */
        int64_t integer; /* INTEGER, ORDINAL, REF; ROW_NULL is a REF that is null */
        uint64_t address;
        struct str text; /* TEXT, HEX: what stands between the quotes */
    };
};

/* The members of ROW, at WHERE, that are no columns: dotted columns, of dotted tables all.  What does
 * not hold what it must, or is missing, goes to FINDINGS, or ends the tool (STATUS_INPUT) where that
 * is NULL. */
struct members members_of(const struct row *row, struct place where, struct findings *findings);

/* The same, but only the members that refer to other rows are read: those have an id of their own,
 * all others, well-formed or not, are MEMBER_ID_OTHER. */
struct members members_references(const struct row *row, struct place where,
                                  struct findings *findings);

/* Those of the object VALUE, of a MEMBER_OBJECT or an item of MEMBER_OBJECTS, that MEMBER of WALK has
 * inside. */
struct members members_inside(const struct members *walk, const struct member *member,
                              struct str value);

/* Takes the next member; false after the last.  One that does not hold what it must is passed over
 * once it has been found. */
bool members_next(struct members *walk, struct member *member);

/* Takes what is left of WALK, and all that is inside of it, for its findings' sake. */
void members_check(struct members *walk);

/* The same for what stands inside of MEMBER, which has been taken from WALK. */
void members_check_inside(const struct members *walk, const struct member *member);

/* Whether NAME is a column of ROW, or a member that it has, which is a string that `.bytes` may give
 * the bytes of. */
bool members_is_string(const struct row *row, struct str name);

/* The member ID of ROW; false where it has none that holds what it must. */
bool members_get(const struct row *row, enum member_id id, struct member *member);

/* Whether the member ID is that to others. */
bool members_has_role(enum member_id id, enum member_role role);

/* The first member of ROW that is that to others; false where it has none. */
bool members_get_role(const struct row *row, enum member_role role, struct member *member);

/* Whether ROW has the flag ID, and it is true. */
bool members_flag(const struct row *row, enum member_id id);

/* What the list in schema.h says of the member ID. */
const struct schema_member *members_known(enum member_id id);

/* What the rows of TABLE are in that list. */
enum object members_object(enum table table);

#endif
