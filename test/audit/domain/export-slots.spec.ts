import { type ExportSlotEvent, exportSlotsDecider } from '../../../src/audit/domain/export-slots.js';
import { given } from '../../support/given.js';

const AT = '2026-02-01T09:00:00.000Z';
const claim = (exportId: string, ended: readonly string[] = []) =>
  ({ type: 'ClaimExportSlot', exportId, businessId: 'biz_1', ended, limit: 2 }) as const;
const claimed = (exportId: string, released: readonly string[] = []): ExportSlotEvent => ({
  type: 'AuditExportSlotClaimed',
  data: { exportId, businessId: 'biz_1', released, at: AT },
});

describe('The slots of exports', () => {
  it('are claimed by an export', () => given(exportSlotsDecider).when(claim('exp_1')).then(claimed('exp_1')));

  it('are claimed once by the same export', () =>
    given(exportSlotsDecider, claimed('exp_1')).when(claim('exp_1')).thenNothing());

  it('refuse a third open export', () =>
    given(exportSlotsDecider, claimed('exp_1'), claimed('exp_2')).when(claim('exp_3')).thenRejects('rate_limited'));

  it('are taken over from an ended export', () =>
    given(exportSlotsDecider, claimed('exp_1'), claimed('exp_2'))
      .when(claim('exp_3', ['exp_1']))
      .then(claimed('exp_3', ['exp_1'])));

  it('are not freed by an export without a slot', () =>
    given(exportSlotsDecider, claimed('exp_1'), claimed('exp_2'))
      .when(claim('exp_3', ['exp_9']))
      .thenRejects('rate_limited'));
});
