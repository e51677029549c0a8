import type { Dispute, DisputeOutcome } from '../model/disputes.js';
import { refuse } from '../model/model.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';

export const disputeActions: readonly Action[] = [
  {
    name: 'the bank decides a dispute',
    act: (world) => decideSome(world, world.choices.pick(['won', 'lost'] as const)),
  },
];

async function decideSome(world: World, outcome: DisputeOutcome): Promise<void> {
  const open = world.model.disputes.all.filter(({ status }) => status === 'open');
  if (open.length > 0) await decide(world, world.choices.pick(open), outcome);
}

/** In live mode, the seller cannot decide what the bank decides. */
export async function decide(world: World, dispute: Dispute, outcome: DisputeOutcome): Promise<void> {
  const { model, api, names, service } = world;
  world.record(`${dispute.key} of ${dispute.payment.key} is ${outcome}`);
  const path = `/v1/commerce/disputes/${names.idOf(dispute.key)}/outcome`;
  world.expect(refuse(403, 'permission_denied'), await api.put(path, { status: outcome }));
  model.disputes.close(dispute, outcome);
  await service.reportDispute(names.idOf(dispute.payment.key), outcome);
}
