// The built service on stores in memory, to measure a request without the store.
import { built, importBuilt } from './built.ts';
import { memoryStores } from './memory-stores.ts';

const { Stores } = await importBuilt<typeof import('../../src/stores/stores.js')>('stores/stores.js');

Object.assign(Stores, {
  open: async () => ({ ports: memoryStores(), failure: null, failed: new Promise(() => undefined), close: async () => undefined }),
});
await import(built('main.js'));
