import { createRequire } from 'node:module';
import type * as driver from 'mongodb';
import { addressIn } from './eventstoredb/address.js';
import { unreadable } from './unreadable.js';

export const EMBEDDED = 'embedded';
const EVENT_STORE = /^esdb(\+discover)?:\/\//;
const MONGODB = /^mongodb(\+srv)?:\/\/[^/?#]+(\/[^?#]*)?(\?[^#]*)?$/;

const MONGODB_FILES = ['tlsCAFile', 'tlsCertificateKeyFile', 'tlsCRLFile'] as const;

/** The location of the stores: one file, or EventStoreDB for the log and MongoDB for the rest. */
export type StoresAt = { readonly file: string } | { readonly eventStore: string; readonly mongodb: string };

export function isAddress(given: string | undefined): given is string {
  return given !== undefined && EVENT_STORE.test(given);
}

export function eventStore(given: string): string | undefined {
  return given === EMBEDDED || isAddress(given) ? given : undefined;
}

export function mongoUrl(given: string): string | undefined {
  return MONGODB.test(given) ? given : undefined;
}

/** Returns the problem that the driver or a named file reports for a URL of MongoDB; null when the URL is valid. */
export function wrongInMongo(given: string | undefined): string | null {
  if (given === undefined) return null;
  // The driver is loaded only when it is used.
  const { MongoClient } = createRequire(import.meta.url)('mongodb') as typeof driver;
  try {
    const { options } = new MongoClient(given);
    const files = MONGODB_FILES.flatMap((name) => {
      const wrong = options[name] === undefined ? null : unreadable(options[name]);
      return wrong === null ? [] : [`${name} ${wrong}`];
    });
    return files.length === 0 ? null : files.join('; ');
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Returns the problem of a URL of EventStoreDB without quoting the URL, which may hold a password; null when it is
 * valid.
 */
export function wrongInEventStore(given: string | undefined): string | null {
  if (!isAddress(given)) return null;
  try {
    addressIn(given);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
