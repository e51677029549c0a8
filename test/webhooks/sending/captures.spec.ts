import { DAY_MS } from '../../../src/kernel/clock.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { CAPTURE_DROPS, Captures, type Capture } from '../../../src/webhooks/sending/captures.js';
import { TEST_KEYS } from '../../support/keys.js';
import { House } from '../../support/memory/house.js';

const ATTEMPT = { deliveryId: 'whd_1', endpointId: 'whs_1', startedAt: '2026-02-01T09:00:00.000Z', durationMs: 5 };
const OTHER = { ...ATTEMPT, deliveryId: 'whd_2' };
const UNSENT = { ...OTHER, durationMs: null };
const DAY = '2026-02-01';
const CAPTURE: Capture = {
  signatures: {
    'X-Service-Signature': 't=1,v1=00',
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1',
    'webhook-signature': 'v1,AA==',
  },
  received: { headers: { server: 'theirs' }, body: 'Nobody else’s business' },
};

describe('The store of captures', () => {
  let house: House;
  let captures: Captures;
  beforeEach(async () => {
    house = new House();
    captures = new Captures(house.readModels, house.jobs, TEST_KEYS, house.clock);
    await captures.keep(ATTEMPT, CAPTURE);
  });

  const rows = () => house.readModels.load(`captures-${DAY}`, ['whd_1']);

  it('returns a capture at once and writes it shortly after', async () => {
    expect(await captures.of(ATTEMPT)).toEqual(CAPTURE);
    await house.clock.advance(100);
    expect(await rows()).toHaveLength(1);
    expect(await captures.of(ATTEMPT)).toEqual(CAPTURE);
    expect(await captures.of(UNSENT)).toBeNull();
  });

  it('finds a capture among those of many attempts to the same endpoint', async () => {
    const many = Array.from({ length: 120 }, (_, i) => ({ ...ATTEMPT, deliveryId: `whd_many_${i}` }));
    for (const attempt of many) await captures.keep(attempt, { ...CAPTURE, received: { headers: {}, body: attempt.deliveryId } });
    await house.clock.advance(100);
    const bodies = await Promise.all(many.map(async (attempt) => (await captures.of(attempt))?.received?.body));
    expect(bodies).toEqual(many.map(({ deliveryId }) => deliveryId));
    expect(await house.readModels.count(`captures-${DAY}`, {})).toBe(3);
  });

  it('finds a capture across several pages, and no missing capture', async () => {
    for (let i = 0; i < 50; i++) {
      await captures.keep({ ...ATTEMPT, deliveryId: `whd_line_${i}` }, CAPTURE);
      await house.clock.advance(100);
    }
    expect(await captures.of({ ...ATTEMPT, deliveryId: 'whd_line_45' })).toEqual(CAPTURE);
    expect(await captures.of(UNSENT)).toBeNull();
  });

  it('finds a capture that joined a batch whose save was not acknowledged', async () => {
    const save = house.readModels.save.bind(house.readModels);
    house.readModels.save = async (...batch) => {
      house.readModels.save = save;
      await save(...batch);
      throw new StoreUnavailable('no answer', true);
    };
    await house.clock.advance(100);
    await captures.keep(OTHER, CAPTURE);
    await house.clock.advance(100);
    expect(await captures.of(OTHER)).toEqual(CAPTURE);
  });

  it('reports a capture as unavailable to another process until it is written', async () => {
    const others = new Captures(house.readModels, house.jobs, TEST_KEYS, house.clock);
    await expect(others.of(ATTEMPT)).rejects.toBeInstanceOf(StoreUnavailable);
    await house.clock.advance(100);
    expect(await others.of(ATTEMPT)).toEqual(CAPTURE);
  });

  it('returns null for a capture that is not written 30 s after the end of its attempt', async () => {
    await house.clock.advance(ATTEMPT.durationMs + 29_999);
    await expect(captures.of(OTHER)).rejects.toBeInstanceOf(StoreUnavailable);
    await house.clock.advance(1);
    expect(await captures.of(OTHER)).toBeNull();
  });

  it('writes all captures before the process ends', async () => {
    await captures.onApplicationShutdown();
    expect(await rows()).toHaveLength(1);
  });

  it('writes the capture of an attempt that ends during the shutdown', async () => {
    await captures.onApplicationShutdown();
    const third = { ...ATTEMPT, deliveryId: 'whd_3' };
    await Promise.all([captures.keep(OTHER, CAPTURE), captures.keep(third, CAPTURE)]);
    const others = new Captures(house.readModels, house.jobs, TEST_KEYS, house.clock);
    expect(await Promise.all([OTHER, third].map((attempt) => others.of(attempt)))).toEqual([CAPTURE, CAPTURE]);
  });

  it('encrypts captures', async () => {
    await house.clock.advance(100);
    expect(JSON.stringify(await rows())).not.toContain('business');
  });

  it('returns captures for 30 days', async () => {
    await house.clock.advance(30 * DAY_MS);
    expect(await captures.of(ATTEMPT)).toEqual(CAPTURE);
    await house.clock.advance(1);
    expect(await captures.of(ATTEMPT)).toBeNull();
  });

  it('drops the captures of a whole day', async () => {
    await house.clock.advance(100);
    expect(await house.jobs.nextDue(CAPTURE_DROPS)).toBe('2026-03-04T00:00:00.000Z');
    await captures.drop(DAY);
    expect(await rows()).toEqual([]);
  });

  it('writes captures when the store is available again', async () => {
    house.readModels.away.add(`captures-${DAY}`);
    await house.clock.advance(1_000);
    expect([await rows(), await captures.of(ATTEMPT)]).toEqual([[], CAPTURE]);
    house.readModels.away.clear();
    await house.clock.advance(100);
    expect(await rows()).toHaveLength(1);
  });
});
