import type { Mutant } from './mutant.ts';

/** What sends webhooks, and the processes that ask for it. */
export const sending: readonly Mutant[] = [
  {
    name: 'an endpoint is read before the wait for a slot, and not after it',
    file: 'webhooks/sending/first-attempts.ts',
    from: 'return this.beginIn(soon, facts, this.targetNow(endpointId), telling, context);',
    to: 'return this.beginIn(soon, facts, target, telling, context);',
    specs: ['webhooks/sending/first-attempts-in-line.spec.ts'],
  },
  {
    name: 'first attempts begin under a lease that has ended',
    file: 'webhooks/sending/dispatches.ts',
    from: 'this.current !== null && this.current.ends - this.usedAt > MARGIN_MS ?',
    to: 'this.current !== null ?',
    specs: ['webhooks/sending/dispatches.spec.ts'],
  },
  {
    name: 'a retry that waited for a cancelled job is not released',
    file: 'webhooks/sending/redeliveries.ts',
    from: 'if (state.dueAt <= iso(this.clock.now())) await this.jobs.release(job.key, state.dueAt);',
    to: '',
    specs: ['webhooks/sending/redeliveries.spec.ts'],
  },
  {
    name: 'a replay job counts the selection of its last run alone',
    file: 'webhooks/processes/run-replay-jobs.ts',
    from: 'return (await this.streams.state(replayLane, laneId)).records.length;',
    to: 'return records.length;',
    specs: ['webhooks/processes/run-replay-jobs.spec.ts'],
  },
];
