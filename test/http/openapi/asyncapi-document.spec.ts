import '../../../src/features.js';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { listEventTypeIds } from '../../../src/webhooks/event-catalogue.js';
import { type Service, startService } from '../../support/service.js';
import { closeSchema, FORMATS, type Json } from '../support/openapi-client.js';

/** The schema of AsyncAPI itself. Its own parser checks the document in .ci/contract. */
const ASYNC_API = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json');
const CHANNELS = ['webhooks', 'eventStream'];

let service: Service;
let document: Json;
beforeAll(async () => {
  service = await startService();
  document = (await service.createApi().get('/asyncapi.json')).body;
});
afterAll(() => service.stop());

const createAjv = () => new Ajv({ strict: false, allErrors: true, formats: FORMATS });

function resolve(value: Json): Json {
  const path: string[] = value?.$ref?.slice('#/'.length).split('/') ?? [];
  return path.length === 0 ? value : path.reduce((inner: Json, key) => inner?.[key], document);
}

const listMessages = (channel: string) =>
  Object.entries<Json>(document.channels[channel].messages).map(([type, message]) => [type, resolve(message)] as const);

describe('The AsyncAPI document', () => {
  it('is public and cacheable', async () => {
    const first = await service.createApi().get('/asyncapi.json');
    const again = await service.createApi().get('/asyncapi.json', { 'if-none-match': first.headers.get('etag')! });

    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is AsyncAPI 3.0', async () => {
    // The schema contains the one of JSON Schema, which ajv must not add.
    const ajv = new Ajv({ strict: false, meta: false, validateSchema: false, validateFormats: false });
    const validate = ajv.compile(JSON.parse(await readFile(ASYNC_API, 'utf8')));

    expect([validate(document), validate.errors]).toEqual([true, null]);
    expect(document.asyncapi).toBe('3.0.0');
  });

  it('has no broken reference, and no schema that nothing refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, $ref]) => $ref!);
    const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);

    expect(references.filter(($ref) => resolve({ $ref }) === undefined)).toEqual([]);
    expect(schemas.filter(($ref) => !references.includes($ref))).toEqual([]);
  });

  it.each(CHANNELS)('has a message for every type of event: %s', (channel) => {
    expect(
      listMessages(channel)
        .map(([type]) => type)
        .sort(),
    ).toEqual([...listEventTypeIds()].sort());
    expect(listEventTypeIds().length).toBeGreaterThan(10);
  });

  it.each(CHANNELS)('has examples that match their schemas: %s', (channel) => {
    const schemas = closeSchema(document.components.schemas);
    const ajv = createAjv().addSchema({ $id: 'events:', components: { schemas } });
    const compile = ({ $ref }: Json) => ajv.compile({ $ref: `events:${$ref}` });
    for (const [type, { headers, payload, examples }] of listMessages(channel)) {
      const [validatePayload, validateHeaders] = [compile(payload), headers && compile(headers)];
      for (const example of examples) {
        expect([type, validatePayload(example.payload), validatePayload.errors]).toEqual([type, true, null]);
        expect([type, validateHeaders?.(example.headers) ?? true]).toEqual([type, true]);
        expect([example.payload.type, example.headers?.['X-Service-Event-Type'] ?? type]).toEqual([type, type]);
      }
    }
  });

  it('keeps what stands beside a reference', () => {
    const { data } = document.components.schemas.CartOrderCompletedEvent.properties;

    expect(data).toEqual({ allOf: [{ $ref: '#/components/schemas/Order' }], description: expect.any(String) });
  });

  it('says how webhooks are signed, and which credentials a stream needs', () => {
    const { sendWebhook, streamEvents } = document.operations;
    const schemes = ({ security }: Json): Json[] => security.map(resolve);

    expect([sendWebhook.action, streamEvents.action]).toEqual(['send', 'send']);
    expect(schemes(sendWebhook).map((one) => [one.type, one.in, one.name])).toEqual([
      ['httpApiKey', 'header', 'webhook-signature'],
      ['httpApiKey', 'header', 'X-Service-Signature'],
    ]);
    expect(schemes(streamEvents).map(({ type, scheme }) => [type, scheme])).toEqual(Array(3).fill(['http', 'bearer']));
    expect([sendWebhook.bindings.http.method, streamEvents.bindings.http.method]).toEqual(['POST', 'GET']);
    expect(Object.keys(streamEvents.bindings.http.query.properties)).toContain('event_type');
  });

  it('names the public address of the service', async () => {
    const prefixed = await startService({ PUBLIC_URL: 'https://example.com/api' });
    const { servers } = (await prefixed.createApi().get('/asyncapi.json')).body;
    await prefixed.stop();

    expect(servers.service).toMatchObject({ host: 'example.com', protocol: 'https', pathname: '/api' });
  });
});
