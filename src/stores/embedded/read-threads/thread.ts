import { parentPort, workerData } from 'node:worker_threads';
import { openForReading } from '../schema.js';
import { isFinal, isUsageError, Statements } from '../sqlite.js';
import { retryWhileBusy } from '../writer/busy-retry.js';
import { createQueries, type QueryCall, runQuery } from './queries.js';

export interface ReadThreadData {
  readonly file: string;
}

/** The outcome of a query. `final`: the disk or the file failed. */
export type QueryOutcome =
  { readonly value: unknown } | { readonly failure: string; readonly unavailable: boolean; readonly final: boolean };

/** A reader thread caches few pages: the operating system caches the file as well. */
const CACHE_KIB = 8 * 1024;

const port = parentPort!;
const { file } = workerData as ReadThreadData;
const db = retryWhileBusy(() => openForReading(file, CACHE_KIB));
const allQueries = createQueries(new Statements(db));

port.on('message', (message: QueryCall | 'close') => {
  if (message !== 'close') return port.postMessage(runCall(message));
  db.close();
  port.close();
});

function runCall(call: QueryCall): QueryOutcome {
  try {
    return { value: retryWhileBusy(() => runQuery(allQueries, call)) };
  } catch (error) {
    return {
      failure: error instanceof Error ? error.message : String(error),
      unavailable: !isUsageError(error),
      final: isFinal(error),
    };
  }
}
