import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Jobs } from '../../../src/kernel/jobs.js';
import { newIdempotencyKey, waitFor, WebhookFixture } from '../../webhooks/webhook-fixture.js';

/** `http_requests_total{method="GET",route="none",status="404"} 1` */
const SAMPLE = /^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? (\S+)$/;
const DOCKER = join(import.meta.dirname, '../../../docker');

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

async function readSamples(fixture: WebhookFixture): Promise<Sample[]> {
  const answer = await fetch(`${fixture.service.running.opsUrl}/metrics`);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines
    .map((line) => SAMPLE.exec(line)!)
    .map(([, name, labels = '', value]) => ({ name: name!, labels, value: Number(value) }));
}

describe('The metrics endpoint', () => {
  let fixture: WebhookFixture;
  let samples: Sample[];
  beforeAll(async () => {
    fixture = await WebhookFixture.start();
    const { id } = await fixture.createEndpoint('/ok');
    const key = newIdempotencyKey();
    await fixture.api.post('/v1/commerce/products', { name: 'A course' }, key);
    await fixture.api.post('/v1/commerce/products', { name: 'A course' }, key);
    await fixture.waitForRecords(`endpoint_id=${id}`, (records) => records.length === 1);
    await fixture.api.get('/v1/commerce/products/prod_of_nobody');
    await fixture.api.get('/v1/nowhere/prod_of_nobody');
    samples = await readSamples(fixture);
  });
  afterAll(() => fixture.close());

  const valueOf = (name: string, labels: string) =>
    samples.find((one) => one.name === name && one.labels === labels)?.value;
  const sumOf = (wanted: string) =>
    samples.filter(({ name }) => name === wanted).reduce((sum, { value }) => sum + value, 0);

  it('counts requests by their declared route', () => {
    expect(valueOf('http_requests_total', 'method="GET",route="/v1/commerce/products/:id",status="404"')).toBe(1);
    expect(valueOf('http_requests_total', 'method="GET",route="none",status="404"')).toBe(1);
  });

  it('counts recorded events, delivery attempts and outcomes of idempotency keys', () => {
    expect(sumOf('events_appended_total')).toBeGreaterThan(5);
    expect(valueOf('delivery_attempts_total', 'outcome="success"')).toBe(1);
    expect(valueOf('idempotency_outcomes_total', 'outcome="completed"')).toBe(1);
    expect(sumOf('projection_events_total')).toBeGreaterThan(0);
  });

  it('uses no id and no address as a label', () => {
    expect(samples.filter(({ labels }) => /prod_|whe_|biz_|evt_|127\.0\.0\.1/.test(labels))).toEqual([]);
  });

  it('sums due and parked jobs over all backlogs of a queue, separately from the queue itself', async () => {
    const jobs = fixture.service.get(Jobs);
    const due = new Date(Date.now() - 600_000).toISOString();
    const later = new Date(Date.now() + 600_000).toISOString();
    const put = (endpointId: string, time: string) =>
      jobs.enqueue([{ key: `kept:${endpointId}`, queue: `deliveries:${endpointId}`, due: time, data: {} }]);
    await Promise.all([put('whs_1', due), put('whs_2', due), put('whs_3', later), put('whs_4', due)]);
    const [claimed] = await jobs.claim('deliveries:whs_4', { limit: 1, leaseMs: 60_000, holder: 'one' });
    await jobs.park(claimed!, 'broken');
    samples = await waitFor(async () => {
      const seen = await readSamples(fixture);
      return seen.some(({ name, labels }) => name === 'jobs_due' && labels === 'queue="deliveries:*"') ? seen : null;
    });

    expect(valueOf('jobs_due', 'queue="deliveries:*"')).toBe(2);
    expect(valueOf('jobs_oldest_due_seconds', 'queue="deliveries:*"')).toBeGreaterThanOrEqual(600);
    expect(valueOf('jobs_parked', 'queue="deliveries:*"')).toBe(1);
    expect(valueOf('jobs_due', 'queue="deliveries"')).toBe(0);
    expect(valueOf('jobs_oldest_due_seconds', 'queue="deliveries"')).toBe(0);
    expect(samples.filter(({ labels }) => labels.includes('whs_'))).toEqual([]);
  });

  it.each(['prometheus/alerts.yml', 'grafana/dashboards/service.json'])('exports every metric that %s uses', (file) => {
    const asked = new Set(
      readFileSync(join(DOCKER, file), 'utf8').match(/\b\w+_(?:total|seconds(?:_bucket)?|letters|due|parked|bytes)\b/g),
    );
    const known = new Set(samples.map(({ name }) => name));
    expect([...asked].map((name) => name.replace(/_bucket$/, '')).filter((name) => !known.has(name))).toEqual([]);
  });

  it('reads the stores at most once a second', async () => {
    const jobs = fixture.service.get(Jobs);
    const sizes = jobs.readQueueStats.bind(jobs);
    let asked = 0;
    jobs.readQueueStats = () => {
      asked++;
      return sizes();
    };
    const began = performance.now();
    for (let i = 0; i < 10; i++) await readSamples(fixture);
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    jobs.readQueueStats = sizes;

    expect(asked).toBeLessThanOrEqual(1 + seconds);
  });
});
