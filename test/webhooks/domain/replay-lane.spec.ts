import { replayLane, type ReplayLaneCommand, type ReplayLaneEvent } from '../../../src/webhooks/domain/replay-lane.js';
import { given } from '../../support/given.js';

const OF_LANE = { replayJobId: 'whj_1', endpointId: 'whs_1' };
const select = (...records: string[]): ReplayLaneCommand => ({ type: 'SelectChains', ...OF_LANE, records });
const selected = (...records: string[]): ReplayLaneEvent => ({ type: 'ReplayChainsSelected', data: { ...OF_LANE, records } });
const held: ReplayLaneEvent = { type: 'ReplayChainsHeld', data: { ...OF_LANE, through: 2 } };
const settled: ReplayLaneEvent = { type: 'ReplayChainsSettled', data: { ...OF_LANE, through: 2 } };

describe('A batch of a replay job', () => {
  it('stores a selection in several parts', () =>
    given(replayLane, selected('whd_a01', 'whd_b01')).when(select('whd_c01')).then(selected('whd_c01')));

  it('stores each record once, even if a crash interrupted the selection', () => {
    given(replayLane, selected('whd_a01', 'whd_b01')).when(select('whd_b01', 'whd_c01')).then(selected('whd_c01'));
    given(replayLane, selected('whd_a01')).when(select('whd_a01')).nothing();
  });

  it('takes each chain once, by the record that was selected first', () => {
    given(replayLane, selected('whd_a01')).when(select('whd_a02', 'whd_b01')).then(selected('whd_b01'));
    given(replayLane).when(select('whd_a01', 'whd_a02')).then(selected('whd_a01'));
  });

  it('records only progress', () => {
    given(replayLane, selected('whd_a01', 'whd_b01'))
      .when({ type: 'RecordHeld', ...OF_LANE, through: 2 })
      .then(held);
    given(replayLane, selected('whd_a01', 'whd_b01'), held)
      .when({ type: 'RecordHeld', ...OF_LANE, through: 1 })
      .nothing();
    given(replayLane, selected('whd_a01', 'whd_b01'), held)
      .when({ type: 'RecordSettled', ...OF_LANE, through: 2 })
      .then(settled);
    given(replayLane, selected('whd_a01', 'whd_b01'), held, settled)
      .when({ type: 'RecordSettled', ...OF_LANE, through: 2 })
      .nothing();
  });
});
