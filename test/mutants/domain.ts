import type { Mutant } from './mutant.ts';

/** What nouns decide. */
export const domain: readonly Mutant[] = [
  {
    name: 'a replay job ends the hold of another job',
    file: 'webhooks/domain/chain.ts',
    from: 'return isHeldBy(chain, event.data.replayJobId) ? { ...chain, heldBy: null } : chain;',
    to: 'return { ...chain, heldBy: null };',
    specs: ['webhooks/domain/chain-in-jobs.spec.ts'],
  },
  {
    name: 'the tenth invoice has a number with a digit too many',
    file: 'commerce/domain/invoice-numbers.ts',
    from: "String(numbers.size + 1).padStart(DIGITS, '0')",
    to: "'0'.repeat(DIGITS - 1) + String(numbers.size + 1)",
    specs: ['commerce/domain/invoice-numbers.spec.ts'],
  },
];
