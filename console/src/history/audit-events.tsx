import { id, reference, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { DownloadTab } from './download-tab';

export const auditEvents: Resource = {
  name: 'events',
  title: 'Change history',
  listPath: '/v1/audit/events',
  pagination: 'cursor',
  itemPath: '/v1/audit/events/{id}',
  columns: [
    text('type'),
    time('recorded_at', 'Recorded'),
    id('actor.id', 'Who'),
    text('command'),
    reference('resource'),
  ],
  filters: [
    { name: 'resource', label: 'Id of the resource' },
    { name: 'actor', label: 'Id of the actor' },
    { name: 'type', label: 'Event type' },
    { name: 'correlation_id', label: 'Correlation id' },
    { name: 'recorded_from', label: 'Recorded from', kind: 'date' },
    { name: 'recorded_to', label: 'Recorded to', kind: 'date' },
    { name: 'order', label: 'Order', options: ['asc'], labels: { asc: 'Oldest first' }, any: 'Newest first' },
  ],
  whenEmpty: 'Every change leaves an entry here.',
};

export const auditExports: Resource = {
  name: 'exports',
  title: 'Exports',
  listPath: '/v1/audit/exports',
  itemPath: '/v1/audit/exports/{id}',
  pagination: 'page',
  refreshMs: 3_000,
  hasHistory: false,
  columns: [id(), text('status'), text('format'), text('bytes'), time(), time('completed_at', 'Completed')],
  creations: [
    {
      label: 'New export',
      method: 'POST',
      path: '/v1/audit/exports',
      fields: [
        {
          name: 'format',
          label: 'Format',
          kind: 'choice',
          options: ['ndjson', 'csv'],
          required: true,
          start: () => 'ndjson',
        },
        { name: 'recorded_from', label: 'Recorded from', kind: 'time' },
        { name: 'recorded_to', label: 'Recorded to', kind: 'time' },
        { name: 'types', label: 'Event types, one per line', kind: 'texts' },
        { name: 'resource', label: 'Id of the resource' },
      ],
    },
  ],
  tabs: [{ name: 'download', title: 'Download', show: (item) => <DownloadTab item={item} /> }],
  whenEmpty: 'An export holds events with a manifest; with both, anybody can verify that nothing was changed.',
};
