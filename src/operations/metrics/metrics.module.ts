import { Global, Module } from '@nestjs/common';
import { Observer } from '../../engine/observed.js';
import { Gauges } from './gauges.js';
import { Metrics } from './metrics.js';

/** Adds metrics to the stores of the application that imports it. */
@Global()
@Module({ providers: [Metrics, Gauges, { provide: Observer, useExisting: Metrics }], exports: [Metrics, Gauges, Observer] })
export class MetricsModule {}
