/** A value that a query or a JSON body gave for one name. */
export type GivenValues = Readonly<Record<string, unknown>>;

export interface OpsRequest {
  /** The values of the `:name` segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query of a GET, or the JSON body of a POST. */
  readonly input: GivenValues;
  /** Aborts when the client has closed the connection. */
  readonly signal: AbortSignal;
}

export interface OpsRoute {
  readonly method: 'GET' | 'POST';
  /** `/ops/jobs/:key/retry` */
  readonly path: string;
  /** 200 by default. */
  readonly status?: number;
  readonly handle: (request: OpsRequest) => Promise<object>;
}

export interface MatchedRoute {
  readonly route: OpsRoute;
  readonly params: OpsRequest['params'];
}

export function findRoutes(routes: readonly OpsRoute[], path: string): readonly MatchedRoute[] {
  const given = path.split('/');
  return routes.flatMap((route) => {
    const params = matchPath(route.path.split('/'), given);
    return params === null ? [] : [{ route, params }];
  });
}

/** Escapes are decoded in parameters only, so that no escaped path avoids the check of the credential. */
function matchPath(expected: readonly string[], given: readonly string[]): OpsRequest['params'] | null {
  if (expected.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, segment] of expected.entries()) {
    if (segment.startsWith(':')) {
      const value = decode(given[i]!);
      if (!value) return null;
      params[segment.slice(1)] = value;
    } else if (segment !== given[i]) return null;
  }
  return params;
}

/** Returns null for a bad escape, which matches no route. */
function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
