#include "exchange/images.hpp"

#include <algorithm>
#include <utility>

#include "exec/run.hpp"

namespace rednova::exchange {

namespace {

/// Calls copy(in the block, in the message, how many numbers) for each run of a piece and each field.
template <class Copy>
void for_runs(const pattern& what, const pattern::message& m, const pattern::piece& p, int fields, int stride,
              const Copy& copy) {
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

images::images(exec::context& where, const std::string& name, std::shared_ptr<const pattern> what, int fields,
               int stride)
    : where_(&where), letters_(where, name, std::move(what), fields), stride_(stride) {}

void images::pack(const pattern::message& m, const pattern::piece& piece, const double* block, double* letter) const {
  for_runs(letters_.what(), m, piece, letters_.fields(), stride_,
           [&](std::ptrdiff_t in_block, std::size_t in_letter, int count) {
             std::copy_n(block + in_block, count, letter + in_letter);
           });
}

void images::unpack(const pattern::message& m, const pattern::piece& piece, const double* letter, double* block) const {
  for_runs(letters_.what(), m, piece, letters_.fields(), stride_,
           [&](std::ptrdiff_t in_block, std::size_t in_letter, int count) {
             std::copy_n(letter + in_letter, count, block + in_block);
           });
}

void images::start(const source& at) {
  exec::mailbox* const box = letters_.open();
  for (int p = 0; p < letters_.peers(); ++p) {
    const pattern::message* const m = letters_.out(p);
    if (m == nullptr) continue;
    letters_.wait(box->writable(p));
    auto* const letter = reinterpret_cast<double*>(box->outgoing(p).data());
    exec::for_each(*where_, "pack", static_cast<int>(m->pieces.size()), [&](int i) {
      const pattern::piece& piece = m->pieces[static_cast<std::size_t>(i)];
      pack(*m, piece, at(piece.node), letter);
    });
    box->post(p);
  }
}

void images::finish(const target& at) {
  exec::mailbox* const box = letters_.open();
  for (int p = 0; p < letters_.peers(); ++p) {
    const pattern::message* const m = letters_.in(p);
    if (m == nullptr) continue;
    letters_.wait(box->arrival(p));
    const auto* const letter = reinterpret_cast<const double*>(box->incoming(p).data());
    exec::for_each(*where_, "unpack", static_cast<int>(m->pieces.size()), [&](int i) {
      const pattern::piece& piece = m->pieces[static_cast<std::size_t>(i)];
      unpack(*m, piece, letter, at(piece.node));
    });
    box->release(p);
  }
}

exec::task images::send(exec::mailbox& box, int p, course way) {
  const pattern::message& m = *letters_.out(p);
  std::vector<exec::event*> before{&box.writable(p)};
  for (const pattern::piece& piece : m.pieces) before.push_back(&way.ready(piece.node));
  co_await exec::all(std::move(before));
  {
    const exec::profile::scope timed(where_->times(), "pack");
    auto* const letter = reinterpret_cast<double*>(box.outgoing(p).data());
    for (const pattern::piece& piece : m.pieces) pack(m, piece, way.from(piece.node), letter);
  }
  box.post(p);
}

exec::task images::receive(exec::mailbox& box, int p, course way) {
  const pattern::message& m = *letters_.in(p);
  std::vector<exec::event*> before{&box.arrival(p)};
  if (way.free) {
    for (const pattern::piece& piece : m.pieces) before.push_back(&way.free(piece.node));
  }
  co_await exec::all(std::move(before));
  {
    const exec::profile::scope timed(where_->times(), "unpack");
    const auto* const letter = reinterpret_cast<const double*>(box.incoming(p).data());
    for (const pattern::piece& piece : m.pieces) unpack(m, piece, letter, way.into(piece.node));
  }
  box.release(p);
  for (const pattern::piece& piece : m.pieces) way.came(piece.node);
}

void images::add_tasks(std::vector<exec::task>& to, const course& way) {
  exec::mailbox* const box = letters_.open();
  for (int p = 0; p < letters_.peers(); ++p) {
    if (letters_.out(p) != nullptr) to.push_back(send(*box, p, way).urgent());
    if (letters_.in(p) != nullptr) to.push_back(receive(*box, p, way).urgent());
  }
}

void images::for_coming(const std::function<void(int)>& visit) const {
  for (int p = 0; p < letters_.peers(); ++p) {
    if (letters_.in(p) == nullptr) continue;
    for (const pattern::piece& piece : letters_.in(p)->pieces) visit(piece.node);
  }
}

}  // namespace rednova::exchange
