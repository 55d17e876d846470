#include "exchange/images.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include "core/check.hpp"
#include "exec/run.hpp"

namespace rednova::exchange {

namespace {

std::vector<std::byte> bytes_of(const std::vector<int>& words) {
  std::vector<std::byte> bytes(words.size() * sizeof(int));
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::vector<int> words_of(const std::vector<std::byte>& bytes) {
  std::vector<int> words(bytes.size() / sizeof(int));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

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

pattern::pattern(exec::context& where, std::vector<want> wants) {
  exec::transport* const ranks = where.ranks();
  if (ranks == nullptr) {
    EXPECT(wants.empty());
    return;
  }
  // By rank and node, so that both ends have one order.
  std::ranges::sort(wants, {}, [](const want& w) { return std::pair(w.from, w.node); });
  std::vector<std::vector<int>> asked(static_cast<std::size_t>(ranks->size()));
  for (const want& w : wants) {
    EXPECT(w.from != ranks->rank());
    std::vector<int>& words = asked[static_cast<std::size_t>(w.from)];
    words.push_back(w.node);
    words.push_back(static_cast<int>(w.runs.size()));
    for (const run& r : w.runs) words.insert(words.end(), {r.first, r.count});
  }
  std::vector<std::vector<std::byte>> letters;
  for (const auto& words : asked) letters.push_back(bytes_of(words));
  const std::vector<std::vector<std::byte>> heard = ranks->exchange(std::move(letters));
  for (int rank = 0; rank < ranks->size(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    if (!asked[r].empty()) incoming_.push_back(read(rank, asked[r]));
    if (rank != ranks->rank() && !heard[r].empty()) outgoing_.push_back(read(rank, words_of(heard[r])));
  }
}

pattern::message pattern::read(int rank, const std::vector<int>& words) {
  message m{.rank = rank, .pieces = {}};
  for (std::size_t i = 0; i < words.size();) {
    piece p{words[i], runs_.size(), runs_.size(), m.numbers};
    const int count = words[i + 1];
    i += 2;
    for (int r = 0; r < count; ++r, i += 2) {
      runs_.push_back({words[i], words[i + 1]});
      m.numbers += static_cast<std::size_t>(words[i + 1]);
    }
    p.last_run = runs_.size();
    m.pieces.push_back(p);
  }
  return m;
}

images::images(exec::context& where, const std::string& name, std::shared_ptr<const pattern> what, int fields,
               int stride)
    : where_(&where), what_(std::move(what)), fields_(fields), stride_(stride) {
  if (where.ranks() == nullptr) return;
  std::map<int, end> by_rank;
  for (const pattern::message& m : what_->outgoing()) by_rank[m.rank].out = &m;
  for (const pattern::message& m : what_->incoming()) by_rank[m.rank].in = &m;
  const auto bytes = [&](const pattern::message* m) {
    return m == nullptr ? 0 : m->numbers * static_cast<std::size_t>(fields) * sizeof(double);
  };
  std::vector<exec::peer> peers;
  for (const auto& [rank, e] : by_rank) {
    peers.push_back({rank, bytes(e.out), bytes(e.in)});
    ends_.push_back(e);
  }
  box_ = where.ranks()->open(name, std::move(peers));
}

void images::wait(const exec::event& e) {
  if (e.happened()) return;
  const auto begin = std::chrono::steady_clock::now();
  where_->ranks()->wait(e);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  where_->ranks()->waited(seconds);
  where_->times().add("waiting", seconds);
}

void images::pack(const pattern::message& m, const pattern::piece& piece, const double* block, double* letter) const {
  for_runs(*what_, m, piece, fields_, stride_, [&](std::ptrdiff_t in_block, std::size_t in_letter, int count) {
    std::copy_n(block + in_block, count, letter + in_letter);
  });
}

void images::unpack(const pattern::message& m, const pattern::piece& piece, const double* letter, double* block) const {
  for_runs(*what_, m, piece, fields_, stride_, [&](std::ptrdiff_t in_block, std::size_t in_letter, int count) {
    std::copy_n(letter + in_letter, count, block + in_block);
  });
}

void images::start_letters(const std::function<void(const pattern::message&, double*)>& fill) {
  for (int p = 0; p < static_cast<int>(ends_.size()); ++p) {
    const end& e = ends_[static_cast<std::size_t>(p)];
    if (e.out == nullptr) continue;
    wait(box_->writable(p));
    fill(*e.out, reinterpret_cast<double*>(box_->outgoing(p).data()));
    box_->post(p);
  }
}

void images::finish_letters(const std::function<void(const pattern::message&, const double*)>& take) {
  // All first: who takes a letter to a device waits there, and no messages are looked after meanwhile.
  for (int p = 0; p < static_cast<int>(ends_.size()); ++p) {
    if (ends_[static_cast<std::size_t>(p)].in != nullptr) wait(box_->arrival(p));
  }
  for (int p = 0; p < static_cast<int>(ends_.size()); ++p) {
    const end& e = ends_[static_cast<std::size_t>(p)];
    if (e.in == nullptr) continue;
    take(*e.in, reinterpret_cast<const double*>(box_->incoming(p).data()));
    box_->release(p);
  }
}

void images::start(const source& at) {
  start_letters([&](const pattern::message& m, double* letter) {
    exec::for_each(*where_, "pack", static_cast<int>(m.pieces.size()), [&](int i) {
      const pattern::piece& piece = m.pieces[static_cast<std::size_t>(i)];
      pack(m, piece, at(piece.node), letter);
    });
  });
}

void images::finish(const target& at) {
  finish_letters([&](const pattern::message& m, const double* letter) {
    exec::for_each(*where_, "unpack", static_cast<int>(m.pieces.size()), [&](int i) {
      const pattern::piece& piece = m.pieces[static_cast<std::size_t>(i)];
      unpack(m, piece, letter, at(piece.node));
    });
  });
}

exec::task images::send(int p, course way) {
  const end& e = ends_[static_cast<std::size_t>(p)];
  std::vector<exec::event*> before{&box_->writable(p)};
  for (const pattern::piece& piece : e.out->pieces) before.push_back(&way.ready(piece.node));
  co_await exec::all(std::move(before));
  {
    const exec::part timed(*where_, "pack");
    auto* const letter = reinterpret_cast<double*>(box_->outgoing(p).data());
    for (const pattern::piece& piece : e.out->pieces) pack(*e.out, piece, way.from(piece.node), letter);
  }
  box_->post(p);
}

exec::task images::receive(int p, course way) {
  const end& e = ends_[static_cast<std::size_t>(p)];
  std::vector<exec::event*> before{&box_->arrival(p)};
  if (way.free) {
    for (const pattern::piece& piece : e.in->pieces) before.push_back(&way.free(piece.node));
  }
  co_await exec::all(std::move(before));
  {
    const exec::part timed(*where_, "unpack");
    const auto* const letter = reinterpret_cast<const double*>(box_->incoming(p).data());
    for (const pattern::piece& piece : e.in->pieces) unpack(*e.in, piece, letter, way.into(piece.node));
  }
  box_->release(p);
  for (const pattern::piece& piece : e.in->pieces) way.came(piece.node);
}

void images::add_tasks(std::vector<exec::task>& to, const course& way) {
  for (int p = 0; p < static_cast<int>(ends_.size()); ++p) {
    const end& e = ends_[static_cast<std::size_t>(p)];
    if (e.out != nullptr) to.push_back(send(p, way).urgent());
    if (e.in != nullptr) to.push_back(receive(p, way).urgent());
  }
}

void images::for_coming(const std::function<void(int)>& visit) const {
  for (const end& e : ends_) {
    if (e.in == nullptr) continue;
    for (const pattern::piece& piece : e.in->pieces) visit(piece.node);
  }
}

}  // namespace rednova::exchange
