import type { SeededRandom } from '../support/clock.js';
import type { Receiver } from '../support/receiver.js';
import type { Customer } from './customer.js';
import { Gathering } from './gathering.js';
import { Identifying } from './identifying.js';
import { Listening } from './listening.js';
import { Luck } from './luck.js';
import { Selling } from './selling.js';

export interface People {
  readonly reviewerToken: string;
  /** The session token of the owner of the business and its community. */
  readonly ownerToken: string;
  readonly ownerEmail: string;
  readonly businessId: string;
}

/** The load of concurrent clients: every kind of write, including invalid and duplicate requests. */
export class Load {
  private readonly luck: Luck;
  private readonly selling: Selling;
  private readonly listening: Listening;
  private readonly gathering: Gathering;
  private readonly identifying: Identifying;

  constructor(customer: Customer, random: SeededRandom, receiver: Receiver, people: People) {
    this.luck = new Luck(random);
    this.selling = new Selling(customer, this.luck, people.reviewerToken);
    this.listening = new Listening(customer, this.luck, receiver);
    this.gathering = new Gathering(customer, this.luck, people.ownerEmail);
    this.identifying = new Identifying(customer, this.luck, people.ownerToken, people.businessId);
  }

  /** Creates a community, a product and endpoints for the later requests. */
  async prepare(): Promise<void> {
    await this.gathering.prepare();
    await this.listening.prepare();
    await this.selling.sell();
  }

  /**
   * Runs random requests until `stop` is aborted; the last one is completed.
   * @param surprised is called with an unexpected error; without it the error ends the load
   */
  async keepOn(stop: AbortSignal, surprised?: (error: Error) => void): Promise<void> {
    const { selling, listening, gathering, identifying } = this;
    const wishes = [
      () => selling.sell(),
      () => selling.sellAfterDenial(),
      () => selling.buy(),
      () => selling.buyTwiceAtOnce(),
      () => selling.buyAfterDecline(),
      () => selling.rename(),
      () => selling.refused(),
      () => listening.comeOrGo(),
      () => listening.rotate(),
      () => listening.changeTypes(),
      () => listening.disableAndEnable(),
      () => listening.test(),
      () => listening.replay(),
      () => listening.replayWindow(),
      () => gathering.post(),
      () => gathering.award(),
      () => identifying.found(),
      () => identifying.issueAndRotate(),
    ];
    while (!stop.aborted) {
      const wish = this.luck.oneOf(wishes)();
      await (surprised === undefined ? wish : wish.catch(surprised));
    }
  }
}
