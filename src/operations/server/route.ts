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
