import { expect } from '#jest';
import { jiraIssue, type RawHistory, type RawIssue } from '../support/jira-export.ts';
import { keysFor } from '../support/listed-keys.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The Dwell of the test that runs. */
let dwell: TestDwell | null = null;
/** Stops the Dwell of a test. */
export async function stopDwell() {
  await dwell?.stop();
  dwell = null;
}

/** The instant of the questions. */
export const ASOF = '2026-11-12T09:00:00Z';

/** A Dwell that has imported these files. */
export async function imported(files: readonly string[], dataDir = temporaryFolder()) {
  dwell = await startDwell({ dataDir, at: ASOF, environment: { TRACKER: 'file' } });
  const { types, get } = dwell;
  if (files.length > 0) await types('import', ...files);
  const asked = (parameters: Record<string, string>) =>
    get('/rest/issues', {
      ...{ filterType: 'customjql', customjql: 'key is not EMPTY', pageSize: '1000' },
      ...{
        columnsBy: 'anyFieldDuration',
        asOf: ASOF,
        viewFormat: 'hours',
        historyFields: 'status',
        ...parameters,
      },
    });
  const list = async (parameters: Record<string, string>) => {
    const { status, json } = await asked(parameters);
    expect([status, json.messages]).toEqual([200, undefined]);
    return json;
  };
  return {
    ...{ types, asked },
    async trust(parameters: Record<string, string>) {
      const { complete, notes = [] } = await list(parameters);
      return { complete, notes };
    },
    /** Hours by issue and by the title of the value. */
    async hours(historyFields: string) {
      const { table } = await list({ historyFields });
      const titles = table.header.valueColumns.map(({ value }: Cell) => value);
      return Object.fromEntries(
        table.body.rows.map(({ headerColumns, valueColumns }: Row) => [
          headerColumns[0]?.value,
          Object.fromEntries(
            valueColumns.flatMap(({ value }, i) =>
              value === '-' || titles[i] === 'Empty' ? [] : [[titles[i], Number(value)]],
            ),
          ),
        ]),
      );
    },
    keys: (customjql: string) => keysFor({ get }, customjql),
  };
}

interface Cell {
  readonly value: string;
}
interface Row {
  readonly headerColumns: readonly Cell[];
  readonly valueColumns: readonly Cell[];
}

/** An issue with other fields and entries of its changelog, one a day. */
export function withEntries(
  raw: RawIssue,
  fields: Record<string, unknown>,
  ...items: readonly Record<string, unknown>[]
): RawIssue {
  const histories = items.map(
    (item, i): RawHistory => ({
      id: String(10_001 + i),
      author: { key: 'grace', name: 'grace', displayName: 'Grace' },
      created: `2026-11-0${3 + i}T09:00:00.000+0000`,
      items: [item],
    }),
  );
  const changelog = { startAt: 0, maxResults: histories.length, total: histories.length, histories };
  return { ...raw, fields: { ...raw.fields, ...fields }, changelog };
}
/** An issue of Data Center that was created on November 2. */
export const onDataCenter = (key: string) =>
  jiraIssue(key, { created: '2026-11-02T09:00:00.000Z' }).onDataCenter();
