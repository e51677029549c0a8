import { readGuide } from '../../support/guide-code.js';
import { GUIDE } from './copy-programs.js';

const ROW = /^\| `(\w+)` +\| ((?:`\w+`(?:, )?)+)/gm;

/** Returns the fields of each object that other events change, as the table of the guide names them. */
export async function readDerivedFields(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const fields = new Map<string, Set<string>>();
  for (const [, object, names] of (await readGuide(GUIDE)).matchAll(ROW)) {
    const own = fields.get(object!) ?? new Set();
    for (const [, name] of names!.matchAll(/`(\w+)`/g)) own.add(name!);
    fields.set(object!, own);
  }
  return fields;
}
