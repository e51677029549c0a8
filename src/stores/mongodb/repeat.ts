import { reportAndIgnore } from '../../kernel/background-errors.js';

/** Runs work at an interval until the returned function is called. A failure is reported; the next run repeats it. */
export function repeat(name: string, work: () => Promise<void>, everyMs: number): () => void {
  const timer = setInterval(() => void work().catch(reportAndIgnore({ kind: 'loop', name })), everyMs).unref();
  return () => clearInterval(timer);
}
