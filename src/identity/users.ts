import { Injectable } from '@nestjs/common';
import { Keys } from '../engine/encryption/keys.js';
import { PersonalFields } from '../engine/encryption/personal-fields.js';
import { LruCache } from '../engine/lru-cache.js';
import { Streams } from '../engine/streams/streams.js';
import { Clock } from '../kernel/clock.js';
import type { Context } from '../kernel/context.js';
import type { EncryptedField } from '../kernel/encrypted-field.js';
import type { Actor } from '../kernel/event.js';
import { idOf, uuidV5 } from '../kernel/ids.js';
import { userSubjectClaims } from './domain/claim.js';
import { type AddressClaim, isCurrentClaim, type RegisteredUser, type User, userDecider } from './domain/user.js';
import { createSystemContext } from './system-context.js';
import { UserAddresses } from './user-addresses.js';

const NAMESPACE = '6d2d1f0e-8c35-4c51-9d3e-54a5b0c9f7a1';
const MAX_CACHED_SESSIONS = 10_000;
const MS_PER_SECOND = 1_000;

/** A link of two users takes effect in every process within this time. */
const SESSION_LIFETIME_MS = 5_000;

/** The claims of a session token. `email` is null for a token without a verified address. */
export interface SessionClaims {
  readonly subject: string;
  readonly email: string | null;
  /** The `iat` of the token, in seconds. */
  readonly issuedAt: number;
}

/** `email` is the address of the token; null when another token has replaced it. */
export interface SessionUser {
  readonly id: string;
  readonly email: string | null;
}

interface ResolvedSession {
  readonly id: string;
  /** Keyed hash of the address. */
  readonly email: string | null;
  readonly issuedAt: number;
  /** Monotonic time of the resolution. */
  readonly since: number;
}

export interface UserRecord {
  readonly id: string;
  /** The current verified address. */
  readonly email: EncryptedField | null;
}

/** Finds users by id, by the subject of a session, and by address. */
@Injectable()
export class Users {
  /** Resolved sessions by the hash of their subject. A later token with another address is resolved again. */
  private readonly sessionCache = new LruCache<string, ResolvedSession>(MAX_CACHED_SESSIONS);

  constructor(
    private readonly streams: Streams,
    private readonly personal: PersonalFields,
    private readonly keys: Keys,
    private readonly clock: Clock,
    private readonly addresses: UserAddresses,
  ) {}

  /**
   * Returns the id of the address: the id of its user, or an id that is reserved for the first user who signs in with
   * it.
   */
  async reserveId(email: string): Promise<string> {
    return this.reserveIdOfHash(this.personal.hash(email));
  }

  reserveIdOfHash(emailHash: string): Promise<string> {
    return this.addresses.reserve(emailHash);
  }

  /** Returns the user whose current address this is, or null. Reserves no id. */
  async findByEmail(email: string): Promise<UserRecord | null> {
    return this.findByEmailHash(this.personal.hash(email));
  }

  async findByEmailHash(hash: string): Promise<UserRecord | null> {
    const ownerId = await this.addresses.findOwner(hash);
    const holder = ownerId === null ? null : await this.find(ownerId);
    return holder?.email?.hash === hash ? holder : null;
  }

  /** Returns null for an id without a registered user. */
  async find(id: string): Promise<UserRecord | null> {
    const state = await this.streams.loadState(userDecider, id);
    if (state.status === 'unknown') return null;
    const { email } = state;
    const isOwn = email !== null && (await this.addresses.findOwner(email.hash)) === id;
    return { id, email: isOwn ? email : null };
  }

  /** Returns the user of a subject whose address, if any, is verified now. */
  async resolveSubject(subject: string, email: string | null): Promise<string> {
    const issuedAt = Math.floor(this.clock.now() / MS_PER_SECOND);
    return (await this.resolveSession({ subject, email, issuedAt })).id;
  }

  /**
   * Returns the user of a session. Registers a new user under the id that is reserved for its verified address, if
   * any. An address that another user has gives the user none, until the other one moves to a new address. The address
   * of an older token changes nothing (`isCurrentClaim`).
   */
  async resolveSession({ subject, email, issuedAt }: SessionClaims): Promise<SessionUser> {
    const hash = this.keys.digestForIndex('session subject', subject).toString('base64url');
    const emailHash = email === null ? null : this.personal.hash(email);
    const known = this.findCached(hash);
    if (known?.email === emailHash && issuedAt <= known.issuedAt) return { id: known.id, email };
    if (known !== null && known.email !== null && issuedAt < known.issuedAt) return { id: known.id, email: null };

    const claim = emailHash === null ? null : { subject: hash, emailHash, issuedAt };
    const id = await this.signIn(hash, email, claim);
    if (claim !== null && !(await this.isCurrent(id, claim))) return { id, email: null };
    const isSettled = emailHash === null || (await this.find(id))?.email?.hash === emailHash;
    if (isSettled) this.sessionCache.set(hash, { id, email: emailHash, issuedAt, since: this.clock.monotonic() });
    return { id, email };
  }

  private findCached(subject: string): ResolvedSession | null {
    const known = this.sessionCache.get(subject);
    return known !== undefined && this.clock.monotonic() - known.since < SESSION_LIFETIME_MS ? known : null;
  }

  private async signIn(subject: string, email: string | null, claim: AddressClaim | null): Promise<string> {
    const { ownerId } = await this.streams.loadState(userSubjectClaims, subject);
    const id = ownerId ?? (await this.createUser(subject, email));
    await this.register(id, subject);
    if (email !== null && claim !== null && (await this.isCurrent(id, claim))) await this.verifyEmail(id, email, claim);
    return id;
  }

  private async isCurrent(id: string, claim: AddressClaim): Promise<boolean> {
    const user = await this.streams.loadState(userDecider, id);
    return user.status === 'registered' && isCurrentClaim(claim, user);
  }

  /** Registers the subject. Of two subjects that sign in with a reserved address at the same time, one gets its id. */
  private async createUser(subject: string, email: string | null): Promise<string> {
    const own = idOf('usr', this.clock.now(), 'subject', subject);
    const id = await this.claimSubject(subject, email === null ? own : await this.chooseId(own, email));
    const user = await this.register(id, subject);
    return user.status === 'registered' && user.subject !== subject ? this.claimSubject(subject, own, id) : id;
  }

  /** Chooses the id of a new user: the one that is reserved for the address, if any. */
  private async chooseId(own: string, email: string): Promise<string> {
    const reserved = await this.addresses.findOwner(this.personal.hash(email));
    if (reserved === null) return own;
    const holder = await this.streams.loadState(userDecider, reserved);
    return holder.status === 'unknown' ? reserved : own;
  }

  private async register(id: string, subject: string): Promise<User> {
    const context = createSystemContext(this.clock.now(), uuidV5(NAMESPACE, 'register', id), { type: 'user', id });
    return (await this.streams.execute(userDecider, id, { type: 'RegisterUser', userId: id, subject }, context)).state;
  }

  private async verifyEmail(id: string, email: string, claim: AddressClaim): Promise<void> {
    const hash = claim.emailHash;
    const isOwn = await this.addresses.acquire(hash, id);
    const state = await this.streams.loadState(userDecider, id);
    if (state.status === 'unknown' || (isOwn && (await this.isKnownBy(state, claim)))) return;
    const command = isOwn
      ? ({ type: 'VerifyUserEmail', userId: id, email: await this.personal.encryptEmail(email), claim } as const)
      : ({ type: 'ReleaseUserEmail', userId: id, claim } as const);
    const context = this.createContext([command.type, id, hash, String(claim.issuedAt)], { type: 'user', id });
    await this.streams.execute(userDecider, id, command, context);
  }

  /** Whether the claim says nothing new. A token that was issued after the erasure of the address gives it again. */
  private async isKnownBy({ email, isForgotten }: RegisteredUser, claim: AddressClaim): Promise<boolean> {
    if (email?.hash !== claim.emailHash) return false;
    return isForgotten === true || !(await this.addresses.isErasedBefore(email, claim.issuedAt * MS_PER_SECOND));
  }

  /** The command id derives from the names and the time, so that a simulation is repeatable. */
  private createContext(names: readonly string[], actor?: Actor): Context {
    const now = this.clock.now();
    return createSystemContext(now, uuidV5(NAMESPACE, ...names, String(now)), actor);
  }

  /** Returns the owner of the first claim that does not replace another one. */
  private async claimSubject(subject: string, ownerId: string, replaces?: string): Promise<string> {
    const command = { type: 'Claim', ownerId, replaces } as const;
    const context = this.createContext([command.type, subject, ownerId]);
    return (await this.streams.execute(userSubjectClaims, subject, command, context)).state.ownerId!;
  }
}
