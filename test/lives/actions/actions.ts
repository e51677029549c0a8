import type { World } from '../world/world.js';
import { inviteActions } from './invites.js';
import { memberActions } from './members.js';
import { paymentActions } from './payments.js';
import { peopleActions } from './people.js';
import { purchaseActions } from './purchases.js';
import { shopActions } from './shop.js';
import { subscriptionActions } from './subscriptions.js';

export interface Action {
  readonly name: string;
  readonly act: (world: World) => Promise<void>;
}

/** Each action is as likely as it is often in this list. */
export const ACTIONS: readonly Action[] = [
  ...purchaseActions,
  ...purchaseActions,
  ...purchaseActions,
  ...subscriptionActions,
  ...paymentActions,
  ...paymentActions,
  ...shopActions,
  ...peopleActions,
  ...memberActions,
  ...memberActions,
  ...inviteActions,
];
