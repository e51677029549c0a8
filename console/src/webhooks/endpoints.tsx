import { Alert, Stack, Text } from '@mantine/core';
import { lazy } from 'react';
import type { Item } from '../api/api';
import { toText } from '../components/format';
import { JsonView } from '../components/json-view';
import { status, text, time } from '../resources/columns';
import { Fields } from '../resources/field-value';
import type { Action, Field, Resource } from '../resources/resource';
import { deliveryColumns, deliveryFilters } from './deliveries';

/** Charts are loaded when the first one is shown. */
const EndpointStats = lazy(() => import('./endpoint-stats').then(({ EndpointStats: stats }) => ({ default: stats })));

const PATH = '/v1/webhooks/endpoints/{id}';

const FIELDS: readonly Field[] = [
  {
    name: 'url',
    label: 'Address (https)',
    required: true,
    start: (endpoint) => endpoint['url'],
  },
  {
    name: 'event_types',
    label: 'Event types, one per line',
    kind: 'texts',
    help: 'Empty: all event types.',
    whenEmpty: ['*'],
    start: (endpoint) => endpoint['event_types'],
  },
  { name: 'description', label: 'Description', start: (endpoint) => endpoint['description'] },
  {
    name: 'rate_limit_per_second',
    label: 'Requests a second, at most',
    kind: 'integer',
    start: (endpoint) => endpoint['rate_limit_per_second'],
  },
  {
    name: 'notification_emails',
    label: 'Send mails to, one per line',
    kind: 'texts',
    help: 'They get a mail when the endpoint keeps failing or was disabled for that, beside the owner of the business.',
    whenEmpty: [],
    start: (endpoint) => endpoint['notification_emails'],
  },
];

const actions: readonly Action[] = [
  {
    label: 'Send a test event',
    method: 'POST',
    path: `${PATH}/test-events`,
    fields: [
      {
        name: 'event_type',
        label: 'Event type',
        start: ({ event_types: types }) => (types as readonly string[]).find((type) => type !== '*'),
      },
    ],
    showResponse: (delivery) => <Fields item={delivery} />,
  },
  { label: 'Change', method: 'PATCH', path: PATH, fields: FIELDS },
  {
    label: 'Enable',
    method: 'PATCH',
    path: PATH,
    isShown: ({ status: current }) => current === 'disabled',
    fields: [{ name: 'status', label: 'Status', kind: 'choice', options: ['enabled'], start: () => 'enabled' }],
  },
  {
    label: 'Disable',
    method: 'PATCH',
    path: PATH,
    isShown: ({ status: current }) => current === 'enabled',
    fields: [{ name: 'status', label: 'Status', kind: 'choice', options: ['disabled'], start: () => 'disabled' }],
    destroys: ({ url }) => ({
      effect:
        'No event is sent to this address until the endpoint is enabled. What waits is abandoned; a replay job can send it.',
      name: toText(url),
    }),
  },
  {
    label: 'Rotate the secret',
    method: 'POST',
    path: `${PATH}/secret-rotations`,
    isShown: (_, { kind }) => kind === 'key',
    destroys: ({ url }) => ({
      effect: 'From now on every request is signed with the new secret. The old one is destroyed.',
      name: toText(url),
    }),
    showResponse: (endpoint) => <Secret endpoint={endpoint} />,
  },
  {
    label: 'Delete endpoint',
    method: 'DELETE',
    path: PATH,
    destroys: ({ url }) => ({ effect: 'No event is sent to this address any more.', name: toText(url) }),
  },
];

export const endpoints: Resource = {
  name: 'endpoints',
  title: 'Endpoints',
  listPath: '/v1/webhooks/endpoints',
  itemPath: PATH,
  pagination: 'page',
  columns: [
    text('url', 'Address'),
    status(),
    text('disabled_reason', 'Reason'),
    time('last_success_at', 'Last success'),
    time('last_failure_at', 'Last failure'),
  ],
  creations: [
    {
      label: 'New endpoint',
      method: 'POST',
      path: '/v1/webhooks/endpoints',
      fields: FIELDS,
      showResponse: (endpoint) => <Secret endpoint={endpoint} />,
    },
  ],
  actions,
  tabs: [
    { name: 'stats', title: 'Success and latency', show: (endpoint) => <EndpointStats id={toText(endpoint['id'])} /> },
  ],
  children: [
    {
      name: 'deliveries',
      title: 'Deliveries',
      listPath: '/v1/webhooks/deliveries',
      itemPath: '/v1/webhooks/deliveries/{id}',
      parentFilter: 'endpoint_id',
      pagination: 'cursor',
      columns: deliveryColumns,
      filters: deliveryFilters,
      whenEmpty: 'Nothing has been sent to this address yet. Send a test event.',
    },
  ],
  whenEmpty: 'An endpoint is an address of yours to which events are sent, signed.',
};

/** The signing secret, which the service shows only once. */
function Secret({ endpoint }: { readonly endpoint: Item }) {
  const secret = endpoint['signing_secret'];
  return (
    <Stack>
      {typeof secret === 'string' ? (
        <>
          <Alert color="orange" variant="outline" title="Copy the signing secret now">
            <Text size="sm">It is shown only here. Your receiver needs it to check signatures.</Text>
          </Alert>
          <JsonView label="Signing secret" value={secret} />
        </>
      ) : (
        <Text>The request had been sent before; its secret was shown then.</Text>
      )}
    </Stack>
  );
}
