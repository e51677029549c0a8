// The built service on stores in memory, to measure a request without the store.
import { importBuilt, toBuiltPath } from './built.ts';
import { createMemoryStores } from './memory-stores.ts';

const { Stores } = await importBuilt<typeof import('../../src/stores/stores.js')>('stores/stores.js');

Object.assign(Stores, {
  open: async () => ({
    ports: createMemoryStores(),
    failure: null,
    failed: new Promise(() => undefined),
    close: async () => undefined,
  }),
});
await import(toBuiltPath('main.js'));
