import { Global, Module } from '@nestjs/common';
import { StoreMetrics } from '../../engine/store-metrics.js';
import { Gauges } from './gauges.js';
import { Metrics } from './metrics.js';

/** Adds metrics to the stores of the application that imports it. */
@Global()
@Module({
  providers: [Metrics, Gauges, { provide: StoreMetrics, useExisting: Metrics }],
  exports: [Metrics, Gauges, StoreMetrics],
})
export class MetricsModule {}
