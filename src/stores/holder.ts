import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

const FIELDS_BEFORE_START_TIME = 19;
/** The states of a process that has ended and that nobody has taken notice of yet. */
const HAS_ENDED = /^[ZX]/;

/** Who holds a lease: `<pid>:<start>:<random>`. When that process is gone, its leases are over. */
export function thisHolder(): string {
  return `${process.pid}:${startOf(process.pid) ?? ''}:${randomUUID()}`;
}

/** The holder's process has ended, as far as this machine can tell. Whoever is not a process of this machine is never gone. */
export function isGone(holder: string): boolean {
  const [, pid, start] = /^(\d+):([^:]*):/.exec(holder) ?? [];
  if (pid === undefined || start === undefined || Number(pid) === 0) return false;
  if (process.platform !== 'linux') return !isRunning(Number(pid));

  const [namespace] = start.split('.');
  return namespace === ownNamespace() && startOf(Number(pid)) !== start;
}

/** When the process began, within its namespace: a process id alone is used again, and means another process in another container. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const behindName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return HAS_ENDED.test(behindName[0]!) ? null : `${ownNamespace()}.${behindName[FIELDS_BEFORE_START_TIME]}`;
  } catch {
    return null;
  }
}

function ownNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
