import { cluster } from './cluster.js';
import type { Plant } from './plant.js';
import { projecting } from './projecting.js';
import { reacting } from './reacting.js';
import { running } from './running.js';
import { undone } from './undone.js';
import { writing } from './writing.js';

const all: readonly Plant[] = [...writing, ...projecting, ...reacting, ...cluster, ...running, undone];

export const PLANTED: readonly Plant[] = all.filter(({ foundAt }) => foundAt !== null);

/** For which no seed is known in the world as it is: searched for only with `SIM_SEARCH`. */
export const SOUGHT: readonly Plant[] = all.filter(({ foundAt }) => foundAt === null);
