// A CUPTI without a device: what it reports is what tests tell it. Buffers, records, clock and ids are as CUPTI's
// documentation has them.
#include <cupti.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace {

CUpti_BuffersCallbackRequestFunc request = nullptr;
CUpti_BuffersCallbackCompleteFunc complete = nullptr;
std::set<CUpti_ActivityKind> enabled;
std::vector<std::string> records, late;
thread_local std::vector<std::uint64_t> ids;
std::uint32_t call = 0;
CUptiResult next_enable = CUPTI_SUCCESS;

template <class Record>
void keep(const Record& r) {
  records.emplace_back(reinterpret_cast<const char*>(&r), sizeof r);
}

std::size_t size_of(const CUpti_Activity& r) {
  switch (r.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(CUpti_ActivityKernel10);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return sizeof(CUpti_ActivityMemcpy6);
    default:
      return sizeof(CUpti_ActivityExternalCorrelation);
  }
}

/// The call that gives the device work, and whose it is.
void keep_call() {
  ++call;
  const bool notes =
      enabled.contains(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) && enabled.contains(CUPTI_ACTIVITY_KIND_RUNTIME);
  if (ids.empty() || !notes) return;
  CUpti_ActivityExternalCorrelation e{};
  e.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
  e.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
  e.externalId = ids.back();
  e.correlationId = call;
  keep(e);
}

}  // namespace

extern "C" {

/// Its clock is five seconds ahead and gains 200 ns in a ms.
CUptiResult CUPTIAPI cuptiGetTimestamp(std::uint64_t* t) {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  const auto ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(since).count());
  *t = ns + ns / 5000 + 5'000'000'000U;
  return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc r,
                                                    CUpti_BuffersCallbackCompleteFunc c) {
  request = r;
  complete = c;
  return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind) {
  if (next_enable == CUPTI_SUCCESS) enabled.insert(kind);
  return next_enable;
}
CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind) {
  enabled.erase(kind);
  return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind, std::uint64_t id) {
  ids.push_back(id);
  return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind, std::uint64_t* last) {
  if (ids.empty()) return CUPTI_ERROR_QUEUE_EMPTY;
  *last = ids.back();
  ids.pop_back();
  return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityFlushAll(std::uint32_t) {
  std::size_t given = 0;
  while (given < records.size()) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0, most = 0, filled = 0;
    request(&buffer, &size, &most);
    for (; given < records.size() && filled + records[given].size() <= size; ++given) {
      std::memcpy(buffer + filled, records[given].data(), records[given].size());
      filled += records[given].size();
    }
    complete(nullptr, 0, buffer, size, filled);
  }
  records.clear();
  return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t filled, CUpti_Activity** record) {
  auto* at = buffer;
  if (*record != nullptr) at = reinterpret_cast<std::uint8_t*>(*record) + size_of(**record);
  if (at >= buffer + filled) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(at);
  return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult, const char** text) {
  *text = "words of the double";
  return CUPTI_SUCCESS;
}

// For tests alone.
/// A call that gives the device nothing to do.
void double_query() { keep_call(); }
void double_launch(const char* symbol, std::uint32_t stream) {
  keep_call();
  if (!enabled.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) return;
  CUpti_ActivityKernel10 k{};
  k.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  k.name = symbol;
  k.streamId = stream;
  k.correlationId = call;
  cuptiGetTimestamp(&k.start);
  k.end = k.start + 1000;
  keep(k);
}
void double_copy_to_host(std::uint32_t stream) {
  keep_call();
  CUpti_ActivityMemcpy6 c{};
  c.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  c.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  c.streamId = stream;
  c.correlationId = call;
  cuptiGetTimestamp(&c.start);
  c.end = c.start + 500;
  keep(c);
}
void double_refuse(bool refused) { next_enable = refused ? CUPTI_ERROR_INSUFFICIENT_PRIVILEGES : CUPTI_SUCCESS; }
bool double_reports() { return !enabled.empty(); }
/// The last record comes after all others, until it is released.
void double_hold_last() {
  late.push_back(records.back());
  records.pop_back();
}
void double_release() {
  records.insert(records.end(), late.begin(), late.end());
  late.clear();
}
/// Records come in the order opposite to that of their calls: CUPTI promises none.
void double_turn_round() { records = {records.rbegin(), records.rend()}; }
}
