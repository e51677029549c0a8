import { Keys } from '../engine/sealing/keys.js';
import { reseal, type Resealed } from '../engine/sealing/resealing.js';
import { Vault } from '../kernel/vault.js';
import { Interrupted, interruptible } from './interruption.js';
import { print, remark, withService, type Printing } from './toolbox.js';

/** Lets the master key in the configuration seal all that is in the vault: the earlier ones are not needed for it any more. */
export async function resealStore({ json }: Printing): Promise<void> {
  const done = await withService((service) => {
    const [vault, keys] = [service.get(Vault, { strict: false }), service.get(Keys, { strict: false })];
    const tell = ({ resealed, unchanged }: Resealed) => {
      if (!json) remark(`${resealed + unchanged} entries looked at`);
    };
    return interruptible(async (signal) => {
      const told = await reseal(vault, keys, tell, signal);
      if (signal.aborted) throw new Interrupted('stopped; the same command goes on from here');
      return told;
    });
  });
  print({ reseal: done }, { json }, [`${done.resealed} sealed again, ${done.unchanged} as they were`]);
}
