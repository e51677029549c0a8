import { createRequire } from 'node:module';
import type * as driver from 'mongodb';
import { parseConnectionString } from './eventstoredb/connection-string.js';
import { findFileProblem } from './file-problem.js';

export const EMBEDDED = 'embedded';
const EVENT_STORE_URL = /^esdb(\+discover)?:\/\//;
const MONGODB_URL = /^mongodb(\+srv)?:\/\/[^/?#]+(\/[^?#]*)?(\?[^#]*)?$/;

const MONGODB_FILE_OPTIONS = ['tlsCAFile', 'tlsCertificateKeyFile', 'tlsCRLFile'] as const;

/** The location of the stores: one file, or EventStoreDB for the log and MongoDB for the rest. */
export type StoreLocation = { readonly file: string } | { readonly eventStore: string; readonly mongodb: string };

export function isEventStoreUrl(given: string | undefined): given is string {
  return given !== undefined && EVENT_STORE_URL.test(given);
}

export function parseEventStore(given: string): string | undefined {
  return given === EMBEDDED || isEventStoreUrl(given) ? given : undefined;
}

export function parseMongoUrl(given: string): string | undefined {
  return MONGODB_URL.test(given) ? given : undefined;
}

/** Returns the problem that the driver or a named file reports for a URL of MongoDB; null when the URL is valid. */
export function findMongoUrlProblem(given: string | undefined): string | null {
  if (given === undefined) return null;
  // The driver is loaded only when it is used.
  const { MongoClient } = createRequire(import.meta.url)('mongodb') as typeof driver;
  try {
    const { options } = new MongoClient(given);
    const problems = MONGODB_FILE_OPTIONS.flatMap((name) => {
      const wrong = options[name] === undefined ? null : findFileProblem(options[name]);
      return wrong === null ? [] : [`${name} ${wrong}`];
    });
    return problems.length === 0 ? null : problems.join('; ');
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Returns the problem of a URL of EventStoreDB without quoting the URL, which may hold a password; null when it is
 * valid.
 */
export function findEventStoreUrlProblem(given: string | undefined): string | null {
  if (!isEventStoreUrl(given)) return null;
  try {
    parseConnectionString(given);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
