// A PAPI whose processor counts 1000 cycles and 2500 instructions of a thread between two readings, and no misses.
#include <papi.h>

#include <map>
#include <vector>

namespace {

struct event_set {
  std::vector<int> events;
  unsigned long thread = 0;
  long long readings = 0;
};
std::map<int, event_set> sets;
int made = 0;
bool refused = false;

}  // namespace

extern "C" {

int PAPI_library_init(int version) { return version; }
int PAPI_create_eventset(int* set) {
  *set = ++made;
  sets[made] = {};
  return PAPI_OK;
}
int PAPI_assign_eventset_component(int, int) { return PAPI_OK; }
int PAPI_attach(int set, unsigned long thread) {
  sets[set].thread = thread;
  return PAPI_OK;
}
int PAPI_add_event(int set, int event) {
  if (refused) return PAPI_ECMP_DISABLED;
  if (event != PAPI_TOT_CYC && event != PAPI_TOT_INS) return PAPI_ENOEVNT;
  sets[set].events.push_back(event);
  return PAPI_OK;
}
int PAPI_start(int) { return PAPI_OK; }
int PAPI_read(int set, long long* counts) {
  event_set& of = sets[set];
  ++of.readings;
  for (const int event : of.events) *counts++ = of.readings * (event == PAPI_TOT_CYC ? 1000 : 2500);
  return PAPI_OK;
}
int PAPI_stop(int, long long*) { return PAPI_OK; }
int PAPI_cleanup_eventset(int) { return PAPI_OK; }
int PAPI_destroy_eventset(int* set) {
  sets.erase(*set);
  return PAPI_OK;
}
char* PAPI_strerror(int) {
  static char words[] = "words of the double";
  return words;
}

// For tests alone.
int double_threads() { return static_cast<int>(sets.size()); }
void double_refuse(bool now) { refused = now; }
}
