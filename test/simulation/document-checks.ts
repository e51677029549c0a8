import { isDeepStrictEqual } from 'node:util';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { apply, collectionOf, type Projection, toDocumentIds } from '../../src/kernel/projection.js';
import type { Row } from '../../src/kernel/read-models.js';
import { isFailingJars } from './failing-jars.js';
import type { SimulationRandom } from './seeded-random.js';
import type { World } from './world.js';

const MAX_CHECKS = 3;

/** Checks I3 during a run: each document of each build is the fold of the log up to the document's last event. */
export class DocumentChecks {
  /** The violations found, a sentence each. */
  readonly violations: string[] = [];

  constructor(private readonly world: World) {}

  schedule(ms: number, random: SimulationRandom): void {
    for (let left = random.integer(1, MAX_CHECKS); left > 0; left--)
      this.world.timeline.after(random.between(0, ms), () => this.check());
  }

  private check(): void {
    const { readModels, events } = this.world.stores;
    for (const projection of this.world.referenceProjections.filter((one) => !isFailingJars(one))) {
      const rows = readModels.getBuildRows(collectionOf(projection));
      if (rows.length > 0) this.violations.push(...findDifferences(projection, rows, events.log));
    }
  }
}

interface BuildRow extends Row {
  readonly build: string;
}

function findDifferences(
  projection: Projection<object>,
  rows: readonly BuildRow[],
  log: readonly RecordedEvent[],
): string[] {
  const byDocument = Map.groupBy(rows, ({ id }) => id);
  const documents = new Map<string, object | null>();
  const breaches: string[] = [];
  for (const event of log) {
    for (const id of toDocumentIds(projection, event)) {
      const document = apply(projection, documents.get(id) ?? null, event, id);
      documents.set(id, document);
      for (const row of byDocument.get(id) ?? []) {
        if (row.position !== event.position || isDeepStrictEqual(row.document, toJson(document))) continue;
        breaches.push(`${row.build} ${id} is not the fold of the log up to ${row.position}`);
      }
    }
  }
  return breaches;
}

function toJson(document: object | null): object | null {
  return JSON.parse(JSON.stringify(document)) as object | null;
}
