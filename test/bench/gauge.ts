// Preloaded into a server that is measured: tells over the channel to its parent what it has used.
import { LoopDelayGauge, type LoopDelay } from './loop-delay.ts';

/** Since the last reading. */
export interface Reading {
  /** Of the whole process, with its threads. */
  readonly cpuMicros: number;
  readonly eventLoopDelayMs: LoopDelay;
}

const gauge = new LoopDelayGauge();
let before = process.cpuUsage();
process.on('message', (message) => {
  if (message === 'read') process.send!(read());
});
process.channel?.unref();

function read(): Reading {
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  return { cpuMicros: user + system, eventLoopDelayMs: gauge.read() };
}
