import { START } from '../kernel/position.js';
import type { ReadModels } from '../kernel/read-models.js';
import type { Ports } from './ports.js';

/** The checkpoint under which a store notes what moves into it. Like every checkpoint it only goes forward: done comes behind begun. */
const NAME = 'moving in';
const BEGUN = 'begun ';
const DONE = 'done ';

/** Something else is to move into this store, or a service is to run on it, before all is there. */
export class MovingIn extends Error {
  constructor(how: string) {
    super(how);
    this.name = 'MovingIn';
  }
}

/**
 * Before a service runs on it: with half of what it had elsewhere it would do again what is done, and know nothing of the rest.
 * @throws MovingIn
 */
export async function mustHaveMovedIn(models: ReadModels): Promise<void> {
  if ((await models.checkpoint(NAME)).startsWith(BEGUN))
    throw new MovingIn('Only a part has moved into this store so far: run the same store import or copy again, which goes on from there.');
}

/**
 * Notes that it moves in now; after a crash, the same again.
 * @param what a name that no other content has
 * @returns false when all of it is there already
 * @throws MovingIn when the store holds anything else
 */
export async function beginMovingIn({ models, events, jobs }: Ports, what: string): Promise<boolean> {
  const noted = await models.checkpoint(NAME);
  if (noted === `${DONE}${what}`) return false;
  if (noted === `${BEGUN}${what}`) return true;
  if (noted.startsWith(BEGUN)) throw new MovingIn('Something else has moved into this store in part. Move into an empty one.');
  const isEmpty = noted === START && (await events.head()) === START && (await jobs.list({ limit: 1 })).length === 0;
  if (!isEmpty) throw new MovingIn('This store is not empty. Move into an empty one.');
  await models.advance({ [NAME]: `${BEGUN}${what}` });
  return true;
}

export async function endMovingIn({ models }: Ports, what: string): Promise<void> {
  await models.advance({ [NAME]: `${DONE}${what}` });
}
