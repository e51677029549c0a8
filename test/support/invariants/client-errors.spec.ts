import { streamOf } from '../../../src/kernel/decider.js';
import { deliveryChainDecider } from '../../../src/webhooks/domain/delivery-chain/delivery-chain.js';
import type { DeliveryChainEvent } from '../../../src/webhooks/domain/delivery-chain/facts.js';
import { CHAIN, createAttempt, failed, planned, started, succeeded } from '../../webhooks/facts.js';
import { findRetriesAfterClientError } from './client-errors.js';
import { createLog } from './sample-log.js';

const [first, second] = [createAttempt(1), createAttempt(2)];
const refused = [planned, started(first), failed(first, { responseStatus: 410, reason: 'client_error' })];
const replayedFrom = first.deliveryId;

describe('The check of I9, no retry after a 4xx response,', () => {
  it.each<[string, DeliveryChainEvent[]]>([
    ['no further attempt', refused],
    ['a manual replay', [...refused, started(createAttempt(2, { kind: 'replay', replayedFrom })), succeeded(second)]],
    [
      'a retry after a failure without a response status',
      [planned, started(first), failed(first), started(second), succeeded(second)],
    ],
    [
      'a retry after a replay job',
      [...refused, started(createAttempt(2, { kind: 'job', replayedFrom })), failed(second), started(createAttempt(3))],
    ],
  ])('accepts %s', (_, events) => expect(findBreaches(events)).toEqual([]));

  it.each<[string, DeliveryChainEvent[]]>([
    ['an automatic attempt after a 4xx response', [...refused, started(second)]],
    [
      'an automatic attempt after a manual replay',
      [
        ...refused,
        started(createAttempt(2, { kind: 'replay', replayedFrom })),
        failed(second),
        started(createAttempt(3)),
      ],
    ],
    [
      'a replay that does not name the replayed attempt',
      [...refused, started(createAttempt(2, { kind: 'replay' })), succeeded(second)],
    ],
  ])('finds %s', (_, events) => expect(findBreaches(events)).toHaveLength(1));
});

function findBreaches(events: readonly DeliveryChainEvent[]): string[] {
  return findRetriesAfterClientError(
    createLog(...events.map((event) => [streamOf(deliveryChainDecider, CHAIN.chainId), event] as const)),
  );
}
