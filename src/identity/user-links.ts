import { Injectable } from '@nestjs/common';
import { Streams } from '../engine/streams/streams.js';
import type { Context } from '../kernel/context.js';
import type { EncryptedField } from '../kernel/encrypted-field.js';
import { userSubjectClaims } from './domain/claim.js';
import { type RegisteredUser, userDecider } from './domain/user.js';
import { UserAddresses } from './user-addresses.js';

/** Two users cannot become one. The message says why. */
export class LinkRefused extends Error {}

/** Makes two users one, who signs in with the subjects of both. */
@Injectable()
export class UserLinks {
  constructor(
    private readonly streams: Streams,
    private readonly addresses: UserAddresses,
  ) {}

  /**
   * Gives the subjects and the address of `from` to `to`. What `from` has done stays its own. Run again after a crash,
   * it completes the link.
   * @param createContext the context of each step: they are several commands on one stream
   * @throws LinkRefused
   */
  async link(from: string, to: string, createContext: () => Context): Promise<void> {
    if (from === to) throw new LinkRefused('name two different users');
    const [source, target] = [await this.require(from, [from, to]), await this.require(to, [to])];
    if (source.email !== null && target.email !== null)
      throw new LinkRefused(`${from} and ${to} have an e-mail address each: only users of one address can be linked`);
    assertBothForgotten(source, target);
    const command = { type: 'LinkUser', userId: to, linkedUserId: from } as const;
    await this.streams.execute(userDecider, to, command, createContext());
    const earlier = await Promise.all((source.linked ?? []).map((id) => this.require(id, [from, to])));
    for (const { subject } of [source, ...earlier]) {
      const claim = { type: 'Claim', ownerId: to, replaces: from } as const;
      await this.streams.execute(userSubjectClaims, subject, claim, createContext());
    }
    if (source.email !== null) await this.moveAddress(source.email, from, to, createContext);
  }

  /** @throws LinkRefused for an unknown user, and for one whose subject signs in as a user that is not listed */
  private async require(id: string, allowed: readonly string[]): Promise<RegisteredUser> {
    const user = await this.streams.loadState(userDecider, id);
    if (user.status === 'unknown') throw new LinkRefused(`there is no user ${id}`);
    const { ownerId } = await this.streams.loadState(userSubjectClaims, user.subject);
    if (ownerId === null || !allowed.includes(ownerId)) throw new LinkRefused(`${id} is linked to ${ownerId} already`);
    return user;
  }

  private async moveAddress(
    email: EncryptedField,
    from: string,
    to: string,
    createContext: () => Context,
  ): Promise<void> {
    await this.streams.execute(userDecider, from, { type: 'ReleaseUserEmail', userId: from }, createContext());
    if (!(await this.addresses.acquire(email.hash, to))) return;
    await this.streams.execute(userDecider, to, { type: 'VerifyUserEmail', userId: to, email }, createContext());
  }
}

/** A link never erases: an erasure cannot be undone, and is refused while the person may be charged. */
function assertBothForgotten(source: RegisteredUser, target: RegisteredUser): void {
  if (source.isForgotten === target.isForgotten) return;
  const [forgotten, other] = source.isForgotten ? [source, target] : [target, source];
  throw new LinkRefused(`${forgotten.id} is forgotten: forget ${other.id} first, so that the person stays forgotten`);
}
