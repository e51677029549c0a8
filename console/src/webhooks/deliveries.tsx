import { id, status, text, time } from '../resources/columns';
import type { Column, Filter, Resource } from '../resources/resource';

export const deliveryColumns: readonly Column[] = [
  id(),
  text('event_type', 'Event type'),
  status(),
  text('response_status', 'Response'),
  text('attempt', 'Attempt'),
  text('duration_ms', 'ms'),
  time(),
];

export const deliveryFilters: readonly Filter[] = [
  { name: 'status', label: 'Status', kind: 'several', options: ['success', 'failed', 'abandoned'] },
  { name: 'event_type', label: 'Event type' },
  { name: 'event_id', label: 'Event id' },
  { name: 'response_status', label: 'Response status' },
  { name: 'test', label: 'Test events', options: ['true', 'false'] },
  { name: 'created_from', label: 'Created from', kind: 'date' },
  { name: 'created_to', label: 'Created to', kind: 'date' },
];

export const deliveries: Resource = {
  name: 'deliveries',
  title: 'Deliveries',
  listPath: '/v1/webhooks/deliveries',
  itemPath: '/v1/webhooks/deliveries/{id}',
  pagination: 'cursor',
  refreshMs: 5_000,
  columns: deliveryColumns,
  filters: [
    ...deliveryFilters,
    { name: 'endpoint_id', label: 'Endpoint id' },
    { name: 'replayed_from', label: 'Replayed from' },
    { name: 'replay_job_id', label: 'Replay job' },
  ],
  whenEmpty: 'A delivery is one request to an endpoint. Make an endpoint first, then send it a test event.',
};
