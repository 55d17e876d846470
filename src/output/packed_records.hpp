// Records of a trace (exec/trace_record.hpp) as they lie in a file: a third of their size in memory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "exec/trace_record.hpp"

namespace rednova::output {

/// By columns, so that readers in Python take a column at once. First a byte a record: the kind in the lowest two bits,
/// then whether it has an id, whether it has a cause, and in four bits the depth, where more than 15 are 15. Then
/// numbers of seven bits a byte, the lowest first, the highest bit set in all but a number's last byte:
///   name                          of each record
///   end, of a message its time    of each, as what it is more than the one before
///   end - start                   of each scope
///   id, then cause                of those that have one, likewise
///   other                         of those that have an id, likewise
///   number, then bytes            of each message
/// Differences d are stored as 2 d, where they are negative as -2 d - 1.
std::vector<std::byte> packed(std::span<const exec::trace_record> records);

/// count: of the records. None where the bytes are not those of so many.
std::optional<std::vector<exec::trace_record>> unpacked(std::span<const char> bytes, std::size_t count);

}  // namespace rednova::output
