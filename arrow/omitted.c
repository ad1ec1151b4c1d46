/* arrow/omitted.c: for a build without arrow/, whose functions nothing else calls. C requires a declaration. */
typedef int Utf8ArrowOmitted;
