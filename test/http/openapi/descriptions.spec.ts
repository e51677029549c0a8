import { type Service, startService } from '../../support/service.js';
import { type Json, OpenApiClient } from '../support/openapi-client.js';

let service: Service;
let description: OpenApiClient;
beforeAll(async () => {
  service = await startService();
  description = await OpenApiClient.read(service);
});
afterAll(() => service.stop());

/** Lists the properties of a schema, with those of inner schemas: [path, property]. */
function listProperties(schema: Json, path: string): (readonly [string, Json])[] {
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])].filter(Boolean);
  return [
    ...Object.entries<Json>(schema.properties ?? {}).flatMap(([name, property]) => [
      [`${path}.${name}`, property] as const,
      ...listProperties(property, `${path}.${name}`),
    ]),
    ...inner.flatMap((each) => listProperties(each, path)),
  ];
}

const listAllProperties = () =>
  Object.entries<Json>(description.document.components.schemas).flatMap(([name, schema]) =>
    listProperties(schema, name),
  );

const listParameters = () =>
  description.operations.flatMap(({ name, details }) =>
    details.parameters.map(
      (each: Json) => [`${name} ${description.resolve(each).name}`, description.resolve(each)] as const,
    ),
  );

const hasSentence = ({ description: text }: Json) => typeof text === 'string' && /^[A-Z`].*\.$/s.test(text);
const hasFields = ({ properties, items, $ref, anyOf }: Json): boolean =>
  properties !== undefined || $ref !== undefined || anyOf !== undefined || (items !== undefined && hasFields(items));

describe('The OpenAPI document', () => {
  it('describes every property in a sentence', () => {
    const missing = listAllProperties().filter(([, property]) => !hasSentence(property));
    expect(missing.map(([path]) => path)).toEqual([]);
  });

  it('has an example for every property without fields of its own', () => {
    const missing = listAllProperties().filter(
      ([, property]) => !hasFields(property) && property.examples === undefined,
    );
    expect(missing.map(([path]) => path)).toEqual([]);
  });

  it('has examples of properties that match their schemas', () => {
    const wrong = listAllProperties().flatMap(([path, property]) =>
      (property.examples ?? []).flatMap((one: Json) =>
        description.validate(one, property).map((error) => `${path}: ${error}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('has examples of parameters that match their schemas', () => {
    const wrong = listParameters().flatMap(([path, { example, schema }]) =>
      description.validate(example, schema).map((error) => `${path}: ${error}`),
    );
    expect(wrong).toEqual([]);
  });

  it('describes every parameter in a sentence, with an example', () => {
    const missing = listParameters().filter(([, one]) => !hasSentence(one) || one.example === undefined);
    expect([...new Set(missing.map(([path]) => path))]).toEqual([]);
  });
});
