import type { Resource } from '../../kernel/schema.js';

export interface EventDescription {
  readonly type: string;
  readonly summary: string;
  readonly description: string;
  /** The schema of its `data`. */
  readonly data: Resource;
}

/** Lists the public events that the service sends. The area that sends them provides the implementation. */
export abstract class EventDescriptions {
  abstract list(): readonly EventDescription[];
}
