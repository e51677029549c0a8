import type { Mutant } from './mutant.ts';

/** Mutants of the delivery of webhooks and of its processes. */
export const delivery: readonly Mutant[] = [
  {
    name: 'an endpoint is read before the wait for a slot, and not after it',
    file: 'webhooks/delivery/first-attempts.ts',
    from: 'return this.startInSlot(nextSlot, facts, this.readEndpointState(endpointId), payload, context);',
    to: 'return this.startInSlot(nextSlot, facts, endpointState, payload, context);',
    specs: ['webhooks/delivery/queued-first-attempts.spec.ts'],
  },
  {
    name: 'first attempts begin under a lease that has ended',
    file: 'webhooks/delivery/dispatcher-lease.ts',
    from: 'this.current !== null && this.current.expiresAt - this.usedAt > LEASE_MARGIN_MS',
    to: 'this.current !== null',
    specs: ['webhooks/delivery/dispatcher-lease.spec.ts'],
  },
  {
    name: 'a retry that waited for a cancelled job is not released',
    file: 'webhooks/delivery/attempt-runner.ts',
    from: 'if (!(isDue && (await this.backlogs.makeDue(job)))) await',
    to: 'await',
    specs: ['webhooks/delivery/replay-steps.spec.ts'],
  },
  {
    name: 'a replay job counts only the selection of its last run',
    file: 'webhooks/processes/run-replay-jobs.ts',
    from: 'return (await this.streams.loadState(replayBatchDecider, batchId)).records.length;',
    to: 'return records.length;',
    specs: ['webhooks/processes/run-replay-jobs.spec.ts'],
  },
  {
    name: 'the standard signature omits the event id',
    file: 'webhooks/delivery/signature.ts',
    from: 'computeMac(standardKey, `${eventId}.${seconds}.`, body)',
    to: 'computeMac(standardKey, `${seconds}.`, body)',
    specs: ['webhooks/delivery/signature.spec.ts'],
  },
  {
    name: 'a host is allowed when only one of its addresses is public',
    file: 'webhooks/delivery/address-policy.ts',
    from: 'if (!addresses.every((address)',
    to: 'if (!addresses.some((address)',
    specs: ['webhooks/delivery/address-policy.spec.ts'],
  },
  {
    name: 'a released slot is not passed to a waiting attempt',
    file: 'webhooks/delivery/endpoint-usage.ts',
    from: 'if (resolveNext !== undefined) resolveNext(this.occupy());',
    to: '',
    specs: ['webhooks/delivery/endpoint-limiter.spec.ts'],
  },
  {
    name: 'replay jobs ignore the replay throttle',
    file: 'webhooks/delivery/replay-throttle.ts',
    from: '1_000 / MAX_STEPS_PER_SECOND',
    to: '0',
    specs: ['webhooks/delivery/replay-throttle.spec.ts'],
  },
  {
    name: 'a dispatch lease is never renewed',
    file: 'webhooks/delivery/dispatcher-lease.ts',
    from: 'if (!signal.aborted) await this.renew().catch(() => undefined);',
    to: '',
    specs: ['webhooks/delivery/dispatcher-lease.spec.ts'],
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
    file: 'webhooks/delivery/backlogs.ts',
    from: 'if (canBringForward) await this.jobs.release(found.key, due);',
    to: '',
    specs: ['webhooks/processes/work-on-backlogs.spec.ts'],
  },
  {
    name: 'new attempts are sent before the backlog',
    file: 'webhooks/delivery/endpoint-limiter.ts',
    from: 'usage.extendQueue(priority, nextAt);',
    to: '',
    specs: ['webhooks/delivery/endpoint-limiter.spec.ts'],
  },
];
