import { EventEmitter } from 'node:events';

/** The time limit of one send. undici accepts an emitter as its signal, which costs less than an AbortSignal. */
export class Deadline extends EventEmitter<{ abort: [] }> {
  hasPassed = false;
  private readonly timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    super();
    this.timer = setTimeout(() => this.pass(), timeoutMs);
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  private pass(): void {
    this.hasPassed = true;
    this.emit('abort');
  }
}
