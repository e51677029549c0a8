import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentProcessId, isProcessDead, isProcessDeadIn } from '../../src/stores/process-id.js';

const SCRIPT = join(import.meta.dirname, 'support/out-of-files.ts');
const NO_SUCH_PID = '4194304';
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('A process that holds leases', () => {
  onLinux('is not reported dead by a process without free file descriptors', () => {
    const command = [process.execPath, '--disable-warning=ExperimentalWarning', SCRIPT, currentProcessId()];
    const output = execFileSync('sh', ['-c', 'ulimit -n 40; exec "$@"', 'sh', ...command], { encoding: 'utf8' });

    expect(JSON.parse(output)).toEqual({ code: 'EMFILE', own: false, other: false });
  });

  onLinux('is dead when the system has no entry for it, unless it is running but hidden', () => {
    const empty = mkdtempSync(join(tmpdir(), 'proc-'));
    const [init, missing] = ['1', NO_SUCH_PID].map((pid) => currentProcessId().replace(/^\d+/, pid));

    expect([isProcessDeadIn(init!, empty), isProcessDeadIn(missing!, empty)]).toEqual([false, true]);
    rmSync(empty, { recursive: true });
  });

  it('never reports itself dead', () => {
    expect(isProcessDead(currentProcessId())).toBe(false);
    expect(isProcessDeadIn(currentProcessId(), '/nowhere')).toBe(false);
  });
});
