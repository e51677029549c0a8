import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

const FIELDS_BEFORE_START_TIME = 19;
/** The states of a process that has ended but that its parent has not reaped. */
const ENDED_STATES = /^[ZX]/;
const PROC = '/proc';
const OWN_START = readStart(process.pid);

/**
 * Returns the name under which this process holds leases: `<pid>:<start>:<random>`. Its leases end with the process.
 */
export function currentProcessId(): string {
  return `${process.pid}:${OWN_START}:${randomUUID()}`;
}

/**
 * Returns whether the holder's process has certainly ended. The result is false when this machine cannot know: for a
 * process of another machine, for one that `/proc` hides, and for any process while no file can be opened.
 */
export function isProcessDead(holder: string): boolean {
  return isProcessDeadIn(holder, PROC);
}

/** @param proc the folder in which the operating system describes processes */
export function isProcessDeadIn(holder: string, proc: string): boolean {
  const [, digits, start] = /^(\d+):([^:]*):/.exec(holder) ?? [];
  const pid = Number(digits ?? 0);
  if (start === undefined || pid === 0 || (pid === process.pid && start === OWN_START)) return false;
  if (process.platform !== 'linux') return !isRunning(pid);

  const [namespace] = start.split('.');
  if (namespace !== readOwnNamespace()) return false;
  const found = readStart(pid, proc);
  return found === 'ended' || (found !== 'unknown' && found !== start);
}

/**
 * Returns when the process started, with its namespace: the system reuses process ids, and each container has its own.
 * `/proc` may hide the processes of other users, so a missing entry is checked with a signal.
 */
function readStart(pid: number, proc = PROC): string {
  try {
    const stat = readFileSync(`${proc}/${pid}/stat`, 'utf8');
    const fieldsAfterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ENDED_STATES.test(fieldsAfterName[0]!)
      ? 'ended'
      : `${readOwnNamespace()}.${fieldsAfterName[FIELDS_BEFORE_START_TIME]}`;
  } catch (error) {
    const isAbsent = ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
    return isAbsent && !isRunning(pid) ? 'ended' : 'unknown';
  }
}

function readOwnNamespace(): string {
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
