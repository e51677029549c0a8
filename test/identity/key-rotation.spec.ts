import { Streams } from '../../src/engine/streams/streams.js';
import { ApiKeys } from '../../src/identity/api-keys.js';
import { apiKeyDecider } from '../../src/identity/domain/api-key.js';
import { createSystemContext } from '../../src/identity/system-context.js';
import { idOf } from '../../src/kernel/ids.js';
import { requireData } from '../support/api.js';
import { type Service, startService } from '../support/service.js';
import { FAR_FUTURE, KeyFixtures, toErrorSummary } from './authentication/key-fixtures.js';

let service: Service;
let keyFixtures: KeyFixtures;
beforeAll(async () => (service = await startService()));
beforeEach(async () => (keyFixtures = await KeyFixtures.create(service)));
afterAll(() => service.stop());

describe('A rotated key', () => {
  it('works during the overlap, and passes its expiry to the successor', async () => {
    const key = await keyFixtures.createKey({ expires_at: FAR_FUTURE });
    const reply = await keyFixtures.rotate(key.id, { overlap_seconds: 60 });
    const { secret, ...successor } = requireData(reply);

    expect(reply.status).toBe(201);
    expect(successor).toEqual({
      ...(await keyFixtures.retrieve(successor.id)),
      name: 'Shop',
      mode: 'live',
      access: 'full',
      expires_at: FAR_FUTURE,
    });
    expect([(await keyFixtures.readCaller(key.secret)).status, (await keyFixtures.readCaller(secret)).status]).toEqual([
      200, 200,
    ]);
    const { expires_at } = await keyFixtures.retrieve(key.id);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
  });

  it('ends at once without an overlap', async () => {
    const key = await keyFixtures.createKey();
    await keyFixtures.readCaller(key.secret);
    const { secret } = requireData(await keyFixtures.rotate(key.id));

    expect(toErrorSummary(await keyFixtures.readCaller(key.secret))).toEqual([401, 'token_expired', []]);
    expect((await keyFixtures.readCaller(secret)).status).toBe(200);
  });

  it('has one successor when the rotation is repeated', async () => {
    const { id } = await keyFixtures.createKey();
    const rotate = () => keyFixtures.rotate(id, { overlap_seconds: 0 }, { 'idempotency-key': 'rotate' });
    const { secret, ...successor } = requireData(await rotate());

    expect(secret).toMatch(/^sk_live_/);
    expect(requireData(await rotate())).toEqual(successor);
    expect(await keyFixtures.list()).toHaveLength(2);
  });

  it.each([
    [{}],
    [{ overlap_seconds: -1 }],
    [{ overlap_seconds: 604_801 }],
    [{ overlap_seconds: 1.5 }],
    [{ overlap_seconds: '60' }],
  ])('cannot have the overlap %j', async (body) => {
    const { id } = await keyFixtures.createKey();

    expect(toErrorSummary(await keyFixtures.rotate(id, body))).toEqual([422, 'validation_failed', ['overlap_seconds']]);
  });
});

describe('A command that a crash interrupted', () => {
  const wanted = () =>
    ({
      businessId: keyFixtures.business.id,
      userId: keyFixtures.business.ownerId,
      name: 'Shop',
      mode: 'live',
      access: 'full',
      expiresAt: null,
    }) as const;

  it('returns no secret of a key that it created before the crash', async () => {
    const [keys, context] = [service.get(ApiKeys), createSystemContext(Date.now())];
    const { key, secret } = await keys.create(wanted(), context);

    expect(await keys.create(wanted(), context)).toEqual({ key, secret: null });
    expect((await keyFixtures.readCaller(secret!)).status).toBe(200);
  });

  it('creates the successor of a key that it ended before the crash, and returns the secret', async () => {
    const [keys, context] = [service.get(ApiKeys), createSystemContext(Date.now())];
    const { key } = await keys.create(wanted(), createSystemContext(Date.now()));
    const old = (await keys.find(key.id))!;
    const end = {
      type: 'RotateApiKey',
      successorId: idOf('key', context.at, context.commandId),
      overlapSeconds: 0,
    } as const;
    await service.get(Streams).execute(apiKeyDecider, key.id, end, context);
    const resumed = await keys.rotate(old, 0, context);

    expect(resumed.key.id).toBe(end.successorId);
    expect((await keyFixtures.readCaller(resumed.secret!)).status).toBe(200);
    expect(await keys.rotate(old, 0, context)).toEqual({ key: resumed.key, secret: null });
  });
});
