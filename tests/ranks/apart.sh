#!/usr/bin/env bash
# Runs a command's ranks on two "hosts": network namespaces with a link between them on which a packet takes a
# millisecond. All between the hosts goes over it. Ends with 77 where the machine does not allow that.
# Usage: apart.sh openmpi|mpich RANKS COMMAND…   (the first half of the ranks is on the first host)
#        LINK_DELAY: seconds of a packet on its way, 0.001 if not set; LEAST_BYTES: what must go over the link
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ "$1" = enter ]; then  # HOST COMMAND…: as on a machine of its own, with its name, processes and shared memory
  host=$2
  shift 2
  # shellcheck disable=SC2016
  exec ip netns exec "$host" unshare --uts --ipc --pid --fork --kill-child --mount-proc \
    sh -c 'mount -t tmpfs tmpfs /dev/shm && hostname "$0" && exec "$@"' "$host" "$@"
fi
flavour=$1 ranks=$2
shift 2
first=rednova-$$-a second=rednova-$$-b network=10.213.7 delay=${LINK_DELAY:-0.001}
skip() { echo "apart.sh: skipped: $*"; exit 77; }
command -v ip >/dev/null || skip "no program ip (Debian: iproute2)"
[ -w /dev/net/tun ] || skip "/dev/net/tun cannot be written"
link=
agent=$(mktemp)
clean() {
  [ -n "$link" ] && kill "$link" 2>/dev/null
  ip netns del "$first" 2>/dev/null
  ip netns del "$second" 2>/dev/null
  rm -f "$agent" "$agent.ready"
}
trap clean EXIT
for host in "$first" "$second"; do
  ip netns add "$host" 2>/dev/null || skip "network namespaces are not allowed"
done
"$here/apart.sh" enter "$first" true || skip "namespaces of processes are not allowed"
# What a killed run could not take away.
for old in $(ip netns list | sed -n 's/^\(rednova-\([0-9]*\)-[ab]\).*/\1:\2/p'); do
  [ -d "/proc/${old#*:}" ] || ip netns del "${old%:*}"
done
number=1
for host in "$first" "$second"; do
  ip netns exec "$host" ip tuntap add dev wire mode tun || skip "tun devices are not allowed"
  ip -n "$host" addr add $network.$number/24 dev wire
  ip -n "$host" link set dev wire mtu 60000 up
  ip -n "$host" link set lo up
  number=$((number + 1))
done
python3 "$here/delayed_link.py" "$first" wire "$second" wire "$delay" >"$agent.ready" &
link=$!
for _ in $(seq 50); do grep -q ready "$agent.ready" && break; sleep 0.1; done
grep -q ready "$agent.ready" || skip "the link does not come up"

# What MPI takes for ssh: `agent [options] host command…`.
cat >"$agent" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
case \$1 in $network.1) host=$first ;; *) host=$second ;; esac
shift
exec "$here/apart.sh" enter \$host sh -c "\$*"
END
chmod +x "$agent"
half=$(((ranks + 1) / 2))
if [ "$flavour" = openmpi ]; then
  launch=(mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none --mca plm_rsh_agent "$agent"
          --mca oob_tcp_if_include wire --mca btl_tcp_if_include wire
          -H "$network.1:$half,$network.2:$((ranks - half))" -n "$ranks")
else
  launch=(mpirun.mpich -launcher rsh -launcher-exec "$agent" -localhost "$network.1"
          -hosts "$network.1:$half,$network.2:$((ranks - half))" -n "$ranks")
fi
"$here/apart.sh" enter "$first" "${launch[@]}" "$@" || exit
carried=$(ip -n "$first" -s -j link show dev wire | python3 -c 'import json, sys
of = json.load(sys.stdin)[0]["stats64"]
print(of["rx"]["bytes"] + of["tx"]["bytes"])')
echo "the link carried $carried bytes"
[ "$carried" -gt "${LEAST_BYTES:-1000000}" ] || { echo "apart.sh: the ranks did not speak over the link"; exit 1; }
