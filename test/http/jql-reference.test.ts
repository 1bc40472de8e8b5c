import { beforeAll, describe, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import {
  adds,
  exportFile,
  isAssignedTo,
  jiraIssue,
  movesTo,
  type RawIssue,
  removes,
  searchResult,
} from '../support/jira-export.ts';
import { keysFor } from '../support/listed-keys.ts';
import { jiraAccount, startStandInJira } from '../support/stand-in-jira.ts';
import { cast } from '../support/stand-in-jira-cast.ts';
import { createJiraWorld } from '../support/stand-in-jira-world.ts';
import { startDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const blocks = { name: 'Blocks', inward: 'is blocked by', outward: 'blocks' };

function withFields(raw: RawIssue, fields: Record<string, unknown>): RawIssue {
  return { ...raw, fields: { ...raw.fields, ...fields } };
}

const nothing = {
  ...{ timespent: null, timeoriginalestimate: null, timeestimate: null, workratio: -1, lastViewed: null },
  ...{
    votes: { votes: 0 },
    watches: { watchCount: 0 },
    statuscategorychangedate: '2026-03-02T09:00:00.000+0000',
  },
};

/** REF-1 has something of everything, REF-2 hardly anything, REF-3 is a part of REF-1 and came and went. */
const issues = [
  withFields(
    jiraIssue('REF-1', { fixVersions: ['1.0'], components: ['Web'], labels: ['ui'] })
      .at('2026-03-03T09:00:00.000Z', adds('fixVersions', '2.0'))
      .at('2026-03-05T09:00:00.000Z', removes('fixVersions', '1.0'))
      .at('2026-03-06T09:00:00.000Z', movesTo('Done'), isAssignedTo('ada'))
      .onCloud(),
    {
      ...{ timespent: 7200, timeoriginalestimate: 43_200, timeestimate: 1_800, workratio: 16 },
      ...{ votes: { votes: 3 }, watches: { watchCount: 2 }, lastViewed: '2026-03-07T09:00:00.000+0000' },
      statuscategorychangedate: '2026-03-06T09:00:00.000+0000',
      creator: { accountId: 'ada', displayName: 'Ada' },
      reporter: { accountId: 'ada', displayName: 'Ada' },
      priority: { id: '2', name: 'High' },
      issuetype: { id: '1', name: 'Bug', subtask: false },
      duedate: '2026-03-20',
      description: 'the sun',
      environment: 'the moon',
      versions: [{ id: '99', name: '0.9' }],
      security: { id: '8', name: 'Internal' },
      attachment: [{ id: '7', filename: 'plan.pdf' }],
      comment: { total: 2, comments: [] },
      issuelinks: [
        { type: blocks, outwardIssue: { key: 'REF-2' } },
        { type: blocks, inwardIssue: { key: 'REF-3' } },
      ],
    },
  ),
  withFields(jiraIssue('REF-2').onCloud(), {
    ...nothing,
    issuelinks: [{ type: blocks, inwardIssue: { key: 'REF-1' } }],
  }),
  withFields(
    jiraIssue('REF-3', { fixVersions: ['3.0'] })
      .at('2026-03-04T09:00:00.000Z', removes('fixVersions', '3.0'))
      .onCloud(),
    {
      ...nothing,
      parent: { id: '20001', key: 'REF-1', fields: { summary: 'x' } },
      issuelinks: [{ type: blocks, outwardIssue: { key: 'REF-1' } }],
    },
  ),
];

const dwell = suiteDwell({ at: '2026-03-18T12:00:00Z', environment: { TRACKER: 'file' } });
beforeAll(async () => {
  await dwell.types('import', exportFile(searchResult(...issues)));
});

/** The numbers of the issues for which a query holds; a refusal as its text. */
async function found(customjql: string): Promise<unknown> {
  const keys = await keysFor(dwell, customjql);
  return typeof keys === 'string' ? keys : keys.map((key) => Number(key.split('-')[1])).toSorted();
}

describe('every name of Jira’s reference of fields is heard', () => {
  test.each<[string, readonly number[]]>([
    ['affectedVersion = "0.9"', [1]],
    ['assignee = Ada', [1]],
    ['attachments is not EMPTY', [1]],
    ['attachments is EMPTY', [2, 3]],
    ['comment > 1', [1]],
    ['component = Web', [1]],
    ['created >= 2026-03-02', [1, 2, 3]],
    ['createdDate < 2026-03-02', []],
    ['creator = ada', [1]],
    ['description ~ sun', [1]],
    ['due = 2026-03-20', [1]],
    ['dueDate is EMPTY', [2, 3]],
    ['environment ~ moon', [1]],
    ['"Epic Link" = REF-1', [3]],
    ['fixVersion = "2.0"', [1]],
    ['issueKey = REF-2', [2]],
    ['id = REF-2', [2]],
    ['issue = REF-2', [2]],
    ['key = REF-2', [2]],
    ['issueType = Bug', [1]],
    ['type = Bug', [1]],
    ['labels = ui', [1]],
    ['level = Internal', [1]],
    ['originalEstimate >= "1d 4h"', [1]],
    ['timeOriginalEstimate > 2d', []],
    ['parent = REF-1', [3]],
    ['priority = High', [1]],
    ['project = REF', [1, 2, 3]],
    ['remainingEstimate = 30m', [1]],
    ['timeEstimate <= 30', [1]],
    ['reporter = ada', [1]],
    ['resolution = Unresolved', [1, 2, 3]],
    ['resolved is EMPTY', [1, 2, 3]],
    ['resolutionDate is EMPTY', [1, 2, 3]],
    ['sprint is EMPTY', [1, 2, 3]],
    ['status = Done', [1]],
    ['statusCategory = Done', [1]],
    ['statusCategoryChangedDate > 2026-03-05', [1]],
    ['summary ~ about', [1, 2, 3]],
    ['text ~ moon', [1]],
    ['textfields ~ sun', [1]],
    ['timeSpent >= 2h', [1]],
    ['timeSpent > 120', []],
    ['timeSpent = 120m', [1]],
    ['timespent is EMPTY', [2, 3]],
    ['updated >= 2026-03-06', [1]],
    ['updatedDate < 2026-03-03', [2]],
    ['votes > 0', [1]],
    ['votes in (3, 4)', [1]],
    ['watchers >= 2', [1]],
    ['workRatio > 10', [1]],
    ['workRatio < 10', []],
    ['workRatio is EMPTY', [2, 3]],
  ])('%s', async (jql, numbers) => {
    expect(await found(jql)).toEqual(numbers);
  });
});

describe('a history is asked for of every field that has one', () => {
  test.each<[string, readonly number[]]>([
    ['fixVersion was "1.0"', [1]],
    ['fixVersion was "2.0"', [1]],
    ['fixVersion was not "3.0"', [1, 2]],
    ['fixVersion was in ("3.0", "1.0")', [1, 3]],
    ['fixVersion was not in ("3.0", "1.0")', [2]],
    ['fixVersion was EMPTY', [2, 3]],
    ['fixVersion was EMPTY before 2026-03-03', [2]],
    ['fixVersion was "1.0" on 2026-03-05', [1]],
    ['fixVersion was "1.0" after 2026-03-06', []],
    ['fixVersion was "1.0" during (2026-03-03, 2026-03-04)', [1]],
    ['fixVersion was "2.0" by grace', [1]],
    ['fixVersion was "1.0" by grace', []],
    ['fixVersion changed', [1, 3]],
    ['fixVersion changed to "2.0"', [1]],
    ['fixVersion changed to "1.0"', []],
    ['fixVersion changed from "1.0"', [1]],
    ['fixVersion changed from "2.0"', []],
    ['fixVersion changed to EMPTY', [3]],
    ['fixVersion changed by grace after 2026-03-04', [1, 3]],
    ['fixVersion changed before 2026-03-04', [1]],
    ['fixVersion changed during (2026-03-04, 2026-03-05)', [3]],
    ['fixVersion changed on 2026-03-05', [1]],
    ['fixVersion was 14', [1]],
    ['assignee was EMPTY', [1, 2, 3]],
    ['assignee changed to Ada by grace', [1]],
    ['priority was High', [1]],
    ['reporter was ada', [1]],
    ['resolution was EMPTY', [1, 2, 3]],
    ['status was "To Do" before 2026-03-06', [1, 2, 3]],
    ['component was Web', [1]],
    ['labels was ui', [1]],
  ])('%s', async (jql, numbers) => {
    expect(await found(jql)).toEqual(numbers);
  });
});

describe('functions name issues', () => {
  test.each<[string, readonly number[]]>([
    ['parent = 20001', [3]],
    ['issue in linkedIssues(REF-1)', [2, 3]],
    ['issue in linkedIssues(REF-1, blocks)', [2]],
    ['issue in linkedIssues("REF-1", "is blocked by")', [3]],
    ['issue not in linkedIssues(REF-1)', [1]],
    ['issue in (linkedIssues(REF-2), REF-3)', [1, 3]],
    ['issuekey in updatedBy(grace)', [1, 3]],
    ['issuekey in updatedBy(ada)', [1]],
    ['issuekey not in updatedBy(grace)', [2]],
    ['issuekey in updatedBy(grace, "2026/03/05")', [1]],
    ['issuekey in updatedBy(grace, "2026-03-04", "2026-03-04")', [3]],
    ['issuekey in updatedBy(grace, "-13d")', [1]],
    ['issuekey in (updatedBy(ada), REF-2)', [1, 2]],
  ])('%s', async (jql, numbers) => {
    expect(await found(jql)).toEqual(numbers);
  });

  test('bent quotes are quotes', async () => {
    expect(await found('fixVersion was ‘1.0’ AND status in (‘Done’, “To Do”)')).toEqual([1]);
    expect(await found('summary ~ ‘is about’')).toEqual([1, 2, 3]);
  });
});

describe('what is not here is refused by name', () => {
  test.each([
    ...[
      'approvals',
      'category',
      'change-gating-type',
      'hierarchyLevel',
      'issueLinkType',
      'issueLink',
      'issueBlocks',
      'lastViewed',
    ],
    ...['organizations', 'parentEpic', 'parentProject', 'projectType', 'rank', '"Request Type"'],
    ...['request-channel-type', 'request-last-activity-time', 'voter', 'watcher'],
    ...['worklogAuthor', 'worklogComment', 'worklogDate'],
  ])('%s', async (field) => {
    const words = `customjql: '${field}' at position 0 is not supported: `;
    expect(await found(`${field} = 1`)).toContain(words);
    expect(await found(`${field} is EMPTY`)).toContain(words);
    expect(await found(`key is not EMPTY ORDER BY ${field}`)).toContain(' is not supported: ');
  });

  test.each([
    ['created > lastLogin()', 'lastLogin'],
    ['created > currentLogin()', 'currentLogin'],
    ['issue in issueHistory()', 'issueHistory'],
    ['issue in votedIssues()', 'votedIssues'],
    ['issue in watchedIssues()', 'watchedIssues'],
    ['component in componentsLeadByUser()', 'componentsLeadByUser'],
    ['project in projectsLeadByUser()', 'projectsLeadByUser'],
    ['project in projectsWhereUserHasPermission("Edit")', 'projectsWhereUserHasPermission'],
    ['project in projectsWhereUserHasRole("Admin")', 'projectsWhereUserHasRole'],
    ['reporter in organizationMembers(x)', 'organizationMembers'],
    ['issue in issuesWithRemoteLinksByGlobalId(x)', 'issuesWithRemoteLinksByGlobalId'],
  ])('%s', async (jql, called) => {
    expect(await found(jql)).toContain(`'${called}' at position ${jql.indexOf(called)} is not supported: `);
  });

  test.each([
    ['timeSpent > soon', 'is not a duration, as timeSpent needs. Try: 2h, 30m or "1d 4h"'],
    ['timeSpent >= now()', 'is not a function that timeSpent takes'],
    ['aggregateTimeSpent > 2h', 'is not supported here: no issue that you can see has this field'],
    ['issue = 20001', "'20001' at position 8 is not an issue that is known here"],
    ['issue = 20001', 'Ids are kept with a connected Jira only'],
    ['issue in linkedIssues(REF-9)', "'REF-9' at position 22 is not an issue that is known here"],
    [
      'issue in linkedIssues(REF-1, Duplicate)',
      'is not how issues are linked here. Try: blocks, is blocked by',
    ],
    ['issue = linkedIssues(REF-1)', 'gives several values. Try: IN or NOT IN'],
    ['issue in updatedBy(nemo)', "'nemo' at position 19 is not a user who is known here"],
    ['issue in updatedBy(grace, soon)', "'soon' at position 26 is not a date, as updatedBy needs"],
    ['issue in updatedBy(grace, 2026-03-05, 2026-03-04)', 'ends before it begins'],
    ['issue in updatedBy()', 'has 0 arguments. Try: 1 to 3 arguments'],
  ])('%s', async (jql, words) => {
    expect(await found(jql)).toContain(words);
  });
});

describe('with a connection to Jira an issue is found by its id', () => {
  test('as key, parent and linked issue, by those who can see it', async () => {
    let now = Date.parse('2026-03-18T12:00:00Z');
    const world = createJiraWorld({ issues: 60, seed: 7, clock: () => now, mode: 'cloud' });
    const keys = [...world.keys()].filter((key) => key.startsWith('FERN-'));
    const [first = '', second = '', third = ''] = keys;
    for (const one of keys) world.restrict(one, null);
    const { id } = world.issue(world.numberOf(first) ?? 0);
    const { id: secondId } = world.issue(world.numberOf(second) ?? 0);
    world.tells(first, {
      issuerestriction: { issuerestrictions: { projectrole: [{ id: '10002' }] }, shouldDisplay: true },
      issuelinks: [{ type: blocks, outwardIssue: { key: third } }],
    });
    world.tells(second, { parent: { id, key: first, fields: { summary: 'x' } } });
    world.tells(third, { issuelinks: [{ type: blocks, inwardIssue: { key: first } }] });
    const jira = await startStandInJira(world);
    jira.rights.restrictTo(id, [5]);
    const live = await startDwell({
      at: '2026-03-18T12:00:00Z',
      environment: {
        JIRA_BASE_URL: jira.baseUrl,
        JIRA_EMAIL: jiraAccount.email,
        JIRA_API_TOKEN: jiraAccount.token,
        JIRA_REQUESTS_PER_MINUTE: '3000',
      },
      // Time passes between two requests, so that none has to wait for its turn.
      trackerBuilder: ((config, parts) =>
        buildTracker(config, { ...parts, now: () => (now += 25) })) satisfies typeof buildTracker,
    });
    try {
      await live.types('sync');
      const asked = (user: string, customjql: string) => keysFor(live.as(user), customjql);
      const [insider, outsider] = [cast[5]?.accountId ?? '', cast[9]?.accountId ?? ''];
      expect(await asked(insider, `issue = ${id}`)).toEqual([first]);
      expect(await asked(insider, `id in (${id}, ${second})`)).toEqual([first, second]);
      expect(await asked(insider, `parent = ${id}`)).toEqual([second]);
      expect(await asked(insider, `parent = ${secondId}`)).toEqual([]);
      expect(await asked(insider, `issue in linkedIssues(${id})`)).toEqual([third]);
      expect(await asked(insider, `issue in linkedIssues(${third})`)).toEqual([first]);
      const unknown = 'is not an issue that is known here';
      for (const one of [`issue = ${id}`, `parent = ${id}`, `issue in linkedIssues(${first})`])
        expect(await asked(outsider, one)).toContain(unknown);
      expect(await asked(outsider, `issue in linkedIssues(${third})`)).toEqual([]);
    } finally {
      await live.stop();
      await jira.close();
    }
    expect(jira.violations).toEqual([]);
  });
});
