import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

const FIELDS_BEFORE_START_TIME = 19;
/** The states of a process that has ended but that its parent has not reaped. */
const HAS_ENDED = /^[ZX]/;
const PROC = '/proc';
const OWN_START = startOf(process.pid);

/**
 * Returns the name under which this process holds leases: `<pid>:<start>:<random>`. Its leases end with the process.
 */
export function thisHolder(): string {
  return `${process.pid}:${OWN_START}:${randomUUID()}`;
}

/**
 * Returns whether the holder's process has certainly ended. The result is false when this machine cannot know: for a
 * process of another machine, for one that `/proc` hides, and for any process while no file can be opened.
 */
export function isGone(holder: string): boolean {
  return hasEnded(holder, PROC);
}

/** @param proc the folder in which the operating system describes processes */
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
 * Returns when the process started, with its namespace: the system reuses process ids, and each container has its own.
 * `/proc` may hide the processes of other users, so a missing entry is checked with a signal.
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
