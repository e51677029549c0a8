import type { Mutant } from './mutant.ts';

/** Mutants of identity, the audit and the rules of memberships. */
export const identity: readonly Mutant[] = [
  {
    name: 'a key works until the moment after its end',
    file: 'identity/domain/api-key.ts',
    from: 'Date.parse(endsAt) <= nowMs',
    to: 'Date.parse(endsAt) < nowMs',
    specs: ['identity/domain/identity.spec.ts', 'identity/authentication/api-key-authenticator.spec.ts'],
  },
  {
    name: 'a revoked key stays cached',
    file: 'identity/authentication/api-key-authenticator.ts',
    from: 'known.until > this.clock.monotonic()',
    to: 'known.until > 0',
    specs: ['identity/authentication/api-key-authenticator.spec.ts'],
  },
  {
    name: 'an owner gets one business too many',
    file: 'identity/domain/ownership-quota.ts',
    from: 'quota.size >= command.limit',
    to: 'quota.size > command.limit',
    specs: ['identity/ownership-quota.spec.ts', 'identity/domain/identity.spec.ts'],
  },
  {
    name: 'an extended chain forgets the events before it',
    file: 'audit/chain/hash-chain.ts',
    from: 'Buffer.from(head + leaf',
    to: 'Buffer.from(leaf',
    specs: ['audit/chain/hash-chain.spec.ts'],
  },
  {
    name: 'an export omits the events at the end of its range',
    file: 'audit/exports/export-selection.ts',
    from: 'meta.at <= recordedTo',
    to: 'meta.at < recordedTo',
    specs: ['audit/exports/export-selection.spec.ts'],
  },
  {
    name: 'an earlier transfer of a community counts after a later one',
    file: 'community/domain/member.ts',
    from: 'if (transfer <= member.lastTransfer) return [];',
    to: '',
    specs: ['community/domain/member.spec.ts'],
  },
  {
    name: 'a banned member becomes active after an import',
    file: 'community/domain/member.ts',
    from: "if (member.status === 'banned') throw",
    to: 'if (member.isPending) throw',
    specs: ['community/domain/member.spec.ts'],
  },
  {
    name: 'an invite is sent again at once',
    file: 'community/domain/invite.ts',
    from: ' && now >= addMs(lastSentAt, RESEND_INTERVAL_MS)',
    to: '',
    specs: ['community/domain/invite.spec.ts'],
  },
  {
    name: 'an export as CSV has raw formulas',
    file: 'audit/chain/export-csv.ts',
    from: 'escape_formulas: true',
    to: 'escape_formulas: false',
    specs: ['audit/chain/export-verification.spec.ts'],
  },
  {
    name: 'the job of an earlier release signs only what changed since its last time',
    file: 'audit/processes/sign-checkpoints.ts',
    from: ': addMs(due, -INTERVAL_MS);',
    to: ': due;',
    specs: ['audit/processes/sign-checkpoints.spec.ts'],
  },
  {
    name: 'a job that a clock ahead has dated signs nothing for hours',
    file: 'audit/processes/sign-checkpoints.ts',
    from: 'since !== undefined && since <= due ? since',
    to: 'since !== undefined ? since',
    specs: ['audit/processes/sign-checkpoints.spec.ts'],
  },
];
