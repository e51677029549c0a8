/** Differences between the model and the service that are known, with their reason. */
const KNOWN: readonly { readonly pattern: RegExp; readonly reason: string }[] = [];

export function isKnownDifference(difference: string): boolean {
  return KNOWN.some(({ pattern }) => pattern.test(difference));
}
