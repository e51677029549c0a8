import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openForWriting } from '../schema.js';
import { Statements } from '../sqlite.js';
import { Commits } from './commits.js';
import { Neighbours } from './neighbours.js';
import type { Call } from './operations.js';
import { patiently } from './patience.js';
import { Wake } from './wake.js';
import { WriteAheadLog } from './write-ahead-log.js';

/**
 * A message of the main thread: calls in order, or the end. The writer replies with one list of outcomes per commit.
 */
export type Message = readonly Call[] | 'close';

export interface Start {
  readonly file: string;
  /** The largest size of the file in pages; beyond it the disk counts as full. */
  readonly maxPages?: number;
  /** The memory through which the main thread wakes the writer after each message. */
  readonly wake: SharedArrayBuffer;
}

const MAX_CALLS = 256;
const IDLE_MS = 50;

const port = parentPort!;
const { file, maxPages, wake: shared } = workerData as Start;
const wake = new Wake(shared);
const db = patiently(() => openForWriting(file));
if (maxPages !== undefined) db.exec(`pragma max_page_count = ${maxPages}`);
const sql = new Statements(db);
const commits = new Commits(sql);
const neighbours = new Neighbours(sql);
const log = new WriteAheadLog(sql);
const waiting: Call[] = [];
let closing = false;
port.postMessage('ready');
serve();
db.close();
port.close();

/** Serves all calls in a blocking loop: the thread has no other work, so it needs no event loop. */
function serve(): void {
  for (let napMs = IDLE_MS; ;) {
    const { rings } = wake;
    hearAll();
    if (waiting.length > 0) {
      commitOnce();
      napMs = IDLE_MS;
    } else if (closing) return;
    else if (!wake.beyond(rings, napMs)) {
      log.whenIdle();
      napMs = Infinity;
    }
  }
}

function commitOnce(): void {
  let calls: readonly Call[] = [];
  let held = 0;
  const outcomes = commits.commit(() => {
    held = performance.now();
    hearAll();
    return (calls = waiting.splice(0, MAX_CALLS));
  });
  port.postMessage(outcomes);
  neighbours.makeRoom(calls, performance.now() - held);
  log.afterCommit(calls);
}

function hearAll(): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) hear(next.message as Message);
}

function hear(message: Message): void {
  if (message === 'close') closing = true;
  else for (const call of message) waiting.push(call);
}
