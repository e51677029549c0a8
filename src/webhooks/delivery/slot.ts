/** The right to make one send. */
export type Slot = { readonly release: () => void };

/** A slot, or the delay after which to try again. */
export type SlotOrDelay = Slot | { readonly waitMs: number };

/** For work that sends nothing. */
export const NO_SLOT: Slot = { release: () => undefined };
