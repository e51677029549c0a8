import { cluster } from './cluster.js';
import type { Plant } from './plant.js';
import { projecting } from './projecting.js';
import { reacting } from './reacting.js';
import { running } from './running.js';
import { undone } from './undone.js';
import { writing } from './writing.js';

const [barrier, ...otherCluster] = cluster;
const [descriptors, ...otherRunning] = running;

export const PLANTED: readonly Plant[] = [...writing, ...projecting, ...reacting, barrier!, descriptors!, undone];

/** For which no seed is known in the world as it is: searched for only with `SIM_SEARCH`. */
export const SOUGHT: readonly Plant[] = [...otherCluster, ...otherRunning];
