import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

const DEFAULT_PATH =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts')
    : '/etc/hosts';
const CHECK_INTERVAL_MS = 5_000;
/** RFC 6761: `localhost` has the loopback addresses, also when the file does not list them. */
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

/** The names and addresses in the hosts file of this machine. */
export class HostsFile {
  private addresses: ReadonlyMap<string, readonly string[]> = new Map();
  private changedAt = -1;
  private checkedAt = -Infinity;

  constructor(private readonly path: string = DEFAULT_PATH) {}

  /** Returns null for a name that the file does not list. `now`: monotonic milliseconds. */
  findAddresses(name: string, now: number): readonly string[] | null {
    if (now - this.checkedAt >= CHECK_INTERVAL_MS) this.refresh(now);
    const listed = this.addresses.get(name);
    if (name !== 'localhost') return listed ?? null;
    return [...new Set([...(listed ?? []), ...LOOPBACK])];
  }

  private refresh(now: number): void {
    this.checkedAt = now;
    const changedAt = statSync(this.path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (changedAt === this.changedAt) return;
    this.changedAt = changedAt;
    this.addresses = changedAt === -1 ? new Map() : parseHosts(readFileSync(this.path, 'utf8'));
  }
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...hosts] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const host of hosts) names.set(host.toLowerCase(), [...(names.get(host.toLowerCase()) ?? []), address]);
  }
  return names;
}
