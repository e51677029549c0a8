import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasEnded, isGone, thisHolder } from '../../src/stores/holder.js';

const SCRIPT = join(import.meta.dirname, 'support/out-of-files.ts');
const NO_SUCH_PID = '4194304';
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('A holder of leases', () => {
  onLinux('is not gone for a process that has no file descriptor left', () => {
    const command = [process.execPath, '--disable-warning=ExperimentalWarning', SCRIPT, thisHolder()];
    const told = execFileSync('sh', ['-c', 'ulimit -n 40; exec "$@"', 'sh', ...command], { encoding: 'utf8' });

    expect(JSON.parse(told)).toEqual({ code: 'EMFILE', own: false, other: false });
  });

  onLinux('is gone where nothing is known of its process, unless the process runs and is hidden', () => {
    const empty = mkdtempSync(join(tmpdir(), 'proc-'));
    const [init, nobody] = ['1', NO_SUCH_PID].map((pid) => thisHolder().replace(/^\d+/, pid));

    expect([hasEnded(init!, empty), hasEnded(nobody!, empty)]).toEqual([false, true]);
    rmSync(empty, { recursive: true });
  });

  it('is never gone for itself', () => {
    expect(isGone(thisHolder())).toBe(false);
    expect(hasEnded(thisHolder(), '/nowhere')).toBe(false);
  });
});
