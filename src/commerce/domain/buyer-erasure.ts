import type { Decider } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';

/* Stored names never change: a change is a new type. */
export type BuyerErasureEvent = Fact<'BuyerErased', BuyerErasure & { readonly at: string }>;

export interface BuyerErasure {
  readonly buyerId: string;
  readonly businessId: string;
  readonly mode: Mode;
}

type State = { readonly status: 'known' | 'erased' };

/** Records once that the personal data of a buyer is erased. The keys are destroyed before. */
export const buyerErasureDecider: Decider<State, { readonly type: 'RecordErasure' } & BuyerErasure, BuyerErasureEvent> =
  {
    category: 'buyerErasure',
    versions: { BuyerErased: 1 },
    initial: { status: 'known' },
    evolve: () => ({ status: 'erased' }),
    decide: ({ type: _, ...erasure }, { status }, { now: at }) =>
      status === 'erased' ? [] : [{ type: 'BuyerErased', data: { ...erasure, at } }],
  };
