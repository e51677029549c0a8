import { chain } from './chain.js';
import { endpointPlaces } from './endpoint-places.js';
import { endpoint } from './endpoint.js';
import { publicEvent } from './public-event.js';
import { replayJob } from './replay-job.js';
import { replayLane } from './replay-lane.js';
import { replayPlaces } from './replay-places.js';
import { testAllowance } from './test-allowance.js';

/** All deciders of the area. */
export const webhooksDeciders = [chain, endpointPlaces, endpoint, publicEvent, replayJob, replayLane, replayPlaces, testAllowance] as const;
