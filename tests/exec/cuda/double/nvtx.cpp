// A tool that listens to NVTX, as its documentation has them: it notes the ranges that threads enter and leave.
#include <nvtx3/nvToolsExt.h>

#include <string>

namespace {

std::string noted;

int NVTX_API enter(const char* name) {
  noted += std::string("+") + name;
  return 0;
}
int NVTX_API leave() {
  noted += "-";
  return 0;
}

}  // namespace

extern "C" {

int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(table_of(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) == 0) return 0;
  *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(enter);
  *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(leave);
  return 1;
}

/// What was noted since the last call: "+name" for each range entered, "-" for each left.
const char* double_noted() {
  static std::string given;
  given.swap(noted);
  noted.clear();
  return given.c_str();
}
}
