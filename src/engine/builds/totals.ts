import type { HourlySizes, ReadModels, Scalar, Where } from '../../kernel/read-models.js';
import type { Difference } from './comparison.js';

const TRIES = 5;
/** Matches every id. The store keeps no total for this condition, so it counts the documents. */
const ANY_ID = { id: { from: '' } };

/** The groups whose sizes are kept, collected from the documents. */
export class Totals {
  private readonly groups = new Map<string, Where>();

  constructor(
    private readonly paths: readonly (readonly string[])[] = [],
    private readonly hourly: readonly HourlySizes[] = [],
  ) {}

  add(document: object): void {
    for (const paths of this.paths) this.addGroup(document, paths);
    for (const { group, times } of this.hourly) this.addGroup(document, group, times[0]);
  }

  /** @param time path of the time by which the group is also counted, over all hours */
  private addGroup(document: object, paths: readonly string[], time?: string): void {
    const values = paths.map((path) => [path, readScalar(document, path)] as const);
    const name = [
      ...values.map(([path, value]) => `${path}=${value}`),
      ...(time === undefined ? [] : [`by ${time}`]),
    ].join(' ');
    this.groups.set(name, { ...Object.fromEntries(values), ...(time !== undefined && { [time]: {} }) });
  }

  async findDifferences(build: string, readModels: ReadModels): Promise<Difference[]> {
    const wrong: Difference[] = [];
    for (const [id, group] of this.groups) {
      if (await isMiscounted(build, group, readModels)) wrong.push({ id, what: 'is counted wrong' });
    }
    return wrong;
  }
}

/** Counts the documents between two reads of the stored total: when both reads agree, no write happened in between. */
async function isMiscounted(build: string, group: Where, readModels: ReadModels): Promise<boolean> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const before = await readModels.count(build, group);
    const counted = await readModels.count(build, { ...group, ...ANY_ID });
    if (before === counted) return false;
    if (tries === TRIES) return before === (await readModels.count(build, group));
  }
  return false;
}

function readScalar(document: object, path: string): Scalar {
  const value = path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Readonly<Record<string, unknown>> | null)?.[key], document);
  return (value ?? null) as Scalar;
}
