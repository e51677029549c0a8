import type { Model } from './model.js';

/** A user of the service: somebody who has signed in, or whose address was imported. */
export interface User {
  readonly key: string;
  /** Null until somebody signs in with the imported address. */
  subject: string | null;
  /** The current address. */
  email: string;
}

/** Users and their verified addresses. */
export class People {
  readonly all: User[] = [];
  /** For each address the user who has verified it last, or for whom it was imported. */
  private readonly holders = new Map<string, User>();

  constructor(private readonly model: Model) {}

  /** An address belongs to the user who verified it last. */
  signIn(subject: string, email: string): User {
    const imported = this.findHolder(email);
    const known = this.all.find((user) => user.subject === subject);
    const user = known ?? (imported?.subject === null ? imported : this.add(email));
    user.subject = subject;
    user.email = email;
    this.holders.set(email, user);
    this.model.members.activate(user);
    this.model.entitlements.claim(email, user);
    return user;
  }

  /** Returns the user of an address; one who was never seen gets a user for the first sign-in. */
  findOrImport(email: string): User {
    const user = this.findHolder(email) ?? this.add(email);
    this.holders.set(email, user);
    return user;
  }

  /** Returns who has verified the address last. */
  findHolder(email: string): User | undefined {
    return this.holders.get(email);
  }

  /** Returns whose current address this is. */
  findCurrent(email: string): User | undefined {
    return this.all.find((user) => user.email === email);
  }

  private add(email: string): User {
    const user = { key: this.model.newKey('usr'), subject: null, email };
    this.all.push(user);
    return user;
  }
}
