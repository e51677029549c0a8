import { type JWK, jwtVerify } from 'jose';
import type { Config } from '../../../src/config/config.js';
import { SessionJwks } from '../../../src/identity/authentication/session-jwks.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import { ManualClock } from '../../support/clock.js';
import { recordReports } from '../../support/record-reports.js';
import { KeyServer } from './key-server.js';

const MINUTE = 60_000;
const UNUSABLE: readonly [what: string, keys: readonly JWK[]][] = [
  ['no key', []],
  ['a key without its numbers', [{ kty: 'RSA', kid: 'a' }]],
  ['a point that is not on the curve', [{ kty: 'EC', crv: 'P-256', kid: 'a', x: 'AA', y: 'AA', alg: 'ES256' }]],
  ['a key that is too short', [{ kty: 'OKP', crv: 'Ed25519', kid: 'a', x: 'AA' }]],
  ['a secret', [{ kty: 'oct', kid: 'a', k: 'AAAA' }]],
  ['null', [null as unknown as JWK]],
];

describe('The keys of session tokens', () => {
  let server: KeyServer;
  let clock: ManualClock;
  let keys: SessionJwks;
  beforeEach(async () => {
    [server, clock] = [new KeyServer(), new ManualClock()];
    keys = new SessionJwks({ session: { keys: { url: await server.start() } } } as unknown as Config, clock);
  });
  afterEach(() => server.stop());

  const verified = async (token: string) => (await jwtVerify(token, keys.find)).payload.sub;

  it('are fetched once', async () => {
    const token = await server.publish('a');

    expect([await verified(token), await verified(token), server.requestCount]).toEqual(['ann', 'ann', 1]);
  });

  it('are fetched again for a new key, but not for each forged key id', async () => {
    await verified(await server.publish('a'));
    const rotated = await server.publish('b');
    await clock.advance(MINUTE);

    expect(await verified(rotated)).toBe('ann');
    const forged = await new KeyServer().publish('forged');
    await expect(verified(forged)).rejects.toThrow();
    await expect(verified(forged)).rejects.toThrow();
    expect(server.requestCount).toBe(2);
  });

  it('are fetched once for concurrent tokens', async () => {
    const token = await server.publish('a');

    await Promise.all(Array.from({ length: 20 }, () => verified(token)));
    expect(server.requestCount).toBe(1);
  });

  it('are unknown after they were withdrawn and the set was fetched again', async () => {
    const token = await server.publish('a');
    await verified(token);
    server.withdraw();
    await server.publish('b');
    await clock.advance(11 * MINUTE);

    await expect(verified(token)).rejects.toThrow('no applicable key');
  });

  it('are unavailable from a server that was never up', async () => {
    const token = await server.publish('a');
    server.isDown = true;
    await expect(verified(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    server.isDown = false;

    expect(await verified(token)).toBe('ann');
  });

  it('are reported as missing while the key server is down, and as recovered after it', async () => {
    const { list, stop } = recordReports();
    const token = await server.publish('a');
    server.isDown = true;
    await expect(verified(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    server.isDown = false;
    await verified(token);
    stop();

    expect(list.map(([what, work]) => `${what} ${work}`)).toEqual([
      'failed loop session keys',
      'recovered loop session keys',
    ]);
  });

  it('are used for an hour while the key server is down, and then sessions get a 503', async () => {
    const token = await server.publish('a');
    await verified(token);
    server.isDown = true;
    await clock.advance(59 * MINUTE);

    expect(await verified(token)).toBe('ann');
    await clock.advance(2 * MINUTE);
    await expect(verified(token)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(verified(token)).rejects.toBeInstanceOf(Rejection);
  });

  it.each(UNUSABLE)('are used for an hour while the set contains only %s', async (_, unusable) => {
    const token = await server.publish('a');
    await verified(token);
    server.withdraw();
    server.published.keys.push(...unusable);
    await clock.advance(59 * MINUTE);

    expect([await verified(token), server.requestCount]).toEqual(['ann', 2]);
    await clock.advance(2 * MINUTE);
    await expect(verified(token)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it.each(UNUSABLE)('are unavailable from a set that contains only %s', async (_, unusable) => {
    server.published.keys.push(...unusable);

    await expect(verified(await new KeyServer().publish('a'))).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('are used when the set also contains an unusable key', async () => {
    server.published.keys.push({ kty: 'RSA', kid: 'broken' });

    expect(await verified(await server.publish('a'))).toBe('ann');
    await expect(verified(await new KeyServer().publish('broken', undefined, 'RS256'))).rejects.toThrow(
      'no applicable key',
    );
  });
});
