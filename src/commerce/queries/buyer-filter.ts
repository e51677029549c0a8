import { Injectable } from '@nestjs/common';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { Subjects } from '../../identity/subjects.js';
import type { Context } from '../../kernel/context.js';
import type { Condition } from '../../kernel/read-models.js';
import { buyerIdOf } from '../domain/buyer.js';

const NEVER: Condition = { in: [] };

/** Creates the filter of a list by the e-mail address of a buyer. */
@Injectable()
export class BuyerFilter {
  constructor(
    private readonly personal: PersonalFields,
    private readonly subjects: Subjects,
  ) {}

  /** A forgotten buyer is not found. @param path the path of the hash of the address @param email null: no filter */
  async create<P extends string>(
    path: P,
    email: string | null,
    { business, mode }: Context,
  ): Promise<{ readonly [Path in P]?: Condition }> {
    if (email === null) return {};
    const hash = this.personal.hash(email);
    const isForgotten = await this.subjects.isForgotten(email, buyerIdOf({ businessId: business!, mode }, hash));
    return { [path]: isForgotten ? NEVER : hash } as { readonly [Path in P]: Condition };
  }
}
