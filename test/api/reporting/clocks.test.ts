import { expect, test } from '#jest';
import { ask, type ReportRequest } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';

/** Ada lives in Berlin; the issue was created on the 10th there, and on the 9th in New York. */
const reporting = smallWorld('2026-01-20T12:00:00Z', [anIssue('WEB-1', '2026-01-10T03:00:00Z').issue], {
  users: [{ id: 'ada', name: 'Ada', timeZone: 'Europe/Berlin' }],
});
const principal = principalOf('ada');
const selection = { by: 'jql', jql: 'created >= 2026-01-10' } as const;
const asked = (more: Partial<ReportRequest>) =>
  ask({ principal, reportType: 'statusDuration', selection, ...more });

test.each([
  [null, 'Europe/Berlin', 1],
  ['Europe/Berlin', 'Europe/Berlin', 1],
  ['America/New_York', 'America/New_York', 0],
])('dates of a query in %s are read in %s, and that is told', async (timeZone, told, count) => {
  const request = asked({ timeZone });
  expect((await reporting.report(request)).provenance).toMatchObject({ timeZone: told, issues: count });
  expect(await reporting.count(request)).toBe(count);
  expect(await reporting.audienceScope(request)).toMatchObject({ issues: count });
});

test('a range, too, is written in the zone of the request', async () => {
  const from = Date.parse('2026-01-10T05:00:00Z');
  const request = asked({ timeZone: 'America/New_York', dateRange: { field: 'created', from, to: null } });
  expect((await reporting.report(request)).provenance.query).toBe(
    '(created >= 2026-01-10) AND created >= "2026-01-10 00:00"',
  );
});

test('a zone nobody knows is refused, with what is allowed', async () => {
  await expect(reporting.check(asked({ timeZone: 'Moon/Base' }))).rejects.toMatchObject({
    code: 'bad-request',
    details: ["timeZone 'Moon/Base' is not known. Try: an IANA time zone, such as Europe/Berlin."],
  });
});

test('a query that calls currentUser() says that it depends on who asks, others do not', async () => {
  const dependsOf = async (jql: string) =>
    (await reporting.report(asked({ selection: { by: 'jql', jql } }))).provenance.dependsOnPrincipal;
  expect(await dependsOf('assignee = currentUser() or created < now()')).toBe(true);
  expect(await dependsOf('created < now()')).toBeUndefined();
});
