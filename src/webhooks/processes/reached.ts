import type { Views } from '../../engine/views.js';
import type { Position } from '../../kernel/position.js';

const LOOKS = 40;

/** Resolves when the index has seen all that was recorded before: only then may something be decided by it. */
export async function reached(views: Views, index: { readonly name: string; readonly version: number }, position: Position): Promise<void> {
  for (let looks = 1; looks <= LOOKS; looks++) if (await views.settled(index, position)) return;
  throw new Error(`${index.name} has not reached ${position}`);
}
