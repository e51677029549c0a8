/** A response of the service. */
export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** The body as it arrived. */
  readonly text: string;
  /** Names the request in the logs of the service. */
  readonly requestId: string | null;
  /** True for the stored response of an earlier request with the same Idempotency-Key. */
  readonly isReplayed: boolean;
}

/** The result of a call. `withResponse` also gives the status, the headers and the text of the body. */
export class ApiPromise<T> extends Promise<T> {
  readonly #send: () => Promise<ApiResponse<T>>;

  /** `catch` and `finally` return ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(send: () => Promise<ApiResponse<T>>) {
    super((resolve) => resolve(undefined as T));
    this.#send = send;
  }

  withResponse(): Promise<ApiResponse<T>> {
    return this.#send();
  }

  override then<R = T, E = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#send()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }
}
