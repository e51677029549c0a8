import type { Caller } from './access.js';
import type { Product } from './catalogue.js';
import { type Model, OK, type Outcome, refuse } from './model.js';
import type { User } from './people.js';
import { type Fields, nameOf, Open, refer } from './template.js';

export interface Community {
  readonly key: string;
  readonly createdAt: string;
  readonly name: string;
  readonly tier: 'free' | 'paid';
  readonly product: Product | null;
  policy: 'open' | 'invite';
  status: 'active' | 'archived';
  /** Null for the founder. */
  owner: User | null;
  /** Whether it belongs to the business. It leaves the business when somebody else becomes its owner. */
  isOfBusiness: boolean;
  /** The points from which a member has each level. */
  levels: readonly number[];
}

export const LEVELS = [0, 5, 20, 65, 155, 515, 2_015, 8_015, 33_015];
const A_LATER_TIME = new Open((value) => typeof value === 'string');

/** Communities. The owner of the business founds them. */
export class Communities {
  readonly all: Community[] = [];

  constructor(private readonly model: Model) {}

  create(name: string, product: Product | null): Community {
    const community: Community = {
      ...{ key: this.model.newKey('com'), createdAt: this.model.now, name, product, levels: LEVELS },
      ...{ tier: product === null ? 'free' : 'paid', policy: 'open', status: 'active' },
      ...{ owner: null, isOfBusiness: true },
    };
    this.all.push(community);
    this.model.members.found(community);
    this.model.touch(community.key);
    return community;
  }

  requireInvites(community: Community): void {
    community.policy = 'invite';
    this.model.touch(community.key);
  }

  archive(community: Community, caller: Caller): Outcome {
    return this.setStatus(community, caller, 'archived');
  }

  reopen(community: Community, caller: Caller): Outcome {
    return this.setStatus(community, caller, 'active');
  }

  private setStatus(community: Community, caller: Caller, status: Community['status']): Outcome {
    const refused = this.model.access.findRefusal(community, caller, 'archive');
    if (refused !== null) return refused;
    community.status = status;
    this.model.touch(community.key);
    return OK;
  }

  setLevels(community: Community, caller: Caller, levels: readonly number[]): Outcome {
    const refused = this.model.access.findRefusal(community, caller, 'manage');
    if (refused !== null) return refused;
    if (levels.some((points, i) => i > 0 && points <= levels[i - 1]!)) return refuse(422, 'levels_not_rising');
    community.levels = levels;
    this.model.touch(community.key, ...this.model.members.listOf(community).map(({ key }) => key));
    return OK;
  }

  /** Makes an active member the owner. The owner before becomes a moderator. */
  transfer(community: Community, caller: Caller, to: User | null): Outcome {
    const { access, members } = this.model;
    const refused = access.findRefusal(community, caller, 'manage');
    if (refused !== null) return refused;
    const [before, after] = [members.find(community, community.owner)!, members.find(community, to)];
    if (after?.status !== 'active') return refuse(422, 'validation_failed');
    if (before === after) return OK;
    members.change(before, { role: 'moderator' });
    members.change(after, { role: 'owner' });
    Object.assign(community, { owner: to, isOfBusiness: false });
    this.model.touch(community.key);
    return OK;
  }

  /** Returns the level of this number of points. */
  levelOf({ levels }: Community, points: number): number {
    return levels.filter((needed) => needed <= points).length;
  }

  render(community: Community): Fields {
    return {
      ...this.renderPublic(community),
      join_policy: community.policy,
      business: community.isOfBusiness ? { object: 'business', id: nameOf('biz') } : null,
      owner: refer('user', community.owner?.key ?? 'usr owner'),
      levels: community.levels.map((points, i) => ({ level: i + 1, points })),
      updated_at: A_LATER_TIME,
    };
  }

  /** Renders what an outsider sees. */
  renderPublic(community: Community): Fields {
    const { name, tier, status, product } = community;
    return {
      ...{ id: nameOf(community.key), object: 'community', created_at: community.createdAt },
      ...{ name, description: null, cover_image_url: null, tier, status },
      product: refer('product', product?.key ?? null),
      member_count: this.model.members.listOf(community).filter((one) => one.status === 'active').length,
    };
  }
}
