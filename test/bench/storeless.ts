// The built service on stores in memory: all that a request costs, but for the store.
import { built } from './built.ts';
import { memoryStores } from './memory-stores.ts';

const { Stores } = (await import(built('stores/stores.js'))) as typeof import('../../src/stores/stores.js');

Object.assign(Stores, {
  open: async () => ({ ports: memoryStores(), failure: null, failed: new Promise(() => undefined), close: async () => undefined }),
});
await import(built('main.js'));
