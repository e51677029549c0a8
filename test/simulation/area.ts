import type { FactoryProvider, Provider, Type, ValueProvider } from '@nestjs/common';
import { AreaProcesses, AreaProjections } from '../../src/engine/feature.js';
import type { Container } from './container.js';

/** Provides the projections that the module of an area declares. */
export function provideProjections(container: Container, area: Type): void {
  container.provide(AreaProjections, (find(area, AreaProjections) as ValueProvider<AreaProjections>).useValue);
}

/** Registers an area in the process, with the processes that its module declares. */
export function wireArea(container: Container, area: Type): void {
  provideProjections(container, area);
  const { useFactory, inject = [] } = find(area, AreaProcesses) as FactoryProvider<AreaProcesses>;
  const created = inject.map((type) => container.get(type as Type));
  container.provide(AreaProcesses, useFactory(...created) as AreaProcesses).get(area);
}

function find(area: Type, token: Type): Provider | undefined {
  const providers = Reflect.getMetadata('providers', area) as readonly Provider[];
  return providers.find((one) => (one as FactoryProvider).provide === token);
}
