import { jwtVerify } from 'jose';
import type { Config } from '../../src/config.js';
import { SessionKeys } from '../../src/identity/session-keys.js';
import { Rejection } from '../../src/kernel/rejection.js';
import { ManualClock } from '../support/clock.js';
import { KeyServer } from './key-server.js';

const MINUTE = 60_000;

describe('The keys of session tokens', () => {
  let server: KeyServer;
  let clock: ManualClock;
  let keys: SessionKeys;
  beforeEach(async () => {
    [server, clock] = [new KeyServer(), new ManualClock()];
    keys = new SessionKeys({ session: { keys: { url: await server.start() } } } as unknown as Config, clock);
  });
  afterEach(() => server.stop());

  const verified = async (token: string) => (await jwtVerify(token, keys.find)).payload.sub;

  it('are fetched once', async () => {
    const token = await server.publish('a');

    expect([await verified(token), await verified(token), server.asked]).toEqual(['ann', 'ann', 1]);
  });

  it('are fetched again for a new key, and not at every forged one', async () => {
    await verified(await server.publish('a'));
    const rotated = await server.publish('b');
    await clock.advance(MINUTE);

    expect(await verified(rotated)).toBe('ann');
    const forged = await new KeyServer().publish('forged');
    await expect(verified(forged)).rejects.toThrow();
    await expect(verified(forged)).rejects.toThrow();
    expect(server.asked).toBe(2);
  });

  it('are asked for one time, however many tokens wait for them', async () => {
    const token = await server.publish('a');

    await Promise.all(Array.from({ length: 20 }, () => verified(token)));
    expect(server.asked).toBe(1);
  });

  it('that were withdrawn are known no longer when the set is fetched again', async () => {
    const token = await server.publish('a');
    await verified(token);
    server.withdraw();
    await server.publish('b');
    await clock.advance(11 * MINUTE);

    await expect(verified(token)).rejects.toThrow('no applicable key');
  });

  it('cannot be had from a server that has been down from the beginning', async () => {
    const token = await server.publish('a');
    server.down = true;
    await expect(verified(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    server.down = false;

    expect(await verified(token)).toBe('ann');
  });

  it('serve for an hour while the key server is down, and then nobody is called wrong', async () => {
    const token = await server.publish('a');
    await verified(token);
    server.down = true;
    await clock.advance(59 * MINUTE);

    expect(await verified(token)).toBe('ann');
    await clock.advance(2 * MINUTE);
    await expect(verified(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(verified(token)).rejects.toBeInstanceOf(Rejection);
  });
});
