import { ManualClock } from '../support/clock.js';
import { Folder } from './support/folder.js';

const TTL_MS = 86_400_000;

describe('A lease of the embedded store that was taken while the clock was a year ahead', () => {
  const folder = Folder.each();

  it('is free after the clock is set back, and a lease of now is not', async () => {
    const clock = new ManualClock();
    const ahead = new ManualClock();
    await ahead.advance(365 * TTL_MS);
    const { leases: early } = await folder.open({ clock: ahead });
    await early.acquireLease('day of tombstones', 'first', TTL_MS);
    const { leases } = await folder.open({ clock });

    expect(await leases.acquireLease('day of tombstones', 'second', TTL_MS)).toBe(2);
    expect(await leases.acquireLease('day of tombstones', 'third', TTL_MS)).toBeNull();
  });
});
