// Values as text.
//
// Purpose: what PRINT, ADD, TO_STRING, JOIN and error details show (LANGUAGE.md 8).
// Invariants: deep values need no deep stack: open containers are frames of a work list. A container inside itself is shown as "..."; once
//   one was met, so is every container shown before, because a densely linked graph has exponentially many paths.
// Threads: shared containers that others may change are shown from a snapshot of each, taken under its lock.
#include "nxd/format.h"

#include "nxd/map.h"
#include "nxd/nxd_abi.gen.h"
#include "nxd/string.h"
#include "nxd/table.h"

#include <string.h>

enum { FORMAT_FIRST_FRAMES = 8, SEARCHED_FRAMES = 64 };

typedef struct format_frame {
    nxd_object *object; // open container; owned when it is a snapshot
    const nxd_object *identity; // the container itself
    const nxd_type *type;
    int64_t index;    // of the next part
    int64_t position; // maps: of the next entry
    bool owned;
} format_frame;

typedef struct format_writer {
    rt_buffer *out;
    format_frame *frames;
    int64_t depth;
    int64_t capacity;
    rt_table shown; // containers, once a cycle was met or the nesting is deep
    bool cyclic;
    format_frame first[FORMAT_FIRST_FRAMES];
} format_writer;

// ---- leaves ------------------------------------------------------------------------------------------------------------------------

static const char *escape_of(unsigned char c) {
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    case 0:
        return "\\0";
    default:
        return NULL;
    }
}

static void quote(rt_buffer *out, const nxd_string *text) {
    static const char hex[] = "0123456789abcdef";
    rt_buffer_char(out, '"');
    int64_t start = 0;
    for (int64_t i = 0; i < text->bytes; i++) {
        unsigned char c = (unsigned char)text->data[i];
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F)
            continue;
        rt_buffer_bytes(out, text->data + start, i - start);
        start = i + 1;
        const char *escape = escape_of(c);
        if (escape != NULL) {
            rt_buffer_text(out, escape);
        } else {
            char code[8] = {'\\', 'u', '{', hex[c >> 4], hex[c & 15], '}', 0};
            rt_buffer_text(out, code);
        }
    }
    rt_buffer_bytes(out, text->data + start, text->bytes - start);
    rt_buffer_char(out, '"');
}

// "BOX<int>" is shown as BOX.
static void put_name(rt_buffer *out, const char *name) {
    const char *arguments = strchr(name, '<');
    rt_buffer_bytes(out, name, arguments == NULL ? (int64_t)strlen(name) : arguments - name);
}

// ---- containers --------------------------------------------------------------------------------------------------------------------

static bool is_open(format_writer *w, const nxd_object *object) {
    int64_t searched = rt_max(0, w->depth - SEARCHED_FRAMES);
    for (int64_t i = w->depth - 1; i >= searched; i--)
        if (w->frames[i].identity == object)
            return true;
    return searched > 0 && rt_table_find(&w->shown, object) != NULL;
}

// Whether the container must be cut; notes that it is shown.
static bool is_cut(format_writer *w, const nxd_object *object) {
    bool found = is_open(w, object);
    if (found && !w->cyclic) {
        w->cyclic = true;
        for (int64_t i = 0; i < w->depth; i++)
            rt_table_put(&w->shown, w->frames[i].identity, &(bool){false});
    }
    if (w->cyclic && !found) {
        bool before;
        rt_table_put(&w->shown, object, &before);
        return before;
    }
    if (!found && w->depth > SEARCHED_FRAMES)
        rt_table_put(&w->shown, object, &(bool){false});
    return found;
}

static void open_frame(format_writer *w, nxd_object *object) {
    if (w->depth == w->capacity) {
        int64_t old = w->capacity * (int64_t)sizeof(format_frame);
        if (w->frames == w->first) {
            w->frames = rt_alloc(2 * old);
            memcpy(w->frames, w->first, (size_t)old);
        } else {
            w->frames = rt_realloc(w->frames, old, 2 * old);
        }
        w->capacity *= 2;
    }
    const nxd_type *type = rt_type_of(object);
    bool owned = rt_is_shared(object) && (type->flags & NXD_TYPE_MUTABLE) != 0;
    w->frames[w->depth++] = (format_frame){
        .object = owned ? rt_shallow_copy(object) : object, .identity = object, .type = type, .owned = owned};
}

static void put_container(format_writer *w, nxd_object *object) {
    if (is_cut(w, object)) {
        rt_buffer_text(w->out, "...");
        return;
    }
    const nxd_type *type = rt_type_of(object);
    switch (type->kind) {
    case NXD_KIND_LIST:
        rt_buffer_char(w->out, '[');
        break;
    case NXD_KIND_MAP:
        rt_buffer_text(w->out, nxd_map_length((nxd_map *)object) == 0 ? "{" : "{ ");
        break;
    case NXD_KIND_UNION:
        rt_buffer_text(w->out, type->variants[((nxd_union *)object)->tag].name);
        rt_buffer_char(w->out, '(');
        break;
    case NXD_KIND_STRUCT:
        put_name(w->out, type->name);
        rt_buffer_char(w->out, ' ');
        rt_buffer_text(w->out, type->field_count == 0 ? "{" : "{ ");
        break;
    case NXD_KIND_CELL:
        break;
    default:
        rt_buffer_text(w->out, type->field_count == 0 ? "{" : "{ ");
    }
    open_frame(w, object);
}

static void put_object(format_writer *w, nxd_object *object) {
    const nxd_type *type = rt_type_of(object);
    switch (type->kind) {
    case NXD_KIND_STRING:
        quote(w->out, (nxd_string *)object);
        return;
    case NXD_KIND_INT:
        rt_buffer_int(w->out, (int64_t)((nxd_box *)object)->value);
        return;
    case NXD_KIND_FLOAT:
        rt_buffer_float(w->out, rt_word_float(((nxd_box *)object)->value));
        return;
    case NXD_KIND_ENUM:
        rt_buffer_text(w->out, type->variants[((nxd_union *)object)->tag].name);
        return;
    case NXD_KIND_FUNCTION:
    case NXD_KIND_CHANNEL:
    case NXD_KIND_TASK:
    case NXD_KIND_PROCESS:
        rt_buffer_text(w->out, type->name);
        return;
    case NXD_KIND_UNION:
        if (type->variants[((nxd_union *)object)->tag].field_count == 0) {
            rt_buffer_text(w->out, type->variants[((nxd_union *)object)->tag].name);
            return;
        }
        break;
    default:
        if ((type->flags & NXD_TYPE_OPAQUE) != 0) {
            rt_buffer_text(w->out, type->name);
            return;
        }
        break;
    }
    put_container(w, object);
}

static void put_any(format_writer *w, nxd_any value) {
    if (rt_any_is_int(value))
        rt_buffer_int(w->out, (int64_t)value >> 1);
    else if (rt_any_is_object(value))
        put_object(w, rt_word_object(value));
    else
        rt_buffer_text(w->out, value == NXD_ANY_TRUE ? "true" : value == NXD_ANY_FALSE ? "false" : "NONE");
}

static void put_word(format_writer *w, nxd_word word, const nxd_type *type) {
    switch (type->form) {
    case NXD_FORM_INT:
        if (type->kind == NXD_KIND_ENUM)
            rt_buffer_text(w->out, type->variants[word].name);
        else
            rt_buffer_int(w->out, (int64_t)word);
        return;
    case NXD_FORM_FLOAT:
        rt_buffer_float(w->out, rt_word_float(word));
        return;
    case NXD_FORM_BOOL:
        rt_buffer_text(w->out, (word & 1) != 0 ? "true" : "false");
        return;
    case NXD_FORM_PTR:
        put_object(w, rt_word_object(word));
        return;
    default:
        put_any(w, word);
    }
}

// ---- parts of the innermost open container ---------------------------------------------------------------------------------------------

static void close_frame(format_writer *w, const char *end) {
    rt_buffer_text(w->out, end);
    format_frame *top = &w->frames[--w->depth];
    if (top->owned)
        rt_drop(top->object);
}

static void next_element(format_writer *w, format_frame *top) {
    nxd_list *list = (nxd_list *)top->object;
    if (top->index >= list->length) {
        close_frame(w, "]");
        return;
    }
    if (top->index != 0)
        rt_buffer_text(w->out, ", ");
    const nxd_type *element = rt_type(top->type->element);
    int64_t index = top->index++;
    nxd_word word = element->form == NXD_FORM_BOOL ? ((uint8_t *)list->data)[index] : ((nxd_word *)list->data)[index];
    put_word(w, word, element);
}

static void next_entry(format_writer *w, format_frame *top) {
    nxd_map *map = (nxd_map *)top->object;
    if (top->index % 2 == 1) { // its value
        int64_t position = top->position++;
        top->index++;
        put_word(w, nxd_map_value_at(map, position), rt_type(top->type->element));
        return;
    }
    top->position = nxd_map_next(map, top->position);
    if (top->position < 0) {
        close_frame(w, top->index == 0 ? "}" : " }");
        return;
    }
    if (top->index != 0)
        rt_buffer_text(w->out, ", ");
    int64_t position = top->position;
    const nxd_type *key = rt_type(top->type->key);
    top->index++;
    int64_t depth = w->depth;
    put_word(w, nxd_map_key_at(map, position), key);
    if (w->depth == depth) // else the ": " follows when the key is closed
        rt_buffer_text(w->out, ": ");
}

static void next_field(format_writer *w, format_frame *top) {
    const nxd_field *fields = top->type->fields;
    const nxd_word *words = ((nxd_struct *)top->object)->fields;
    int64_t count = top->type->field_count;
    bool is_union = top->type->kind == NXD_KIND_UNION;
    if (is_union) {
        const nxd_variant *variant = &top->type->variants[((nxd_union *)top->object)->tag];
        fields = variant->fields;
        count = variant->field_count;
        words = ((nxd_union *)top->object)->payload;
    }
    if (top->index >= count) {
        close_frame(w, is_union ? ")" : top->type->kind == NXD_KIND_CELL ? "" : count == 0 ? "}" : " }");
        return;
    }
    if (top->index != 0)
        rt_buffer_text(w->out, ", ");
    int64_t index = top->index++;
    if (fields[index].name != NULL && fields[index].name[0] != 0) {
        rt_buffer_text(w->out, fields[index].name);
        rt_buffer_text(w->out, ": ");
    }
    put_word(w, words[index], rt_type(fields[index].type));
}

static void finish(format_writer *w) {
    while (w->depth != 0) {
        int64_t depth = w->depth;
        format_frame *top = &w->frames[depth - 1];
        if (top->type->kind == NXD_KIND_LIST)
            next_element(w, top);
        else if (top->type->kind == NXD_KIND_MAP)
            next_entry(w, top);
        else
            next_field(w, top);
        if (w->depth < depth && w->depth != 0) {
            format_frame *outer = &w->frames[w->depth - 1];
            if (outer->type->kind == NXD_KIND_MAP && outer->index % 2 == 1)
                rt_buffer_text(w->out, ": "); // what closed was a key
        }
    }
    if (w->frames != w->first)
        rt_free(w->frames, w->capacity * (int64_t)sizeof(format_frame));
    rt_table_free(&w->shown);
}

void rt_format_inner(rt_buffer *buffer, nxd_word value, int64_t type) {
    format_writer w = {.out = buffer, .capacity = FORMAT_FIRST_FRAMES};
    w.frames = w.first;
    put_word(&w, value, rt_type(type));
    finish(&w);
}

void rt_format(rt_buffer *buffer, nxd_word value, int64_t type) {
    nxd_object *object = rt_counted(value, (int64_t)rt_type(type)->form);
    if (object != NULL && object->type == NXD_TYPE_STRING)
        rt_buffer_bytes(buffer, ((nxd_string *)object)->data, ((nxd_string *)object)->bytes);
    else
        rt_format_inner(buffer, value, type);
}

NXD_OWNED nxd_string *nxd_format(nxd_word value, int64_t type) {
    nxd_object *object = rt_counted(value, (int64_t)rt_type(type)->form);
    if (object != NULL && object->type == NXD_TYPE_STRING) {
        rt_dup(object);
        return (nxd_string *)object;
    }
    rt_buffer out = {0};
    rt_format_inner(&out, value, type);
    return rt_buffer_string(&out);
}

NXD_OWNED nxd_string *nxd_append(NXD_TAKE nxd_string *text, nxd_word value, int64_t type) {
    if (type == NXD_TYPE_INT)
        return nxd_append_int(text, (int64_t)value);
    nxd_object *object = rt_counted(value, (int64_t)rt_type(type)->form);
    if (object != NULL && object->type == NXD_TYPE_STRING)
        return nxd_append_string(text, (nxd_string *)object);
    rt_buffer out = rt_buffer_continue(text);
    rt_format_inner(&out, value, type);
    return rt_buffer_string(&out);
}

NXD_OWNED nxd_string *nxd_list_join(nxd_list *list, nxd_string *separator) {
    nxd_list *seen = (nxd_list *)rt_snapshot(&list->head);
    int64_t type = rt_type_of(&seen->head)->element;
    bool bytes = rt_type(type)->form == NXD_FORM_BOOL;
    rt_buffer out = {0};
    for (int64_t i = 0; i < seen->length; i++) {
        if (i != 0)
            rt_buffer_bytes(&out, separator->data, separator->bytes);
        rt_format(&out, bytes ? ((uint8_t *)seen->data)[i] : ((nxd_word *)seen->data)[i], type);
    }
    rt_drop(&seen->head);
    return rt_buffer_string(&out);
}

NXD_OWNED nxd_string *nxd_string_join(nxd_list *list, nxd_string *separator) {
    return nxd_list_join(list, separator);
}
