/**
 * Describes which operation gets an address that fits two paths, such as `/events/stream` and `/events/{id}`. The
 * router prefers the path whose first other segment is fixed.
 */
export function describePrecedence(method: string, path: string, paths: readonly string[]): readonly string[] {
  return paths
    .filter((other) => wins(path.split('/'), other.split('/')))
    .map((other) => `A ${method.toUpperCase()} of an address that also fits \`${other}\` is this operation.`);
}

function wins(segments: readonly string[], others: readonly string[]): boolean {
  if (segments.length !== others.length || !segments.every((one, i) => fits(one, others[i]!))) return false;
  const difference = segments.findIndex((one, i) => isParameter(one) !== isParameter(others[i]!));
  return difference >= 0 && !isParameter(segments[difference]!);
}

const fits = (one: string, other: string) => one === other || isParameter(one) || isParameter(other);
const isParameter = (segment: string) => segment.startsWith('{');
