import { DatabaseSync } from 'node:sqlite';
import { ManualClock } from '../support/clock.js';
import { Folder } from './support/folder.js';

const DAY_MS = 24 * 3_600_000;
const CLAIM = { fingerprint: 'POST /v1/orders 1', leaseMs: 1_000, holder: 'one' };

describe('The expired idempotency keys of the embedded store', () => {
  const folder = Folder.each();

  it('are deleted by the claims of other keys, a few at a time', async () => {
    const clock = new ManualClock();
    const { idempotency } = await folder.open({ clock });
    const claim = (key: string) => idempotency.claim({ scope: 'biz_1', key }, CLAIM);
    for (let n = 1; n <= 6; n++) await claim(`old ${n}`);
    await clock.advance(DAY_MS - 1);
    await claim('first');
    expect(countKeys()).toBe(7);

    await clock.advance(1);
    await claim('second');
    expect(countKeys()).toBe(4);
    await claim('third');
    expect(countKeys()).toBe(3);
  });

  function countKeys(): unknown {
    const db = new DatabaseSync(folder.file, { readOnly: true });
    try {
      return db.prepare('select count(*) as count from idempotency').get()!.count;
    } finally {
      db.close();
    }
  }
});
