import { KnownStates, type PublicEvent } from './known-states.js';
import type { World } from './world/world.js';

const LIMIT = 100;

/** Events that were read before an erasure still name the person. */
const PERSON = /\.buyer\.(email|name|erased)\b/;

/** Reads the list of events, and knows of each resource the state in the event with the greatest sequence. */
export class Consumer {
  private readonly states = new KnownStates();
  private readonly seen = new Set<string>();
  private newest: string | null = null;

  constructor(private readonly world: World) {}

  /** The ids of the events that were read. */
  get eventIds(): ReadonlySet<string> {
    return this.seen;
  }

  /** Reads the events since the last time, and compares the known states with the model. */
  async check(): Promise<string[]> {
    await this.read();
    return exceptPersons(this.states.findDifferences(this.world));
  }

  /** Reads all events again: the service names no forgotten person in them. */
  async checkAgain(): Promise<string[]> {
    this.states.clear();
    this.newest = null;
    await this.read();
    return this.states.findDifferences(this.world);
  }

  /** The list shows the newest event first. */
  async read(): Promise<void> {
    const until = this.newest;
    for (let after: string | null = ''; after !== null;) {
      const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const { body } = await this.world.api.get(`/v1/webhooks/events?limit=${LIMIT}${cursor}`);
      const events = body.data as readonly PublicEvent[];
      const known = events.findIndex(({ id }) => id === until);
      if (after === '') this.newest = events[0]?.id ?? null;
      for (const event of known === -1 ? events : events.slice(0, known)) this.remember(event);
      after = known === -1 ? body.pagination.next_cursor : null;
    }
  }

  private remember(event: PublicEvent): void {
    this.seen.add(event.id);
    this.states.remember(event);
  }
}

export function exceptPersons(differences: readonly string[]): string[] {
  return differences.filter((one) => !PERSON.test(one));
}
