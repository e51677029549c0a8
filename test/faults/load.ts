import type { SeededRandom } from '../support/clock.js';
import type { Receiver } from '../support/receiver.js';
import { AuditLoad } from './audit-load.js';
import { CommerceLoad } from './commerce-load.js';
import { CommunityLoad } from './community-load.js';
import { IdentityLoad } from './identity-load.js';
import { RandomChoices } from './random-choices.js';
import type { RecordingClient } from './recording-client.js';
import { WebhooksLoad } from './webhooks-load.js';

export interface LoadUsers {
  readonly reviewerToken: string;
  /** The session token of the owner of the business and its community. */
  readonly ownerToken: string;
  readonly ownerEmail: string;
  readonly businessId: string;
}

/** The load of concurrent clients: every kind of write, including invalid and duplicate requests. */
export class Load {
  private readonly random: RandomChoices;
  private readonly commerce: CommerceLoad;
  private readonly webhooks: WebhooksLoad;
  private readonly community: CommunityLoad;
  private readonly identity: IdentityLoad;
  private readonly audit: AuditLoad;

  constructor(customer: RecordingClient, random: SeededRandom, receiver: Receiver, users: LoadUsers) {
    this.random = new RandomChoices(random);
    this.commerce = new CommerceLoad(customer, this.random, users.reviewerToken);
    this.webhooks = new WebhooksLoad(customer, this.random, receiver);
    this.community = new CommunityLoad(customer, this.random, users.ownerEmail);
    this.identity = new IdentityLoad(customer, this.random, users.ownerToken, users.businessId);
    this.audit = new AuditLoad(customer, this.random);
  }

  /** Creates a community, a product and endpoints for the later requests. */
  async prepare(): Promise<void> {
    await this.community.prepare();
    await this.webhooks.prepare();
    await this.commerce.sell();
  }

  /**
   * Runs random requests until `stop` is aborted; the last one is completed.
   * @param surprised is called with an unexpected error; without it the error ends the load
   */
  async run(stop: AbortSignal, surprised?: (error: Error) => void): Promise<void> {
    const { commerce, webhooks, community, identity, audit } = this;
    const requests = [
      () => commerce.sell(),
      () => commerce.sellAfterDenial(),
      () => commerce.buy(),
      () => commerce.buyTwiceAtOnce(),
      () => commerce.buyAfterDecline(),
      () => commerce.refundTwiceAtOnce(),
      () => commerce.payOut(),
      () => commerce.rename(),
      () => commerce.sendInvalidProduct(),
      () => webhooks.createOrDelete(),
      () => webhooks.rotate(),
      () => webhooks.changeTypes(),
      () => webhooks.disableAndEnable(),
      () => webhooks.sendTestEvent(),
      () => webhooks.replay(),
      () => webhooks.replayWindow(),
      () => community.post(),
      () => community.award(),
      () => identity.createBusiness(),
      () => identity.issueAndRotate(),
      () => audit.requestExport(),
    ];
    while (!stop.aborted) {
      const request = this.random.pick(requests)();
      await (surprised === undefined ? request : request.catch(surprised));
    }
  }
}
