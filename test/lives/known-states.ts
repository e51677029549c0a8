import { type ExpectedItem, listListings } from './listings.js';
import { isUnseen, isUntold } from './untold.js';
import type { World } from './world/world.js';

export interface PublicEvent {
  readonly id: string;
  readonly sequence: number;
  readonly data: { readonly id?: string };
}

/** The state of each resource, from the event with the greatest `sequence`. The events can arrive in any order. */
export class KnownStates {
  private readonly latest = new Map<string, PublicEvent>();

  remember(event: PublicEvent): void {
    const { id } = event.data;
    if (id !== undefined && event.sequence > (this.latest.get(id)?.sequence ?? 0)) this.latest.set(id, event);
  }

  clear(): void {
    this.latest.clear();
  }

  /** Compares the known states with the model. */
  findDifferences(world: World): string[] {
    return listListings(world)
      .filter(({ isPublished }) => isPublished)
      .flatMap(({ items, hidden = [] }) => [...items, ...hidden])
      .flatMap((item) => this.compare(world, item));
  }

  private compare({ names }: World, { key, render, renderEvent = render }: ExpectedItem): string[] {
    const known = names.has(key) ? this.latest.get(names.idOf(key)) : undefined;
    if (known === undefined) return isUnseen(key, render()) ? [] : [`event of ${key}: no event shows it`];
    const start = `event of ${key}`;
    return names
      .compare(renderEvent(), known.data, start)
      .filter((one) => !isUntold(key, one.slice(start.length + 1), render()));
  }
}
