import { cluster } from './cluster.js';
import type { Plant } from './plant.js';
import { projecting } from './projecting.js';
import { reacting } from './reacting.js';
import { running } from './running.js';
import { undone } from './undone.js';
import { writing } from './writing.js';

const all: readonly Plant[] = [...writing, ...projecting, ...reacting, ...cluster, ...running, undone];

export const PLANTED: readonly Plant[] = all.filter(({ foundAt }) => foundAt !== null);

/** Mutations without a known seed; only `SIM_SEARCH` searches for them. */
export const SOUGHT: readonly Plant[] = all.filter(({ foundAt }) => foundAt === null);
