// The parts of the program that is tested on several ranks.
#pragma once

#include <string>

#include "exec/transport.hpp"

namespace rednova::tests {

/// A check that holds in release builds too and names the rank.
void require(const exec::transport& t, bool condition, const std::string& what);

/// Messages of random sizes between random peers, through mailboxes that are opened anew, slow ranks among them.
void random_patterns(exec::transport& t);
/// A sender that does not wait for its peer's step, and a reader that dawdles: nothing is overwritten.
void eager_sender(exec::transport& t);
/// What went through a mailbox is counted.
void counted(exec::transport& t);
/// A mailbox keeps its messages in the memory it is given, and nowhere else; which carriers read devices.
void given_memory(exec::transport& t, const std::string& carrier);
/// Gathering, reduction in fixed order, one-off messages.
void collectives(exec::transport& t);

/// An endless exchange in which rank 1 does what `how` says: throws, killed, silent.
void goes_wrong(exec::transport& t, const std::string& how);
/// Rank 0 sleeps for twice the others' patience, which have more of it meanwhile.
void waits_longer(exec::transport& t);
/// Rank 0 closes a mailbox whose other end is silent.
void closes_in_vain(exec::transport& t);
/// Mailboxes whose ends do not fit each other are refused.
void misfit(exec::transport& t);

}  // namespace rednova::tests
