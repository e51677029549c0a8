import { Registry } from '../../src/engine/registry.js';
import { startService, type Service } from './service.js';

/** A service for the tests of one `describe`, and what it has registered; both are there once the tests run. */
export function suiteRegistry(): { readonly service: Service; readonly registry: Registry } {
  const suite = {} as { service: Service; registry: Registry };
  beforeAll(async () => {
    suite.service = await startService();
    suite.registry = suite.service.get(Registry);
  });
  afterAll(() => suite.service.stop());
  return suite;
}
