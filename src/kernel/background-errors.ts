import { StoreUnavailable } from './event-store.js';

export type BackgroundKind =
  'reactor' | 'projection' | 'build' | 'job' | 'stream' | 'lease' | 'delivery' | 'export' | 'loop';

/** Work that no caller waits for, so nobody else sees its errors. */
export interface BackgroundWork {
  readonly kind: BackgroundKind;
  /** The name of the reactor, projection, queue or loop: from a small set, without ids. */
  readonly name: string;
  /** The id of the event, document or job. */
  readonly item?: string;
}

/** Receives the errors of background work. Implementations must not throw. */
export interface ErrorReporter {
  /** The work failed and is tried again. */
  onFailure(work: BackgroundWork, error: unknown): void;
  /** The work failed, and only an operator can continue it. */
  onParked(work: BackgroundWork, error: unknown): void;
  /** The work succeeded after a failure. */
  onRecovery(work: BackgroundWork): void;
  onStoreUnavailable(error: StoreUnavailable): void;
}

const reporters = new Set<ErrorReporter>();

/** Adds a reporter to this process; the returned function removes it. */
export function addErrorReporter(reporter: ErrorReporter): () => void {
  reporters.add(reporter);
  return () => reporters.delete(reporter);
}

export function reportFailure(work: BackgroundWork, error: unknown): void {
  report(error, (reporter) => reporter.onFailure(work, error));
}

export function reportParked(work: BackgroundWork, error: unknown): void {
  report(error, (reporter) => reporter.onParked(work, error));
}

export function reportRecovery(work: BackgroundWork): void {
  for (const reporter of reporters) reporter.onRecovery(work);
}

/** Returns an error handler that reports the error and resolves with nothing. */
export function reportAndIgnore(work: BackgroundWork): (error: unknown) => undefined {
  return reportAndReturn(work, undefined);
}

/** Returns an error handler that reports the error and resolves with the value. */
export function reportAndReturn<T>(work: BackgroundWork, value: T): (error: unknown) => T {
  return (error) => {
    reportFailure(work, error);
    return value;
  };
}

/** Stopped work has not failed. An unavailable store concerns the whole process and is reported as one. */
function report(error: unknown, toReporter: (reporter: ErrorReporter) => void): void {
  if (error instanceof Error && error.name === 'AbortedError') return;
  for (const reporter of reporters)
    if (error instanceof StoreUnavailable) reporter.onStoreUnavailable(error);
    else toReporter(reporter);
}
