import { pino } from 'pino';
import { beforeEach, describe, expect, test } from '#jest';
import type { AnswersApi } from '../../../src/api/answers/answers-api.ts';
import { mineKind } from '../../../src/api/answers/mine/mine-kind.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { AppError, badRequest } from '../../../src/model/error.ts';
import type { Question } from '../../../src/model/question.ts';
import type { HomeParts } from '../../../src/slack/app/parts.ts';
import { createHomes, refreshingHomes } from '../../../src/slack/home/homes.ts';
import { aMineAnswer, anAging, anAgingIssue, aWeeklyAnswer } from '../../support/an-answer.ts';
import { figuresOf } from '../../support/any-question.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';
import { standInPeople, startStandInSlack } from '../../support/stand-in-slack.ts';
import { startedOnce } from '../../support/started.ts';

describe('create homes', () => {
  const ADA = 'U0ADA';
  const at = Date.parse('2026-11-18T12:00:00Z');
  const user = { id: 'ada', name: 'Ada', email: 'ada@dwell.example', timeZone: 'UTC' };
  const nothing = { allDelegations: [], uncovered: [], awayToo: [], ending: [] };

  const slack = startedOnce(() => startStandInSlack());

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
  function previewOf(answer: Answer): Awaited<ReturnType<AnswersApi['previewAssigned']>> {
    const mine = figuresOf(mineKind, answer);
    const { own } = mine;
    const issues = own.issues.map((issue) => ({ ...issue, usual: null, pace: null }));
    return { ages: { ...mine, own: { ...own, issues, beyondUsual: 0 } }, withBaseline: async () => mine };
  }

  /** A door to the stand-in Slack, for Ada, who is known to the tracker. Waiting for what is slow never ends. */
  function homes({ answer = answering, ...more }: { answer?: Answering } & Partial<HomeParts> = {}) {
    const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
    const reporting = smallWorld(new Date(at).toISOString(), [
      anIssue('WEB-9', '2026-11-02T09:00:00Z').issue,
    ]);
    const parts = {
      web: backgroundClient(slack),
      reporting,
      settings: { calendars: async () => [], defaultCalendar: async () => 'normalHours' },
      people: {
        tenant: 'default',
        users: async () => new Map([[user.id, user]]),
        linkOf: async () => ({ user: 'ada' }),
        links: async () => [],
      },
      accounts: { profileOf: async () => ({ name: 'Ada', timeZone: 'UTC' }), withEmail: async () => null },
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
      restore: { isPaused: async () => false },
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
    const counted = () => views.map((view) => view.match(/Counting…/g)?.length ?? 0);

    test('shows at once what takes but a moment, then the whole: two views', async () => {
      await homes().show(ADA);
      expect(counted()).toEqual([2, 0]);
      expect(views[0]).toContain('You cover for no one.'.replace('You', 'you'));
      expect(views[1]).toContain('WEB-1');
      expect(views[1]).toContain('*14 finished*');
    });

    test('shows the whole alone where something is shown already, and nothing where that is the same', async () => {
      let found = [anAgingIssue('WEB-1', 20)];
      const filling = homes({
        answer: async (question) =>
          question.kind === 'mine' ? aMineAnswer(anAging(found)) : answering(question),
      });
      await filling.show(ADA, true);
      const greeted = views.length;
      expect(views[1]).not.toContain('*Hello');
      await filling.show(ADA);
      await filling.show(ADA);
      expect(views.slice(greeted).map((view) => view.includes('*Hello'))).toEqual([true]);
      found = [anAgingIssue('WEB-2', 20)];
      await filling.show(ADA);
      expect(views.length).toBe(greeted + 2);
      expect(counted().slice(greeted)).toEqual([0, 0]);
      await filling.show(ADA, true);
      expect(views.length).toBe(greeted + 4);
    });

    test('a welcome is spent once it was seen: not without an issue to try, nor by the first of two openings', async () => {
      const world = smallWorld(new Date(at).toISOString(), [anIssue('WEB-9', '2026-11-02T09:00:00Z').issue]);
      let keys: string[] = [];
      const filling = homes({ reporting: { ...world, exampleKeys: async () => keys } });
      await filling.show(ADA);
      expect(views.at(-1)).toContain("You can't see any issue here yet.");
      keys = ['WEB-9'];
      await Promise.all([filling.show(ADA), filling.show(ADA)]);
      expect(views.at(-1)).toContain('*Welcome, Ada!*');
      await filling.show(ADA);
      expect(views.at(-1)).toContain('*Hello, Ada!*');
    });

    test('hides a snoozed issue until its status changes, and shows all again', async () => {
      const [one, other] = [anAgingIssue('WEB-1', 20), anAgingIssue('WEB-2', 20)];
      let found = [one, other];
      let now = at;
      const filling = homes({
        now: () => now,
        answer: async (question) =>
          question.kind === 'mine' ? aMineAnswer(anAging(found)) : answering(question),
      });
      await filling.snooze(ADA, { key: 'WEB-1', since: one.since });
      await filling.show(ADA);
      expect(views.at(-1)).toContain('1 open · 1 snoozed');
      expect(views.at(-1)).not.toContain('/tis WEB-1"');
      found = [{ ...one, since: one.since + 1 }, other];
      await filling.show(ADA);
      expect(views.at(-1)).toContain('2 open');
      await filling.snooze(ADA, { key: 'WEB-2', since: other.since });
      now += 3 * 86_400_000;
      await filling.show(ADA);
      expect(views.at(-1)).toContain('2 open');
      await filling.snooze(ADA, { key: 'WEB-2', since: other.since });
      await filling.snooze(ADA, null);
      await filling.show(ADA);
      expect(views.at(-1)).not.toContain('snoozed');
    });

    test('mentions people whose account is known', async () => {
      const covered = [
        {
          person: { id: 'ben', name: 'Ben' },
          category: 'Expense',
          aging: anAging([anAgingIssue('APP-1', 5)]),
        },
      ];
      const users = new Map([
        [user.id, user],
        ['ben', { id: 'ben', name: 'Ben', email: 'ben@dwell.example', timeZone: 'UTC' }],
      ]);
      await homes({
        answer: async (question) =>
          question.kind === 'mine' ? aMineAnswer(anAging([]), covered) : answering(question),
        people: {
          tenant: 'default',
          users: async () => users,
          linkOf: async (account: string) => (account === ADA ? { user: 'ada' } : null),
          links: async () => [],
        } as unknown as HomeParts['people'],
        accounts: {
          profileOf: async () => ({ name: 'Ada', timeZone: 'UTC' }),
          withEmail: async () => 'U0BEN',
        } as unknown as HomeParts['accounts'],
      }).show(ADA);
      expect(views.at(-1)).toContain('*For <@U0BEN>* (Expense) · 1 open');
    });

    test('ages that nothing can be compared with stay', async () => {
      const whole = await answering({ kind: 'mine', calendar: 'normalHours', timeZone: 'UTC' });
      const withBaseline = () => Promise.reject(new Error('secret inner words'));
      const answers = {
        ask: async () => aWeeklyAnswer(),
        previewAssigned: async () => ({ ...previewOf(whole), withBaseline }),
      };
      await homes({ answers: answers as unknown as HomeParts['answers'] }).show(ADA);
      expect(views.at(-1)).toContain('WEB-1');
      expect(views.at(-1)).not.toContain('usual');
      expect(views.at(-1)).not.toContain('secret inner words');
      expect(logged.join()).toContain('secret inner words');
    });

    test('does not wait for what is not quick this time', async () => {
      const { promise, resolve } = Promise.withResolvers<never[]>();
      const filling = homes({
        digests: { list: () => promise } as unknown as HomeParts['digests'],
        wait: async () => {},
      });
      const done = filling.show(ADA);
      while (views.length < 1) await new Promise((next) => setImmediate(next));
      expect(views[0]).toContain('*Digests and watches*\\nCounting…');
      resolve([]);
      await done;
      expect(counted()).toEqual([expect.any(Number), 0]);
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
      expect(last).toMatch(/Digests and watches\*.*Something went wrong/);
      expect(last).toContain('you cover for no one.');
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

    test('while Slack does not say who someone is, their digests are shown all the same', async () => {
      const silent = () =>
        Promise.reject(new AppError('service-unavailable', 'Slack cannot be reached at the moment.'));
      const people = { tenant: 'default', users: async () => new Map(), linkOf: async () => null };
      await homes({
        accounts: { profileOf: silent } as unknown as HomeParts['accounts'],
        people: people as unknown as HomeParts['people'],
      }).show(ADA);
      expect(views.at(-1)).toContain('Slack cannot be reached at the moment.');
      expect(views.at(-1)).toContain('Digests and watches');
      expect(views.at(-1)).not.toContain('Counting…');
    });
  });

  describe('following what has changed', () => {
    test('fills the tab again of people who looked at it within the hour, and of no one else', async () => {
      let now = at;
      let issue = anAgingIssue('WEB-1', 20);
      const filling = homes({
        now: () => now,
        answer: async (question) =>
          question.kind === 'mine' ? aMineAnswer(anAging([issue])) : answering(question),
      });
      await filling.follow(ADA);
      expect(views).toEqual([]);
      await filling.show(ADA);
      await filling.follow(ADA);
      expect(views).toHaveLength(3);
      issue = anAgingIssue('WEB-2', 20);
      now += 3_599_999;
      await filling.follow(ADA);
      expect(views).toHaveLength(4);
      issue = anAgingIssue('WEB-3', 20);
      now += 3_600_000;
      await filling.follow(ADA);
      expect(views).toHaveLength(4);
    });

    test('begins once a change is made, and not for one that failed', async () => {
      const followed: string[] = [];
      const follow = async (account: string) => void followed.push(account);
      const { channels, digests, watches } = refreshingHomes({ follow }, {
        channels: { changePreferences: async () => ({}) },
        digests: { handOver: async () => ({}), remove: () => Promise.reject(new Error('away')) },
        watches: { pause: async () => ({}), list: async () => [] },
      } as unknown as Pick<HomeParts, 'channels' | 'digests' | 'watches'>);
      await digests.handOver(principalOf(ADA), 'd1', 'U0BEN');
      await expect(digests.remove(principalOf(ADA), 'd1')).rejects.toThrow('away');
      await watches.pause(principalOf('U0CLEO'), 'w1');
      await watches.list(principalOf(ADA));
      await channels.changePreferences('U0DAN', { projects: ['WEB'] });
      expect(followed).toEqual([ADA, 'U0BEN', 'U0CLEO', 'U0DAN']);
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
        answer: (question) =>
          question.kind === 'mine' && asked++ === 0 ? gate.promise : answering(question),
      });
      const first = filling.show(ADA);
      while (asked < 1) await new Promise((next) => setImmediate(next));
      await filling.show(standInPeople[1]?.id ?? '');
      gate.resolve(aMineAnswer(anAging([])));
      await first;
      expect(views.at(-1)).not.toContain('Counting…');
    });
  });

  describe('where Slack does not take a view', () => {
    test('asked to wait, the whole is published after that', async () => {
      slack.faults.rateLimitNext('views.publish', 2);
      await homes({ web: backgroundClient(slack, async (ms) => void waited.push(ms)) }).show(ADA);
      expect(waited).toContain(2_000);
      expect(views.at(-1)).not.toContain('ounting');
    });

    test('asked to wait for long, it comes after that, and none before', async () => {
      slack.faults.rateLimitNext('views.publish', 60);
      await homes().show(ADA);
      expect(waited).toContain(60_000);
      expect(views).toHaveLength(1);
      expect(views[0]).not.toContain('ounting');
    });

    test('asked to wait for longer than anyone looks, it is not, and that is logged', async () => {
      slack.faults.rateLimitNext('views.publish', 3_600);
      await homes().show(ADA);
      expect(views).toHaveLength(0);
      expect(logged.join()).toContain('a Home tab could not be filled');
    });

    test('a tab that is opened again meanwhile is filled by the newer one alone', async () => {
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
      expect(views.at(-1)).not.toContain('Counting…');
      expect(logged.join()).not.toContain('could not be filled');
    });

    test('an answer that is lost again and again is tried for minutes', async () => {
      slack.faults.breakNext('views.publish', 503, 4);
      await homes().show(ADA);
      expect(waited.filter((ms) => ms > 400)).toEqual([500, 2_000, 15_000, 60_000]);
      expect(views).toHaveLength(1);
      expect(views[0]).not.toContain('ounting');
    });

    test('in the end it is logged, and no one else fails', async () => {
      slack.faults.breakNext('views.publish', 503, 10);
      await homes().show(ADA);
      expect(logged.join()).toContain('a Home tab could not be filled');
      await homes().show(ADA);
      expect(views.at(-1)).toContain('WEB-1');
    });
  });
});
