import type { Mutant } from './mutant.ts';

/** Mutants of circuit breakers, event streams, replays and backfills. */
export const webhooks: readonly Mutant[] = [
  {
    name: 'a late read closes a circuit breaker that this process has opened',
    file: 'webhooks/delivery/circuit-breakers.ts',
    from: 'if (entry.position === position) entry.breaker =',
    to: 'if (entry.position >= position) entry.breaker =',
    specs: ['webhooks/delivery/circuit-breakers.spec.ts'],
  },
  {
    name: 'a circuit breaker that closes during a late read wakes no backlog',
    file: 'webhooks/delivery/circuit-breakers.ts',
    from: 'else if (entry.breaker === CLOSED && tripped_at !== null) this.resume(endpointId, entry);',
    to: '',
    specs: ['webhooks/delivery/circuit-breakers.spec.ts'],
  },
  {
    name: 'a circuit breaker reads a projection that has not reached its attempts',
    file: 'webhooks/delivery/circuit-breakers.ts',
    from: 'reportAndReturn(WORK, false)))) return;',
    to: 'reportAndReturn(WORK, false)))) void 0;',
    specs: ['webhooks/delivery/circuit-breakers.spec.ts'],
  },
  {
    name: 'an outage of the store ends the event streams of keys',
    file: 'webhooks/streaming/event-streams.ts',
    from: '(error: unknown) => error instanceof Rejection,',
    to: '() => true,',
    specs: ['webhooks/streaming/interrupted-streams.spec.ts'],
  },
  {
    name: 'the failures of test events open a circuit breaker',
    file: 'webhooks/delivery/circuit-breakers.ts',
    from: "return END_TYPES.has(type) && !(data as AttemptEndEvent['data']).test;",
    to: "void (data as AttemptEndEvent['data']).test;\n  return END_TYPES.has(type);",
    specs: ['webhooks/delivery/circuit-breakers.spec.ts'],
  },
  {
    name: 'the failure of a test event disables an endpoint',
    file: 'webhooks/processes/monitor-endpoint-health.ts',
    from: 'if (test) return;',
    to: 'void test;',
    specs: ['webhooks/processes/tested-endpoints.spec.ts'],
  },
  {
    name: 'an event stream that is late collects events without a limit',
    file: 'webhooks/streaming/event-stream.ts',
    from: 'if (this.waiting.length > MAX_WAITING) this.connection.close();\n    else if',
    to: 'if',
    specs: ['webhooks/streaming/stream-limits.spec.ts'],
  },
  {
    name: 'the feed keeps the listener of an ended stream',
    file: 'webhooks/streaming/event-stream.ts',
    from: "signal.addEventListener('abort', () => feed.unsubscribe(owner, listener));",
    to: '',
    specs: ['webhooks/streaming/stream-limits.spec.ts'],
  },
  {
    name: 'the feed of events fails for ever after an outage at its start',
    file: 'webhooks/streaming/public-event-feed.ts',
    from: '      this.following = null;\n',
    to: '',
    specs: ['webhooks/streaming/public-event-feed.spec.ts'],
  },
  {
    name: 'a dry run counts an event at the end of its window that was delivered',
    file: 'webhooks/queries/never-planned.queries.ts',
    from: 'at <= window.createdTo',
    to: 'at < window.createdTo',
    specs: ['webhooks/http/backfills.spec.ts'],
  },
  {
    name: 'a backfill plans everything ahead',
    file: 'webhooks/processes/backfill-planner.ts',
    from: 'room -= page.planned;',
    to: '',
    specs: ['webhooks/processes/backfills-ahead.spec.ts'],
  },
  {
    name: 'a replay job goes on while its redeliveries fail',
    file: 'webhooks/processes/run-replay-batches.ts',
    from: 'const slot = failures.length > 0 ? null : await',
    to: 'const slot = await',
    specs: ['webhooks/processes/failing-replays.spec.ts'],
  },
];
