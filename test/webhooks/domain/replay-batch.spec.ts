import {
  type ReplayBatchCommand,
  replayBatchDecider,
  type ReplayBatchEvent,
} from '../../../src/webhooks/domain/replay-batch.js';
import { given } from '../../support/given.js';

const OF_BATCH = { replayJobId: 'whj_1', endpointId: 'whs_1' };
const select = (...records: string[]): ReplayBatchCommand => ({ type: 'SelectChains', ...OF_BATCH, records });
const selected = (...records: string[]): ReplayBatchEvent => ({
  type: 'ReplayChainsSelected',
  data: { ...OF_BATCH, records },
});
const held: ReplayBatchEvent = { type: 'ReplayChainsHeld', data: { ...OF_BATCH, through: 2 } };
const settled: ReplayBatchEvent = { type: 'ReplayChainsSettled', data: { ...OF_BATCH, through: 2 } };

describe('A batch of a replay job', () => {
  it('stores a selection in several parts', () =>
    given(replayBatchDecider, selected('whd_a01', 'whd_b01')).when(select('whd_c01')).then(selected('whd_c01')));

  it('stores each record once, even if a crash interrupted the selection', () => {
    given(replayBatchDecider, selected('whd_a01', 'whd_b01'))
      .when(select('whd_b01', 'whd_c01'))
      .then(selected('whd_c01'));
    given(replayBatchDecider, selected('whd_a01')).when(select('whd_a01')).thenNothing();
  });

  it('takes each chain once, by the record that was selected first', () => {
    given(replayBatchDecider, selected('whd_a01')).when(select('whd_a02', 'whd_b01')).then(selected('whd_b01'));
    given(replayBatchDecider).when(select('whd_a01', 'whd_a02')).then(selected('whd_a01'));
  });

  it('records only progress', () => {
    given(replayBatchDecider, selected('whd_a01', 'whd_b01'))
      .when({ type: 'RecordHeld', ...OF_BATCH, through: 2 })
      .then(held);
    given(replayBatchDecider, selected('whd_a01', 'whd_b01'), held)
      .when({ type: 'RecordHeld', ...OF_BATCH, through: 1 })
      .thenNothing();
    given(replayBatchDecider, selected('whd_a01', 'whd_b01'), held)
      .when({ type: 'RecordSettled', ...OF_BATCH, through: 2 })
      .then(settled);
    given(replayBatchDecider, selected('whd_a01', 'whd_b01'), held, settled)
      .when({ type: 'RecordSettled', ...OF_BATCH, through: 2 })
      .thenNothing();
  });
});
