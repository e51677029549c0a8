import type { Where } from '../../src/kernel/read-models.js';
import { findIndex } from '../../src/stores/embedded/slices.js';
import {
  deliveries,
  filterByResponseStatus,
  filterByStatus,
  filterByTest,
} from '../../src/webhooks/projections/deliveries.js';

const OWNED = { _business: 'biz_1', _mode: 'live' };
const shape = { columns: new Set<string>(), totals: [], sparse: [], hourly: [], ...deliveries };

describe('The list of deliveries', () => {
  const rare: [string, Where][] = [
    ['endpoint_id', { 'endpoint.id': 'whe_1' }],
    ['event_id', { event_id: 'evt_1' }],
    ['several event types', { event_type: { in: ['invoice.paid', 'invoice.issued'] } }],
    ['status failed', filterByStatus(['failed'])],
    ['statuses failed and abandoned', filterByStatus(['failed', 'abandoned'])],
    ['a response status', filterByResponseStatus('404')],
    ['a class of response statuses', filterByResponseStatus('5xx')],
    ['test events', filterByTest(true)],
    ['replayed_from', { replayed_from: 'whd_1' }],
    ['replay_job_id', { 'replay_job.id': 'whj_1' }],
  ];
  it.each(rare)('uses a separate index for the filter: %s', (_, filter) => {
    const index = findIndex(shape, { where: { ...OWNED, ...filter }, orderBy: 'created_at' })!;
    expect(index.filter((path) => path in filter)).not.toEqual([]);
  });

  it('uses the more selective index of the response status for a filter by status and response status', () => {
    const where = { ...OWNED, ...filterByStatus(['failed']), ...filterByResponseStatus('404') };
    expect(findIndex(shape, { where, orderBy: 'created_at' })).toEqual([
      '_business',
      '_mode',
      '_refusal',
      'created_at',
    ]);
  });

  const common: [string, Where][] = [
    ['all statuses', filterByStatus(['success', 'failed'])],
    ['a class of successful responses', filterByResponseStatus('2xx')],
    ['deliveries without tests', filterByTest(false)],
  ];
  it.each(common)('uses the index of the list order for a filter that most deliveries match: %s', (_, filter) => {
    const index = findIndex(shape, { where: { ...OWNED, ...filter }, orderBy: 'created_at' });
    expect(index).toEqual(['_business', '_mode', 'created_at']);
  });
});
