import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { createHostedReporting } from '../../../../src/api/hosted/reporting/create-hosted-reporting.ts';
import type { ReportingApi } from '../../../../src/api/reporting.ts';
import { ask, type Selection } from '../../../../src/model/request.ts';
import { sum } from '../../../contract/reporting/case-parts.ts';
import { caseNow } from '../../../support/case-reporting.ts';
import { caseWorld } from '../../../support/case-world.ts';
import { principalOf } from '../../../support/principal-of.ts';
import { startStandInTimepiece, timepieceToken } from '../../../support/stand-in-timepiece.ts';
import { hostedClient } from '../hosted-client.ts';

const principal = principalOf('ada');
const web: Selection = { by: 'project', project: 'WEB' };

let service: Awaited<ReturnType<typeof startStandInTimepiece>>;
let client: ReturnType<typeof hostedClient>;
let reporting: ReportingApi;
let now: number;
beforeEach(async () => {
  now = caseNow();
  service = await startStandInTimepiece();
  client = hostedClient({ baseUrl: service.baseUrl, token: timepieceToken });
  reporting = createHostedReporting(client, { now: () => now, timeZone: 'UTC' });
});
afterEach(async () => {
  await client.close();
  await service.close();
});
const report = (choices: Partial<Parameters<typeof ask>[0]> = {}) =>
  reporting.report(ask({ principal, reportType: 'statusDuration', selection: web, ...choices }));

describe('equal requests as of one instant', () => {
  test('are asked once within a minute, whoever asks, and however they came about', async () => {
    const first = await report();
    const asked = service.calls.length;
    const bob = principalOf('bob');
    const again = await Promise.all([
      report({ asOf: first.provenance.asOf }),
      report({ asOf: first.provenance.asOf, principal: bob }),
    ]);
    expect(service.calls).toHaveLength(asked);
    expect(again).toEqual([first, first]);
    now += 60_000;
    await report({ asOf: first.provenance.asOf });
    expect(service.calls.length).toBeGreaterThan(asked);
  });

  test('are asked again a minute after the question of now, however long its answer took', async () => {
    let didPass = false;
    service.fail((_response, goOn) => {
      didPass = true;
      now += 30_000;
      goOn();
    });
    const { provenance } = await report();
    expect(didPass).toBe(true);
    const asked = service.calls.length;
    now += 29_999;
    await report({ asOf: provenance.asOf });
    expect(service.calls).toHaveLength(asked);
    now += 1;
    await report({ asOf: provenance.asOf });
    expect(service.calls.length).toBeGreaterThan(asked);
  });

  test('are asked for each principal where the query means who asks', async () => {
    const selection: Selection = { by: 'jql', jql: 'assignee = currentUser()' };
    const keys = async (user: string) =>
      (await report({ selection, asOf: caseNow(), principal: principalOf(user) })).issues.map(
        ({ key }) => key,
      );
    expect([await keys('ada'), await keys('bob')]).toEqual([['WEB-1'], ['WEB-2']]);
  });

  test('are asked again where they failed', async () => {
    const asOf = caseNow();
    await report({ selection: { by: 'project', project: 'WEB' }, statistic: sum, asOf });
    service.fail((response) => void response.writeHead(401).end());
    await expect(report({ asOf })).rejects.toMatchObject({ code: 'unavailable' });
    expect((await report({ asOf })).issues).toHaveLength(3);
  });
});

test('the zone is learnt before the first date is read', async () => {
  expect(await reporting.timeZoneOf(principal)).toBe(caseWorld.timeZone);
  const asked = service.calls.length;
  await reporting.timeZoneOf(principal);
  expect(service.calls).toHaveLength(asked);
});

test('who is nobody in the tracker does not stand for currentUser()', async () => {
  const stranger = principalOf('U0ZOE', 'stranger');
  const selection: Selection = { by: 'jql', jql: 'assignee = currentUser()' };
  await expect(report({ selection, principal: stranger })).rejects.toMatchObject({
    code: 'bad-request',
    details: [expect.stringContaining('linked to no user of the tracker')],
  });
  expect(service.calls).toEqual([]);
});

test('an unknown calendar is refused with the ids and names of those there are, and looked for anew', async () => {
  await expect(report({ calendar: 'Nights' })).rejects.toMatchObject({
    details: ["calendar 'Nights' is not known; allowed: normalHours, 7 (Office)."],
  });
  now += 10_000;
  await expect(report({ calendar: 'Nights' })).rejects.toMatchObject({ code: 'bad-request' });
  expect(service.paths().filter((path) => path === 'GET /rest/calendar')).toHaveLength(2);
});
