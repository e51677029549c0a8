import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openForWriting } from '../schema.js';
import { Statements } from '../sqlite.js';
import { retryWhileBusy } from './busy-retry.js';
import { Commits } from './commits.js';
import { FairLocking } from './fair-locking.js';
import type { Call } from './operations.js';
import { WakeSignal } from './wake-signal.js';
import { WriteAheadLog } from './write-ahead-log.js';

/**
 * A message of the main thread: calls in order, or the end. The writer replies with one list of outcomes per commit.
 */
export type WriterMessage = readonly Call[] | 'close';

export interface WriterData {
  readonly file: string;
  /** The largest size of the file in pages; beyond it the disk counts as full. */
  readonly maxPages?: number;
  /** The memory through which the main thread wakes the writer after each message. */
  readonly wake: SharedArrayBuffer;
}

const MAX_CALLS = 256;
const IDLE_MS = 50;

const port = parentPort!;
const { file, maxPages, wake: shared } = workerData as WriterData;
const wakeSignal = new WakeSignal(shared);
const db = retryWhileBusy(() => openForWriting(file));
if (maxPages !== undefined) db.exec(`pragma max_page_count = ${maxPages}`);
const sql = new Statements(db);
const commits = new Commits(sql);
const fairLocking = new FairLocking(sql);
const log = new WriteAheadLog(sql);
const waiting: Call[] = [];
let closing = false;
port.postMessage('ready');
serve();
db.close();
port.close();

/** Serves all calls in a blocking loop: the thread has no other work, so it needs no event loop. */
function serve(): void {
  for (let waitMs = IDLE_MS; ;) {
    const { notifications } = wakeSignal;
    drainMessages();
    if (waiting.length > 0) {
      commitOnce();
      waitMs = IDLE_MS;
    } else if (closing) return;
    else if (!wakeSignal.waitForChange(notifications, waitMs)) {
      log.onIdle();
      waitMs = Infinity;
    }
  }
}

function commitOnce(): void {
  let calls: readonly Call[] = [];
  let lockedAt = 0;
  const outcomes = commits.commit(() => {
    lockedAt = performance.now();
    drainMessages();
    return (calls = waiting.splice(0, MAX_CALLS));
  });
  port.postMessage(outcomes);
  fairLocking.yieldLock(calls, performance.now() - lockedAt);
  log.onCommit(calls);
}

function drainMessages(): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    handleMessage(next.message as WriterMessage);
}

function handleMessage(message: WriterMessage): void {
  if (message === 'close') closing = true;
  else for (const call of message) waiting.push(call);
}
