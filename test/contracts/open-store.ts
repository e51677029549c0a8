/** An open store for a contract: empty, or at least without data under the names that the contract uses. */
export interface OpenStore<S> {
  readonly store: S;
  /** The time of the store in milliseconds since 1970. */
  now(): number;
  /** Advances the time of the store. */
  advanceTime(ms: number): Promise<void>;
  /** Closes the store and opens it again with its data. */
  reopen(): Promise<S>;
  close(): Promise<void>;
}

export type OpenStoreFunction<S> = () => Promise<OpenStore<S>>;

/** Opens a store before each test and closes it after the test. */
export function eachOpenStore<S>(open: OpenStoreFunction<S>): OpenStore<S> {
  let opened: OpenStore<S>;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());
  return {
    get store() {
      return opened.store;
    },
    now: () => opened.now(),
    advanceTime: (ms) => opened.advanceTime(ms),
    reopen: () => opened.reopen(),
    close: () => opened.close(),
  };
}

/** Selects one port of an open store. */
export function selectPort<S, K extends keyof S>(opened: OpenStore<S>, port: K): OpenStore<S[K]> {
  return {
    get store() {
      return opened.store[port];
    },
    now: () => opened.now(),
    advanceTime: (ms) => opened.advanceTime(ms),
    reopen: async () => (await opened.reopen())[port],
    close: () => opened.close(),
  };
}
