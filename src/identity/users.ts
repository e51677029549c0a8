import { Injectable } from '@nestjs/common';
import { Keys } from '../engine/encryption/keys.js';
import { PersonalFields } from '../engine/encryption/personal-fields.js';
import { LruCache } from '../engine/lru-cache.js';
import { Streams } from '../engine/streams/streams.js';
import type { Claims } from '../kernel/claim.js';
import { Clock } from '../kernel/clock.js';
import type { EncryptedField } from '../kernel/encrypted-field.js';
import { idOf, uuidV5 } from '../kernel/ids.js';
import { userEmailClaims, userSubjectClaims } from './domain/claim.js';
import { userDecider } from './domain/user.js';
import { createSystemContext } from './system-context.js';

const NAMESPACE = '6d2d1f0e-8c35-4c51-9d3e-54a5b0c9f7a1';
const MAX_CACHED_SESSIONS = 10_000;

export interface UserRecord {
  readonly id: string;
  readonly email: EncryptedField | null;
}

/** Finds users by id, by the subject of a session, and by address. */
@Injectable()
export class Users {
  /** Resolved sessions by the hash of their subject, with their last address. A changed address is resolved again. */
  private readonly sessionCache = new LruCache<string, { readonly id: string; readonly email: string | null }>(
    MAX_CACHED_SESSIONS,
  );

  constructor(
    private readonly streams: Streams,
    private readonly personal: PersonalFields,
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the id of the address: the id of its user, or an id that is reserved for the first user who signs in with
   * it.
   */
  async reserveId(email: string): Promise<string> {
    return this.reserveIdOfHash(this.personal.hash(email));
  }

  async reserveIdOfHash(emailHash: string): Promise<string> {
    return this.claimEmail(emailHash, this.deriveId('email', emailHash));
  }

  /** Returns the user who verified this address, or null. Reserves no id. */
  async findByEmail(email: string): Promise<UserRecord | null> {
    return this.findByEmailHash(this.personal.hash(email));
  }

  async findByEmailHash(hash: string): Promise<UserRecord | null> {
    const { ownerId } = await this.streams.loadState(userEmailClaims, hash);
    const holder = ownerId === null ? null : await this.find(ownerId);
    return holder?.email?.hash === hash ? holder : null;
  }

  /** Returns null for an id without a registered user. */
  async find(id: string): Promise<UserRecord | null> {
    const state = await this.streams.loadState(userDecider, id);
    return state.status === 'unknown' ? null : { id, email: state.email };
  }

  /**
   * Returns the user of a session. Registers a new user under the id that is reserved for its verified address, if
   * any.
   */
  async resolveSubject(subject: string, email: string | null): Promise<string> {
    const hash = this.keys.digestForIndex('session subject', subject).toString('base64url');
    const emailHash = email === null ? null : this.personal.hash(email);
    const known = this.sessionCache.get(hash);
    if (known?.email === emailHash) return known.id;

    const id = await this.signIn(hash, email);
    this.sessionCache.set(hash, { id, email: emailHash });
    return id;
  }

  private async signIn(subject: string, email: string | null): Promise<string> {
    const { ownerId } = await this.streams.loadState(userSubjectClaims, subject);
    const id = ownerId ?? (await this.claimSubject(subject, await this.chooseId(subject, email)));
    const context = createSystemContext(this.clock.now(), uuidV5(NAMESPACE, 'register', id), { type: 'user', id });
    await this.streams.execute(userDecider, id, { type: 'RegisterUser', userId: id, subject }, context);
    if (email !== null) await this.verifyEmail(id, email);
    return id;
  }

  /** Chooses the id of a new user. An address belongs to the first subject that signed in with it. */
  private async chooseId(subject: string, email: string | null): Promise<string> {
    const own = this.deriveId('subject', subject);
    if (email === null) return own;
    const reserved = await this.claimEmail(this.personal.hash(email), own);
    const holder = await this.streams.loadState(userDecider, reserved);
    return holder.status === 'unknown' || holder.subject === subject ? reserved : own;
  }

  private async verifyEmail(id: string, email: string): Promise<void> {
    const state = await this.streams.loadState(userDecider, id);
    const hash = this.personal.hash(email);
    if (state.status === 'unknown' || state.email?.hash === hash || !(await this.acquireEmail(hash, id))) return;
    const sealed = await this.personal.sealEmail(email);
    const context = createSystemContext(this.clock.now(), undefined, { type: 'user', id });
    await this.streams.execute(userDecider, id, { type: 'VerifyUserEmail', userId: id, email: sealed }, context);
  }

  /** An address that is only reserved belongs to the first user who verifies it. */
  private async acquireEmail(hash: string, id: string): Promise<boolean> {
    const owner = await this.claimEmail(hash, id);
    if (owner === id || (await this.find(owner)) !== null) return owner === id;
    const context = createSystemContext(this.clock.now(), uuidV5(NAMESPACE, 'acquire-email', hash, id));
    const command = { type: 'Claim', ownerId: id, replaces: owner } as const;
    const { state } = await this.streams.execute(userEmailClaims, hash, command, context);
    return state.ownerId === id;
  }

  private claimEmail(hash: string, ownerId: string): Promise<string> {
    return this.claim(userEmailClaims, 'email', hash, ownerId);
  }

  private claimSubject(hash: string, ownerId: string): Promise<string> {
    return this.claim(userSubjectClaims, 'subject', hash, ownerId);
  }

  /** @returns the owner of the first claim */
  private async claim<T extends string>(
    claims: Claims<T>,
    kind: string,
    hash: string,
    ownerId: string,
  ): Promise<string> {
    const context = createSystemContext(this.clock.now(), uuidV5(NAMESPACE, kind, hash));
    const { state } = await this.streams.execute(claims, hash, { type: 'Claim', ownerId }, context);
    return state.ownerId!;
  }

  private deriveId(kind: string, hash: string): string {
    return idOf('usr', this.clock.now(), kind, hash);
  }
}
