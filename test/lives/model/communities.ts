import type { Product } from './catalogue.js';
import type { Model } from './model.js';
import { type Fields, nameOf, Open, refer } from './template.js';

export interface Community {
  readonly key: string;
  readonly createdAt: string;
  readonly name: string;
  readonly tier: 'free' | 'paid';
  policy: 'open' | 'invite';
  readonly product: Product | null;
  updatedAt: string;
}

const LEVELS = [0, 5, 20, 65, 155, 515, 2_015, 8_015, 33_015];
const A_LATER_TIME = new Open((value) => typeof value === 'string');

/** Communities of the business. Its owner founds them. */
export class Communities {
  readonly all: Community[] = [];

  constructor(private readonly model: Model) {}

  create(name: string, product: Product | null): Community {
    const { now } = this.model;
    const tier = product === null ? ('free' as const) : ('paid' as const);
    const key = this.model.newKey('com');
    const community: Community = { key, createdAt: now, name, tier, policy: 'open', product, updatedAt: now };
    this.all.push(community);
    this.model.members.found(community);
    this.model.touch(key);
    return community;
  }

  requireInvites(community: Community): void {
    Object.assign(community, { policy: 'invite', updatedAt: this.model.now });
    this.model.touch(community.key);
  }

  /** Returns the level of this number of points. */
  levelOf(points: number): number {
    return LEVELS.filter((needed) => needed <= points).length;
  }

  render(community: Community): Fields {
    return {
      id: nameOf(community.key),
      object: 'community',
      business: { object: 'business', id: nameOf('biz') },
      created_at: community.createdAt,
      name: community.name,
      ...{ description: null, cover_image_url: null, tier: community.tier, join_policy: community.policy },
      status: 'active',
      owner: refer('user', 'usr owner'),
      product: refer('product', community.product?.key ?? null),
      levels: LEVELS.map((points, i) => ({ level: i + 1, points })),
      member_count: this.model.members.listOf(community).filter(({ status }) => status === 'active').length,
      updated_at: A_LATER_TIME,
    };
  }
}
