import { join } from 'node:path';
import { nameOf, type OpenApiDocument } from '../../generator/document.ts';
import { readOperations } from '../../generator/operations.ts';
import type { Sources } from '../../generator/sources.ts';
import { HEADER } from './layout.ts';
import { writeResources } from './resources.ts';
import { TypeWriter } from './types.ts';

export const GENERATED = join(import.meta.dirname, '../src/event_sourced_api_client/generated');

/** Schemas that the written parts of the client use. */
const USED_SCHEMAS = ['PagePagination', 'CursorPagination', 'Problem'];

export function generateSources(document: OpenApiDocument): Sources {
  const operations = readOperations(document);
  const events = Object.values(document.webhooks).map(({ post }) =>
    nameOf(post.requestBody!.content['application/json']!.schema),
  );
  const types = new TypeWriter(document);
  types.nameValues('WebhookEventType', Object.keys(document.webhooks));
  for (const name of [...USED_SCHEMAS, ...events]) types.declare(name);
  const flavours = [false, true].map((isAsync) => writeResources(operations, types, isAsync));
  return {
    '__init__.py': HEADER,
    'types.py': types.write(events),
    'resources.py': flavours[0]!,
    'async_resources.py': flavours[1]!,
  };
}
