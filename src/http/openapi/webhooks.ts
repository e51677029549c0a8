import {
  boolean,
  dateTime,
  example,
  freeForm,
  id,
  integer,
  type JsonSchema,
  object,
  string,
} from '../../kernel/schema.js';
import type { EventDescription } from './event-descriptions.js';
import { exampleFor } from './examples.js';
import { toOperationId } from './operation.js';

const HEADERS: readonly (readonly [name: string, description: string, schema: JsonSchema])[] = [
  [
    'webhook-id',
    'The id of the event, the same in every attempt. Receivers use it to detect duplicates.',
    id('evt').schema,
  ],
  ['webhook-timestamp', 'The time of the signature, in seconds since 1970.', { type: 'string', pattern: '^\\d+$' }],
  ['webhook-signature', 'The Standard Webhooks signature: `v1,` and the HMAC in base64.', { type: 'string' }],
  [
    'X-Service-Signature',
    'The signature of the service: `t=`, the seconds, `,v1=` and the HMAC in hexadecimal digits.',
    { type: 'string' },
  ],
  ['X-Service-Event-Id', 'The id of the event.', id('evt').schema],
  ['X-Service-Event-Type', 'The type of the event.', { type: 'string' }],
  ['X-Service-Delivery-Id', 'The id of this attempt.', id('whd').schema],
  ['X-Service-Attempt', 'The number of this attempt, from 1.', { type: 'string', pattern: '^\\d+$' }],
];

/** The fields of every event, except `data`. */
const ENVELOPE = {
  id: id('evt'),
  type: string,
  version: example('1'),
  occurred_at: dateTime,
  sequence: integer,
  created_at: dateTime,
  delivery_id: id('whd'),
  attempt: integer,
  test: boolean,
};

/** Describes the request that an endpoint receives for a public event. */
export function toWebhook({ type, summary, description, data }: EventDescription): object {
  const { schema } = object({ ...ENVELOPE, data: freeForm });
  const envelope: JsonSchema = {
    ...schema,
    properties: { ...(schema.properties as object), ...toTypedFields(type, data.name) },
  };
  const example = { ...(exampleFor(object(ENVELOPE).schema) as object), type, data: exampleFor(data.schema) };
  return {
    post: {
      operationId: toOperationId(`Receive ${type}`),
      summary,
      description: `${description} Respond with a 2xx within 15 seconds. Any other response is retried or ends the delivery.`,
      tags: ['webhooks'],
      security: [],
      parameters: HEADERS.map(([name, about, of]) => ({
        name,
        in: 'header',
        required: true,
        description: about,
        schema: of,
      })),
      requestBody: { required: true, content: { 'application/json': { schema: envelope, example } } },
      responses: { '2XX': { description: 'The event was received.' } },
    },
  };
}

function toTypedFields(type: string, data: string): object {
  return { type: { type: 'string', const: type }, data: { $ref: `#/components/schemas/${data}` } };
}
