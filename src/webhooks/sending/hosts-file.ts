import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

const FILE = process.platform === 'win32' ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts') : '/etc/hosts';
const LOOK_EVERY_MS = 5_000;
/** RFC 6761: `localhost` is the loopback address, also when the file does not list it. */
const LOOPBACK: readonly string[] = ['127.0.0.1'];

/** The names and addresses in the hosts file of this machine. */
export class HostsFile {
  private names: ReadonlyMap<string, readonly string[]> = new Map();
  private changedAt = -1;
  private lookedAt = -Infinity;

  constructor(private readonly path: string = FILE) {}

  /** Returns null for a name that the file does not list. `now`: monotonic milliseconds. */
  addressesOf(name: string, now: number): readonly string[] | null {
    if (now - this.lookedAt >= LOOK_EVERY_MS) this.look(now);
    return this.names.get(name) ?? (name === 'localhost' ? LOOPBACK : null);
  }

  private look(now: number): void {
    this.lookedAt = now;
    const changedAt = statSync(this.path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (changedAt === this.changedAt) return;
    this.changedAt = changedAt;
    this.names = changedAt === -1 ? new Map() : namesIn(readFileSync(this.path, 'utf8'));
  }
}

function namesIn(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...hosts] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const host of hosts) names.set(host.toLowerCase(), [...(names.get(host.toLowerCase()) ?? []), address]);
  }
  return names;
}
