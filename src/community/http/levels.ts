/** The highest level that content may require. */
export const MAX_LEVEL = 100;
