import { Logger } from '@nestjs/common';
import { Registry } from '../../src/engine/registry.js';
import { BackgroundErrors } from '../../src/operations/health/background-errors.js';
import { Metrics } from '../../src/operations/metrics/metrics.js';
import { ManualClock } from './clock.js';

/** Logs the errors of background work as a service does, and records the lines of each test. */
export class BackgroundLog {
  clock!: ManualClock;
  errors!: BackgroundErrors;
  lines: [level: string, line: object | string][] = [];

  static each(): BackgroundLog {
    const log = new BackgroundLog();
    beforeEach(() => log.start());
    afterEach(() => log.stop());
    return log;
  }

  private start(): void {
    this.lines = [];
    const record = (level: string) => (line: object) => this.lines.push([level, line]);
    Logger.overrideLogger({ error: record('error'), warn: record('warn'), log: record('log'), fatal: record('fatal') });
    this.clock = new ManualClock();
    this.errors = new BackgroundErrors(new Metrics(), new Registry(), this.clock);
  }

  private stop(): void {
    this.errors.onApplicationShutdown();
    Logger.overrideLogger(false);
  }
}
