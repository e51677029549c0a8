import type { Plant } from './plant.js';
import { projecting } from './projecting.js';
import { reacting } from './reacting.js';
import { writing } from './writing.js';

export const PLANTED: readonly Plant[] = [...writing, ...projecting, ...reacting];
