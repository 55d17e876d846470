// An NVML without a device: one GPU of known readings, declared as NVML's reference has it.
#include <cstring>

extern "C" {

struct nvmlDevice;
struct nvmlUtilization {
  unsigned gpu, memory;
};
struct nvmlMemory {
  unsigned long long total, free, used;
};
static int initialized = 0;
static bool no_power = false;

int nvmlInit_v2() {
  ++initialized;
  return 0;
}
int nvmlShutdown() {
  --initialized;
  return 0;
}
int double_initialized() { return initialized; }
const char* nvmlErrorString(int) { return "words of the double"; }
int nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice** device) {
  *device = reinterpret_cast<nvmlDevice*>(&initialized);
  constexpr int not_found = 6;
  return std::strcmp(uuid, "GPU-01020304-0506-0708-090a-0b0c0d0e0f10") == 0 ? 0 : not_found;
}
int nvmlDeviceGetUtilizationRates(nvmlDevice*, nvmlUtilization* u) {
  *u = {87, 21};
  return 0;
}
int nvmlDeviceGetMemoryInfo(nvmlDevice*, nvmlMemory* m) {
  *m = {80'000'000'000ULL, 50'000'000'000ULL, 30'000'000'000ULL};
  return 0;
}
void double_without_power(bool without) { no_power = without; }
int nvmlDeviceGetPowerUsage(nvmlDevice*, unsigned* milliwatts) {
  constexpr int not_supported = 3;
  if (no_power) return not_supported;
  *milliwatts = 412'500;
  return 0;
}
int nvmlDeviceGetClockInfo(nvmlDevice*, int which, unsigned* mhz) {
  constexpr int multiprocessors = 1;
  *mhz = which == multiprocessors ? 1980 : 1;
  return 0;
}
}
