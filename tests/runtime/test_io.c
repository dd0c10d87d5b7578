// Standard streams: whole lines, input by line, arguments. The test's streams are files.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "testing.h"

#include "nxd/io.h"

#include <fcntl.h>
#include <unistd.h>

static char folder[] = "/tmp/nxd-io-XXXXXX";

static void redirect(const char *name, int file, int flags) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int opened = open(path, flags, 0600);
    CHECK(opened >= 0 && dup2(opened, file) == file);
    close(opened);
}

static bool holds(const char *name, const char *expected) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_RDONLY);
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    CHECK(got >= 0);
    text[got] = 0;
    if (strcmp(text, expected) != 0)
        fprintf(stderr, "%s has \"%s\", expected \"%s\"\n", name, text, expected);
    return strcmp(text, expected) == 0;
}

static void whole_lines(void) {
    static const char one, two; // two processes
    redirect("out", STDOUT_FILENO, O_CREAT | O_TRUNC | O_WRONLY);
    rt_io_print(&one, "a", 1, false);
    rt_io_print(&two, "b\nc", 3, false);
    rt_io_print(&one, "d", 1, true);
    rt_io_print(&two, "", 0, true);
    rt_io_print(&two, "e", 1, false);
    rt_io_flush_idle();
    CHECK(holds("out", "b\nad\nc\n")); // the unfinished line waits
    rt_io_end_line(&two);
    rt_io_flush();
    CHECK(holds("out", "b\nad\nc\ne"));
}

static void large_texts(void) {
    redirect("out", STDOUT_FILENO, O_CREAT | O_TRUNC | O_WRONLY);
    int64_t size = 200000;
    char *text = malloc((size_t)size);
    memset(text, 'x', (size_t)size);
    rt_io_print(&large_texts, "first", 5, true);
    rt_io_print(&large_texts, text, size, true);
    rt_io_flush();
    CHECK(lseek(STDOUT_FILENO, 0, SEEK_CUR) == size + 7);
    free(text);
}

static void values(void) {
    redirect("out", STDOUT_FILENO, O_CREAT | O_TRUNC | O_WRONLY);
    nxd_string *text = str("text");
    nxd_print(word(text), NXD_TYPE_STRING, 1);
    nxd_print((nxd_word)-7, NXD_TYPE_INT, 0);
    nxd_print(rt_float_word(0.5), NXD_TYPE_FLOAT, 1);
    nxd_print_newline(1);
    nxd_drop(&text->head);
    rt_io_flush();
    CHECK(holds("out", "text\n-70.5\n\n"));
}

static void put_input(const char *text) {
    redirect("in", STDIN_FILENO, O_CREAT | O_TRUNC | O_RDWR);
    CHECK(write(STDIN_FILENO, text, strlen(text)) == (ssize_t)strlen(text));
    lseek(STDIN_FILENO, 0, SEEK_SET);
}

static bool reads(const char *expected) {
    nxd_rw line = nxd_read_line(NULL);
    CHECK(line.error == NULL);
    bool same = shows(line.value, NXD_TYPE_OPTION_STRING, expected);
    rt_drop_word(line.value, NXD_FORM_PTR);
    return same;
}

static void input(void) {
    put_input("one\ntwo\r\n\nlast");
    CHECK(reads("SOME(\"one\")") && reads("SOME(\"two\")") && reads("SOME(\"\")") && reads("SOME(\"last\")") && reads("NONE"));
    CHECK(reads("NONE"));
    char *long_line = malloc(300001);
    memset(long_line, 'y', 300000);
    strcpy(long_line + 299990, "\nend\n");
    put_input(long_line);
    nxd_rw line = nxd_read_line(NULL);
    CHECK(as_string(((nxd_union *)rt_word_object(line.value))->payload[0])->bytes == 299990);
    rt_drop_word(line.value, NXD_FORM_PTR);
    CHECK(reads("SOME(\"end\")") && reads("NONE"));
    free(long_line);
}

static void errors_are_reported(void) {
    int kept = dup(STDERR_FILENO);
    redirect("err", STDERR_FILENO, O_CREAT | O_TRUNC | O_WRONLY);
    static const nxd_site site = {"main.nxd", "MAIN", 3, 9};
    nxd_error *error = nxd_error_index(5, 2);
    nxd_error_trace(error, &site);
    rt_error_add_note(error, str("a note"));
    rt_error_report(error, "error");
    dup2(kept, STDERR_FILENO);
    close(kept);
    CHECK(holds("err", "error: E1002: index out of bounds: index 5, length 2\n  at MAIN (main.nxd:3:9)\na note\n"));
}

static void arguments(void) {
    char *argv[] = {(char *)"program", (char *)"one", (char *)"\xFF"};
    rt_io_start(3, argv);
    nxd_list *list = nxd_args();
    CHECK(shows(word(list), NXD_TYPE_LIST_STRING, "[\"one\", \"\xEF\xBF\xBD\"]"));
    nxd_drop(&list->head);
    setenv("NXD_TEST", "value", 1);
    nxd_string *name = str("NXD_TEST"), *other = str("NXD_NOT_SET");
    nxd_union *value = nxd_env(name);
    CHECK(shows(word(value), NXD_TYPE_OPTION_STRING, "SOME(\"value\")"));
    CHECK(shows(word(nxd_env(other)), NXD_TYPE_OPTION_STRING, "NONE"));
    nxd_drop(&value->head);
    nxd_drop(&name->head);
    nxd_drop(&other->head);
}

int main(void) {
    CHECK(mkdtemp(folder) != NULL);
    RUN(whole_lines);
    RUN(large_texts);
    RUN(values);
    RUN(input);
    RUN(errors_are_reported);
    RUN(arguments);
    static const char *const files[] = {"out", "in", "err"};
    for (int i = 0; i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
    return 0;
}
