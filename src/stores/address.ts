import { createRequire } from 'node:module';
import type * as driver from 'mongodb';
import { addressIn } from './eventstoredb/address.js';
import { unreadable } from './unreadable.js';

export const EMBEDDED = 'embedded';
const EVENT_STORE = /^esdb(\+discover)?:\/\//;
const MONGODB = /^mongodb(\+srv)?:\/\/[^/?#]+(\/[^?#]*)?(\?[^#]*)?$/;

const MONGODB_FILES = ['tlsCAFile', 'tlsCertificateKeyFile', 'tlsCRLFile'] as const;

/** Where the stores are: all in one file, or the log in EventStoreDB and the rest in MongoDB. */
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

/** What is wrong with an address of MongoDB, as its driver and its files tell; null for nothing. */
export function wrongInMongo(given: string | undefined): string | null {
  if (given === undefined) return null;
  // Loaded for those alone who use it.
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

/** What is wrong with an address of EventStoreDB, without a word of it; null for nothing. */
export function wrongInEventStore(given: string | undefined): string | null {
  if (!isAddress(given)) return null;
  try {
    addressIn(given);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
