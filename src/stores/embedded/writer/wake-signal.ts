/** Wakes the writer thread through shared memory, which is several times faster than through its event loop. */
export class WakeSignal {
  private readonly memory: Int32Array<SharedArrayBuffer>;

  constructor(readonly shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = new Int32Array(shared);
  }

  /** The number of notifications so far. */
  get notifications(): number {
    return Atomics.load(this.memory, 0);
  }

  notify(): void {
    Atomics.add(this.memory, 0, 1);
    Atomics.notify(this.memory, 0);
  }

  /**
   * Blocks the thread until the number of notifications differs from `rings`; false when this does not happen within
   * `ms`.
   */
  waitForChange(notifications: number, ms: number): boolean {
    return Atomics.wait(this.memory, 0, notifications, ms) !== 'timed-out';
  }
}
