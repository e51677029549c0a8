import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import { Clock } from '../kernel/clock.js';
import { type EncryptedField, subjectOfBox } from '../kernel/encrypted-field.js';
import { idOf } from '../kernel/ids.js';
import { userEmailClaims, userSubjectClaims } from './domain/claim.js';
import { subjectDecider } from './domain/subject.js';
import { userDecider, type UserEvent } from './domain/user.js';
import { createSystemContext } from './system-context.js';

/** Records which user has which address: an address belongs to the user who verified it last. */
@Injectable()
export class UserAddresses {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** Returns the id of the address's user, or the id that is reserved for it; null when nobody has claimed it. */
  async findOwner(hash: string): Promise<string | null> {
    return (await this.streams.loadState(userEmailClaims, hash)).ownerId;
  }

  /**
   * Returns the id of the address's user, or an id that is reserved for the first user who signs in with it. A user who
   * has moved to another address does not keep this one.
   */
  async reserve(hash: string): Promise<string> {
    const owner = await this.claim(hash, this.deriveId(hash));
    return (await this.hasMoved(owner, hash)) ? this.replace(hash, owner, this.deriveId(owner, hash)) : owner;
  }

  /** Gives the address to the user who has verified it. Returns false while another user has it as the current one. */
  async acquire(hash: string, userId: string): Promise<boolean> {
    const owner = await this.claim(hash, userId);
    if (owner === userId) return true;
    return !(await this.isCurrent(owner, hash)) && (await this.replace(hash, owner, userId)) === userId;
  }

  /** The first claim counts. Returns its owner. */
  async claim(hash: string, ownerId: string): Promise<string> {
    return (await this.findOwner(hash)) ?? (await this.replace(hash, undefined, ownerId));
  }

  /** Returns all addresses that the user, or a user linked to it, has verified, each once, the latest one last. */
  async list(userId: string): Promise<readonly EncryptedField[]> {
    const history = (await this.streams.loadHistory(userDecider, userId)) as readonly UserEvent[];
    const linked = history.flatMap(({ type, data }) => (type === 'UserLinked' ? [data.linkedUserId] : []));
    const earlier = (await Promise.all(linked.map((id) => this.list(id)))).flat();
    const own = history.flatMap(({ type, data }) => (type === 'UserEmailVerified' ? [data.email] : []));
    const verified = [...earlier, ...own];
    return verified.filter(({ hash }, i) => verified.findLastIndex((address) => address.hash === hash) === i);
  }

  /** Returns the users who have verified the address, the latest one last. */
  async listVerifiers(hash: string): Promise<readonly string[]> {
    const claims = await this.streams.loadHistory(userEmailClaims, hash);
    const owners = claims.map(({ data }) => (data as { readonly ownerId: string }).ownerId);
    const addresses = await Promise.all(owners.map((id) => this.list(id)));
    return owners.filter((_, i) => addresses[i]!.some((address) => address.hash === hash));
  }

  /** Whether the address was erased before the time. A token that was issued later gives it again. */
  async isErasedBefore(email: EncryptedField, time: number): Promise<boolean> {
    const [forgotten] = await this.streams.loadHistory(subjectDecider, subjectOfBox(email));
    return forgotten !== undefined && Date.parse(forgotten.meta.at) < time;
  }

  /** Returns the user as whom this user signs in: after a link, another one. */
  async resolveLink(userId: string): Promise<string> {
    const user = await this.streams.loadState(userDecider, userId);
    if (user.status === 'unknown') return userId;
    return (await this.streams.loadState(userSubjectClaims, user.subject)).ownerId ?? userId;
  }

  /** A user without an address is about to verify this one: the claim comes first. */
  private async hasMoved(userId: string, hash: string): Promise<boolean> {
    const user = await this.streams.loadState(userDecider, userId);
    return user.status === 'registered' && user.email !== null && user.email.hash !== hash;
  }

  private async isCurrent(userId: string, hash: string): Promise<boolean> {
    const user = await this.streams.loadState(userDecider, userId);
    return user.status === 'registered' && user.email?.hash === hash;
  }

  private async replace(hash: string, replaces: string | undefined, ownerId: string): Promise<string> {
    const command = { type: 'Claim', ownerId, replaces } as const;
    const context = createSystemContext(this.clock.now());
    return (await this.streams.execute(userEmailClaims, hash, command, context)).state.ownerId!;
  }

  private deriveId(...seed: string[]): string {
    return idOf('usr', this.clock.now(), 'email', ...seed);
  }
}
