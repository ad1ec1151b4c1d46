/* bochs.c: the only process of the machine that test/bochs.sh emulates.
**
**     vmlinuz ... -- kerneltest,list kerneltest,quick,avx512
**
** Linux hands on what follows the dashes: each argument is a command, with commas for
** blanks. They are run in turn, and "NAME ended with N" is printed after each. When the
** last has ended so does this, at which Linux panics: bochs.sh sees to it that Bochs ends.
*/
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { ARGUMENTS = 8 };

static void run(char *command) {
  char *arguments[ARGUMENTS + 1] = {NULL};
  int status = -1;
  size_t n = 0;
  for (char *a = strtok(command, ","); a && n < ARGUMENTS; a = strtok(NULL, ","))
    arguments[n++] = a;
  pid_t child = fork();
  if (child == 0) {
    execv(arguments[0], arguments);
    _exit(127);
  }
  if (child > 0) waitpid(child, &status, 0);
  printf("%s ended with %d\n", arguments[0], status);
  fflush(stdout);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) run(argv[i]);
  return tcdrain(STDOUT_FILENO);
}
