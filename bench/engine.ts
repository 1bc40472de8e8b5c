import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeline } from '../src/engine/timeline.ts';
import { fill } from '../src/mirror/fill.ts';
import { measureVisits } from '../src/reports/status-duration.ts';
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts';
import { normalHours } from '../src/time/calendar.ts';
import { createFileTracker } from '../src/trackers/file/create-file-tracker.ts';
import { generateSample } from '../src/trackers/sample/generate-sample.ts';
import { benchCalendar } from './calendar.ts';
import { jiraExport } from './jira-export.ts';
import { benchReports } from './reports.ts';
import { best, row } from './rows.ts';

/** Times the engine and what stands around it, from the export of a tracker to reports, and prints a table. */
export async function benchEngine(): Promise<void> {
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

    console.table({
      'generate the sample': row(generated, issues.length, 'issues'),
      'changes → visits → measures': row(measured, visits, 'visits'),
      'JSON.parse alone': row(parsed, megabytes, 'MB'),
      'read an export': row(read, megabytes, 'MB'),
      'import an export': row(imported, issues.length, 'issues'),
      'issue from the store, measured': row(asked, issues.length, 'issues'),
      ...(await benchCalendar()),
      ...(await benchReports(issues, 100_000, folder, today)),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
