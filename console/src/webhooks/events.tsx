import { type Changes, ChangeTable } from '../history/entry';
import { id, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { deliveryColumns, deliveryFilters } from './deliveries';
import { EventTypeSchema } from './event-type-schema';

export const events: Resource = {
  name: 'events',
  title: 'Events',
  listPath: '/v1/webhooks/events',
  itemPath: '/v1/webhooks/events/{id}',
  pagination: 'cursor',
  columns: [id(), text('type'), time('occurred_at', 'Occurred')],
  filters: [
    { name: 'event_type', label: 'Event type' },
    { name: 'resource', label: 'Id of the resource' },
    { name: 'created_from', label: 'Created from', kind: 'date' },
    { name: 'created_to', label: 'Created to', kind: 'date' },
  ],
  tabs: [
    {
      name: 'changes',
      title: 'Changes',
      show: (event) => <ChangeTable changes={(event['changes'] ?? {}) as Changes} />,
    },
  ],
  children: [
    {
      name: 'deliveries',
      title: 'Deliveries',
      listPath: '/v1/webhooks/deliveries',
      itemPath: '/v1/webhooks/deliveries/{id}',
      parentFilter: 'event_id',
      pagination: 'cursor',
      columns: deliveryColumns,
      filters: deliveryFilters.filter(({ name }) => name !== 'event_id'),
      whenEmpty: 'No endpoint takes this event.',
    },
  ],
  whenEmpty: 'Every change in commerce and community is published as an event.',
};

export const eventTypes: Resource = {
  name: 'event-types',
  title: 'Event types',
  listPath: '/v1/webhooks/event-types',
  itemPath: '/v1/webhooks/event-types/{id}',
  pagination: 'page',
  columns: [text('id', 'Type'), text('summary'), text('category')],
  tabs: [{ name: 'schema', title: 'Schema and example', show: (type) => <EventTypeSchema id={String(type['id'])} /> }],
  hasHistory: false,
  whenEmpty: '',
};
