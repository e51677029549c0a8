/** Nothing is meant by it but that the event loop has something to wait for. */
const FOR_EVER_MS = 2 ** 30;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export const EXIT_INTERRUPTED = 130;

/** Ctrl-C ended the work before it was done; what is done is kept. */
export class Interrupted extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Interrupted';
  }
}

/** Runs the work under a signal that Ctrl-C aborts; the work then ends in its own time. A second Ctrl-C ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const interrupt = () => (over.signal.aborted ? process.exit(EXIT_INTERRUPTED) : over.abort());
  const alive = setInterval(() => undefined, FOR_EVER_MS);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(over.signal);
  } finally {
    clearInterval(alive);
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}
