import type { ExportRequest } from '../../../src/audit/domain/audit-export.js';
import { selectsEvent } from '../../../src/audit/exports/export-selection.js';
import { BUSINESS, createChainedEvent } from '../chain/chained-log.js';

const event = createChainedEvent(1);
const AT = event.meta.at;
const [BEFORE, AFTER] = [-1, 1].map((ms) => new Date(Date.parse(AT) + ms).toISOString()) as [string, string];
const request: ExportRequest = {
  ...{ exportId: 'axp_1', businessId: BUSINESS, mode: 'live', format: 'ndjson' },
  ...{ recordedFrom: null, recordedTo: null, types: [], resource: null },
};

describe('An export', () => {
  it.each<[string, Partial<ExportRequest>, boolean]>([
    ['starts at the time of the event', { recordedFrom: AT }, true],
    ['starts after the event', { recordedFrom: AFTER }, false],
    ['ends at the time of the event', { recordedTo: AT }, true],
    ['ends before the event', { recordedTo: BEFORE }, false],
    ['names the type of the event', { types: ['CoinsAdded'] }, true],
    ['names another type', { types: ['JarBroken'] }, false],
    ['is of another mode', { mode: 'test' }, false],
  ])('that %s (%j) contains it: %s', (_, filter, contained) => {
    expect(selectsEvent({ ...request, ...filter }, event)).toBe(contained);
  });
});
