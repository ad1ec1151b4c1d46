/* bochs.c: the first process (init) of the machine that test/bochs.sh emulates.
**
**     vmlinuz ... -- kerneltest,list kerneltest,quick,avx512
**
** Linux passes the arguments after the dashes. Each one is a command, with commas instead of
** spaces. Runs the commands one after the other, and prints "NAME ended with N" after each.
** Linux panics when this process exits; bochs.sh makes Bochs exit then.
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
