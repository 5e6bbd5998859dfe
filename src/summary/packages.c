#include "summary/packages.h"

#include "base/mem.h"

uint32_t *packages_of(struct collect *c)
{
    uint32_t *packages = mem_alloc_zeroed(((size_t)c->entries.count + 1) * sizeof *packages);
    const uint32_t unknown = profile_string(&c->profile, NAMING_UNKNOWN);
    for (size_t i = 0; i < c->location_count; i++) {
        const uint32_t entry = c->frames[i];
        if (entry == 0 || packages[entry - 1] != 0)
            continue;
        const uint32_t package = naming_package(&c->profile, &c->profile.locations[i]);
        packages[entry - 1] = package == unknown ? 0 : package;
    }
    return packages;
}

bool packages_have_most(const struct collect *c, const uint32_t *packages)
{
    size_t found = 0;
    for (size_t i = 0; i < c->entries.count; i++)
        found +=
            packages[i] != 0 && !str_starts(profile_string_of(&c->profile, packages[i]), STR("["));
    return 2 * found > c->entries.count;
}
