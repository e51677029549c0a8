import { isDeepStrictEqual } from 'node:util';
import type { Recorded } from '../../src/kernel/event.js';
import { apply, collectionOf, idsOf, type Projection } from '../../src/kernel/projection.js';
import type { Row } from '../../src/kernel/read-models.js';
import { isFussy } from './fussy-jars.js';
import type { Luck } from './luck.js';
import type { World } from './world.js';

const MOST_GLANCES = 3;

/** Checks I3 during a run: each document of each build is the fold of the log up to the document's last event. */
export class Glances {
  /** The violations found, a sentence each. */
  readonly breaches: string[] = [];

  constructor(private readonly world: World) {}

  begin(ms: number, luck: Luck): void {
    for (let left = luck.whole(1, MOST_GLANCES); left > 0; left--) this.world.timeline.after(luck.between(0, ms), () => this.look());
  }

  private look(): void {
    const { readModels, events } = this.world.stores;
    for (const projection of this.world.toldProjections.filter((one) => !isFussy(one))) {
      const rows = readModels.rowsOf(collectionOf(projection));
      if (rows.length > 0) this.breaches.push(...differences(projection, rows, events.log));
    }
  }
}

interface Kept extends Row {
  readonly build: string;
}

function differences(projection: Projection<object>, rows: readonly Kept[], log: readonly Recorded[]): string[] {
  const byDocument = Map.groupBy(rows, ({ id }) => id);
  const documents = new Map<string, object | null>();
  const breaches: string[] = [];
  for (const event of log) {
    for (const id of idsOf(projection, event)) {
      const document = apply(projection, documents.get(id) ?? null, event);
      documents.set(id, document);
      for (const row of byDocument.get(id) ?? []) {
        if (row.position !== event.position || isDeepStrictEqual(row.document, asKept(document))) continue;
        breaches.push(`${row.build} ${id} is not the fold of the log up to ${row.position}`);
      }
    }
  }
  return breaches;
}

function asKept(document: object | null): object | null {
  return JSON.parse(JSON.stringify(document)) as object | null;
}
