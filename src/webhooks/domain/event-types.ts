export const EVERY_TYPE = '*';
export const TEST_TYPE = 'webhook.test';
/** The version of the data of every type so far. Only a breaking change raises the version of a type. */
export const FIRST_VERSION = '1';

export function isSubscribedTo(eventTypes: readonly string[], type: string): boolean {
  return eventTypes.includes(EVERY_TYPE) || eventTypes.includes(type);
}
