/** The points of a member in a period. */
export interface RankedMember {
  readonly memberId: string;
  readonly points: number;
}

/** A change moves at most this number of members. */
const MAX_BLOCK = 512;

/**
 * Members in the order of page lists: descending by points, then by id. They are held in sorted blocks, so that
 * neither a change nor a page of a long ranking costs much.
 */
export class Ranking {
  private readonly blocks: RankedMember[][] = [];

  get size(): number {
    return this.blocks.reduce((sum, { length }) => sum + length, 0);
  }

  add(member: RankedMember): void {
    const index = Math.min(this.findBlock(member), this.blocks.length - 1);
    const block = this.blocks[index];
    if (block === undefined) {
      this.blocks.push([member]);
      return;
    }
    block.splice(findPlace(block, member), 0, member);
    if (block.length > MAX_BLOCK) this.blocks.splice(index + 1, 0, block.splice(MAX_BLOCK / 2));
  }

  remove(member: RankedMember): void {
    const index = this.findBlock(member);
    const block = this.blocks[index];
    if (block === undefined) return;
    const place = findPlace(block, member);
    if (compare(block[place]!, member) === 0) block.splice(place, 1);
    if (block.length === 0) this.blocks.splice(index, 1);
  }

  getPage(offset: number, limit: number): RankedMember[] {
    const page: RankedMember[] = [];
    let skipped = offset;
    for (const block of this.blocks) {
      if (page.length === limit) break;
      page.push(...block.slice(skipped, skipped + limit - page.length));
      skipped = Math.max(0, skipped - block.length);
    }
    return page;
  }

  /** Counts the members with more points. */
  countAhead(points: number): number {
    const index = this.blocks.findIndex((block) => block.at(-1)!.points <= points);
    const whole = index === -1 ? this.blocks : this.blocks.slice(0, index);
    const rest = this.blocks[index]?.findIndex((member) => member.points <= points) ?? 0;
    return whole.reduce((sum, { length }) => sum + length, rest);
  }

  /** Returns the index of the first block that ends at or after the member. */
  private findBlock(member: RankedMember): number {
    return findFirst(this.blocks.length, (i) => compare(this.blocks[i]!.at(-1)!, member) >= 0);
  }
}

function findPlace(block: readonly RankedMember[], member: RankedMember): number {
  return findFirst(block.length, (i) => compare(block[i]!, member) >= 0);
}

/** Returns the first index for which the condition holds; it holds for all later ones too. */
function findFirst(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function compare(a: RankedMember, b: RankedMember): number {
  if (a.points !== b.points) return b.points - a.points;
  return a.memberId === b.memberId ? 0 : a.memberId < b.memberId ? 1 : -1;
}
