import type { EventDescription, EventDescriptions } from '../../http/openapi/event-descriptions.js';
import { exampleFor } from '../../http/openapi/examples.js';
import type { JsonSchema, Resource } from '../../kernel/schema.js';
import { EVENT_TYPES } from '../domain/event-types.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schemas of the data of public events, by event type. */
export class EventSchemas implements EventDescriptions {
  private readonly resources: ReadonlyMap<string, Resource>;

  constructor(resources: Readonly<Record<string, Resource>>) {
    this.resources = new Map(Object.entries(resources));
  }

  list(): readonly EventDescription[] {
    return EVENT_TYPES.flatMap(({ id: type, summary, description }) => {
      const data = this.resources.get(type);
      return data === undefined ? [] : [{ type, summary, description, data }];
    });
  }

  /** Returns the JSON Schema of the data, with an example. */
  describeData(type: string): JsonSchema & { readonly examples: readonly [object] } {
    const resource = this.resources.get(type);
    if (resource === undefined) return describeUnsent(type);
    const { name: title, schema } = resource;
    return { $schema: DIALECT, title, ...schema, examples: [exampleFor(schema) as object] };
  }
}

/** Returns a schema without properties for a type that is not sent yet. */
function describeUnsent(type: string) {
  const description = `The service does not send ${type} yet, so its data has no schema.`;
  return {
    $schema: DIALECT,
    title: 'PublicEventData',
    description,
    type: 'object',
    required: [],
    properties: {},
    examples: [{}],
  } as const;
}
