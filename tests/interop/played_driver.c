/* Stands in for the library of a CUDA driver: of the version in the environment, with as many devices, and with no
   functions. */
#include <stdlib.h>

static int number(const char* variable) {
  const char* text = getenv(variable);
  return text == NULL ? 0 : atoi(text);
}

int cuDriverGetVersion(int* version) {
  *version = number("SLUICE_PLAYED_VERSION");
  return 0;
}

int cuInit(unsigned flags) {
  (void)flags;
  return number("SLUICE_PLAYED_DEVICES") == 0 ? 100 : 0; /* CUDA_ERROR_NO_DEVICE */
}

int cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long long flags, int* status) {
  (void)name;
  (void)version;
  (void)flags;
  *function = NULL;
  *status = 1; /* CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND */
  return 0;
}
