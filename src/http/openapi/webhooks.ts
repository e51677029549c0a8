import { idOfSentence } from './operation.js';
import type { DescribedEvent } from './described-events.js';
import { exampleOf } from './examples.js';
import { id, like, object, one, text, time, type Schema } from './shape.js';

const HEADERS: readonly (readonly [name: string, description: string, schema: Schema])[] = [
  ['webhook-id', 'The id of the event: the same in every attempt. Receivers tell repetitions by it.', id('evt').schema],
  ['webhook-timestamp', 'When the attempt was signed, in seconds since 1970.', { type: 'string', pattern: '^\\d+$' }],
  ['webhook-signature', 'The signature of Standard Webhooks: `v1,` and the HMAC in base64.', { type: 'string' }],
  ['X-Service-Signature', '`t=`, the seconds, `,v1=` and the HMAC in hexadecimal digits.', { type: 'string' }],
];

/** The request that an endpoint receives for a public event. */
export function webhookOf({ type, summary, description, data }: DescribedEvent): object {
  const { schema } = object({ id: id('evt'), object: one('event'), type: like(type), version: text, occurred_at: time, data: {} as never });
  const envelope: Schema = { ...schema, properties: { ...(schema.properties as object), ...typed(type, data.name) } };
  const example = {
    ...(exampleOf(object({ id: id('evt'), object: one('event'), type: one(type), version: text, occurred_at: time }).schema) as object),
    version: '1',
    data: exampleOf(data.schema),
  };
  return {
    post: {
      operationId: idOfSentence(`Receive ${type}`),
      summary,
      description: `${description} Answer with a 2xx within 15 seconds; anything else is tried again or ends the delivery.`,
      tags: ['webhooks'],
      security: [],
      parameters: HEADERS.map(([name, about, of]) => ({ name, in: 'header', required: true, description: about, schema: of })),
      requestBody: { required: true, content: { 'application/json': { schema: envelope, example } } },
      responses: { '2XX': { description: 'The event was received.' } },
    },
  };
}

function typed(type: string, data: string): object {
  return { type: { type: 'string', const: type }, data: { $ref: `#/components/schemas/${data}` } };
}
