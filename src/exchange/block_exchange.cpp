#include "exchange/block_exchange.hpp"

#include <algorithm>
#include <utility>

#include "exec/run.hpp"

namespace rednova::exchange {

namespace {

/// Calls copy(in the block, in the message, how many numbers) for each run of a piece and each field.
template <class Copy>
void for_runs(const communication_plan& what, const communication_plan::message& m, const communication_plan::piece& p,
              int fields, int stride, const Copy& copy) {
  for (int f = 0; f < fields; ++f) {
    std::size_t at = static_cast<std::size_t>(f) * m.numbers + p.before;
    for (std::size_t r = p.first_run; r < p.last_run; ++r) {
      const run& part = what.runs()[r];
      copy(static_cast<std::ptrdiff_t>(f) * stride + part.first, at, part.count);
      at += static_cast<std::size_t>(part.count);
    }
  }
}

}  // namespace

block_exchange::block_exchange(exec::context& context, const std::string& name,
                               std::shared_ptr<const communication_plan> what, int fields, int stride)
    : context_(&context), messages_(context, name, std::move(what), fields), stride_(stride) {}

void block_exchange::pack(const communication_plan::message& m, const communication_plan::piece& piece,
                          const double* block, double* message) const {
  for_runs(messages_.what(), m, piece, messages_.fields(), stride_,
           [&](std::ptrdiff_t in_block, std::size_t in_message, int count) {
             std::copy_n(block + in_block, count, message + in_message);
           });
}

void block_exchange::unpack(const communication_plan::message& m, const communication_plan::piece& piece,
                            const double* message, double* block) const {
  for_runs(messages_.what(), m, piece, messages_.fields(), stride_,
           [&](std::ptrdiff_t in_block, std::size_t in_message, int count) {
             std::copy_n(message + in_message, count, block + in_block);
           });
}

void block_exchange::start(const source& at) {
  exec::mailbox* const box = messages_.open();
  for (int p = 0; p < messages_.peers(); ++p) {
    const communication_plan::message* const m = messages_.out(p);
    if (m == nullptr) continue;
    messages_.wait(box->writable(p));
    auto* const message = reinterpret_cast<double*>(box->outgoing(p).data());
    exec::for_each(*context_, "pack", static_cast<int>(m->pieces.size()), [&](int i) {
      const communication_plan::piece& piece = m->pieces[static_cast<std::size_t>(i)];
      pack(*m, piece, at(piece.node), message);
    });
    const exec::profile::scope posting(context_->times(), exec::phases::posting);
    box->post(p);
  }
}

void block_exchange::finish(const target& at) {
  exec::mailbox* const box = messages_.open();
  for (int p = 0; p < messages_.peers(); ++p) {
    const communication_plan::message* const m = messages_.in(p);
    if (m == nullptr) continue;
    messages_.wait(box->arrival(p));
    const auto* const message = reinterpret_cast<const double*>(box->incoming(p).data());
    exec::for_each(*context_, "unpack", static_cast<int>(m->pieces.size()), [&](int i) {
      const communication_plan::piece& piece = m->pieces[static_cast<std::size_t>(i)];
      unpack(*m, piece, message, at(piece.node));
    });
    const exec::profile::scope posting(context_->times(), exec::phases::posting);
    box->release(p);
  }
}

exec::task block_exchange::send(exec::mailbox& box, int p, hooks way) {
  const communication_plan::message& m = *messages_.out(p);
  std::vector<exec::event*> before{&box.writable(p)};
  for (const communication_plan::piece& piece : m.pieces) before.push_back(&way.ready(piece.node));
  co_await exec::all(std::move(before));
  {
    const exec::profile::scope timed(context_->times(), "pack");
    auto* const message = reinterpret_cast<double*>(box.outgoing(p).data());
    for (const communication_plan::piece& piece : m.pieces) pack(m, piece, way.from(piece.node), message);
  }
  const exec::profile::scope timed(context_->times(), exec::phases::posting);
  box.post(p);
}

exec::task block_exchange::receive(exec::mailbox& box, int p, hooks way) {
  const communication_plan::message& m = *messages_.in(p);
  std::vector<exec::event*> before{&box.arrival(p)};
  if (way.free) {
    for (const communication_plan::piece& piece : m.pieces) before.push_back(&way.free(piece.node));
  }
  co_await exec::all(std::move(before));
  const exec::profile::scope timed(context_->times(), "unpack");
  const auto* const message = reinterpret_cast<const double*>(box.incoming(p).data());
  for (const communication_plan::piece& piece : m.pieces) unpack(m, piece, message, way.into(piece.node));
  {
    const exec::profile::scope posting(context_->times(), exec::phases::posting);
    box.release(p);
  }
  for (const communication_plan::piece& piece : m.pieces) way.came(piece.node);
}

void block_exchange::add_tasks(std::vector<exec::task>& to, const hooks& way) {
  exec::mailbox* const box = messages_.open();
  for (int p = 0; p < messages_.peers(); ++p) {
    if (messages_.out(p) != nullptr) to.push_back(send(*box, p, way).urgent());
    if (messages_.in(p) != nullptr) to.push_back(receive(*box, p, way).urgent());
  }
}

void block_exchange::for_coming(const std::function<void(int)>& visit) const {
  for (int p = 0; p < messages_.peers(); ++p) {
    if (messages_.in(p) == nullptr) continue;
    for (const communication_plan::piece& piece : messages_.in(p)->pieces) visit(piece.node);
  }
}

}  // namespace rednova::exchange
