import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../config.js';
import { KEY_MARK } from '../../engine/sealing/key-check.js';
import { Keys } from '../../engine/sealing/keys.js';
import type { StoresAt } from '../../stores/address.js';
import { openStores } from '../../stores/open.js';
import type { Ports } from '../../stores/ports.js';
import { eachOf, type PassedOver } from '../event-log.js';
import { interruptible } from '../interruption.js';
import { showing } from '../progress.js';
import { CannotDo, type Printing } from '../toolbox.js';
import { compareLogs } from './comparing.js';
import { belongingsOf } from './leaving.js';
import { beginUnder, leftBehind, moveIn, sourceOf, tellingPositions, type Goods, type Source } from './moving.js';
import { unlessMore, whileNothingRuns } from './stillness.js';

export interface CopyWish extends Printing {
  readonly at: StoresAt;
  readonly verify: boolean;
}

/** Copies a store into an empty one, or continues an interrupted copy. With `verify`, compares the two logs. */
export async function copyTo(service: INestApplicationContext, wish: CopyWish) {
  const config = service.get(Config, { strict: false });
  if (JSON.stringify(wish.at) === JSON.stringify(config.stores)) throw new CannotDo('the target is the store itself');
  const source = sourceOf(service);
  const to = await openStores(wish.at);
  try {
    await to.reach();
    await beginUnder(Keys.from(config), await source.ports.vault.get(KEY_MARK), to);
    let foreign = 0;
    const moved = await move(source, to, wish, (others) => (foreign += others));
    const events = wish.verify ? await same(source.ports, to, wish) : null;
    return { moved, events, left_behind: await leftBehind(source.ports.models, foreign) };
  } finally {
    await to.close();
  }
}

async function move({ ports, reactors }: Source, to: Ports, printing: Printing, passedOver: PassedOver): Promise<boolean> {
  const head = await ports.events.head();
  const {
    events: [last],
  } = await ports.events.readAll({ backwards: true, limit: 1 });
  const name = `copy up to ${last?.id ?? 'nothing'}`;
  return interruptible((signal) =>
    whileNothingRuns(ports, reactors, signal, (still) =>
      showing('copy', head, printing, (report) => {
        const belongings = unlessMore(belongingsOf(ports, reactors), ports, head);
        const goods: Goods = { name, events: eachOf(ports.events, { passedOver }), belongings };
        return moveIn(goods, to, tellingPositions(report), still);
      }),
    ),
  );
}

/** Returns the number of events in both logs. @throws CliError when the logs differ */
async function same(one: Ports, other: Ports, printing: Printing): Promise<number> {
  const head = await one.events.head();
  const { events, difference } = await showing('compare', head, printing, (report) =>
    compareLogs(one.events, other.events, tellingPositions(report)),
  );
  if (difference !== null) throw new CannotDo(`the logs differ: ${difference} is not the same in both`);
  return events;
}
