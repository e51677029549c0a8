/** Wakes the writer's thread by way of memory that both threads share: by way of its event loop it would take several times as long. */
export class Wake {
  private readonly memory: Int32Array<SharedArrayBuffer>;

  constructor(readonly shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = new Int32Array(shared);
  }

  /** How often it has rung. */
  get rings(): number {
    return Atomics.load(this.memory, 0);
  }

  ring(): void {
    Atomics.add(this.memory, 0, 1);
    Atomics.notify(this.memory, 0);
  }

  /** Blocks its thread until it has rung more often than that; false when it has not within `ms`. */
  beyond(rings: number, ms: number): boolean {
    return Atomics.wait(this.memory, 0, rings, ms) !== 'timed-out';
  }
}
