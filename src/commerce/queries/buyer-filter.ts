import { Injectable } from '@nestjs/common';
import { requireBusiness } from '../../kernel/caller.js';
import type { Context } from '../../kernel/context.js';
import type { Condition } from '../../kernel/read-models.js';
import { Buyers } from '../buyers.js';

/** Creates the filter of a list by the e-mail address of a buyer. */
@Injectable()
export class BuyerFilter {
  constructor(private readonly buyers: Buyers) {}

  /**
   * Finds the buyer who has this address now, and nobody who was forgotten.
   * @param path the path of the buyer's id @param email null: no filter
   */
  async create<P extends string>(
    path: P,
    email: string | null,
    context: Context,
  ): Promise<{ readonly [Path in P]?: Condition }> {
    if (email === null) return {};
    const owner = { businessId: requireBusiness(context), mode: context.mode };
    return { [path]: await this.buyers.findId(owner, email) } as { readonly [Path in P]: Condition };
  }
}
