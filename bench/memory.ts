import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts';
import { inventIssue } from './memory/invent-issues.ts';

const BATCH = 1_000;

/**
 * What many issues cost: time to load them, memory held for each, reports over all of them, and a question after one has
 * changed. `ISSUES` (100,000) says how many; a million take some minutes and four gigabytes of disk.
 */
export async function benchMemory(): Promise<void> {
  const count = Number(process.env.ISSUES ?? 100_000);
  const now = Date.parse('2026-03-18T00:00:00Z');
  const folder = mkdtempSync(join(tmpdir(), 'dwell-memory-'));
  try {
    const store = openSqliteStore(folder);
    const issues = store.issues('file');
    for (let at = 0; at < count; at += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - at) }, (_, i) => inventIssue(at + i, now));
      await issues.putIssues(batch, (_kept, incoming) => incoming);
    }
    await issues.putDirectory({ access: [{ kind: 'project', id: 'HR', viewers: ['group:hr'] }] });
    store.close();
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
