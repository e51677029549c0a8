import { type Service, startService } from '../../support/service.js';
import { type Json, OpenApiClient } from '../support/openapi-client.js';

let service: Service;
let description: OpenApiClient;
beforeAll(async () => {
  service = await startService();
  description = await OpenApiClient.read(service);
});
afterAll(() => service.stop());

type Found = readonly (readonly [path: string, schema: Json])[];

/** Lists every object in the document, with its path. Examples and defaults are values. */
function listObjects(value: Json, path = ''): Found {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries<Json>(value).filter(([key]) => !['example', 'examples', 'default'].includes(key));
  return [[path, value], ...inner.flatMap(([key, each]) => listObjects(each, `${path}/${key}`))];
}

const find = (isFault: (schema: Json, path: string) => boolean) =>
  listObjects(description.document)
    .filter(([path, schema]) => isFault(schema, path))
    .map(([path]) => path);

describe('For generators of clients, the OpenAPI document', () => {
  it('has no schema that is only null, but in a nullable reference', () => {
    const isNull = ({ type }: Json) => type === 'null' || (Array.isArray(type) && type.join() === 'null');
    expect(find((schema, path) => isNull(schema) && !path.endsWith('/anyOf/1'))).toEqual([]);
  });

  it('has unions of references alone', () => {
    const isReference = ({ $ref, type }: Json) => $ref !== undefined || type === 'null';
    expect(
      find(({ anyOf, oneOf = anyOf }) => Array.isArray(oneOf) && !oneOf.every((each: Json) => isReference(each))),
    ).toEqual([]);
  });

  it('has constants of type string alone', () => {
    const isConstant = (schema: Json, path: string) => !path.endsWith('/properties') && 'const' in schema;
    expect(find((schema, path) => isConstant(schema, path) && schema.type !== 'string')).toEqual([]);
  });

  it('refers to the bodies and the headers of webhooks', () => {
    const posts = Object.values<Json>(description.document.webhooks).map(({ post }) => post);
    const parts = posts.flatMap(({ parameters, requestBody }) => [
      ...parameters,
      requestBody.content['application/json'].schema,
    ]);
    expect(parts.filter(({ $ref }) => $ref === undefined)).toEqual([]);
  });

  it('has no webhook with the tag of an operation', () => {
    const tags = Object.values<Json>(description.document.webhooks).flatMap(({ post }) => post.tags as string[]);
    const taken = new Set(description.operations.flatMap(({ details }) => details.tags as string[]));
    expect(tags.filter((tag) => taken.has(tag))).toEqual([]);
    expect(tags.length).toBeGreaterThan(10);
  });

  it('has a credential for collections of requests', () => {
    expect(description.document.security).toEqual([{ secretKey: [] }]);
  });

  it.each([
    ['GET', '/v1/webhooks/events/{id}'],
    ['GET', '/v1/community/communities/{id}/onboarding-tasks/{task_key}'],
    ['GET', '/v1/community/communities/{id}/members/{user_id}/expert-badge'],
  ])('says which operation an address belongs to that also fits another path (%s %s)', (method, other) => {
    const sentence = `A ${method} of an address that also fits \`${other}\` is this operation.`;
    expect(description.operations.filter(({ details }) => String(details.description).includes(sentence))).toHaveLength(
      1,
    );
  });

  it('does not say that a parameter wins over a fixed segment', () => {
    const texts = description.operations
      .filter(({ path }) => path.endsWith('/{task_key}'))
      .map(({ details }) => details.description as string);
    expect(texts.filter((text) => text.includes('also fits'))).toEqual([]);
  });
});
