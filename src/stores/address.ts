import { addressIn } from './eventstoredb/address.js';

export const EMBEDDED = 'embedded';
const EVENT_STORE = /^esdb(\+discover)?:\/\//;
const MONGODB = /^mongodb(\+srv)?:\/\/[^/?#]+(\/[^?#]*)?(\?[^#]*)?$/;

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

/** What is wrong with an address of EventStoreDB, without a word of it; null for nothing. */
export function wrongIn(given: string | undefined): string | null {
  if (!isAddress(given)) return null;
  try {
    addressIn(given);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
