/** The version of the service and of its API, as in package.json. */
export const VERSION = '1.0.0';
