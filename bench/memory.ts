import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillStore } from './memory/invent-issues.ts';

/**
 * What many issues cost: time to load them, memory held for each, reports over all of them, and a question after one has
 * changed. `ISSUES` (100,000) says how many; a million take some minutes and four gigabytes of disk.
 */
export async function benchMemory(): Promise<void> {
  const count = Number(process.env.ISSUES ?? 100_000);
  const now = Date.parse('2026-03-18T00:00:00Z');
  const folder = mkdtempSync(join(tmpdir(), 'dwell-memory-'));
  try {
    await fillStore(folder, count, now);
    const measuring = join(import.meta.dirname, 'memory', 'measure.ts');
    const { status } = spawnSync(
      process.execPath,
      ['--expose-gc', '--max-semi-space-size=16', measuring, folder, String(now)],
      { stdio: 'inherit' },
    );
    if (status !== 0) throw new Error(`Measuring ended with ${status}.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
