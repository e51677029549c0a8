import { commerce } from './commerce.ts';
import { community } from './community.ts';
import { delivery } from './delivery.ts';
import { domain } from './domain.ts';
import { engine } from './engine.ts';
import { http } from './http.ts';
import { identity } from './identity.ts';
import type { Mutant } from './mutant.ts';
import { stores } from './stores.ts';
import { webhooks } from './webhooks.ts';

export const ALL: readonly Mutant[] = [
  ...domain,
  ...commerce,
  ...community,
  ...engine,
  ...delivery,
  ...webhooks,
  ...http,
  ...identity,
  ...stores,
];
