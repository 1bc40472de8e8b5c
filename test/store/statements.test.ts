import { afterAll, beforeAll, beforeEach, expect, test } from '#jest';
import { currentQuestion } from '../../src/concurrency/request-scope.ts';
import { exportFile, jiraIssue, movesTo, searchResult } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

const statements: string[] = [];
/** The questions in whose answers something was written to the audit log. */
const notedBy: unknown[] = [];
let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell({
    environment: { TRACKER: 'file', PLAYGROUND: 'off', AUDIT_QUESTIONS: 'on' },
    onStatement(sql) {
      // Questions are noted beside all answers.
      if (/"audit"|last_number/.test(sql)) return void notedBy.push(currentQuestion());
      // Workers look for work all the time, whatever is asked.
      if (!sql.includes('"work"')) statements.push(sql);
    },
  });
  const issues = Array.from({ length: 120 }, (_, i) =>
    jiraIssue(`WEB-${i + 1}`, { created: '2026-03-02T09:00:00.000Z' })
      .at('2026-03-09T09:00:00.000Z', movesTo('Done'))
      .onCloud(),
  );
  expect((await dwell.types('import', exportFile(searchResult(...issues)))).code).toBe(0);
  // What is read once for all who ask is there.
  await ask('/rest/issue', { issueKey: 'WEB-1' });
  await ask('/rest/issues/aggregation', { ...web, aggregationType: 'average' });
  await ask('/rest/issues', web);
});
afterAll(() => dwell.stop());
beforeEach(() => {
  statements.length = 0;
});

const web = { filterType: 'project', projectKey: 'WEB' };

async function ask(path: string, question: Readonly<Record<string, string>>): Promise<void> {
  const { status, text } = await dwell.get(path, { columnsBy: 'statusDuration', ...question });
  expect([status, text]).toEqual([200, expect.stringContaining('WEB')]);
}

test('a single issue takes three statements at most', async () => {
  await ask('/rest/issue', { issueKey: 'WEB-77' });
  expect(statements.length).toBeGreaterThan(0);
  expect(statements).toHaveLength(Math.min(statements.length, 3));
});

test('a statistic takes two statements at most', async () => {
  const { status } = await dwell.get('/rest/issues/aggregation', {
    ...{ columnsBy: 'statusDuration', ...web, aggregationType: 'sum' },
  });
  expect(status).toBe(200);
  expect(statements).toHaveLength(Math.min(statements.length, 2));
});

test('a page of fifty issues takes five statements at most', async () => {
  await ask('/rest/issues', { ...web, pageSize: '50' });
  expect(statements).toHaveLength(Math.min(statements.length, 5));
});

test('who asked what is written to the audit log in no answer', async () => {
  const questions = async () =>
    (await dwell.types('audit', '--questions', '--action', 'question', '--json')).lines.length;
  while ((await questions()) < 6) await new Promise((next) => setTimeout(next, 20));
  expect(new Set(notedBy)).toEqual(new Set([null]));
});
