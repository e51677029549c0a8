import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';

/** The deciders of the area. */
export const auditDeciders: readonly Decider<unknown, never, Fact>[] = [];
