import { beforeAll, describe, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { exportFile, jiraIssue, searchResult } from '../support/jira-export.ts';
import { keysIn } from '../support/listed-keys.ts';
import { jiraAccount, startStandInJira } from '../support/stand-in-jira.ts';
import { cast } from '../support/stand-in-jira-cast.ts';
import { usualManners } from '../support/stand-in-jira-manners.ts';
import { createJiraWorld } from '../support/stand-in-jira-world.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const at = '2026-03-18T12:00:00Z';

function version(id: string, name: string, released: boolean, others: Record<string, unknown> = {}) {
  return { id, name, released, archived: false, ...others };
}

const old = version('30', '0.9', true, { releaseDate: '2026-03-01', archived: true });
const first = version('31', '1.0', true, { releaseDate: '2026-01-10' });
const patch = version('32', '1.1', true, { releaseDate: '2026-02-10' });
const undated = version('33', '1.2', true);
const later = version('40', '3.0', false);
const next = version('41', '2.0', false, { releaseDate: '2026-05-01' });

function issue(key: string, fixVersions: readonly object[], versions: readonly object[] = []) {
  const raw = jiraIssue(key).onCloud();
  return { ...raw, fields: { ...raw.fields, fixVersions, versions } };
}

/** The keys of the issues for which a query holds and how many are undecided; a refusal as its text. */
async function found(dwell: Pick<TestDwell, 'get'>, customjql: string): Promise<unknown> {
  const { status, json } = await dwell.get('/rest/issues', {
    ...{ filterType: 'customjql', customjql, columnsBy: 'statusDuration', pageSize: '100' },
  });
  if (status !== 200) return json.messages.join(' ');
  return [keysIn(json).toSorted().join(' '), json.undecided];
}

describe('released versions of imported issues', () => {
  const dwell = suiteDwell({ at, environment: { TRACKER: 'file' } });
  beforeAll(async () => {
    const issues = [
      ...[
        issue('REL-1', [old]),
        issue('REL-2', [first], [first]),
        issue('REL-3', [patch]),
        issue('REL-4', [undated]),
      ],
      ...[issue('REL-5', [later]), issue('REL-6', [next]), issue('REL-7', [first, next], [later])],
      ...[issue('REL-8', []), issue('REL-9', [{ id: '50', name: 'Untold' }])],
      issue('OTH-1', [version('60', '7.0', true, { releaseDate: '2026-03-10' })]),
      issue('BARE-1', [{ id: '70', name: '1.0' }]),
    ];
    await dwell.types('import', exportFile(searchResult(...issues)));
  });

  test.each<[string, string, number]>([
    ['fixVersion in releasedVersions()', 'OTH-1 REL-1 REL-2 REL-3 REL-4 REL-7', 2],
    ['fixVersion in releasedVersions(REL)', 'REL-1 REL-2 REL-3 REL-4 REL-7', 2],
    ['fixVersion in releasedVersions(REL, OTH)', 'OTH-1 REL-1 REL-2 REL-3 REL-4 REL-7', 2],
    ['project = REL AND fixVersion not in releasedVersions()', 'REL-5 REL-6', 1],
    ['fixVersion in UnreleasedVersions()', 'REL-5 REL-6 REL-7', 2],
    ['affectedVersion in releasedVersions()', 'REL-2', 0],
    ['affectedVersion in unreleasedVersions(REL)', 'REL-7', 0],
    ['project = REL AND fixVersion = latestReleasedVersion(REL)', 'REL-3', 1],
    ['project = REL AND fixVersion in (latestReleasedVersion("Demonstration"), "3.0")', 'REL-3 REL-5', 1],
    ['project = REL AND fixVersion = earliestUnreleasedVersion(rel)', 'REL-6 REL-7', 1],
    ['fixVersion = latestReleasedVersion(OTH)', 'OTH-1', 2],
    ['fixVersion = earliestUnreleasedVersion(OTH)', '', 2],
    ['project = REL AND fixVersion was in releasedVersions()', 'REL-1 REL-2 REL-3 REL-4 REL-7', 1],
  ])('%s', async (jql, keys, undecided) => {
    expect(await found(dwell, jql)).toEqual([keys, undecided]);
  });

  test.each([
    ['fixVersion in releasedVersions(BARE)', 'no version of BARE says whether it is released'],
    ['fixVersion in releasedVersions(NOPE)', "'NOPE' at position 31 is not a project that is known here"],
    ['fixVersion = releasedVersions()', 'gives several values. Try: IN or NOT IN'],
    ['fixVersion = latestReleasedVersion()', 'has 0 arguments. Try: 1 argument.'],
    ['component in releasedVersions()', 'is not a function that component takes'],
  ])('%s', async (jql, words) => {
    expect(await found(dwell, jql)).toContain(words);
  });

  test('are as they were read last', async () => {
    await dwell.types('import', exportFile(searchResult(issue('REL-6', [{ ...next, released: true }]))));
    expect(await found(dwell, 'project = REL AND fixVersion in unreleasedVersions()')).toEqual(['REL-5', 1]);
  });
});

test('where no version says whether it is released, the functions are refused by name', async () => {
  const dwell = await startDwell({ at, environment: { TRACKER: 'file' } });
  try {
    await dwell.types('import', exportFile(searchResult(issue('BARE-1', [{ id: '70', name: '1.0' }]))));
    for (const called of ['releasedVersions()', 'unreleasedVersions()', 'latestReleasedVersion(BARE)'])
      expect(await found(dwell, `fixVersion in (${called})`)).toContain(
        `'${called.replace(/\(.*/, '')}' at position 15 is not supported here: no version`,
      );
  } finally {
    await dwell.stop();
  }
});

test.each(['cloud', 'dataCenter'] as const)(
  '%s says it of all versions of a project, in its order',
  async (mode) => {
    let now = Date.parse(at);
    const world = createJiraWorld({ issues: 60, seed: 7, clock: () => now, mode });
    const keys = [...world.keys()].filter((key) => key.startsWith('FERN-'));
    const [one = '', two = ''] = keys;
    for (const key of keys) {
      world.restrict(key, null);
      world.tells(key, { fixVersions: key === one ? [first] : key === two ? [next] : [] });
    }
    // In the project's order 3.0 comes before 2.0, and no issue has it.
    const manners = { ...usualManners(), versions: new Map([['FERN', [first, later, next]]]) };
    const jira = await startStandInJira(world, { manners });
    const dwell = await startDwell({
      at,
      environment: {
        JIRA_BASE_URL: jira.baseUrl,
        ...(mode === 'cloud'
          ? { JIRA_EMAIL: jiraAccount.email, JIRA_API_TOKEN: jiraAccount.token }
          : { JIRA_PAT: jiraAccount.pat }),
        JIRA_REQUESTS_PER_MINUTE: '3000',
      },
      // Time passes between two requests, so that none has to wait for its turn.
      trackerBuilder: ((config, parts) =>
        buildTracker(config, { ...parts, now: () => (now += 25) })) satisfies typeof buildTracker,
    });
    try {
      await dwell.types('sync');
      const user = dwell.as((mode === 'cloud' ? cast[5]?.accountId : cast[5]?.key) ?? '');
      const fern = (jql: string) => found(user, `project = FERN AND ${jql}`);
      expect(await fern('fixVersion in releasedVersions()')).toEqual([one, 0]);
      expect(await fern('fixVersion = earliestUnreleasedVersion(FERN)')).toEqual(['', 0]);
      manners.versions.set('FERN', [first, { ...later, released: true }, { ...next, released: true }]);
      now += 25 * 3_600_000;
      await dwell.types('sync');
      expect(await fern('fixVersion in releasedVersions(FERN)')).toEqual([
        [one, two].toSorted().join(' '),
        0,
      ]);
      expect(await fern('fixVersion = latestReleasedVersion(FERN)')).toEqual([two, 0]);
    } finally {
      await dwell.stop();
      await jira.close();
    }
    expect(jira.violations).toEqual([]);
  },
);
