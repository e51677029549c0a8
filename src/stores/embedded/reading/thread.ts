import { parentPort, workerData } from 'node:worker_threads';
import { openForReading } from '../schema.js';
import { isFinal, isMistake, Statements } from '../sqlite.js';
import { patiently } from '../writer/patience.js';
import { answer, queries, type QueryCall } from './queries.js';

/** The start data of a reader thread. */
export interface ReadingStart {
  readonly file: string;
}

/** The outcome of a query. `final`: the disk or the file failed. */
export type Answer = { readonly value: unknown } | { readonly failure: string; readonly unavailable: boolean; readonly final: boolean };

/** A reader thread caches few pages: the operating system caches the file as well. */
const CACHE_KIB = 8 * 1024;

const port = parentPort!;
const { file } = workerData as ReadingStart;
const db = patiently(() => openForReading(file, CACHE_KIB));
const all = queries(new Statements(db));

port.on('message', (message: QueryCall | 'close') => {
  if (message !== 'close') return port.postMessage(outcomeOf(message));
  db.close();
  port.close();
});

function outcomeOf(call: QueryCall): Answer {
  try {
    return { value: patiently(() => answer(all, call)) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error), unavailable: !isMistake(error), final: isFinal(error) };
  }
}
