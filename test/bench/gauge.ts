// Preloaded into a measured server: reports its resource use to the parent process.
import { isMainThread } from 'node:worker_threads';
import { type LoopDelay, LoopDelayGauge } from './loop-delay.ts';

/** Resource use since the previous reading. */
export interface Reading {
  /** The CPU time of the whole process with its threads. */
  readonly cpuMicros: number;
  readonly eventLoopDelayMs: LoopDelay;
  /** The memory of the process now, and the largest value since its start. */
  readonly residentBytes: number;
  readonly peakBytes: number;
  /** The objects of the main thread, garbage included. */
  readonly usedHeapBytes: number;
}

let before = process.cpuUsage();
// The threads of the server preload this file too. A gauge wakes its thread a thousand times a second.
if (isMainThread) {
  const gauge = new LoopDelayGauge();
  process.on('message', (message) => {
    if (message === 'read') process.send!(read(gauge));
  });
  process.channel?.unref();
}

function read(gauge: LoopDelayGauge): Reading {
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  const { rss: residentBytes, heapUsed: usedHeapBytes } = process.memoryUsage();
  const memory = { residentBytes, peakBytes: process.resourceUsage().maxRSS * 1_024, usedHeapBytes };
  return { cpuMicros: user + system, eventLoopDelayMs: gauge.read(), ...memory };
}
