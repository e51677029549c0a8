// Preloaded into a measured server: reports its resource use to the parent process.
import { type LoopDelay, LoopDelayGauge } from './loop-delay.ts';

/** Resource use since the previous reading. */
export interface Reading {
  /** The CPU time of the whole process with its threads. */
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
