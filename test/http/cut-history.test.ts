import { expect, test } from '#jest';
import { isDecided } from '../../src/api/outcomes/read-table.ts';
import { doubtsIn } from '../../src/http/report/table.ts';
import { incompleteText } from '../../src/output/table-records.ts';
import { aProvenance } from '../support/a-provenance.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

/** OPS-3 of the sample moved in from a tracker that kept only its last changes. */
const ask = (path: string, parameters: Record<string, string> = {}) =>
  dwell.get(path, { issueKey: 'OPS-3', ...parameters });

test('json tells which time is unknown and why', async () => {
  const { json } = await ask('/rest/issue', { columnsBy: 'statusDuration' });
  const [row] = json.table.body.rows;
  expect(json.complete).toBe(false);
  expect(row.history).toEqual({
    complete: false,
    unknownFrom: null,
    unknownUntil: expect.stringMatching(/^\d{4}-.*Z$/),
    unknownDuration: expect.any(Number),
    reason: expect.stringContaining('kept only its last'),
    contradictions: 0,
  });
});

test('known and unknown time add up to the age of the issue', async () => {
  const { json } = await ask('/rest/issue', { columnsBy: 'statusDuration', fields: 'created' });
  const [row] = json.table.body.rows;
  const raws: number[] = row.valueColumns.map((column: { raw: string }) => Number(column.raw));
  const known = raws.reduce((sum, raw) => sum + raw, 0);
  const { json: expanded } = await ask('/rest/issue/expanded');
  const [first] = expanded.table.body.rows[0].expanded.rows;
  expect(first.start).toBe(row.history.unknownUntil);
  expect(Date.parse(first.start) + known).toBe(dwell.clock.now);
  expect(row.history.unknownDuration).toBeGreaterThan(0);
});

test('csv has a column for the unknown time, so that its sums are whole', async () => {
  const { text } = await ask('/rest/issue', {
    columnsBy: 'statusDuration',
    outputType: 'csv',
    viewFormat: 'seconds',
  });
  const [header, line] = text
    .trimEnd()
    .split('\r\n')
    .map((one) => one.split(','));
  expect(header?.slice(-2)).toEqual(['Unknown', 'History']);
  expect(Number(line?.[(header?.length ?? 0) - 2])).toBeGreaterThan(0);
  expect(text).toMatch(/cut before \d\d\/[A-Z][a-z]{2}\/\d\d/);
});

test('asked within the unknown time, there is nothing to tell', async () => {
  const { json } = await ask('/rest/issue/expanded');
  const [row] = json.table.body.rows;
  const before = new Date(Date.parse(row.history.unknownUntil) - 1).toISOString();
  const { json: then } = await ask('/rest/issue/expanded', { asOf: before });
  expect(then.table.body.rows[0].expanded.rows).toEqual([]);
  expect(then.table.body.rows[0].currentState).toEqual([]);
});

test('issues the tracker could not be asked about are told where there are some, in files and messages too', () => {
  const some = aProvenance({ unasked: 7 });
  expect([doubtsIn(some), doubtsIn(aProvenance())]).toEqual([{ unaskedIssues: 7 }, {}]);
  expect(incompleteText(some)).toBe('7 issues left out because their permissions are unknown');
  expect([isDecided(some), isDecided(aProvenance())]).toEqual([false, true]);
});
