import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import type { Reversal } from './points.js';

/** An award is reversed once. The stream has the id of the award. */
export type PointsReversalEvent = Fact<'PointsReversalRequested', Reversal>;

export type PointsReversal =
  { readonly status: 'none' } | { readonly status: 'requested'; readonly reversal: Reversal };

export interface PointsReversalCommand {
  readonly type: 'RequestPointsReversal';
  readonly reversal: Reversal;
}

function decide({ reversal }: PointsReversalCommand, { status }: PointsReversal): readonly PointsReversalEvent[] {
  return status === 'none' ? [{ type: 'PointsReversalRequested', data: reversal }] : [];
}

export const pointsReversalDecider: Decider<PointsReversal, PointsReversalCommand, PointsReversalEvent> = {
  category: 'pointsReversal',
  versions: { PointsReversalRequested: 1 },
  initial: { status: 'none' },
  evolve: (_, { data }) => ({ status: 'requested', reversal: data }),
  decide,
};
