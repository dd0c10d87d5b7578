// Transfer, sharing, deep copies, release of deep values, garbage cycles.
#include "testing.h"

#include "nxd/cycles.h"

static void unique_moves(void) {
    nxd_list *people = nxd_list_new(TYPE_LIST_PERSON, 0);
    for (int i = 0; i < 10; i++)
        nxd_list_push(people, word(person("x", i)));
    nxd_word first = ((nxd_word *)people->data)[0];
    nxd_word moved = nxd_transfer(word(people), TYPE_LIST_PERSON);
    CHECK(moved == word(people) && ((nxd_word *)people->data)[0] == first && people->head.count == 1);
    rt_drop_word(moved, NXD_FORM_PTR);
}

static void used_elsewhere_is_copied(void) {
    nxd_list *people = nxd_list_new(TYPE_LIST_PERSON, 0);
    nxd_struct *kept = person("kept", 1);
    nxd_dup(&kept->head);
    nxd_list_push(people, word(kept));
    nxd_list_push(people, word(person("fresh", 2)));
    nxd_word fresh = ((nxd_word *)people->data)[1];
    nxd_word moved = nxd_transfer(word(people), TYPE_LIST_PERSON);
    CHECK(moved == word(people)); // the list was unique
    CHECK(((nxd_word *)people->data)[0] != word(kept) && ((nxd_word *)people->data)[1] == fresh);
    CHECK(kept->head.count == 1);
    nxd_struct_set(kept, 1, 99);
    CHECK(shows(moved, TYPE_LIST_PERSON, "[PERSON { NAME: \"kept\", AGE: 1 }, PERSON { NAME: \"fresh\", AGE: 2 }]"));
    CHECK(rt_is_shared(rt_word_object(kept->fields[0]))); // both have the name
    nxd_drop(&kept->head);
    rt_drop_word(moved, NXD_FORM_PTR);
}

static void whole_is_copied(void) {
    nxd_list *people = nxd_list_new(TYPE_LIST_PERSON, 0);
    nxd_struct *twice = person("twice", 1);
    nxd_dup(&twice->head);
    nxd_list_push(people, word(twice));
    nxd_list_push(people, word(twice));
    nxd_dup(&people->head);
    nxd_word sent = nxd_transfer(word(people), TYPE_LIST_PERSON);
    nxd_word *copied = ((nxd_list *)rt_word_object(sent))->data;
    CHECK(sent != word(people) && copied[0] == copied[1] && copied[0] != word(twice)); // the shape is kept
    CHECK(people->head.count == 1 && twice->head.count == 2);
    nxd_drop(&people->head);
    rt_drop_word(sent, NXD_FORM_PTR);
}

static void constant_is_shared(void) {
    nxd_struct *record = (nxd_struct *)nxd_new(24, TYPE_RECORD);
    record->fields[0] = 1;
    record->fields[1] = word(str("x"));
    nxd_dup(&record->head);
    nxd_word sent = nxd_transfer(word(record), TYPE_RECORD);
    CHECK(sent == word(record) && record->head.count == -2 && rt_is_shared(rt_word_object(record->fields[1])));
    nxd_drop(&record->head);
    rt_drop_word(sent, NXD_FORM_PTR);
}

static void cyclic_values(void) {
    nxd_struct *a = node(1, NXD_ANY_NONE);
    nxd_struct *b = node(2, word(a));
    a->fields[1] = word(b);
    nxd_dup(&b->head);
    nxd_word copy = nxd_clone(word(b), TYPE_NODE);
    nxd_struct *second = (nxd_struct *)rt_word_object(copy);
    nxd_struct *first = (nxd_struct *)rt_word_object(second->fields[1]);
    CHECK(second != b && first != a && first->fields[1] == copy && first->fields[0] == 1);
    CHECK(nxd_equal(copy, word(b), TYPE_NODE));
    nxd_word sent = nxd_transfer(copy, TYPE_NODE); // its own cycle refers to it: copied
    nxd_drop_any(sent);
    nxd_drop(&b->head);
}

static void closures_are_snapshots(void) {
    nxd_struct *cell = (nxd_struct *)nxd_new(16, TYPE_CELL);
    cell->fields[0] = word(str("before"));
    nxd_closure *closure = (nxd_closure *)nxd_new(24, TYPE_CLOSURE);
    closure->code = NULL;
    closure->captures[0] = word(cell);
    nxd_dup(&cell->head);
    nxd_closure *sent = (nxd_closure *)rt_word_object(nxd_transfer(word(closure), TYPE_CLOSURE));
    nxd_struct_set(cell, 0, word(str("after")));
    CHECK(strcmp(as_string(((nxd_struct *)rt_word_object(sent->captures[0]))->fields[0])->data, "before") == 0);
    nxd_drop(&sent->head);
    nxd_drop(&cell->head);
}

static void shared_values(void) {
    nxd_list *people = nxd_list_new(TYPE_LIST_PERSON, 0);
    nxd_list_push(people, word(person("x", 1)));
    nxd_share(word(people), TYPE_LIST_PERSON);
    nxd_struct *one = (nxd_struct *)rt_word_object(((nxd_word *)people->data)[0]);
    CHECK(rt_is_shared(&one->head) && rt_is_shared(rt_word_object(one->fields[0])));
    nxd_rw got = nxd_list_get(people, 0);
    CHECK(one->head.count == -2);
    nxd_struct_set(one, 0, word(str("new")));
    CHECK(rt_is_shared(rt_word_object(one->fields[0])));
    CHECK(nxd_struct_add_int(one, 1, 5) == NULL && nxd_struct_get(one, 1) == 6);
    nxd_word sent = nxd_transfer(got.value, TYPE_PERSON); // shared and mutable: copied
    CHECK(sent != word(one) && one->head.count == -1);
    rt_drop_word(sent, NXD_FORM_PTR);
    nxd_drop(&people->head);
    nxd_word slot = word(str("a"));
    nxd_share(slot, NXD_TYPE_STRING);
    nxd_string *more = str("b");
    for (int i = 0; i < 3; i++)
        CHECK(nxd_global_add(&slot, word(more), NXD_TYPE_STRING) == NULL);
    nxd_word seen = nxd_global_get(&slot, NXD_TYPE_STRING);
    CHECK(nxd_global_add(&slot, word(more), NXD_TYPE_STRING) == NULL);
    CHECK(is_text(as_string(seen), "abbb"));
    nxd_global_set(&slot, word(str("c")), NXD_TYPE_STRING);
    CHECK(is_text(as_string(slot), "c"));
    nxd_drop(&more->head);
}

static void deep_values(void) {
    nxd_any chain = NXD_ANY_NONE;
    for (int64_t i = 0; i < 1000000; i++)
        chain = word(node(i, chain));
    chain = nxd_transfer(chain, NXD_TYPE_ANY);
    nxd_word copy = nxd_clone(chain, NXD_TYPE_ANY);
    nxd_share(chain, NXD_TYPE_ANY);
    CHECK(nxd_equal(chain, copy, NXD_TYPE_ANY));
    nxd_drop_any(chain);
    nxd_drop_any(copy);
    nxd_any lists = NXD_ANY_NONE; // deep on both sides of the list
    for (int64_t i = 0; i < 200000; i++) {
        nxd_list *list = nxd_list_new(NXD_TYPE_LIST_ANY, 0);
        nxd_list_push(list, lists);
        nxd_list_push(list, word(str("leaf")));
        lists = word(list);
    }
    nxd_drop_any(lists);
}

static void garbage_cycles(void) {
    for (int round = 0; round < 200; round++) {
        nxd_struct *first = node(0, NXD_ANY_NONE), *last = first;
        for (int i = 1; i < 20; i++)
            last = node(i, word(last));
        first->fields[1] = word(last);
        nxd_dup(&last->head);
        nxd_drop(&last->head);
    }
    nxd_list *self = nxd_list_new(NXD_TYPE_LIST_ANY, 0); // a list in itself, with something else
    nxd_dup(&self->head);
    nxd_list_push(self, word(self));
    nxd_list_push(self, word(person("inside", 1)));
    nxd_drop(&self->head);
}

static void live_cycles_stay(void) {
    nxd_struct *first = node(0, NXD_ANY_NONE), *second = node(1, word(first));
    nxd_dup(&second->head);
    first->fields[1] = word(second);
    for (int i = 0; i < 5000; i++) { // each a candidate
        nxd_dup(&first->head);
        nxd_drop(&first->head);
        nxd_struct *dead = node(2, NXD_ANY_NONE);
        nxd_dup(&dead->head);
        nxd_drop(&dead->head);
        nxd_drop(&dead->head);
    }
    test_collect();
    CHECK(first->fields[0] == 0 && second->fields[0] == 1 && second->head.count == 2 && first->head.count == 1);
    first->fields[1] = NXD_ANY_NONE; // opened: counting alone frees it
    nxd_drop(&second->head);
    nxd_drop(&second->head);
}

static void candidates_may_be_shared_or_die(void) {
    nxd_struct *shared = node(1, NXD_ANY_NONE);
    nxd_dup(&shared->head);
    nxd_drop(&shared->head); // buffered
    nxd_share(word(shared), TYPE_NODE);
    nxd_drop(&shared->head);
    nxd_struct *dead = node(2, word(node(3, NXD_ANY_NONE)));
    nxd_dup(&dead->head);
    nxd_drop(&dead->head);
    nxd_drop(&dead->head); // contents go at once, the shell when the buffer is looked at
    nxd_struct *moved = node(4, NXD_ANY_NONE);
    nxd_dup(&moved->head);
    nxd_drop(&moved->head);
    nxd_word copy = nxd_transfer(word(moved), TYPE_NODE); // the buffer still knows it: a copy goes
    CHECK(copy != word(moved));
    rt_drop_word(copy, NXD_FORM_PTR);
}

int main(void) {
    RUN(unique_moves);
    RUN(used_elsewhere_is_copied);
    RUN(whole_is_copied);
    RUN(constant_is_shared);
    RUN(cyclic_values);
    RUN(closures_are_snapshots);
    RUN(shared_values);
    RUN(deep_values);
    RUN(garbage_cycles);
    RUN(live_cycles_stay);
    RUN(candidates_may_be_shared_or_die);
    return 0;
}
