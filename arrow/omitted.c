/* arrow/omitted.c: a build without arrow/, of which nothing else calls a function. C asks for a declaration. */
typedef int Utf8ArrowOmitted;
