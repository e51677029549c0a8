/** A store as a contract gets it: empty, or at least with nothing in it that the contract's own names would meet. */
export interface Opened<S> {
  readonly store: S;
  /** The store's own time, in milliseconds since 1970. */
  now(): number;
  /** Lets so much of the store's time go by. */
  pass(ms: number): Promise<void>;
  /** Closes it and opens it again on what it has kept. */
  reopen(): Promise<S>;
  close(): Promise<void>;
}

export type Open<S> = () => Promise<Opened<S>>;

/** Opens before each test and closes behind it. */
export function eachOpened<S>(open: Open<S>): Opened<S> {
  let opened: Opened<S>;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());
  return {
    get store() {
      return opened.store;
    },
    now: () => opened.now(),
    pass: (ms) => opened.pass(ms),
    reopen: () => opened.reopen(),
    close: () => opened.close(),
  };
}
