import type { Claims } from '../../kernel/claim.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { Streams } from './streams.js';

/**
 * Claims a name for an owner, and returns whether the owner has it.
 * @param isFree ends the claim of another owner: it returns whether that owner no longer has the name, and never will
 */
export async function claimName<T extends string>(
  streams: Streams,
  claims: Claims<T>,
  nameId: string,
  { ownerId, isFree }: { readonly ownerId: string; readonly isFree: (ownerId: string) => Promise<boolean> },
  context: Context,
): Promise<boolean> {
  const claim = async (replaces?: string) => {
    const command = { type: 'Claim', ownerId, replaces } as const;
    const { state } = await streams.execute(claims, nameId, command, createChildContext(context, 'claim', nameId));
    return state.ownerId!;
  };
  const current = await claim();
  return current === ownerId || ((await isFree(current)) && (await claim(current)) === ownerId);
}
