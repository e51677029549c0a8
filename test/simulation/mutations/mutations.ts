import { clusterMutations } from './cluster.js';
import type { Mutation } from './mutation.js';
import { olderMajority } from './older-majorities.js';
import { projectionMutations } from './projecting.js';
import { reactorMutations } from './reacting.js';
import { rolledBackSave } from './rolled-back-saves.js';
import { processMutations } from './running.js';
import { shopMutations } from './selling.js';
import { commandMutations } from './writing.js';

const allMutations: readonly Mutation[] = [
  ...commandMutations,
  ...projectionMutations,
  ...reactorMutations,
  ...clusterMutations,
  ...processMutations,
  rolledBackSave,
  olderMajority,
  ...shopMutations,
];

export const MUTATIONS: readonly Mutation[] = allMutations.filter(({ foundAt }) => foundAt !== null);

/** Mutations without a known seed; only `SIM_SEARCH` searches for them. */
export const UNCONFIRMED_MUTATIONS: readonly Mutation[] = allMutations.filter(({ foundAt }) => foundAt === null);
