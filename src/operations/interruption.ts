/** Keeps the event loop alive while the work has nothing of its own there. */
const FOR_EVER_MS = 2 ** 30;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** npm and a terminal each pass on the same Ctrl-C: what follows a signal so soon is no second one. */
const SAME_SIGNAL_MS = 500;
/** Progress on a terminal hides it. */
const SHOW_CURSOR = '\x1b[?25h';

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
  const interrupt = onInterruption(() => over.abort());
  const alive = setInterval(() => undefined, FOR_EVER_MS);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(over.signal);
  } finally {
    clearInterval(alive);
    // The same Ctrl-C may come once more while the stores are closed.
    if (!over.signal.aborted) for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

function onInterruption(first: () => void): () => void {
  let since: number | null = null;
  return () => {
    if (since === null) {
      since = performance.now();
      first();
    } else if (performance.now() - since >= SAME_SIGNAL_MS) endAtOnce();
  };
}

function endAtOnce(): never {
  if (process.stdout.isTTY) process.stdout.write(SHOW_CURSOR);
  process.exit(EXIT_INTERRUPTED);
}
