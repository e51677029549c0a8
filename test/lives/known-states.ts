import { type ExpectedItem, listListings } from './listings.js';
import { isUnseen, isUntold } from './untold.js';
import type { World } from './world/world.js';

export interface PublicEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: { readonly id?: string; readonly user?: object };
}

const MEMBER_ERASED = 'community.member.erased';

/** The state of each resource, from the event with the greatest `sequence`. The events can arrive in any order. */
export class KnownStates {
  private readonly latest = new Map<string, PublicEvent>();
  /** The latest erasures of members. These events have only ids. */
  private readonly erasures = new Map<string, PublicEvent>();

  remember(event: PublicEvent): void {
    const { id } = event.data;
    const known = event.type === MEMBER_ERASED ? this.erasures : this.latest;
    if (id !== undefined && event.sequence > (known.get(id)?.sequence ?? 0)) known.set(id, event);
  }

  clear(): void {
    this.latest.clear();
    this.erasures.clear();
  }

  /** Compares the known states with the model. */
  findDifferences(world: World): string[] {
    return listListings(world)
      .filter(({ isPublished }) => isPublished)
      .flatMap(({ items, hidden = [] }) => [...items, ...hidden])
      .flatMap((item) => this.compare(world, item));
  }

  /** Returns what is kept of a resource: without the person after an erasure. */
  private find(id: string): object | undefined {
    const [known, erasure] = [this.latest.get(id), this.erasures.get(id)];
    if (known === undefined || (erasure?.sequence ?? 0) < known.sequence) return known?.data;
    return { ...known.data, user: { ...known.data.user, email: null, erased: true } };
  }

  private compare(
    { names }: World,
    { key, render, renderEvent = render, isUnseen: mayBeUnseen = false }: ExpectedItem,
  ): string[] {
    const known = names.has(key) ? this.find(names.idOf(key)) : undefined;
    if (known === undefined)
      return mayBeUnseen || isUnseen(key, render()) ? [] : [`event of ${key}: no event shows it`];
    const start = `event of ${key}`;
    return names
      .compare(renderEvent(), known, start)
      .filter((one) => !isUntold(key, one.slice(start.length + 1), render()));
  }
}
