import { eventChanges } from '../../kernel/public-event-definition.js';
import {
  boolean,
  COMPONENT,
  dateTime,
  describe,
  example,
  freeForm,
  id,
  integer,
  type JsonSchema,
  object,
  string,
} from '../../kernel/schema.js';
import type { EventDescription } from './event-descriptions.js';
import { addExamples, exampleFor, exampleForEvent } from './examples.js';
import { toOperationId } from './operation.js';

export const TYPE_HEADER = 'X-Service-Event-Type';
const HEADERS: readonly (readonly [name: string, description: string, schema: JsonSchema])[] = [
  [
    'webhook-id',
    'The id of the event, the same in every attempt. Receivers use it to detect duplicates.',
    id('evt').schema,
  ],
  [
    'webhook-timestamp',
    'The time of the signature, in seconds since 1970.',
    { type: 'string', pattern: '^\\d+$', examples: ['1769851800'] },
  ],
  [
    'webhook-signature',
    'The Standard Webhooks signature: `v1,` and the HMAC in base64.',
    example('v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=').schema,
  ],
  [
    'X-Service-Signature',
    'The signature of the service: `t=`, the seconds, `,v1=` and the HMAC in hexadecimal digits.',
    example('t=1769851800,v1=9b74c9897bac770ffc029102a200c5de1b3a4f1d2e5c6b7a8f9e0d1c2b3a4f5e').schema,
  ],
  ['X-Service-Event-Id', 'The id of the event.', id('evt').schema],
  [TYPE_HEADER, 'The type of the event.', example('cart.order.completed').schema],
  ['X-Service-Delivery-Id', 'The id of this attempt.', id('whd').schema],
  ['X-Service-Attempt', 'The number of this attempt, from 1.', { type: 'string', pattern: '^\\d+$', examples: ['1'] }],
];

/** The headers of every webhook, as components: every event refers to them. */
export const WEBHOOK_HEADERS = Object.fromEntries(
  HEADERS.map(([name, description, schema]) => [
    name,
    { name, in: 'header', required: true, description, schema, example: exampleFor(schema) },
  ]),
);

/** The tag of all webhooks. With the tag of an area, their code would overwrite that of the area in generated clients. */
export const EVENTS_TAG = 'events';

/** The fields of every event, except `data` and `changes`. */
const ENVELOPE = {
  id: describe(id('evt'), 'The id of the event, the same in every attempt and for every endpoint.'),
  type: string,
  version: describe(example('1'), 'The version of the form of `data`.'),
  occurred_at: describe(dateTime, 'The time at which it happened.'),
  sequence: describe(
    integer,
    'The number of the fact in the history of its resource: of two events about one resource, the larger is the later state. 0 for events of older versions.',
    1042,
  ),
  created_at: describe(dateTime, 'The time at which the event was published.'),
  delivery_id: describe(id('whd'), 'The id of this attempt.'),
  attempt: describe(integer, 'The number of this attempt, from 1.'),
  test: describe(boolean, 'Whether the event was sent as a test and nothing happened.'),
};

/** Describes the request that an endpoint receives for a public event. */
export function toWebhook({ type, summary, description, data }: EventDescription): object {
  const { schema } = object({ ...ENVELOPE, data: freeForm, changes: eventChanges });
  const envelope: JsonSchema = {
    ...schema,
    properties: { ...(schema.properties as object), ...toTypedFields(type, data.name) },
    [COMPONENT]: `${toOperationId(`event ${type}`).replace('event', '')}Event`,
  };
  const members = exampleFor(object(ENVELOPE).schema) as object;
  const example = { ...members, type, data: exampleForEvent(type, data.schema), changes: null };
  return {
    post: {
      operationId: toOperationId(`Receive ${type}`),
      summary,
      description: `${description} Respond with a 2xx within 15 seconds. Any other response is retried or ends the delivery.`,
      tags: [EVENTS_TAG],
      security: [],
      parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: { required: true, content: { 'application/json': { schema: addExamples(envelope), example } } },
      responses: { '2XX': { description: 'The event was received.' } },
    },
  };
}

function toTypedFields(type: string, data: string): object {
  return {
    type: { type: 'string', const: type, description: 'The type of the event.', examples: [type] },
    data: { $ref: `#/components/schemas/${data}`, description: 'The object that the event is about, as it was then.' },
  };
}
