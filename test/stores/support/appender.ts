import { randomUUID } from 'node:crypto';
import type { NewEvent } from '../../../src/kernel/event.js';

/**
 * A process that appends to `<name>-0` … `<name>-3` concurrently, `times` each, and prints a line for each
 * acknowledged append: stream, revision and event id. It runs on the built service, because the tests do not
 * transpile the code of other processes.
 */
const STREAMS = 4;
const built = new URL('../../../dist/stores/embedded/embedded.js', import.meta.url).href;
const { openEmbedded } = (await import(built)) as typeof import('../../../src/stores/embedded/embedded.js');

const [file, name, times] = process.argv.slice(2) as [string, string, string];
// A write beyond the size limit becomes a disk error; without this handler its signal would end the process.
process.on('SIGXFSZ', () => undefined);
const stores = await openEmbedded({ file, onFatal: (error) => console.log(`fatal ${error.message}`) });
console.log('open');
await Promise.all(Array.from({ length: STREAMS }, (_, index) => appendAll(`${name}-${index}`)));
await stores.close();
console.log('closed');

async function appendAll(stream: string): Promise<void> {
  for (let revision = 0; revision < Number(times); revision++) {
    const event = {
      id: randomUUID(),
      type: 'CoinsAdded',
      data: { coins: revision, note: 'x'.repeat(500) },
      meta: {},
    } as NewEvent;
    try {
      await stores.events.append(stream, revision === 0 ? 'none' : revision - 1, [event]);
      console.log(`${stream} ${revision} ${event.id}`);
    } catch (error) {
      return console.log(`refused ${stream} ${String(error)}`);
    }
  }
}
