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
  /** Owns the business, and with it the community. */
  readonly ownerToken: string;
  readonly ownerEmail: string;
  readonly businessId: string;
}

/** What many customers do side by side: every kind of write, of which some are refused, and some are asked for twice at once. */
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

  /** What the rest needs: a community, a product for sale, and receivers of every temper. */
  async prepare(): Promise<void> {
    await this.gathering.prepare();
    await this.listening.prepare();
    await this.selling.sell();
  }

  /**
   * One wish after another, until it is told to stop; the last one is carried to its end.
   * @param surprised hears of an answer that nobody expected, after which the next wish begins; without it that is the end
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
