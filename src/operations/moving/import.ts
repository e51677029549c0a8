import type { Config } from '../../config.js';
import { Keys } from '../../engine/sealing/keys.js';
import type { Ports } from '../../stores/ports.js';
import { interruptible } from '../interruption.js';
import { showing } from '../progress.js';
import type { Printing } from '../toolbox.js';
import { Contents } from './contents.js';
import { belongingsIn, eventsIn } from './house-file.js';
import { beginUnder, moveIn, tellingOf, type Goods } from './moving.js';

/** Imports a file into an empty store, or continues an interrupted import. Checks the file and the keys first. */
export async function importFrom(file: string, to: Ports, config: Config, printing: Printing) {
  const { events, counts, sha256, mark } = await Contents.of(file);
  await beginUnder(Keys.from(config), mark, to);
  const moved = await interruptible((signal) =>
    showing('import', String(events), printing, (report) => {
      const goods: Goods = { name: sha256, events: eventsIn(file), belongings: belongingsIn(file) };
      const passed = tellingOf(report, (_, n) => String(n));
      return moveIn(goods, to, passed, signal);
    }),
  );
  return { file, events, counts, sha256, moved };
}
