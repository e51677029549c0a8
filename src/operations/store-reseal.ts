import { Keys } from '../engine/sealing/keys.js';
import { reseal, type Resealed } from '../engine/sealing/resealing.js';
import { Vault } from '../kernel/vault.js';
import { Interrupted, interruptible } from './interruption.js';
import { print, remark, withService, type Printing } from './toolbox.js';

/**
 * Encrypts every entry of the vault with the current master key, so that earlier keys are no longer needed for the
 * vault.
 */
export async function resealStore({ json }: Printing): Promise<void> {
  const done = await withService((service) => {
    const [vault, keys] = [service.get(Vault, { strict: false }), service.get(Keys, { strict: false })];
    const tell = ({ resealed, unchanged }: Resealed) => {
      if (!json) remark(`checked ${resealed + unchanged} entries`);
    };
    return interruptible(async (signal) => {
      const told = await reseal(vault, keys, tell, signal);
      if (signal.aborted) throw new Interrupted('stopped; run the same command again to continue from here');
      return told;
    });
  });
  print({ reseal: done }, { json }, [`${done.resealed} entries encrypted again, ${done.unchanged} unchanged`]);
}
