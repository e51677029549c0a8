import { ApiKeyUsage } from '../../src/identity/api-key-usage.js';
import type { ApiKeyDocument } from '../../src/identity/projections/api-keys.js';
import { StoreUnavailable } from '../../src/kernel/event-store.js';
import { ManualClock, waitUntilIdle } from '../support/clock.js';
import { MemoryReadModels } from '../support/memory/read-models.js';

const MINUTE = 60_000;
const KEY = { id: 'key_1' } as ApiKeyDocument;

let clock: ManualClock;
let readModels: MemoryReadModels;
beforeEach(() => {
  clock = new ManualClock();
  readModels = new MemoryReadModels(clock);
});

/** Creates the usage of a new process. */
function createUsage(): ApiKeyUsage {
  return new ApiKeyUsage(readModels, clock);
}

async function readUsage(uses: ApiKeyUsage): Promise<string | null> {
  uses.record(KEY.id);
  await waitUntilIdle();
  return (await uses.withLastUsed([KEY]))[0]!.last_used_at;
}

describe('The last use of a key', () => {
  it('is null before the first use', async () => {
    expect(await createUsage().withLastUsed([KEY])).toEqual([{ ...KEY, last_used_at: null }]);
  });

  it('is precise to the minute', async () => {
    const uses = createUsage();
    expect(await readUsage(uses)).toBe('2026-02-01T09:00:00.000Z');

    await clock.advance(MINUTE - 1);
    expect(await readUsage(uses)).toBe('2026-02-01T09:00:00.000Z');

    await clock.advance(1);
    expect(await readUsage(uses)).toBe('2026-02-01T09:01:00.000Z');
  });

  it('is written once a minute by all processes together, and survives a restart', async () => {
    await readUsage(createUsage());
    await clock.advance(MINUTE / 2);

    expect(await readUsage(createUsage())).toBe('2026-02-01T09:00:00.000Z');
  });

  it('fails no request when it cannot be written', async () => {
    readModels.upsert = () => Promise.reject(new StoreUnavailable('away', false));

    expect(await readUsage(createUsage())).toBeNull();
  });
});
