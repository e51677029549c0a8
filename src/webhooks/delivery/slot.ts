/** The right to make one send. */
export type Slot = { readonly release: () => void };

export type DelayReason = 'rate' | 'backlog';

/** A slot, or the delay after which to try again. `rate`: the rate limit causes the delay. */
export type SlotOrDelay = Slot | { readonly waitMs: number; readonly reason: DelayReason };

/** For work that sends nothing. */
export const NO_SLOT: Slot = { release: () => undefined };

export function joinSlots(...slots: readonly Slot[]): Slot {
  return { release: () => slots.forEach(({ release }) => release()) };
}
