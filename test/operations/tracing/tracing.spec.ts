import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { respondWith } from '../../support/receiver-responses.js';
import { type CollectedSpan, TraceCollector } from '../../support/trace-collector.js';
import { WebhookFixture } from '../../webhooks/webhook-fixture.js';

const SRC = join(import.meta.dirname, '../../../src');
const REQUEST_ID = 'req_of_the_traced_request';
const [SERVER, CLIENT] = [2, 3];
const ERROR = 2;

describe('A traced request', () => {
  let collector: TraceCollector;
  let secrets: string[];
  let spans: CollectedSpan[];
  beforeAll(async () => {
    collector = await TraceCollector.start();
    const fixture = await WebhookFixture.start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    fixture.receiver.setResponses('/secret-path', respondWith(204));
    const { id, signing_secret } = await fixture.createEndpoint('/secret-path?token=in-the-url');
    const buyer = { email: 'ann@example.com', name: 'Ann Buyer' };
    await fixture.api.post('/v1/commerce/carts', { buyer });
    await fixture.api.post('/v1/commerce/products', { name: 'Confidential' }, { 'x-request-id': REQUEST_ID });
    await fixture.waitForRecords(`endpoint_id=${id}`, (records) => records.length === 1);
    await fixture.api.post('/v1/commerce/carts/cart_of_nobody/lines', { product_id: 'prod_of_nobody' });
    await fixture.close();
    await collector.stop();
    secrets = [signing_secret as string, 'in-the-url', 'secret-path', buyer.email, buyer.name, 'Confidential'];
    const { traceId } = requireSpan(collector.spans, 'POST /v1/commerce/products');
    spans = collector.spans.filter((span) => span.traceId === traceId);
  });

  it('is one trace: request, command, append, projection, reactor and delivery', () => {
    const request = requireSpan(spans, 'POST /v1/commerce/products');
    const command = requireSpan(spans, 'command CreateProduct');
    const append = requireSpan(spans, 'append ProductCreated');
    const published = requireSpan(spans, 'append PublicEventRecorded');

    expect([request.kind, request.parentSpanId ?? '']).toEqual([SERVER, '']);
    expect(command.parentSpanId).toBe(request.spanId);
    expect(append.parentSpanId).toBe(command.spanId);
    expect(requireSpan(spans, 'project products').parentSpanId).toBe(append.spanId);
    expect(listAncestors(spans, published)).toContain('append ProductReviewRequested');
    expect(listAncestors(spans, published)).toContainEqual(expect.stringMatching(/^react /));
    expect(requireSpan(spans, 'deliver product.review_requested').kind).toBe(CLIENT);
    expect(listAncestors(spans, requireSpan(spans, 'deliver product.review_requested'))).toContain(request.name);
  });

  it('has a parent for each span except the request', () => {
    const ids = new Set(spans.map(({ spanId }) => spanId));

    expect(ids.size).toBe(spans.length);
    expect(spans.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId)).map(({ name }) => name)).toEqual([
      'POST /v1/commerce/products',
    ]);
  });

  it('shows the status of a refused request, which is no error', () => {
    const refused = requireSpan(collector.spans, 'POST /v1/commerce/carts/:id/lines');
    expect(refused.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 404 } });
    expect(collector.spans.filter(({ status }) => status.code === ERROR)).toEqual([]);
  });

  it('contains no secret, no address and no text of a caller', () => {
    const sent = collector.bodies.join('');

    expect(sent).toContain('command CreateProduct');
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
    expect(sent).not.toMatch(/sk_(live|test)_/);
  });
});

describe('The libraries for tracing', () => {
  it('are loaded only when a collector is configured', async () => {
    const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const texts = await Promise.all(
      files.map(async (file) => [file, await readFile(join(SRC, file), 'utf8')] as const),
    );
    const filesWith = (pattern: RegExp) => texts.filter(([, text]) => pattern.test(text)).map(([file]) => file);

    expect(filesWith(/@opentelemetry\//).sort()).toEqual(
      ['operations/tracing/otlp-tracer.ts', 'operations/tracing/span-ids.ts'].sort(),
    );
    expect(filesWith(/from '.*otlp-tracer\.js'/)).toEqual([]);
    expect(filesWith(/from '.*span-ids\.js'/)).toEqual(['operations/tracing/otlp-tracer.ts']);
  });
});

function requireSpan(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

/** Returns the names of the spans from the parent up to the root. */
function listAncestors(spans: readonly CollectedSpan[], { parentSpanId }: CollectedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === parentSpanId);
  return parent === undefined ? [] : [parent.name, ...listAncestors(spans, parent)];
}
