import type { World } from '../world/world.js';
import { communityActions } from './communities.js';
import { disputeActions } from './disputes.js';
import { inviteActions } from './invites.js';
import { memberActions } from './members.js';
import { offerActions } from './offers.js';
import { paymentActions } from './payments.js';
import { peopleActions } from './people.js';
import { pointsActions } from './points.js';
import { postActions } from './posts.js';
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
  ...disputeActions,
  ...disputeActions,
  ...disputeActions,
  ...shopActions,
  ...peopleActions,
  ...memberActions,
  ...memberActions,
  ...inviteActions,
  ...communityActions,
  ...postActions,
  ...pointsActions,
  ...offerActions,
];
