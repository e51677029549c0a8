import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { NewEvent } from '../../../src/kernel/event.js';

/**
 * A process that appends repeatedly to a store on a cluster without waiting for responses, and finally prints how
 * many appends got a response. It runs on the built service, because the tests do not transpile the code of other
 * processes.
 */
const [connection, times, everyMs, deadlineMs] = process.argv.slice(2) as [string, string, string, string];
const dist = new URL('../../../dist/', import.meta.url).href;
const { openEventStoreDb } = (await import(
  `${dist}stores/eventstoredb/eventstoredb.js`
)) as typeof import('../../../src/stores/eventstoredb/eventstoredb.js');

const stores = openEventStoreDb({ connection, deadlineMs: Number(deadlineMs) });
const appends: Promise<string>[] = [];
for (let i = 0; i < Number(times); i++) {
  const event = { id: randomUUID(), type: 'CoinsAdded', data: {}, meta: {} } as NewEvent;
  const appended = stores.events.append(`jar-${i}`, 'none', [event]);
  appends.push(
    appended.then(
      () => 'acknowledged',
      (error: Error) => error.name,
    ),
  );
  await delay(Number(everyMs));
}
const ends = Object.groupBy(await Promise.all(appends), (end) => end);
console.log(JSON.stringify(Object.fromEntries(Object.entries(ends).map(([end, all]) => [end, all?.length ?? 0]))));
await stores.close();
