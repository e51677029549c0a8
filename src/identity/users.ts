import { Injectable } from '@nestjs/common';
import { Recent } from '../engine/recent.js';
import { Keys } from '../engine/sealing/keys.js';
import { Personal } from '../engine/sealing/personal.js';
import { Streams } from '../engine/streams/streams.js';
import { Clock } from '../kernel/clock.js';
import { idOf, uuidV5 } from '../kernel/ids.js';
import type { Sealed } from '../kernel/sealed.js';
import { userEmail, userSubject, type Claims } from './domain/claim.js';
import { user } from './domain/user.js';
import { identityContext } from './identity-context.js';

const NAMESPACE = '6d2d1f0e-8c35-4c51-9d3e-54a5b0c9f7a1';
const REMEMBERED_SESSIONS = 10_000;

export interface UserRecord {
  readonly id: string;
  readonly email: Sealed | null;
}

/** Finds users by id, by the subject of a session, and by address. */
@Injectable()
export class Users {
  /** Resolved sessions by the hash of their subject, with their last address. A changed address is resolved again. */
  private readonly signedIn = new Recent<string, { readonly id: string; readonly email: string | null }>(REMEMBERED_SESSIONS);

  constructor(
    private readonly streams: Streams,
    private readonly personal: Personal,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the id of the address: the id of its user, or an id that is reserved for the first user who signs in with
   * it.
   */
  async idFor(email: string): Promise<string> {
    const hash = this.personal.hash(email);
    return this.claimEmail(hash, this.newId('email', hash));
  }

  /** Returns the user who verified this address, or null. Reserves no id. */
  async find(email: string): Promise<UserRecord | null> {
    const hash = this.personal.hash(email);
    const { ownerId } = await this.streams.state(userEmail, hash);
    const holder = ownerId === null ? null : await this.get(ownerId);
    return holder?.email?.hash === hash ? holder : null;
  }

  /** Returns null for an id without a registered user. */
  async get(id: string): Promise<UserRecord | null> {
    const state = await this.streams.state(user, id);
    return state.status === 'unknown' ? null : { id, email: state.email };
  }

  /**
   * Returns the user of a session. Registers a new user under the id that is reserved for its verified address, if
   * any.
   */
  async ofSubject(subject: string, email: string | null): Promise<string> {
    const hash = this.keys.index('session subject', subject).toString('base64url');
    const emailHash = email === null ? null : this.personal.hash(email);
    const known = this.signedIn.get(hash);
    if (known?.email === emailHash) return known.id;

    const id = await this.signIn(hash, email);
    this.signedIn.set(hash, { id, email: emailHash });
    return id;
  }

  private async signIn(subject: string, email: string | null): Promise<string> {
    const { ownerId } = await this.streams.state(userSubject, subject);
    const id = ownerId ?? (await this.claimSubject(subject, await this.candidate(subject, email)));
    const context = identityContext(this.clock.now(), uuidV5(NAMESPACE, 'register', id), { type: 'user', id });
    await this.streams.execute(user, id, { type: 'RegisterUser', userId: id, subject }, context);
    if (email !== null) await this.verify(id, email);
    return id;
  }

  /** Chooses the id of a new user. An address belongs to the first subject that signed in with it. */
  private async candidate(subject: string, email: string | null): Promise<string> {
    const own = this.newId('subject', subject);
    if (email === null) return own;
    const reserved = await this.claimEmail(this.personal.hash(email), own);
    const holder = await this.streams.state(user, reserved);
    return holder.status === 'unknown' || holder.subject === subject ? reserved : own;
  }

  private async verify(id: string, email: string): Promise<void> {
    const state = await this.streams.state(user, id);
    const hash = this.personal.hash(email);
    if (state.status === 'unknown' || state.email?.hash === hash || (await this.claimEmail(hash, id)) !== id) return;
    const sealed = await this.personal.sealEmail(email);
    const context = identityContext(this.clock.now(), undefined, { type: 'user', id });
    await this.streams.execute(user, id, { type: 'VerifyUserEmail', userId: id, email: sealed }, context);
  }

  private claimEmail(hash: string, ownerId: string): Promise<string> {
    return this.claim(userEmail, 'email', hash, ownerId);
  }

  private claimSubject(hash: string, ownerId: string): Promise<string> {
    return this.claim(userSubject, 'subject', hash, ownerId);
  }

  /** @returns the owner of the first claim */
  private async claim<T extends string>(claims: Claims<T>, kind: string, hash: string, ownerId: string): Promise<string> {
    const context = identityContext(this.clock.now(), uuidV5(NAMESPACE, kind, hash));
    const { state } = await this.streams.execute(claims, hash, { type: 'Claim', ownerId }, context);
    return state.ownerId!;
  }

  private newId(kind: string, hash: string): string {
    return idOf('usr', this.clock.now(), kind, hash);
  }
}
