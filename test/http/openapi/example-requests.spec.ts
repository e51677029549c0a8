import type { Api } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { type Json, OpenApiClient, type Operation } from '../support/openapi-client.js';

/** Codes of requests whose form is wrong. An item in `errors` may still say that a named resource does not exist. */
const FORM_CODES = ['invalid_json', 'invalid_parameter', 'validation_failed', 'unknown_parameter'];

let service: Service;
let description: OpenApiClient;
/** At least one of these callers is authorized for every operation. */
let callers: readonly Api[];
beforeAll(async () => {
  service = await startService();
  description = await OpenApiClient.read(service);
  const business = await service.createBusiness();
  const session = service.createApi(await service.signToken('owner', { email: 'ada@example.com' }));
  callers = [
    service.createApi(await service.createKey(business)),
    service.createApi(await service.createKey(business, { mode: 'test' })),
    session.withHeaders({ 'x-service-business-id': business.id }),
    service.createApi(await service.signToken('reviewer', { reviewer: true })),
  ];
});
afterAll(() => service.stop());

const exampleOf = ({ details }: Operation): unknown => details.requestBody?.content['application/json'].example;

async function send(operation: Operation): Promise<Json> {
  const path = operation.path.replaceAll(/\{\w+\}/g, 'none_1');
  for (const caller of callers) {
    const headers = { 'idempotency-key': `example of ${operation.name}` };
    const { status, body } = await caller.send(operation.method, path, exampleOf(operation), headers);
    if (status !== 403) return body;
  }
  throw new Error(`No caller is authorized for ${operation.name}`);
}

describe('The example request of every operation', () => {
  it('is accepted by the validation, unchanged', async () => {
    const withExamples = description.operations.filter((operation) => exampleOf(operation) !== undefined);
    const rejected: unknown[] = [];
    for (const operation of withExamples) {
      const { code, errors = [] } = await send(operation);
      const faults = errors.filter((error: Json) => error.code !== 'not_found');
      if (FORM_CODES.includes(code as string) && faults.length > 0) rejected.push([operation.name, faults]);
    }

    expect(withExamples.length).toBeGreaterThan(40);
    expect(rejected).toEqual([]);
  });
});
