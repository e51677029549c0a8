import { Registry } from '../../src/engine/registry.js';
import { type Service, startService } from './service.js';

/** Starts a service for one `describe`; the service and its registry are available inside the tests. */
export function setUpSuiteRegistry(): { readonly service: Service; readonly registry: Registry } {
  const suite = {} as { service: Service; registry: Registry };
  beforeAll(async () => {
    suite.service = await startService();
    suite.registry = suite.service.get(Registry);
  });
  afterAll(() => suite.service.stop());
  return suite;
}
