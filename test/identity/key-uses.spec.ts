import { StoreUnavailable } from '../../src/kernel/event-store.js';
import { KeyUses } from '../../src/identity/key-uses.js';
import type { ApiKeyDocument } from '../../src/identity/projections/api-keys.js';
import { ManualClock, settled } from '../support/clock.js';
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
function started(): KeyUses {
  return new KeyUses(readModels, clock);
}

async function used(uses: KeyUses): Promise<string | null> {
  uses.note(KEY.id);
  await settled();
  return (await uses.shownIn([KEY]))[0]!.last_used_at;
}

describe('The last use of a key', () => {
  it('is null before the first use', async () => {
    expect(await started().shownIn([KEY])).toEqual([{ ...KEY, last_used_at: null }]);
  });

  it('is precise to the minute', async () => {
    const uses = started();
    expect(await used(uses)).toBe('2026-02-01T09:00:00.000Z');

    await clock.advance(MINUTE - 1);
    expect(await used(uses)).toBe('2026-02-01T09:00:00.000Z');

    await clock.advance(1);
    expect(await used(uses)).toBe('2026-02-01T09:01:00.000Z');
  });

  it('is written once a minute by all processes together, and survives a restart', async () => {
    await used(started());
    await clock.advance(MINUTE / 2);

    expect(await used(started())).toBe('2026-02-01T09:00:00.000Z');
  });

  it('fails no request when it cannot be written', async () => {
    readModels.save = () => Promise.reject(new StoreUnavailable('away', false));

    expect(await used(started())).toBeNull();
  });
});
