import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

const FIELDS_BEFORE_START_TIME = 19;
/** The states of a process that has ended and that nobody has taken notice of yet. */
const HAS_ENDED = /^[ZX]/;
const PROC = '/proc';
const OWN_START = startOf(process.pid);

/** Who holds a lease: `<pid>:<start>:<random>`. When that process is gone, its leases are over. */
export function thisHolder(): string {
  return `${process.pid}:${OWN_START}:${randomUUID()}`;
}

/**
 * The holder's process has ended, as far as this machine can tell. Whatever this machine cannot tell about is not gone: a process of another
 * machine, one that `/proc` hides, and any process while no file can be opened.
 */
export function isGone(holder: string): boolean {
  return hasEnded(holder, PROC);
}

/** @param proc where the kernel describes processes */
export function hasEnded(holder: string, proc: string): boolean {
  const [, digits, start] = /^(\d+):([^:]*):/.exec(holder) ?? [];
  const pid = Number(digits ?? 0);
  if (start === undefined || pid === 0 || (pid === process.pid && start === OWN_START)) return false;
  if (process.platform !== 'linux') return !isRunning(pid);

  const [namespace] = start.split('.');
  if (namespace !== ownNamespace()) return false;
  const found = startOf(pid, proc);
  return found === 'ended' || (found !== 'unknown' && found !== start);
}

/**
 * When the process began, within its namespace: a process id alone is used again, and means another process in another container.
 * `/proc` may hide the processes of other users as if they were not there, so the kernel is asked as well.
 */
function startOf(pid: number, proc = PROC): string {
  try {
    const stat = readFileSync(`${proc}/${pid}/stat`, 'utf8');
    const behindName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return HAS_ENDED.test(behindName[0]!) ? 'ended' : `${ownNamespace()}.${behindName[FIELDS_BEFORE_START_TIME]}`;
  } catch (error) {
    const isAbsent = ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
    return isAbsent && !isRunning(pid) ? 'ended' : 'unknown';
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
