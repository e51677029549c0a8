import { describe, enumOf, object, string } from './schema.js';

export const ACTOR_TYPE = 'Whether an API key, a user, the bearer of a cart token or the service itself acts.';
export const ACTOR_ID = 'The id of the API key, the user, the cart or the part of the service.';

/** The actor of an event, as the API shows it. */
export const actorSchema = object({
  type: describe(enumOf('api_key', 'user', 'cart', 'system'), ACTOR_TYPE),
  id: describe(string, ACTOR_ID, 'key_01kg9p6je0grr0rycz01afc5br'),
});
