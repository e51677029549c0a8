import { describe, enumOf, object, string } from './schema.js';

/** The actor of an event, as the API shows it. */
export const actorSchema = object({
  type: describe(
    enumOf('api_key', 'user', 'cart', 'system'),
    'Whether an API key, a user, the bearer of a cart token or the service itself acted.',
  ),
  id: describe(
    string,
    'The id of the API key, the user, the cart or the part of the service.',
    'key_01kg9p6je0grr0rycz01afc5br',
  ),
});
