import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Answer } from '../../../src/model/answer.ts';
import { AppError, badRequest } from '../../../src/model/error.ts';
import type { Question } from '../../../src/model/question.ts';
import type { AssignedPreview } from '../../../src/questions/answers.ts';
import { mineKind } from '../../../src/questions/mine/mine-kind.ts';
import { createHomes } from '../../../src/slack/home/create-homes.ts';
import { followedBy } from '../../../src/slack/home/followed-by.ts';
import type { HomeParts } from '../../../src/slack/parts.ts';
import { aMineAnswer, anAging, anAgingIssue, aWeeklyAnswer } from '../../support/an-answer.ts';
import { figuresOf } from '../../support/any-question.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';
import { type StandInSlack, standInPeople, startStandInSlack } from '../../support/stand-in-slack.ts';

const ADA = 'U0ADA';
const at = Date.parse('2026-11-18T12:00:00Z');
const user = { id: 'ada', name: 'Ada', email: 'ada@dwell.example', timeZone: 'UTC' };
const nothing = { allDelegations: [], uncovered: [], awayToo: [], ending: [] };

let slack: StandInSlack;
beforeAll(async () => {
  slack = await startStandInSlack();
});
afterAll(() => slack.stop());

let [waited, logged]: [number[], string[]] = [[], []];
/** Every view that Ada's tab has shown. */
let views: string[] = [];
let stopListening = () => {};
beforeEach(() => {
  [waited, logged, views] = [[], [], []];
  stopListening();
  stopListening = slack.playground.listen((change) => {
    if (change.kind === 'home') views.push(JSON.stringify(slack.home('ada')?.blocks));
  });
});

type Answering = (question: Question) => Promise<Answer>;

const answering: Answering = async ({ kind }) =>
  kind === 'mine' ? aMineAnswer(anAging([anAgingIssue('WEB-1', 20)])) : aWeeklyAnswer();

/** The ages of an answer first, then the whole of it. */
function previewOf(answer: Answer): AssignedPreview {
  const mine = figuresOf(mineKind, answer);
  const { own } = mine;
  const issues = own.issues.map((issue) => ({ ...issue, baseline: null, pace: null }));
  return { ages: { ...mine, own: { ...own, issues, beyond: 0 } }, withBaseline: async () => mine };
}

/** A door to the stand-in Slack, for Ada, whom the tracker knows. Waiting for what is slow never ends. */
function homes({ answer = answering, ...more }: { answer?: Answering } & Partial<HomeParts> = {}) {
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const reporting = smallWorld(new Date(at).toISOString(), []);
  const parts = {
    web: backgroundClient(slack),
    reporting,
    settings: { calendars: async () => [], defaultCalendar: async () => 'normalHours' },
    exports: { list: async () => ({ records: [], total: 0 }) },
    people: {
      tenant: 'default',
      users: async () => new Map([[user.id, user]]),
      linkOf: async () => ({ user: 'ada' }),
    },
    accounts: { profileOf: async () => ({ name: 'Ada', timeZone: 'UTC' }) },
    answers: {
      ask: (_kind: unknown, _: unknown, question: Question) => answer(question),
      previewAssigned: async (_: unknown, question: Question) => previewOf(await answer(question)),
    },
    delegations: {
      rightOf: async () => 'own',
      coverage: async (_: unknown, span: unknown) => ({ ...nothing, delegations: [], span }),
      categories: async () => [],
    },
    channels: { preferences: async () => ({ account: ADA, projects: null, calendar: null }) },
    digests: { list: async () => [] },
    watches: { list: async () => [] },
    sync: { status: async () => null },
    commands: [],
    now: () => at,
    timeZone: 'UTC',
    wait: (ms: number) => {
      waited.push(ms);
      return ms === 400 ? new Promise<void>(() => {}) : Promise.resolve();
    },
    log,
    ...more,
  };
  return createHomes(parts as unknown as HomeParts);
}

describe('filling', () => {
  test('shows at once what takes but a moment, then how long what waits has, then the usual, then the weeks', async () => {
    await homes().show(ADA);
    expect(views.map((view) => view.match(/Still counting/g)?.length ?? 0)).toEqual([2, 1, 1, 0]);
    expect(views[0]).toContain('You cover nobody.');
    expect(views[1]).toMatch(/WEB-1 .* for \*20h\*"?/);
    expect(views[1]).toContain('what is usual is still being counted');
    expect(views[1]).not.toContain('longer than usual');
    expect(views[2]).toMatch(/WEB-1 .* usual ≤ /);
    expect(views[3]).toContain('*Finished: 14*');
  });

  test('ages that nothing can be held against stay, and say so', async () => {
    const whole = await answering({ kind: 'mine', calendar: 'normalHours', timeZone: 'UTC' });
    const withBaseline = () => Promise.reject(new Error('secret inner words'));
    const answers = {
      ask: async () => aWeeklyAnswer(),
      previewAssigned: async () => ({ ...previewOf(whole), withBaseline }),
    };
    await homes({ answers: answers as unknown as HomeParts['answers'] }).show(ADA);
    expect(views.at(-1)).toContain('WEB-1');
    expect(views.at(-1)).toContain('what is usual cannot be told at the moment');
    expect(views.at(-1)).not.toContain('secret inner words');
    expect(logged.join()).toContain('secret inner words');
  });

  test('does not wait for what is not quick this time', async () => {
    const { promise, resolve } = Promise.withResolvers<never[]>();
    const filling = homes({
      digests: { list: () => promise } as unknown as HomeParts['digests'],
      wait: async () => {},
    });
    const shown = filling.show(ADA);
    while (views.length < 2) await new Promise((next) => setImmediate(next));
    expect(views[1]).toContain('*Your digests and watches*\\nStill counting');
    expect(views[1]).toContain('WEB-1');
    resolve([]);
    await shown;
    expect(views).toHaveLength(4);
    expect(views[3]).not.toContain('Still counting');
  });

  test('a part that fails says why, and takes no other with it', async () => {
    const fails = async (question: Question): Promise<Answer> => {
      if (question.kind === 'mine') throw new AppError('service-unavailable', 'The tracker <rests>.');
      return answering(question);
    };
    const digests = { list: () => Promise.reject(new Error('secret inner words')) };
    await homes({ answer: fails, digests: digests as unknown as HomeParts['digests'] }).show(ADA);
    const last = views.at(-1);
    expect(last).toContain('The tracker &lt;rests&gt;.');
    expect(last).toMatch(/Your digests and watches\*.*Something went wrong on our side/);
    expect(last).toContain('You cover nobody.');
    expect(last).not.toContain('secret inner words');
  });

  test('what was wrong with a question is said without a heading that says nothing', async () => {
    const fails = async (question: Question): Promise<Answer> => {
      if (question.kind === 'weekly') throw badRequest("projectKey 'WEB' could not be found.");
      return answering(question);
    };
    await homes({ answer: fails }).show(ADA);
    expect(views.at(-1)).toContain("projectKey 'WEB' could not be found.");
    expect(views.at(-1)).not.toContain('Bad request');
  });

  test('while Slack does not tell who somebody is, they see what everybody may see', async () => {
    const silent = () =>
      Promise.reject(new AppError('service-unavailable', 'Slack cannot be reached at the moment.'));
    const people = { tenant: 'default', users: async () => new Map(), linkOf: async () => null };
    await homes({
      accounts: { profileOf: silent } as unknown as HomeParts['accounts'],
      people: people as unknown as HomeParts['people'],
    }).show(ADA);
    expect(views.at(-1)).toMatch(/Who you are.*Slack cannot be reached at the moment\./);
    expect(views.at(-1)).toContain('New digest');
    expect(views.at(-1)).not.toContain('Still counting');
  });
});

describe('following what has changed', () => {
  test('fills the tab again of who has looked at it within the hour, and of nobody else', async () => {
    let now = at;
    const filling = homes({ now: () => now });
    await filling.follow(ADA);
    expect(views).toEqual([]);
    await filling.show(ADA);
    const once = views.length;
    now += 3_599_999;
    await filling.follow(ADA);
    expect(views).toHaveLength(2 * once);
    now += 1;
    await filling.follow(ADA);
    expect(views).toHaveLength(2 * once);
  });

  test('begins once a change is made, and not for one that failed', async () => {
    const followed: string[] = [];
    const follow = async (account: string) => void followed.push(account);
    const { digests, watches } = followedBy({ follow }, {
      digests: { handOver: async () => ({}), remove: () => Promise.reject(new Error('away')) },
      watches: { pause: async () => ({}), list: async () => [] },
    } as unknown as Pick<HomeParts, 'digests' | 'watches'>);
    await digests.handOver(principalOf(ADA), 'd1', 'U0BEN');
    await expect(digests.remove(principalOf(ADA), 'd1')).rejects.toThrow('away');
    await watches.pause(principalOf('U0CLEO'), 'w1');
    await watches.list(principalOf(ADA));
    expect(followed).toEqual([ADA, 'U0BEN', 'U0CLEO']);
  });
});

describe('the newest wins', () => {
  test('no view of an older opening comes after one of a newer', async () => {
    const gates = [Promise.withResolvers<Answer>(), Promise.withResolvers<Answer>()];
    let asked = 0;
    const filling = homes({
      answer: (question) =>
        question.kind === 'mine' ? (gates[asked++]?.promise ?? answering(question)) : answering(question),
    });
    const first = filling.show(ADA);
    while (asked < 1) await new Promise((next) => setImmediate(next));
    const second = filling.show(ADA);
    while (asked < 2) await new Promise((next) => setImmediate(next));
    gates[1]?.resolve(aMineAnswer(anAging([anAgingIssue('NEW-1', 20)])));
    await second;
    const shown = views.length;
    gates[0]?.resolve(aMineAnswer(anAging([anAgingIssue('OLD-1', 20)])));
    await first;
    expect(views).toHaveLength(shown);
    expect(views.at(-1)).toContain('NEW-1');
    expect(views.join()).not.toContain('OLD-1');
  });

  test('what another replica has published meanwhile stays', async () => {
    const web = backgroundClient(slack);
    await homes({
      answer: async (question) => {
        await web.views.publish({ user_id: ADA, view: { type: 'home', blocks: [{ type: 'divider' }] } });
        return answering(question);
      },
    }).show(ADA);
    expect(slack.home('ada')?.blocks.map(({ type }) => type)).toEqual(['divider']);
    expect(logged.join()).toContain('a newer Home tab was published elsewhere');
  });

  test('two people do not wait for each other', async () => {
    const gate = Promise.withResolvers<Answer>();
    let asked = 0;
    const filling = homes({
      answer: (question) => (question.kind === 'mine' && asked++ === 0 ? gate.promise : answering(question)),
    });
    const first = filling.show(ADA);
    while (asked < 1) await new Promise((next) => setImmediate(next));
    await filling.show(standInPeople[1]?.id ?? '');
    gate.resolve(aMineAnswer(anAging([])));
    await first;
    expect(views.at(-1)).not.toContain('Still counting');
  });
});

describe('where Slack does not take a view', () => {
  test('told to wait, it is published once more after that', async () => {
    slack.faults.rateLimitNext('views.publish', 2);
    await homes().show(ADA);
    expect(waited).toContain(2_000);
    expect(views).toHaveLength(4);
  });

  test('told to wait for long, the last view comes after that, and none before', async () => {
    slack.faults.rateLimitNext('views.publish', 60);
    await homes().show(ADA);
    expect(waited).toContain(60_000);
    expect(views).toHaveLength(1);
    expect(views[0]).not.toContain('ounting');
  });

  test('told to wait for longer than anybody looks, it is not, and that is logged', async () => {
    slack.faults.rateLimitNext('views.publish', 3_600);
    await homes().show(ADA);
    expect(views).toHaveLength(0);
    expect(logged.join()).toContain('a Home tab could not be filled');
  });

  test('a tab that is opened anew meanwhile is filled by the newer one alone', async () => {
    const gate = Promise.withResolvers<void>();
    slack.faults.rateLimitNext('views.publish', 60);
    const filling = homes({
      wait: (ms: number) => (ms === 60_000 ? gate.promise : new Promise<void>(() => {})),
    });
    const older = filling.show(ADA);
    while (logged.length === 0) await new Promise((next) => setImmediate(next));
    await filling.show(ADA);
    const shown = views.length;
    gate.resolve();
    await older;
    expect(views).toHaveLength(shown);
  });

  test.each([
    ['before', () => slack.faults.breakNext('views.publish', 503)],
    ['after', () => slack.faults.breakAfterNext('views.publish', 503)],
  ])('an answer that is lost %s it was published is no end', async (_, breaks) => {
    breaks();
    await homes().show(ADA);
    expect(waited).toContain(500);
    expect(views.at(-1)).not.toContain('Still counting');
    expect(logged).toEqual([]);
  });

  test('an answer that is lost again and again is tried for minutes', async () => {
    slack.faults.breakNext('views.publish', 503, 6);
    await homes().show(ADA);
    expect(waited.filter((ms) => ms > 500)).toEqual([2_000, 15_000, 60_000]);
    expect(views).toHaveLength(1);
    expect(views[0]).not.toContain('ounting');
  });

  test('in the end it is logged, and nobody else fails', async () => {
    slack.faults.breakNext('views.publish', 503, 10);
    await homes().show(ADA);
    expect(logged.join()).toContain('a Home tab could not be filled');
    await homes().show(ADA);
    expect(views.at(-1)).toContain('WEB-1');
  });
});
