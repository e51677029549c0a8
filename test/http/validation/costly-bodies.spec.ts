import { randomUUID } from 'node:crypto';
import { sampleCases } from '../../contracts/seed.js';
import type { Api, ApiResponse } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { COSTLY_BODIES } from '../support/costly-bodies.js';
import { OpenApiClient, type Operation } from '../support/openapi-client.js';

const MAX_ITEMS = 100;

let service: Service;
let description: OpenApiClient;
let callers: readonly Api[];
beforeAll(async () => {
  service = await startService();
  description = await OpenApiClient.read(service);
  const business = await service.createBusiness();
  const owner = service
    .createApi(await service.signToken('owner'))
    .withHeaders({ 'x-service-business-id': business.id });
  const reviewer = service.createApi(await service.signToken('reviewer', { reviewer: true }));
  callers = [service.createApi(await service.createKey(business)), owner, reviewer];
});
afterAll(() => service.stop());

/** Returns the response to the first authorized caller. */
async function requestAs({ method, path }: Operation, body: string): Promise<ApiResponse> {
  const url = path.replaceAll(/\{\w+\}/g, 'none_1');
  for (const caller of callers) {
    const reply = await caller.sendText(method, url, body, { 'idempotency-key': randomUUID() });
    if (reply.status !== 403) return reply;
  }
  throw new Error(`${method} ${path}: no caller is admitted`);
}

const withBody = () =>
  description.operations
    .map((operation) => ({
      operation,
      schema: description.resolve(operation.details.requestBody?.content['application/json'].schema),
    }))
    .filter(({ schema }) => schema !== undefined);

const ONE_OF = 6;

describe('A body of 1 MiB', () => {
  it.each(Object.keys(COSTLY_BODIES))(
    'with %s is rejected by every operation with at most 100 errors',
    async (kind) => {
      for (const { operation, schema } of sampleCases(withBody(), ONE_OF))
        for (const body of COSTLY_BODIES[kind]!(schema)) {
          const reply = await requestAs(operation, body);

          expect([operation.name, [413, 422].includes(reply.status), reply.status]).toEqual([
            operation.name,
            true,
            reply.status,
          ]);
          expect(reply.body.errors.length).toBeLessThanOrEqual(MAX_ITEMS);
        }
      expect(withBody().length).toBeGreaterThan(10);
    },
  );

  it('gets the number of errors that are not listed', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`x${i}`, i])));
    const reply = await callers[0]!.sendText('POST', '/v1/commerce/products', `${body.slice(0, -1)},"name":"A"}`);

    expect([reply.status, reply.body.code, reply.body.errors.length]).toEqual([422, 'unknown_parameter', 100]);
    expect(reply.body.detail).toContain('150 more');
  });
});

describe('A list above its maximum length', () => {
  it('is one error, and its elements are not validated', async () => {
    const reply = await callers[0]!.post('/v1/commerce/products', { name: 'A', plans: Array(1_000).fill({}) });

    expect(reply.body.errors).toEqual([
      { code: 'too_long', detail: 'plans may have at most 20 items.', param: 'plans' },
    ]);
  });
});

describe('The number of JSON values in a body', () => {
  it('can be 20,000', async () => {
    const reply = await callers[0]!.sendText(
      'POST',
      '/v1/commerce/products',
      `{"name":"A","x":[${Array(19_998).fill('1').join(',')}]}`,
    );

    expect([reply.status, reply.body.code]).toEqual([422, 'unknown_parameter']);
  });

  it('cannot be 20,001', async () => {
    const reply = await callers[0]!.sendText(
      'POST',
      '/v1/commerce/products',
      `{"name":"A","x":[${Array(19_999).fill('1').join(',')}]}`,
    );

    expect([reply.status, reply.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('does not include characters in strings', async () => {
    const reply = await callers[0]!.post('/v1/commerce/products', { name: 'A', description: '[,{"\\'.repeat(2_000) });

    expect(reply.status).toBe(201);
  });
});
