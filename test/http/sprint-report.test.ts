import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { type DwellOptions, startDwell, type TestDwell } from '../support/start-dwell.ts';

const inDwell = async (options: DwellOptions, does: (dwell: TestDwell) => Promise<void>) => {
  const dwell = await startDwell(options);
  await does(dwell).finally(() => dwell.stop());
};

test('on the sample its figures are those of reports on its issues, in the calendar asked for', () =>
  inDwell({}, async (dwell) => {
    const shown = { calendar: 'Berlin' };
    const [start, end] = ['2024-11-25T08:30:00.000Z', '2024-12-09T08:30:00.000Z'];
    const { json } = await dwell.get('/rest/sprints/10/report', shown);
    expect(json).toMatchObject({ calendar: { name: 'Berlin' }, sprint: { start, end } });
    const totals = async (customjql: string) => {
      const { json: report } = await dwell.get('/rest/issues/aggregation', {
        ...{ filterType: 'customjql', customjql, asOf: end, columnsBy: 'statusDuration', ...shown },
        ...{ trimHistoryStartDate: '2024-11-25 09:30', trimHistoryEndDate: '2024-12-09 09:30' },
        ...{ aggregationType: 'sum', includeDeletedStatuses: 'true' },
      });
      const { header, body } = report.table;
      const [{ issueCount, valueColumns }] = body.rows;
      const titles = new Map(header.valueColumns.map((one: Cell) => [one.id, one.value]));
      return { issueCount, times: valueColumns.map((one: Cell) => [titles.get(one.id), Number(one.raw)]) };
    };
    const [all, open] = [await totals('sprint = 10'), await totals('sprint = 10 AND statusCategory != Done')];
    expect([json.issueCount, json.sprint.carriedOver]).toEqual([all.issueCount, open.issueCount]);
    const within = json.statuses.map((one: { name: string; withinMs: number }) => [one.name, one.withinMs]);
    const { Done: _, ...times } = Object.fromEntries(all.times);
    expect(Object.fromEntries(within)).toEqual(times);
  }));

test('of a real site without changelogs it lists the issues that may have been finished, and says no number', () =>
  inDwell({ environment: { TRACKER: 'file' } }, async (dwell) => {
    const path = fixture('titanium-daemon.issues.json.gz');
    await dwell.types('import', path);
    const { issues }: { issues: { key: string; fields: RawFields }[] } = JSON.parse(
      gunzipSync(readFileSync(path)).toString(),
    );
    for (const id of [969, 976]) {
      const { json } = await dwell.get(`/rest/sprints/${id}/report`);
      const had = issues.filter(({ fields }) => fields.closedSprints?.some((one) => one.id === id));
      // What changed later may have been elsewhere then.
      const certain = had.filter(({ fields }) => Date.parse(fields.updated) <= Date.parse(json.sprint.end));
      expect(json).toMatchObject({
        ...{ complete: false, issueCount: certain.length, undecided: had.length - certain.length },
        sprint: { finished: null, carriedOver: had.length === certain.length ? 0 : null, added: null },
      });
      const doubtful = json.doneSinceUnknown.map((one: { key: string }) => one.key);
      expect(doubtful.sort()).toEqual(certain.map(({ key }) => key).sort());
    }
  }));

interface Cell {
  readonly id: string;
  readonly value: string;
  readonly raw?: string;
}

interface RawFields {
  readonly updated: string;
  readonly closedSprints?: readonly { readonly id: number }[];
}
