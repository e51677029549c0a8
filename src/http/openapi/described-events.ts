import type { Resource } from '../../kernel/schema.js';

/** A public event as consumers receive it. */
export interface DescribedEvent {
  readonly type: string;
  readonly summary: string;
  readonly description: string;
  /** How its `data` is written. */
  readonly data: Resource;
}

/** The public events that the service sends: the area that sends them provides it. */
export abstract class DescribedEvents {
  abstract sent(): readonly DescribedEvent[];
}
