import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openForWriting } from '../schema.js';
import { Statements } from '../sqlite.js';
import { Commits } from './commits.js';
import { Neighbours } from './neighbours.js';
import type { Call } from './operations.js';
import { patiently } from './patience.js';
import { WriteAheadLog } from './write-ahead-log.js';

/** What the main thread says: calls, in order, or that there will be no more. It is answered one list of outcomes a commit. */
export type Message = readonly Call[] | 'close';

export interface Start {
  readonly file: string;
  /** What is beyond so many pages is a full disk. */
  readonly maxPages?: number;
}

const MAX_CALLS = 256;
const IDLE_MS = 50;

const port = parentPort!;
const { file, maxPages } = workerData as Start;
const db = patiently(() => openForWriting(file));
if (maxPages !== undefined) db.exec(`pragma max_page_count = ${maxPages}`);
const sql = new Statements(db);
const commits = new Commits(sql);
const neighbours = new Neighbours(sql);
const log = new WriteAheadLog(sql);
const idle = setTimeout(() => log.whenIdle(), IDLE_MS).unref();
const waiting: Call[] = [];
let closing = false;

port.on('message', (message: Message) => {
  hear(message);
  while (waiting.length > 0) commitOnce();
  if (closing) close();
  else idle.refresh();
});
port.postMessage('ready');

function hear(message: Message): void {
  if (message === 'close') closing = true;
  else for (const call of message) waiting.push(call);
}

function commitOnce(): void {
  let calls: readonly Call[] = [];
  let held = 0;
  const outcomes = commits.commit(() => {
    held = performance.now();
    return (calls = everythingThatHasArrived());
  });
  port.postMessage(outcomes);
  neighbours.makeRoom(calls, performance.now() - held);
  log.afterCommit(calls);
}

function everythingThatHasArrived(): readonly Call[] {
  for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) hear(more.message as Message);
  return waiting.splice(0, MAX_CALLS);
}

function close(): void {
  clearTimeout(idle);
  db.close();
  port.close();
}
