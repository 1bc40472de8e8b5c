import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const read = (name: string) => JSON.parse(readFileSync(fixture(name), 'utf8'));

/** One column's text per issue key. */
type Texts = Record<string, Record<string, string>>;

/** Rows of the list as texts by column title, asked for a project. */
async function list(
  dwell: TestDwell,
  projectKey: string,
  parameters: Record<string, string>,
): Promise<Texts> {
  const { status, json } = await dwell.get('/rest/issues', {
    filterType: 'project',
    projectKey,
    outputType: 'jsonSimplified',
    ...parameters,
  });
  expect(status).toBe(200);
  return Object.fromEntries(json.results.map((row: Record<string, string>) => [row.Key, row]));
}

test("DevLake's published lead times are those of the computed field", async () => {
  const dwell = await startDwell({ at: '2022-08-01T00:00:00Z' });
  try {
    await dwell.types('import', fixture('devlake-jira-cloud.issues.json'));
    const rows = await list(dwell, 'EE', {
      columnsBy: 'statusDuration',
      fields: 'calc:leadTime',
      viewFormat: 'minutes',
    });
    const published: { key: string; leadTimeMinutes: number }[] = read('devlake.lead-time.published.json');
    expect(published.length).toBeGreaterThan(5);
    for (const { key, leadTimeMinutes } of published) {
      expect(Math.floor(Number(rows[key]?.['Lead Time']))).toBe(leadTimeMinutes);
    }
  } finally {
    await dwell.stop();
  }
});

describe('jira-agile-metrics', () => {
  const stages = [
    ['Backlog', 'Backlog'],
    ['Committed', 'Next'],
    ['Build', 'Build'],
    ['Test', 'QA'],
    ['Done', 'Done'],
  ] as const;
  const published: Record<string, string | null>[] = read('jira-agile-metrics.expected-stage-dates.json');
  const dwell = suiteDwell({ at: '2021-04-05T00:00:00Z' });
  beforeAll(async () => {
    await dwell.types('import', fixture('jira-agile-metrics.issues.json'));
  });

  test('its published stage dates are the first entries; a skipped stage has the date of the next', async () => {
    const rows = await list(dwell, 'I', {
      columnsBy: 'firstTransitionToStatusDate',
      dateTimeFormat: 'yyyy-MM-dd',
    });
    const dateOf = (key: string, status: string) => {
      const text = rows[key]?.[status] ?? '-';
      return text === '-' ? null : text;
    };
    for (const row of published) {
      const key = row.ID ?? '';
      const entered = stages.map(([, status]) => dateOf(key, status));
      const dates = stages.map((_, i) => entered.slice(i).find((date) => date !== null) ?? null);
      // That project tells no date at all of an issue that has never moved; we know when it was created.
      const moved = row.Backlog !== null;
      if (moved) expect(dates).toEqual(stages.map(([stage]) => row[stage]));
      else expect(dates.slice(1)).toEqual([null, null, null, null]);
    }
  });

  test('its published blocked days are the time with the flag set', async () => {
    const rows = await list(dwell, 'I', {
      columnsBy: 'anyFieldDuration',
      historyFields: 'Flagged',
      viewFormat: 'days',
    });
    for (const row of published) {
      const days = rows[row.ID ?? '']?.Impediment ?? '-';
      expect(days === '-' ? '0' : days).toBe(row['Blocked Days']);
    }
  });
});

describe.each([
  ['jirametrics-testdata.issues.json', '2022-06-01T00:00:00.000Z'],
  ['jirametrics-complete-sample.issues.json', '2022-06-01T00:00:00.000Z'],
  ['devlake-jira-cloud.issues.json', '2022-08-01T00:00:00.000Z'],
])('the time per assignee in %s', (file, asOf) => {
  interface RawItem {
    readonly fieldId?: string;
    readonly field: string;
    readonly from?: string | null;
    readonly to?: string | null;
  }
  interface RawIssue {
    readonly key: string;
    readonly fields: { readonly created: string; readonly assignee: { readonly accountId: string } | null };
    readonly changelog: { readonly histories: { readonly created: string; readonly items: RawItem[] }[] };
  }

  /** Straight from the export: who had the issue between which instants. */
  function expected({ fields, changelog }: RawIssue): Record<string, number> {
    const at = (text: string) => Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
    const steps = changelog.histories
      .flatMap(({ created, items }) =>
        items.filter((item) => item.field === 'assignee').map((item) => ({ ...item, at: at(created) })),
      )
      .sort((a, b) => a.at - b.at);
    const spent: Record<string, number> = {};
    let [who, since] = [steps[0]?.from ?? fields.assignee?.accountId, at(fields.created)];
    if (steps.length > 0) who = steps[0]?.from ?? undefined;
    for (const { to, at: until } of [...steps, { to: null, at: Date.parse(asOf) }]) {
      const id = who ?? ':unassigned';
      spent[id] = (spent[id] ?? 0) + until - since;
      [who, since] = [to ?? undefined, until];
    }
    return spent;
  }

  test('is that of the raw changelog, to the millisecond', async () => {
    const dwell = await startDwell({ at: asOf });
    try {
      await dwell.types('import', fixture(file));
      const { json } = await dwell.get('/rest/issues', {
        filterType: 'customjql',
        customjql: 'created <= now()',
        columnsBy: 'assigneeDuration',
      });
      const { issues }: { issues: RawIssue[] } = read(file);
      expect(json.table.body.rows).toHaveLength(issues.length);
      for (const row of json.table.body.rows) {
        const key = row.headerColumns[0].value;
        const issue = issues.find((one) => one.key === key);
        if (issue === undefined) throw new Error(`${key} is not in the export`);
        const told = row.valueColumns
          .filter((cell: { raw?: string }) => cell.raw !== undefined)
          .map((cell: { id: string; raw: string }) => [cell.id, Number(cell.raw)]);
        expect(Object.fromEntries(told)).toEqual(expected(issue));
      }
    } finally {
      await dwell.stop();
    }
  });
});
