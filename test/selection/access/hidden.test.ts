import { expect, test } from '#jest';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { ask, type ReportRequest } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { aStatus, smallWorld } from '../../support/small-world.ts';

const bob = principalOf('bob');
const ada = principalOf('ada', 'admin');
const sprint = (id: string, name: string) =>
  ({ id, name, state: 'active', start: null, end: null, completed: null, board: null }) as const;

/** A project everybody sees, and one that nobody but admins does. */
function world(hidden = 1): ReportingApi {
  const open = anIssue('WEB-1', '2026-01-01T00:00:00Z').moves('Doing', '2026-01-02T00:00:00Z').issue;
  const secret = Array.from({ length: hidden }, (_, i) =>
    anIssue(`SEC-${i + 1}`, '2026-01-03T00:00:00Z').moves('Fire Carl', '2026-01-04T00:00:00Z'),
  );
  return smallWorld(
    '2026-01-10T00:00:00Z',
    [
      { ...open, fields: { ...open.fields, customfield_10020: [{ id: '1', name: 'Sprint 1' }] } },
      ...secret.map(({ issue }) => ({
        ...issue,
        fields: {
          ...issue.fields,
          customfield_10020: [{ id: '5', name: 'Secret sprint' }],
          customfield_777: 'x',
        },
      })),
    ],
    {
      directory: {
        sprints: [sprint('1', 'Sprint 1'), sprint('5', 'Secret sprint')],
        fields: [{ id: 'customfield_777', name: 'Layoff reason' }],
        groups: [{ id: 'g', name: 'merger-team', members: ['ada'] }],
        access: [{ kind: 'project', id: 'SEC', viewers: [] }],
      },
      statuses: [aStatus('To Do'), aStatus('Doing'), aStatus('Merger Talks', { scope: 'SEC' })],
    },
  );
}

const answer = (reporting: ReportingApi, choices: Partial<ReportRequest>, principal = bob): Promise<string> =>
  reporting
    .report(
      ask({
        principal,
        reportType: 'statusDuration',
        selection: { by: 'project', project: 'WEB' },
        ...choices,
      }),
    )
    .then(
      (table) => JSON.stringify(table),
      (error) => String(error.details ?? error),
    );

const secrets = /Merger Talks|Fire Carl|Secret sprint|merger-team|SEC-1|customfield_777|Layoff reason/;

test.each([
  ['a status of a closed project', { statuses: ['Merger Talks'] }],
  ['a status only hidden issues mention', { statuses: ['Fire Carl'] }],
  ['a wrong status in JQL', { selection: { by: 'jql', jql: 'status = nope' } }],
  ['a wrong sprint in JQL', { selection: { by: 'jql', jql: 'sprint = nope' } }],
  ['a wrong group', { groups: ['nope'] }],
  ['a wrong group in JQL', { selection: { by: 'jql', jql: 'assignee in membersOf(nope)' } }],
  ['a wrong project in JQL', { selection: { by: 'jql', jql: 'project = nope' } }],
  ['a wrong field', { fields: ['nope'] }],
  ['a wrong field to group by', { groupBy: ['nope'] }],
  ['a field only hidden issues have', { fields: ['Layoff reason'] }],
  ['every status there is', { selection: { by: 'jql', jql: 'status was not empty' } }],
] as [string, Partial<ReportRequest>][])('%s betrays nothing', async (_what, choices) => {
  expect(
    (await answer(world(), choices))
      .replaceAll("'Merger Talks'", '')
      .replaceAll(/'(Fire Carl|Layoff reason)'/g, ''),
  ).not.toMatch(secrets);
});

test('a hidden sprint reads like one that never was', async () => {
  const reporting = world();
  const hidden = await answer(reporting, { selection: { by: 'sprint', id: '5' } });
  expect(hidden.replace("'5'", "'6'")).toBe(
    await answer(reporting, { selection: { by: 'sprint', id: '6' } }),
  );
  expect(await answer(reporting, { selection: { by: 'sprint', id: '5' } }, ada)).toContain('SEC-1');
});

test('the list of statuses holds what the principal may meet', async () => {
  const reporting = world();
  const names = async (principal: typeof bob) =>
    (await reporting.statuses(principal)).map(({ name }) => name);
  expect((await names(bob)).toSorted()).toEqual(['Doing', 'To Do']);
  expect(await names(ada)).toContain('Merger Talks');
});

test('many hidden issues that moved lately do not push out the examples', async () => {
  expect(await world(200).exampleKeys(bob, 2)).toEqual(['WEB-1']);
});
