import type { Mutant } from './mutant.ts';

/** Mutants of the delivery of webhooks and of its processes. */
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
    from: 'if (!(isDue && (await this.backlogs.callBack(job)))) await',
    to: 'await',
    specs: ['webhooks/sending/redeliveries.spec.ts'],
  },
  {
    name: 'a replay job counts only the selection of its last run',
    file: 'webhooks/processes/run-replay-jobs.ts',
    from: 'return (await this.streams.state(replayLane, laneId)).records.length;',
    to: 'return records.length;',
    specs: ['webhooks/processes/run-replay-jobs.spec.ts'],
  },
  {
    name: 'the standard signature omits the event id',
    file: 'webhooks/sending/signature.ts',
    from: 'mac(standardKey, `${eventId}.${seconds}.`, body)',
    to: 'mac(standardKey, `${seconds}.`, body)',
    specs: ['webhooks/sending/signature.spec.ts'],
  },
  {
    name: 'a host is allowed when only one of its addresses is public',
    file: 'webhooks/sending/addresses.ts',
    from: 'if (!addresses.every((address)',
    to: 'if (!addresses.some((address)',
    specs: ['webhooks/sending/addresses.spec.ts'],
  },
  {
    name: 'a released slot is not passed to a waiting attempt',
    file: 'webhooks/sending/slots.ts',
    from: 'if (next !== undefined) next(this.occupied(gate));',
    to: '',
    specs: ['webhooks/sending/slots.spec.ts'],
  },
  {
    name: 'replay jobs ignore the replay throttle',
    file: 'webhooks/sending/replay-pace.ts',
    from: '1_000 / STEPS_PER_SECOND',
    to: '0',
    specs: ['webhooks/sending/replay-pace.spec.ts'],
  },
  {
    name: 'a dispatch lease is never renewed',
    file: 'webhooks/sending/dispatches.ts',
    from: 'if (!signal.aborted) await this.ask().catch(() => undefined);',
    to: '',
    specs: ['webhooks/sending/dispatches.spec.ts'],
  },
  {
    name: 'an item that is added to a backlog while its job ends is lost',
    file: 'webhooks/processes/work-on-backlogs.ts',
    from: 'if (next === null) return;',
    to: 'if (next !== null) return;',
    specs: ['webhooks/processes/work-on-backlogs.spec.ts'],
  },
  {
    name: 'an idle backlog is not woken',
    file: 'webhooks/sending/backlogs.ts',
    from: 'if (rests) await this.jobs.release(found.key, due);',
    to: '',
    specs: ['webhooks/processes/work-on-backlogs.spec.ts'],
  },
  {
    name: 'new attempts are sent before the backlog',
    file: 'webhooks/sending/slots.ts',
    from: 'gate.lines[lane].endsAt = Math.max(gate.lines[lane].endsAt, freeAt);',
    to: '',
    specs: ['webhooks/sending/slots.spec.ts'],
  },
];
