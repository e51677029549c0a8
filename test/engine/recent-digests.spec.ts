import { setTimeout as delay } from 'node:timers/promises';
import { RecentDigests } from '../../src/engine/recent-digests.js';

describe('The digest of a credential', () => {
  it('is the same each time, and differs between credentials', () => {
    const digests = new RecentDigests();
    const first = digests.digest('sk_live_1');

    expect(digests.digest('sk_live_1')).toBe(first);
    expect(digests.digest('sk_live_2')).not.toBe(first);
    expect(new RecentDigests().digest('sk_live_1')).toBe(first);
  });

  it('is remembered with the text of the credential for about a second', async () => {
    const digests = new RecentDigests();
    digests.digest('sk_live_1');
    expect(digests.size).toBe(1);
    await delay(1_100);

    expect(digests.size).toBe(0);
  });
});
