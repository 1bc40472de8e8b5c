import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { buildTracker } from '../../../src/compose/build-tracker.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Tracker } from '../../../src/trackers/tracker.ts';
import { caseNow, caseTracker, caseUsers } from '../../support/case-reporting.ts';
import { caseWorld } from '../../support/case-world.ts';
import { until } from '../../support/local-exports.ts';
import { shareOutcome, shares } from '../../support/share-in-slack.ts';
import { slackPerson } from '../../support/slack-person.ts';
import {
  startStandInTimepiece,
  type TimepieceOptions,
  timepieceToken,
} from '../../support/stand-in-timepiece.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const people = ['ada', 'bob', 'carl', 'zoe'].map((name) => slackPerson(name));
const channels = [{ id: 'C0TEAM', name: 'team', members: people.map(({ id }) => id) }];

/** What a Jira beside the service is asked for: who is who. */
const peopleOnly: Tracker = {
  name: 'jira',
  async *entries() {
    yield { kind: 'users', users: caseUsers.map((user) => ({ ...user, admin: user.id === 'ada' })) } as const;
  },
};

/** In place of the tracker that the settings name. */
function trackerOf(tracker: Tracker): typeof buildTracker {
  return async (config, parts) => {
    const mirror = createMemoryMirror(tracker, caseNow);
    return { ...(await buildTracker(config, parts)), mirror: async () => mirror };
  };
}

interface Service {
  readonly baseUrl: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Another Dwell. */
async function startOwn(): Promise<Service> {
  const dwell = await startDwell({
    at: caseWorld.now,
    environment: { PLAYGROUND: 'off', TIME_ZONE: caseWorld.timeZone },
    trackerBuilder: trackerOf(caseTracker()),
  });
  const { lines } = await dwell.types('token', '--user', 'ada', '--admin');
  return { baseUrl: dwell.url, token: lines[0] ?? '', close: () => dwell.stop() };
}

async function startProduct(options: TimepieceOptions = {}): Promise<Service> {
  const service = await startStandInTimepiece(options);
  return { baseUrl: service.baseUrl, token: timepieceToken, close: () => service.close() };
}

/** Cells of the tables of a message, and what is said in one line. */
const cellsOf = ({ blocks = [] }: Message) => JSON.stringify(blocks.filter(({ type }) => type === 'table'));

describe.each([
  ['another Dwell', startOwn, true],
  ['the product', () => startProduct(), false],
] as const)('in Slack over %s', (_name, startService, tellsLevels) => {
  let service: Service;
  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  beforeAll(async () => {
    service = await startService();
    place = await startDwellInSlack({
      at: caseWorld.now,
      people,
      channels,
      environment: { TIME_ZONE: 'UTC', TIS_BASE_URL: service.baseUrl, TIS_TOKEN: service.token },
      trackerBuilder: trackerOf(peopleOnly),
    });
  });
  afterAll(async () => {
    await place.stop();
    await service.close();
  });
  const says = async (line: string, as = 'ada'): Promise<Message> => {
    await place.slack.types(line, { as });
    return place.slack.privateReply();
  };
  const inChannel = () => place.slack.playground.messages('C0TEAM').filter(({ byApp }) => byApp);

  test('an issue tells where it is, for how long and since when', async () => {
    const { text } = await says('/tis WEB-2');
    expect(text).toContain('Doing for 11d 2h with @Bob Birch since Mar 9.');
    expect(text).toContain(
      'To Do: Times 1, Time 3d 21h, Share –; Doing (now): Times 1, Time 11d 2h, Share 100%',
    );
  });

  test('a project is told by any field', async () => {
    const { text } = await says('/tis project WEB by assignee');
    expect(text).toContain('@Bob Birch: Issues 1, Doing 11d 2h, Review –');
    expect((await says('/tis by status')).text).toContain('Done: Issues 2, Doing 20h, Review 15h');
  });

  test('a week and a comparison tell what was finished', async () => {
    const { text } = await says('/tis weekly WEB W10');
    expect(text).toContain('WEB · week 10 (Mar 2–8) · vs week 9. 2 finished ▲ 2');
    expect(text).toContain('Median cycle time 1d 11h. p85 1d 18h.');
    expect(text).toContain('0 in progress (0 in week 9)');
    const compared = (await says('/tis compare WEB with OPS')).text;
    expect(compared).toContain('Cycle time, average: WEB 1d 11h, OPS –');
    expect(compared).toContain('Issues finished: WEB 2 of 3, OPS 0 of 2');
  });

  test('a forecast counts the weeks in which something was finished', async () => {
    for (const line of ['forecast WEB 3 issues', 'forecast WEB by Apr 2']) {
      const { text } = await says(`/tis ${line}`);
      expect(text).toContain(
        'I need 5 weeks with finished issues to forecast; WEB has 2. Try again after Apr 10.',
      );
    }
    expect((await says('/tis forecast OPS')).text).toContain(
      'I need 5 weeks with finished issues to forecast; OPS has 0.',
    );
    expect((await says('/tis forecast WEB-2')).text).toContain(
      'I need 10 issues finished in the last 90 days that took as long as WEB-2 has so far (11d 2h); there are 0.',
    );
  });

  test('a standup says what moved, and that blocked work is unknown', async () => {
    const { text } = await says('/tis standup WEB');
    expect(text).toContain('Nothing in WEB moved since Thursday. 1 issue is in progress.');
    expect(text).toContain('blocked work is unknown');
  });

  test('aging counts what is not started and lists it on request, and each sees what is assigned to them', async () => {
    expect((await says('/tis aging OPS')).text).toMatch(
      /^No started issues in OPS\. 2 issues are not started \(oldest 8d 4h\): `\/tis aging OPS with backlog`\./,
    );
    const aging = await says('/tis aging OPS with backlog');
    expect(aging.text).toContain('2 open issues in OPS · not enough history yet');
    expect(aging.text).toContain('OPS-1: × usual –, For 8d 4h, To Do');
    expect(cellsOf(aging)).toContain('Carl Cedar');
    const mine = await says('/tis mine', 'carl');
    expect(mine.text).toContain(
      '1 open issue assigned to you · 1 not started. OPS-1: × usual –, For 8d 4h, To Do',
    );
  });

  test('a sprint is no list of the service, and what can be asked instead is said', async () => {
    const { text } = await says('/tis sprint');
    expect(text).toContain(
      'has no list of sprints. Try: a report on the issues of one, such as sprint NAME median.',
    );
  });

  test('status counts every issue', async () => {
    expect((await says('/tis status')).text).toContain('*Issues* 6 that you can see.');
  });

  test('who is nobody in the tracker is told so, and no query is asked as them', async () => {
    expect((await says('/tis jql assignee = currentUser()', 'zoe')).text).toContain(
      "I can't use 'me' or currentUser()",
    );
    expect((await says('/tis aging', 'zoe')).text).toContain('Which project?');
  });

  test('an answer is shared where that is known to be right', async () => {
    const answer = await says('/tis weekly WEB W10');
    await shares(place.slack, { on: answer });
    if (!tellsLevels) {
      const text = await shareOutcome(place.slack);
      expect(text).toContain("doesn't say which issues have a security level");
      expect(text).toContain('`/tis audience allow WEB`');
      expect(inChannel()).toEqual([]);
      await place.dwell.types('audience', 'C0TEAM', 'allow', 'WEB');
      await shares(place.slack, { on: answer });
    }
    const shared = await until(() => inChannel()[0] ?? null);
    expect(shared.text).toContain('WEB · week 10 (Mar 2–8) · vs week 9. 2 finished');
    // A channel's list is also what is asked about there by default.
    if (!tellsLevels) await place.dwell.types('audience', 'C0TEAM', 'reset');
  });

  test('a file holds the figures', async () => {
    await place.slack.types('/tis export csv project WEB in minutes', { in: 'dm' });
    const file = await until(
      () =>
        place.slack.playground.messages('D0ADA').find(({ files = [] }) => files.length > 0)?.files?.[0] ??
        null,
    );
    const lines = file.content.toString().split('\r\n');
    expect(lines.find((line) => line.includes('WEB-2'))).toMatch(/5580,16019\.5/);
  });
});

test('starts while the service cannot be reached, and says so when it is asked', async () => {
  const { baseUrl, token, close } = await startProduct();
  await close();
  expect(await answered('/tis WEB-1', { baseUrl, token })).toContain('cannot be reached (ECONNREFUSED)');
});

test('where nobody is known it is said what brings people along', async () => {
  const service = await startProduct();
  expect(await answered('/tis mine', service)).toContain('An admin can connect Jira');
  expect(await answered('/tis link', service)).toContain('An admin can connect Jira (the `JIRA_*` settings)');
  await service.close();
});

test('a week of a service that refuses metrics is told without cycle times, and why', async () => {
  const service = await startProduct({ metricSpelling: 'none' });
  const text = await answered('/tis weekly WEB W10', service);
  expect(text).toContain('WEB · week 10 (Mar 2–8) · vs week 9. 2 finished ▲ 2');
  expect(text).toContain(
    'No cycle times. WEB-3: the time-in-status service refuses metrics between statuses: dbsMetrics is invalid, and 1 more.',
  );
  expect(text).not.toContain('Median cycle time');
  await service.close();
});

test('a week of a service that returns other metrics than those asked for has no false cycle times', async () => {
  const service = await startProduct({ metricColumns: 'others' });
  const text = await answered('/tis weekly WEB W10', service);
  expect(text).toContain('WEB · week 10 (Mar 2–8) · vs week 9. 2 finished ▲ 2');
  expect(text).toContain(': the time-in-status service did not return the requested metrics, and 1 more.');
  await service.close();
});

test('the default calendar of the service counts where no one chose one', async () => {
  const service = await startProduct({ defaultCalendar: 'Office' });
  expect(await answered('/tis WEB-2', service)).toContain('Working hours Office');
  expect(await answered('/tis status', service)).toMatch(/\*Here\* \*Office\*/);
  await service.close();
});

test('an answer is given where the service keeps its calendars to itself', async () => {
  const service = await startProduct({ refusing: { '/rest/calendar': 403, '/rest/calendars': 403 } });
  expect(await answered('/tis WEB-2', service)).toContain('Doing for 11d 2h');
  expect(await answered('/tis weekly WEB W10', service)).toContain('2 finished');
  await service.close();
});

test('an answer whose date cannot be read says as of when it is instead', async () => {
  const service = await startProduct({ reportDate: 'yesterday' });
  const text = await answered('/tis project WEB', service);
  expect(text).toContain("its report date 'yesterday' could not be read");
  await service.close();
});

/** What Ada is answered by a Dwell that knows nobody. */
async function answered(
  line: string,
  { baseUrl, token }: Pick<Service, 'baseUrl' | 'token'>,
): Promise<string> {
  const place = await startDwellInSlack({
    at: caseWorld.now,
    people,
    channels,
    environment: { TIME_ZONE: 'UTC', TIS_BASE_URL: baseUrl, TIS_TOKEN: token },
  });
  try {
    return (await place.slack.answerTo(line, { as: 'ada' })).text;
  } finally {
    await place.stop();
  }
}
