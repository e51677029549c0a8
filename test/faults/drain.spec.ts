import { rm } from 'node:fs/promises';
import type { NewEvent, RecordedEvent } from '../../src/kernel/event.js';
import { requireData } from '../support/api.js';
import {
  findBrokenChains,
  findOpenChains,
  findUnexpectedRequests,
  findUnpublishedEvents,
} from '../support/invariants/deliveries.js';
import { Receiver } from '../support/receiver.js';
import { createTempFolder } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { StoreInspector } from '../support/store-inspector.js';
import type { WebhookEnvelope } from '../support/verify-webhook.js';
import { waitFor } from '../webhooks/webhook-fixture.js';

const EVENTS = 2_000;
const IN_FLIGHT = 64;
const RECEIVED_BEFORE_KILL = 600;
const MINUTE_MS = 60_000;
/** Shorter than the lease of any attempt; an idle machine needs 3 s. */
const TIMEOUT_MS = MINUTE_MS;
const ENVIRONMENT = {
  WEBHOOK_ENDPOINT_CONCURRENCY: String(IN_FLIGHT),
  WEBHOOK_ENDPOINT_RATE: '10000',
  WEBHOOK_TIMEOUT_MS: '600000',
};
const AT = '2026-02-01T09:00:00.000Z';

/** Records all public events at once, before any delivery starts. */
async function fill(evidence: StoreInspector, businessId: string): Promise<void> {
  await Promise.all(
    Array.from({ length: EVENTS }, (_, n) => evidence.events.append(...createPublicEvent(n, businessId))),
  );
}

function createPublicEvent(n: number, businessId: string): [stream: string, expected: 'none', events: NewEvent[]] {
  const eventId = `evt_${String(n).padStart(26, '0')}`;
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  // The current time, because events older than 30 days are not delivered.
  const occurredAt = new Date().toISOString();
  const data = { eventId, type: 'product.approved', version: '1', occurredAt, businessId, mode: 'live', data: { n } };
  const actor = { type: 'system', id: 'publish-events' } as const;
  const cause = {
    command: 'RecordPublicEvent',
    commandId: id,
    correlationId: id,
    causationId: id,
    actor,
    business: businessId,
  };
  const meta = { at: AT, ...cause, mode: 'live', requestId: null, v: 1 } as const;
  return [`publicEvent-${eventId}`, 'none', [{ id, type: 'PublicEventRecorded', data, meta }]];
}

describe(`A service that is killed in the middle of ${EVENTS} deliveries and restarted at once`, () => {
  let receiver: Receiver;
  let evidence: StoreInspector;
  let service: ServiceProcess;
  let dataDir: string;
  let restarted: number;
  let log: readonly RecordedEvent[];

  beforeAll(async () => {
    dataDir = await createTempFolder();
    receiver = await Receiver.start();
    service = await ServiceProcess.start(dataDir, ENVIRONMENT);
    const api = service.createApi(service.firstKey);
    requireData(await api.post('/v1/webhooks/endpoints', { url: receiver.url() }));
    evidence = await StoreInspector.open(dataDir);
    await fill(evidence, requireData(await api.get('/v1/auth/me')).business.id);
    await receiver.waitUntil(
      () => receiver.requests.length >= RECEIVED_BEFORE_KILL,
      `request ${RECEIVED_BEFORE_KILL}`,
      MINUTE_MS,
    );
    await service.kill9();
    restarted = Date.now();
    service = await ServiceProcess.start(dataDir, ENVIRONMENT);
    await receiver.waitUntil(() => receiver.requests.length >= EVENTS, `request ${EVENTS}`, MINUTE_MS);
    log = await waitFor(async () => {
      const soFar = await evidence.readLog();
      return findUnpublishedEvents(soFar).length + findOpenChains(soFar).length === 0 ? soFar : null;
    }, MINUTE_MS);
  }, 3 * MINUTE_MS);
  afterAll(async () => {
    await service.stop();
    await evidence.close();
    await receiver.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('loses no delivery and repeats at most the attempts in flight', () => {
    const received = new Set(receiver.requests.map(({ body }) => (JSON.parse(body) as WebhookEnvelope).id));
    const lost = log.filter(({ type }) => type === 'AttemptLost').length;
    expect(received.size).toBe(EVENTS);
    expect(lost).toBeLessThanOrEqual(IN_FLIGHT);
    expect(receiver.requests.length - EVENTS).toBeLessThanOrEqual(lost);
  });

  it('delivers all events soon, without waiting for a lease to end', () => {
    const last = Math.max(...receiver.requests.map(({ receivedAt }) => receivedAt)) - restarted;
    process.stderr.write(`the last delivery arrived ${last} ms after the restart\n`);
    expect(last).toBeLessThan(TIMEOUT_MS);
  });

  it('recorded the attempts that the receiver got', () => {
    expect(findBrokenChains(log)).toEqual([]);
    expect(findUnexpectedRequests(receiver.requests, log)).toEqual([]);
  });
});
