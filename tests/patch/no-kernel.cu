// exercise: day62-racecheck
#include <cstdio>
int main() { std::printf("hello\n"); return 0; }
