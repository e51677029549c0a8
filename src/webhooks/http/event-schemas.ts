import { exampleForEvent } from '../../http/openapi/examples.js';
import type { JsonSchema, Resource } from '../../kernel/schema.js';
import { findDataSchema } from '../event-catalogue.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schema of a JSON Schema that describes an object. */
export const eventDataSchema: Resource = {
  name: 'EventDataSchema',
  schema: {
    type: 'object',
    required: ['$schema', 'title', 'type', 'required', 'properties', 'examples'],
    properties: {
      $schema: { type: 'string', format: 'uri', description: 'The version of JSON Schema.', examples: [DIALECT] },
      title: { type: 'string', description: 'The name of the data in this API.', examples: ['Order'] },
      type: { type: 'string', enum: ['object'], description: 'The data are always a JSON object.' },
      required: {
        type: 'array',
        items: { type: 'string' },
        description: 'The names of the fields that the data always have.',
        examples: [['id']],
      },
      properties: {
        type: 'object',
        additionalProperties: true,
        description: 'The JSON Schema of each field, by its name.',
        examples: [{ id: { type: 'string' } }],
      },
      examples: {
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        description: 'One example of the data, which a test event also sends.',
        examples: [[{ id: 'ord_01kg9p6je0grr0rycz01afc5br' }]],
      },
    },
  },
};

type DataSchema = JsonSchema & { readonly examples: readonly [object] };

/** Returns the JSON Schema of the data of a type, with an example. */
export function describeData(type: string): DataSchema {
  const resource = findDataSchema(type);
  if (resource === null) return describeUnsent(type);
  const { name: title, schema } = resource;
  return { $schema: DIALECT, title, ...schema, examples: [exampleForEvent(type, schema)] };
}

/** Returns a schema without properties. */
function describeUnsent(type: string): DataSchema {
  const description = `The service does not send ${type} yet, so its data has no schema.`;
  return {
    $schema: DIALECT,
    title: 'PublicEventData',
    description,
    type: 'object',
    required: [],
    properties: {},
    examples: [{}],
  };
}
