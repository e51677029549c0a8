import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, jwtVerify } from 'jose';
import type { Config } from '../../src/config.js';
import { SessionKeys } from '../../src/identity/session-keys.js';
import { Rejection } from '../../src/kernel/rejection.js';
import { ManualClock } from '../support/clock.js';

const MINUTE = 60_000;

class KeyServer {
  asked = 0;
  down = false;
  private keys: object[] = [];
  private readonly server: Server = createServer((_, response) => {
    this.asked++;
    response.writeHead(this.down ? 500 : 200).end(JSON.stringify({ keys: this.keys }));
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Publishes a new key, and answers a token that it signed. */
  async publish(kid: string): Promise<string> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.keys.push({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA' });
    return new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: 'EdDSA', kid }).sign(privateKey);
  }
}

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
