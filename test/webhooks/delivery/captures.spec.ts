import { DAY_MS } from '../../../src/kernel/clock.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { type Capture, captureDrops, Captures } from '../../../src/webhooks/delivery/captures.js';
import { TEST_KEYS } from '../../support/keys.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

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
  let cluster: TestCluster;
  let captures: Captures;
  beforeEach(async () => {
    cluster = new TestCluster();
    captures = new Captures(cluster.readModels, cluster.jobs, TEST_KEYS, cluster.clock);
    await captures.save(ATTEMPT, CAPTURE);
  });

  const rows = () => cluster.readModels.load(`captures-${DAY}`, ['whd_1']);

  it('returns a capture at once and writes it shortly after', async () => {
    expect(await captures.find(ATTEMPT)).toEqual(CAPTURE);
    await cluster.clock.advance(100);
    expect(await rows()).toHaveLength(1);
    expect(await captures.find(ATTEMPT)).toEqual(CAPTURE);
    expect(await captures.find(UNSENT)).toBeNull();
  });

  it('finds a capture among those of many attempts to the same endpoint', async () => {
    const many = Array.from({ length: 120 }, (_, i) => ({ ...ATTEMPT, deliveryId: `whd_many_${i}` }));
    for (const attempt of many)
      await captures.save(attempt, { ...CAPTURE, received: { headers: {}, body: attempt.deliveryId } });
    await cluster.clock.advance(100);
    const bodies = await Promise.all(many.map(async (attempt) => (await captures.find(attempt))?.received?.body));
    expect(bodies).toEqual(many.map(({ deliveryId }) => deliveryId));
    expect(await cluster.readModels.count(`captures-${DAY}`, {})).toBe(3);
  });

  it('finds a capture across several pages, and no missing capture', async () => {
    for (let i = 0; i < 50; i++) {
      await captures.save({ ...ATTEMPT, deliveryId: `whd_line_${i}` }, CAPTURE);
      await cluster.clock.advance(100);
    }
    expect(await captures.find({ ...ATTEMPT, deliveryId: 'whd_line_45' })).toEqual(CAPTURE);
    expect(await captures.find(UNSENT)).toBeNull();
  });

  it('finds a capture that joined a batch whose save was not acknowledged', async () => {
    const save = cluster.readModels.upsert.bind(cluster.readModels);
    cluster.readModels.upsert = async (...batch) => {
      cluster.readModels.upsert = save;
      await save(...batch);
      throw new StoreUnavailable('no answer', true);
    };
    await cluster.clock.advance(100);
    await captures.save(OTHER, CAPTURE);
    await cluster.clock.advance(100);
    expect(await captures.find(OTHER)).toEqual(CAPTURE);
  });

  it('reports a capture as unavailable to another process until it is written', async () => {
    const others = new Captures(cluster.readModels, cluster.jobs, TEST_KEYS, cluster.clock);
    await expect(others.find(ATTEMPT)).rejects.toBeInstanceOf(StoreUnavailable);
    await cluster.clock.advance(100);
    expect(await others.find(ATTEMPT)).toEqual(CAPTURE);
  });

  it('returns null for a capture that is not written 30 s after the end of its attempt', async () => {
    await cluster.clock.advance(ATTEMPT.durationMs + 29_999);
    await expect(captures.find(OTHER)).rejects.toBeInstanceOf(StoreUnavailable);
    await cluster.clock.advance(1);
    expect(await captures.find(OTHER)).toBeNull();
  });

  it('writes all captures before the process ends', async () => {
    await captures.onApplicationShutdown();
    expect(await rows()).toHaveLength(1);
  });

  it('writes the capture of an attempt that ends during the shutdown', async () => {
    await captures.onApplicationShutdown();
    const third = { ...ATTEMPT, deliveryId: 'whd_3' };
    await Promise.all([captures.save(OTHER, CAPTURE), captures.save(third, CAPTURE)]);
    const others = new Captures(cluster.readModels, cluster.jobs, TEST_KEYS, cluster.clock);
    expect(await Promise.all([OTHER, third].map((attempt) => others.find(attempt)))).toEqual([CAPTURE, CAPTURE]);
  });

  it('encrypts captures', async () => {
    await cluster.clock.advance(100);
    expect(JSON.stringify(await rows())).not.toContain('business');
  });

  it('returns captures for 30 days', async () => {
    await cluster.clock.advance(30 * DAY_MS);
    expect(await captures.find(ATTEMPT)).toEqual(CAPTURE);
    await cluster.clock.advance(1);
    expect(await captures.find(ATTEMPT)).toBeNull();
  });

  it('drops the captures of a whole day', async () => {
    await cluster.clock.advance(100);
    expect(await cluster.jobs.findNextDue(captureDrops.name)).toBe('2026-03-04T00:00:00.000Z');
    await captures.dropDay(DAY);
    expect(await rows()).toEqual([]);
  });

  it('writes captures when the store is available again', async () => {
    cluster.readModels.unavailableCollections.add(`captures-${DAY}`);
    await cluster.clock.advance(1_000);
    expect([await rows(), await captures.find(ATTEMPT)]).toEqual([[], CAPTURE]);
    cluster.readModels.unavailableCollections.clear();
    await cluster.clock.advance(100);
    expect(await rows()).toHaveLength(1);
  });
});
