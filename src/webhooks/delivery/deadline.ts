/** The time limit of one send. It costs less than an AbortSignal. */
export class Deadline {
  hasPassed = false;
  private readonly timer: NodeJS.Timeout;
  private end: (() => void) | null = null;

  constructor(timeoutMs: number) {
    this.timer = setTimeout(() => this.pass(), timeoutMs);
  }

  /** Sets what ends the current step of the send when the time has passed; null when nothing must be ended. */
  setEnd(end: (() => void) | null): void {
    this.end = end;
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  private pass(): void {
    this.hasPassed = true;
    this.end?.();
  }
}
