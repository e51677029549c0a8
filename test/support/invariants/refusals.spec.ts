import { streamOf } from '../../../src/kernel/decider.js';
import { chain, type ChainEvent } from '../../../src/webhooks/domain/chain.js';
import { attemptOf, CHAIN, failed, planned, started, succeeded } from '../../webhooks/facts.js';
import { logOf } from './planted.js';
import { unheededRefusals } from './refusals.js';

const [first, second] = [attemptOf(1), attemptOf(2)];
const refused = [planned, started(first), failed(first, { responseStatus: 410, reason: 'client_error' })];
const replayedFrom = first.deliveryId;

describe('The check of I9, no retry after a 4xx response,', () => {
  it.each<[string, ChainEvent[]]>([
    ['no further attempt', refused],
    ['a manual replay', [...refused, started(attemptOf(2, { kind: 'replay', replayedFrom })), succeeded(second)]],
    ['a retry after a failure without a response status', [planned, started(first), failed(first), started(second), succeeded(second)]],
    [
      'a retry after a replay job',
      [...refused, started(attemptOf(2, { kind: 'job', replayedFrom })), failed(second), started(attemptOf(3))],
    ],
  ])('accepts %s', (_, events) => expect(breaches(events)).toEqual([]));

  it.each<[string, ChainEvent[]]>([
    ['an automatic attempt after a 4xx response', [...refused, started(second)]],
    [
      'an automatic attempt after a manual replay',
      [...refused, started(attemptOf(2, { kind: 'replay', replayedFrom })), failed(second), started(attemptOf(3))],
    ],
    ['a replay that does not name the replayed attempt', [...refused, started(attemptOf(2, { kind: 'replay' })), succeeded(second)]],
  ])('finds %s', (_, events) => expect(breaches(events)).toHaveLength(1));
});

function breaches(events: readonly ChainEvent[]): string[] {
  return unheededRefusals(logOf(...events.map((event) => [streamOf(chain, CHAIN.chainId), event] as const)));
}
