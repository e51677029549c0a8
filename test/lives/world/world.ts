import { RandomChoices } from '../../faults/random-choices.js';
import type { Api, ApiResponse } from '../../support/api.js';
import { SeededRandom } from '../../support/clock.js';
import { type Action, ACTIONS } from '../actions/actions.js';
import { foundCommunities } from '../actions/members.js';
import { openShop } from '../actions/shop.js';
import { checkAll, checkTouched } from '../checks.js';
import { Consumer } from '../consumer.js';
import { isKnownDifference } from '../known-differences.js';
import { compareCopies } from '../mirror/compare-copies.js';
import { Model, type Outcome } from '../model/model.js';
import type { Template } from '../model/template.js';
import { addDays } from '../model/times.js';
import { SellersReceiver } from '../receiver.js';
import { ClockedService, START } from './clocked-service.js';
import { Names } from './names.js';

const DAYS = 730;
const ACTION_COUNT = 80;
const CHECK_ALL_EVERY = 40;
/** Actions have different times of the day, so that no two things are due at the same time. */
const SECONDS_APART = 37;
/** The steps before a finding that are shown; all of them for a chosen seed. */
const SHOWN_STEPS = process.env.LIVES_SEED === undefined ? 12 : Infinity;

/** A person who may sign in. */
export interface Person {
  readonly name: string;
  /** The current address. */
  email: string;
}

const NAMES = ['ada', 'berta', 'carl', 'dora', 'emil', 'fritz'];

/** A difference between the model and the service. */
export class Finding extends Error {}

/** A small world of people and a shop, which the service and the model see in the same way. */
export class World {
  readonly model = new Model();
  readonly names = new Names();
  readonly choices: RandomChoices;
  readonly people: readonly Person[] = NAMES.map((name) => ({ name, email: `${name}@example.com` }));
  private readonly consumer = new Consumer(this);
  private startedReceiver: SellersReceiver | null = null;
  /** The history, for the message of a finding. */
  private readonly steps: string[] = [];

  private constructor(
    readonly seed: number,
    readonly service: ClockedService,
    private readonly script: readonly Action[],
  ) {
    this.choices = new RandomChoices(new SeededRandom(seed));
    this.names.bind('biz', service.business.id);
  }

  /**
   * Plays two years with the actions of the script, or without one with random actions. Returns the first differences; an
   * empty list when there are none.
   */
  static async play(seed: number, script: readonly Action[] = []): Promise<readonly string[]> {
    const service = await ClockedService.start();
    const world = new World(seed, service, script);
    try {
      await world.playAll();
      return [];
    } catch (error) {
      const [message, steps] = [`${world.model.now}: ${(error as Error).message}`, world.steps.slice(-SHOWN_STEPS)];
      if (error instanceof Finding) return [`seed ${seed}, ${message}`, ...steps];
      throw new Error([`Seed ${seed} has stopped at ${message}`, ...steps].join('\n'), { cause: error });
    } finally {
      await world.startedReceiver?.stop();
      await service.stop();
    }
  }

  get api(): Api {
    return this.service.api;
  }

  get receiver(): SellersReceiver {
    return this.startedReceiver!;
  }

  private async playAll(): Promise<void> {
    this.startedReceiver = await SellersReceiver.start(this);
    await this.advanceTo(timeOf(0));
    await openShop(this);
    await foundCommunities(this);
    await this.check();
    for (let n = 1; n <= (this.script.length || ACTION_COUNT); n++) {
      await this.advanceTo(timeOf(n));
      await this.check();
      const { name, act } = this.script[n - 1] ?? this.choices.pick(ACTIONS);
      this.record(name);
      await act(this);
      this.model.settle();
      await this.service.settle();
      await this.receiver.passAction();
      await this.check();
      if (n % CHECK_ALL_EVERY === 0) await this.checkAll();
    }
    await this.receiver.returnNow();
    await this.advanceTo(addDays(START, DAYS));
    await this.checkAll();
    this.require(await this.consumer.checkAgain());
    this.require(await compareCopies(this, this.consumer.eventIds.size));
  }

  private async checkAll(): Promise<void> {
    this.require(await checkAll(this));
    this.require(await this.consumer.check());
    this.require(this.receiver.check(this.consumer.eventIds));
  }

  /** Lets happen what is due, each thing at its own time. */
  private async advanceTo(at: string): Promise<void> {
    for (let due = this.model.findNextDue(); due !== null && due < at; due = this.model.findNextDue()) {
      await this.service.advanceTo(due);
      this.model.runDue(due);
    }
    await this.service.advanceTo(at);
    this.model.runDue(at);
  }

  private async check(): Promise<void> {
    this.require(await checkTouched(this));
  }

  /** Adds a step to the history that a finding shows. */
  record(step: string): void {
    if (process.env.LIVES_TRACE !== undefined) process.stderr.write(`${this.model.now} ${step}\n`);
    this.steps.push(`${this.model.now} ${step}`);
  }

  /** Compares a response with what the model expects of it. */
  expect(outcome: Outcome, reply: ApiResponse, data: Template | null = null): void {
    const code: string | undefined = reply.status < 300 ? undefined : reply.body?.code;
    this.record(`${reply.status} ${code ?? ''}`);
    const isExpected = reply.status === outcome.status && code === outcome.code;
    const text = `${reply.status} ${reply.text}`;
    if (!isExpected) this.require([`the response is ${text}, expected ${outcome.status} ${outcome.code ?? ''}`]);
    if (data !== null) this.require(this.names.compare(data, reply.body.data, 'the response'));
  }

  require(differences: readonly string[]): void {
    const unknown = differences.filter((one) => !isKnownDifference(one));
    if (unknown.length > 0) throw new Finding(unknown.join('\n'));
  }
}

function timeOf(action: number): string {
  const day = Math.floor((action * (DAYS - 30)) / ACTION_COUNT);
  return new Date(Date.parse(addDays(START, day)) + 28_800_000 + action * SECONDS_APART * 1_000).toISOString();
}
