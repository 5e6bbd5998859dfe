#include "formats/rprof/rprof_encoding.h"

#include <strings.h>

/* The name for iconv, and all spellings in capital letters and digits. */
static const struct {
    const char *name, *spellings;
} encodings[] = {
    {"ASCII", "ASCII USASCII ANSIX341968 ANSIX341986 ISO646US 646 CP367 IBM367 US"},
    {"UTF-8", "UTF8"},
    {"ISO-8859-1", "ISO88591 88591 LATIN1 L1 CP819 IBM819"},
    {"ISO-8859-2", "ISO88592 88592 LATIN2 L2 CP912 IBM912"},
    {"ISO-8859-3", "ISO88593 88593 LATIN3 L3"},
    {"ISO-8859-4", "ISO88594 88594 LATIN4 L4"},
    {"ISO-8859-5", "ISO88595 88595 CYRILLIC CP915 IBM915"},
    {"ISO-8859-6", "ISO88596 88596 ARABIC"},
    {"ISO-8859-7", "ISO88597 88597 GREEK GREEK8 CP813 IBM813"},
    {"ISO-8859-8", "ISO88598 88598 HEBREW CP916 IBM916"},
    {"ISO-8859-9", "ISO88599 88599 LATIN5 L5 CP920 IBM920"},
    {"ISO-8859-10", "ISO885910 885910 LATIN6 L6"},
    {"ISO-8859-11", "ISO885911 885911"},
    {"ISO-8859-13", "ISO885913 885913 LATIN7 L7 BALTIC"},
    {"ISO-8859-14", "ISO885914 885914 LATIN8 L8"},
    {"ISO-8859-15", "ISO885915 885915 LATIN9 CP923 IBM923"},
    {"ISO-8859-16", "ISO885916 885916 LATIN10 L10"},
    {"CP1250", "CP1250 WINDOWS1250 MSEE"},
    {"CP1251", "CP1251 WINDOWS1251 MSCYRL"},
    {"CP1252", "CP1252 WINDOWS1252 MSANSI"},
    {"CP1253", "CP1253 WINDOWS1253 MSGREEK"},
    {"CP1254", "CP1254 WINDOWS1254 MSTURK"},
    {"CP1255", "CP1255 WINDOWS1255 MSHEBR"},
    {"CP1256", "CP1256 WINDOWS1256 MSARAB"},
    {"CP1257", "CP1257 WINDOWS1257 WINBALTRIM"},
    {"CP1258", "CP1258 WINDOWS1258"},
    {"CP437", "CP437 IBM437 437"},
    {"CP737", "CP737 IBM737 737"},
    {"CP775", "CP775 IBM775 775"},
    {"CP850", "CP850 IBM850 850"},
    {"CP852", "CP852 IBM852 852"},
    {"CP855", "CP855 IBM855 855"},
    {"CP857", "CP857 IBM857 857"},
    {"CP858", "CP858 IBM858 858"},
    {"CP860", "CP860 IBM860 860"},
    {"CP861", "CP861 IBM861 861 CPIS"},
    {"CP862", "CP862 IBM862 862"},
    {"CP863", "CP863 IBM863 863"},
    {"CP865", "CP865 IBM865 865"},
    {"CP866", "CP866 IBM866 866"},
    {"CP869", "CP869 IBM869 869 CPGR"},
    {"CP874", "CP874 WINDOWS874"},
    {"TIS-620", "TIS620 TIS6200 TIS62025291 TIS62025330"},
    {"KOI8-R", "KOI8R KOI8"},
    {"KOI8-U", "KOI8U"},
    {"KOI8-T", "KOI8T"},
    {"ARMSCII-8", "ARMSCII8"},
    {"GEORGIAN-PS", "GEORGIANPS"},
    {"PT154", "PT154 PTCP154 CP154 CYRILLICASIAN"},
    {"RK1048", "RK1048 STRK10482002"},
    {"MACINTOSH", "MACINTOSH MAC"},
    {"EUC-JP", "EUCJP UJIS"},
    {"SHIFT_JIS", "SHIFTJIS SJIS MSKANJI"},
    {"CP932", "CP932 MS932 WINDOWS932 WINDOWS31J SJISWIN SJISOPEN"},
    {"EUC-KR", "EUCKR"},
    {"CP949", "CP949 UHC MS949 WINDOWS949"},
    {"GB2312", "GB2312 EUCCN CNGB"},
    {"GBK", "GBK"},
    {"CP936", "CP936 MS936 WINDOWS936"},
    {"GB18030", "GB18030"},
    {"BIG5", "BIG5 BIGFIVE CNBIG5"},
    {"CP950", "CP950 MS950 WINDOWS950"},
    {"BIG5-HKSCS", "BIG5HKSCS BIG5HKSCS2004"},
    {"EUC-TW", "EUCTW"},
};

/* Whether SUFFIX, the text after a name, is empty, or tells iconv what to do with characters that
 * an encoding lacks. */
static bool is_suffix(struct str suffix)
{
    static const struct str words[] = {STR("TRANSLIT"), STR("IGNORE"), STR("/"), STR(",")};
    if (suffix.n > 0 && !str_starts(suffix, STR("//")))
        return false;
    while (suffix.n > 0) {
        size_t i = 0, count = sizeof words / sizeof *words;
        while (i < count &&
               (suffix.n < words[i].n || strncasecmp(suffix.p, words[i].p, words[i].n) != 0))
            i++;
        if (i == count)
            return false;
        suffix.p += words[i].n;
        suffix.n -= words[i].n;
    }
    return true;
}

/* Whether WORD is one of the SPELLINGS. */
static bool is_spelling_of(const char *spellings, struct str word)
{
    for (const char *p = spellings; *p != '\0';) {
        size_t n = strcspn(p, " ");
        if (str_equal((struct str){p, n}, word))
            return true;
        p += n + (p[n] == ' ');
    }
    return false;
}

const char *rprof_encoding(struct str code)
{
    char word[32];
    struct str name = {word, 0};
    size_t i = 0;
    for (; i < code.n && code.p[i] != '/'; i++) {
        char c = code.p[i];
        if (c == '-' || c == '_' || c == '.')
            continue;
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) || name.n == sizeof word)
            return NULL;
        word[name.n++] = c;
    }
    if (name.n == 0 || !is_suffix((struct str){code.p + i, code.n - i}))
        return NULL;
    for (size_t k = 0; k < sizeof encodings / sizeof *encodings; k++)
        if (is_spelling_of(encodings[k].spellings, name))
            return encodings[k].name;
    return NULL;
}
