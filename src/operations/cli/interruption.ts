/** Interval of a timer that keeps the event loop alive while the work has no other handle. */
const KEEP_ALIVE_MS = 2 ** 30;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** npm and the terminal both forward Ctrl-C: a repeated signal within 500 ms is ignored. */
const REPEATED_SIGNAL_MS = 500;
/** Shows the cursor, which the progress bar hides. */
const SHOW_CURSOR = '\x1b[?25h';

export const EXIT_INTERRUPTED = 130;

/** Ctrl-C stopped the work before its end. The finished part of the work is kept. */
export class Interrupted extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Interrupted';
  }
}

/**
 * Runs the work under a signal that Ctrl-C aborts, and waits for its end. A second Ctrl-C ends the process immediately.
 */
export async function runInterruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = createSignalHandler(() => controller.abort());
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    clearInterval(keepAlive);
    // After an abort the handlers stay: the same Ctrl-C may arrive again while the stores are closed.
    if (!controller.signal.aborted) for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

function createSignalHandler(onFirst: () => void): () => void {
  let since: number | null = null;
  return () => {
    if (since === null) {
      since = performance.now();
      onFirst();
    } else if (performance.now() - since >= REPEATED_SIGNAL_MS) exitNow();
  };
}

function exitNow(): never {
  if (process.stdout.isTTY) process.stdout.write(SHOW_CURSOR);
  process.exit(EXIT_INTERRUPTED);
}
