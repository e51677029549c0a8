import type { Mutant } from './mutant.ts';

/** Mutants of circuit breakers and event streams. */
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
];
