import { Global, Module } from '@nestjs/common';
import { Observer } from '../../engine/observed.js';
import { Gauges } from './gauges.js';
import { Metrics } from './metrics.js';

/** Where it is imported, the stores are observed. */
@Global()
@Module({ providers: [Metrics, Gauges, { provide: Observer, useExisting: Metrics }], exports: [Metrics, Gauges, Observer] })
export class MetricsModule {}
