import { Config } from '../../../src/config/config.js';
import { Keys } from '../../../src/engine/encryption/keys.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { ApiKeyUsage } from '../../../src/identity/api-key-usage.js';
import { ApiKeys } from '../../../src/identity/api-keys.js';
import { ApiKeyAuthenticator } from '../../../src/identity/authentication/api-key-authenticator.js';
import { generateKey } from '../../../src/identity/authentication/api-key-format.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';

const CACHED_MS = 5_000;

/** A store that fails every read. */
class UnavailableStore extends MemoryEventStore {
  override readStream(): never {
    throw new StoreUnavailable('nobody answers', false);
  }
}

let service: Service;
let business: TestBusiness;
let clock: ManualClock;
beforeAll(async () => {
  service = await startService();
  business = await service.createBusiness();
});
beforeEach(() => (clock = new ManualClock()));
afterAll(() => service.stop());

/** Creates the authenticator of another process on the store. */
function createAuthenticator(): ApiKeyAuthenticator {
  return new ApiKeyAuthenticator(
    service.get(Streams),
    service.get(Keys),
    new ApiKeyUsage(service.get(ReadModels), clock),
    clock,
  );
}

async function createKey() {
  const options = {
    businessId: business.id,
    userId: business.ownerId,
    name: 'Shop',
    mode: 'live',
    access: 'full',
    expiresAt: null,
  } as const;
  const { key, secret } = await service.get(ApiKeys).create(options, createSystemContext(clock.now()));
  return { secret: secret!, key: (await service.get(ApiKeys).find(key.id))! };
}

describe('A key that was created under an earlier pepper', () => {
  it('is found by the current pepper after its next use', async () => {
    const { secret } = await createKey();
    const under = (keys: Keys) =>
      new ApiKeyAuthenticator(service.get(Streams), keys, new ApiKeyUsage(service.get(ReadModels), clock), clock);
    const first = service.get(Config).keyPepper;
    const newer = Buffer.alloc(32, 'newer');
    const master = Buffer.alloc(32, 'm');

    await expect(under(new Keys(master, newer)).authenticate(secret)).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    const caller = await under(new Keys(master, newer, { peppers: [first] })).authenticate(secret);
    expect(await under(new Keys(master, newer)).authenticate(secret)).toEqual(caller);
  });
});

describe('A mistyped key', () => {
  it('is rejected without a read of the store', async () => {
    const streams = new Streams(new UnavailableStore(clock), clock, new SeededRandom());
    const credentials = new ApiKeyAuthenticator(
      streams,
      service.get(Keys),
      new ApiKeyUsage(service.get(ReadModels), clock),
      clock,
    );
    const key = generateKey('full', 'live');

    await expect(credentials.authenticate(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).rejects.toMatchObject(
      {
        code: 'invalid_credentials',
      },
    );
    await expect(credentials.authenticate(key)).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describe('A key that another process has', () => {
  it('revoked is invalid after 5 s', async () => {
    const { key, secret } = await createKey();
    const there = createAuthenticator();
    await there.authenticate(secret);
    await service.get(ApiKeys).revoke(key, createSystemContext(clock.now()));
    await clock.advance(CACHED_MS);

    await expect(there.authenticate(secret)).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('rotated is expired after 5 s', async () => {
    const { key, secret } = await createKey();
    clock = new ManualClock(Date.now());
    const there = createAuthenticator();
    await there.authenticate(secret);
    await service.get(ApiKeys).rotate(key, 0, createSystemContext(clock.now()));
    await clock.advance(CACHED_MS);

    await expect(there.authenticate(secret)).rejects.toMatchObject({ code: 'token_expired' });
  });
});
