/** The right to make one send. */
export type Slot = { readonly release: () => void };

export type DelayReason = 'rate' | 'backlog';

/** The delay after which to try again. `rate`: the rate limit causes the delay. */
export interface Delay<Reason extends string = DelayReason> {
  readonly waitMs: number;
  readonly reason: Reason;
}

export type SlotOrDelay = Slot | Delay;

/** For work that sends nothing. */
export const NO_SLOT: Slot = { release: () => undefined };

export function joinSlots(...slots: readonly Slot[]): Slot {
  return { release: () => slots.forEach(({ release }) => release()) };
}
