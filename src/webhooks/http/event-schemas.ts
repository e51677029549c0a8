import type { DescribedEvent, DescribedEvents } from '../../http/openapi/described-events.js';
import { exampleOf } from '../../http/openapi/examples.js';
import { EVENT_TYPES } from '../domain/event-types.js';
import type { Resource, Schema } from '../../kernel/schema.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schemas of the data of public events, by event type. */
export class EventSchemas implements DescribedEvents {
  private readonly resources: ReadonlyMap<string, Resource>;

  constructor(resources: Readonly<Record<string, Resource>>) {
    this.resources = new Map(Object.entries(resources));
  }

  sent(): readonly DescribedEvent[] {
    return EVENT_TYPES.flatMap(({ id: type, summary, description }) => {
      const data = this.resources.get(type);
      return data === undefined ? [] : [{ type, summary, description, data }];
    });
  }

  /** Returns the JSON Schema of the data, with an example. */
  of(type: string): Schema & { readonly examples: readonly [object] } {
    const resource = this.resources.get(type);
    if (resource === undefined) return unsent(type);
    const { name: title, schema } = resource;
    return { $schema: DIALECT, title, ...schema, examples: [exampleOf(schema) as object] };
  }
}

/** Returns a schema without properties for a type that is not sent yet. */
function unsent(type: string) {
  const description = `The service does not send ${type} yet, so its data has no schema.`;
  return { $schema: DIALECT, title: 'PublicEventData', description, type: 'object', required: [], properties: {}, examples: [{}] } as const;
}
