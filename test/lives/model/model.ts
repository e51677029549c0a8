import { Access } from './access.js';
import { Balance } from './balance.js';
import { Buyers } from './buyers.js';
import { Catalogue } from './catalogue.js';
import { Communities } from './communities.js';
import { Disputes } from './disputes.js';
import { Entitlements } from './entitlements.js';
import { Imports } from './imports.js';
import { Installments } from './installments.js';
import { Invites } from './invites.js';
import { Invoices } from './invoices.js';
import { Members } from './members.js';
import { Offers } from './offers.js';
import { Orders } from './orders.js';
import { Payments } from './payments.js';
import { People } from './people.js';
import { Points } from './points.js';
import { Posts } from './posts.js';
import { Refunds } from './refunds.js';
import { Subscriptions } from './subscriptions.js';

/** The expected response to a request. */
export interface Outcome {
  readonly status: number;
  /** The code of the problem document; absent for a success. */
  readonly code?: string;
}

interface Timer {
  readonly at: string;
  readonly run: () => void;
}

/** A second opinion on the whole service, written from its contract alone: each noun has a class of its own. */
export class Model {
  now = '';
  /** The keys of the resources that have changed since the last check. */
  readonly touched = new Set<string>();
  readonly catalogue = new Catalogue(this);
  readonly offers = new Offers(this);
  readonly orders = new Orders(this);
  readonly payments = new Payments(this);
  readonly invoices = new Invoices(this);
  readonly subscriptions = new Subscriptions(this);
  readonly installments = new Installments(this);
  readonly refunds = new Refunds(this);
  readonly disputes = new Disputes(this);
  readonly balance = new Balance(this);
  readonly buyers = new Buyers(this);
  readonly people = new People(this);
  readonly communities = new Communities(this);
  readonly access = new Access(this);
  readonly members = new Members(this);
  readonly entitlements = new Entitlements(this);
  readonly invites = new Invites(this);
  readonly imports = new Imports(this);
  readonly points = new Points(this);
  readonly posts = new Posts(this);
  private timers: Timer[] = [];
  private readonly counts = new Map<string, number>();

  /** Names a new resource: `pay:1`, `pay:2`, … */
  newKey(noun: string): string {
    const n = (this.counts.get(noun) ?? 0) + 1;
    this.counts.set(noun, n);
    return `${noun}:${n}`;
  }

  touch(...keys: readonly string[]): void {
    for (const key of keys) this.touched.add(key);
  }

  /** Runs the work at its time. As in the service, no timer is cancelled: the work looks whether it still fits. */
  schedule(at: string, run: () => void): void {
    this.timers.push({ at, run });
  }

  /** Returns when something is due next; null when nothing is. */
  findNextDue(): string | null {
    return this.timers.reduce<string | null>((first, { at }) => (first === null || at < first ? at : first), null);
  }

  /** Ends what depends on a refund or on the end of something else. */
  settle(): void {
    this.installments.review();
    this.entitlements.review();
  }

  runDue(at: string): void {
    this.now = at;
    const due = this.timers.filter((timer) => timer.at <= at);
    this.timers = this.timers.filter((timer) => timer.at > at);
    for (const { run } of due) run();
    this.settle();
  }
}

export const OK: Outcome = { status: 200 };
export const CREATED: Outcome = { status: 201 };

export function refuse(status: number, code: string): Outcome {
  return { status, code };
}
