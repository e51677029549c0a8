import type { Fact, Recorded } from '../../kernel/event.js';

/** One event of a noun, as recorded. */
export type EventOf<E extends Fact, T extends E['type']> = Recorded<string, Extract<E, { readonly type: T }>['data']>;

/** An entry for each of these events: one that is forgotten fails to compile. */
export type Changes<D, E extends Fact> = { readonly [T in E['type']]: (document: D | null, event: EventOf<E, T>) => D | null };
