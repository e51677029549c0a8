import type { PauseReason } from '../domain/pause-reasons.js';

/** The right to make one send. */
export type Slot = { readonly release: () => void };

/** The delay after which to try again, and its cause. */
export interface Delay {
  readonly waitMs: number;
  readonly reason: PauseReason;
}

export type SlotOrDelay = Slot | Delay;

/** For work that sends nothing. */
export const NO_SLOT: Slot = { release: () => undefined };

export function joinSlots(...slots: readonly Slot[]): Slot {
  return { release: () => slots.forEach(({ release }) => release()) };
}
