import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { normalHours } from '../src/calendar/normal-hours.ts';
import { measureVisits } from '../src/engine/measure-visits.ts';
import { timeline } from '../src/engine/timeline.ts';
import { fill } from '../src/mirror/fill.ts';
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts';
import { createFileTracker } from '../src/tracker/file/create-file-tracker.ts';
import { generateSample } from '../src/tracker/sample/generate-sample.ts';
import { jiraExport } from './jira-export.ts';

/** Times `work` (ms), best of `times` runs: machines are noisy, and noise only ever adds. */
async function best(times: number, work: () => unknown): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i += 1) {
    const start = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

const today = Date.parse('2026-03-18T00:00:00Z');
const { issues } = generateSample({ seed: 7, today });
const folder = mkdtempSync(join(tmpdir(), 'dwell-bench-'));
try {
  const generated = await best(5, () => generateSample({ seed: 7, today }));
  const visits = issues.reduce((sum, issue) => sum + timeline(issue, 'status', today).visits.length, 0);
  const measured = await best(20, () => {
    for (const issue of issues) measureVisits(timeline(issue, 'status', today).visits, normalHours);
  });

  const text = jiraExport(issues);
  const file = join(folder, 'issues.json');
  writeFileSync(file, text);
  const megabytes = text.length / 1e6;
  const parsed = await best(3, () => JSON.parse(text));
  const read = await best(3, async () => {
    for await (const entry of createFileTracker([file]).entries()) if ('reason' in entry) throw entry;
  });
  let run = 0;
  const imported = await best(3, async () => {
    const store = openSqliteStore(join(folder, String(run++)));
    await fill(createFileTracker([file]), store.issues('file'), () => today);
    store.close();
  });
  const store = openSqliteStore(join(folder, '0')).issues('file');
  const asked = await best(5, async () => {
    for (const { key } of issues) {
      const issue = await store.issue(key);
      if (issue !== null) measureVisits(timeline(issue, 'status', today).visits, normalHours);
    }
  });

  const rate = (ms: number, count: number) => `${Math.round((count / ms) * 1000).toLocaleString('en')}/s`;
  console.table({
    'generate the sample': { ms: round(generated), per: rate(generated, issues.length), of: 'issues' },
    'changes → visits → measures': { ms: round(measured), per: rate(measured, visits), of: 'visits' },
    'JSON.parse alone': { ms: round(parsed), per: rate(parsed, megabytes), of: 'MB' },
    'read an export': { ms: round(read), per: rate(read, megabytes), of: 'MB' },
    'import an export': { ms: round(imported), per: rate(imported, issues.length), of: 'issues' },
    'issue from the store, measured': { ms: round(asked), per: rate(asked, issues.length), of: 'issues' },
  });
} finally {
  rmSync(folder, { recursive: true });
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
