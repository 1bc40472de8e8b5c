import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Json } from '../../../playground/slack-json.ts';
import type { Message } from '../../../playground/workspace.ts';
import { checkView } from '../../../src/block-kit/check-blocks.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { AppError, badRequest } from '../../../src/model/error.ts';
import type { Question } from '../../../src/model/question.ts';
import type { AssignedPreview } from '../../../src/questions/answers.ts';
import { mineKind } from '../../../src/questions/mine/mine-kind.ts';
import type { HomeParts } from '../../../src/slack/app/parts.ts';
import { createHomes, refreshingHomes } from '../../../src/slack/home/homes.ts';
import { aMineAnswer, anAging, anAgingIssue, aWeeklyAnswer } from '../../support/an-answer.ts';
import { figuresOf } from '../../support/any-question.ts';
import { backgroundClient } from '../../support/background-client.ts';
import { until } from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';
import { type StandInSlack, standInPeople, startStandInSlack } from '../../support/stand-in-slack.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

describe('create homes', () => {
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
      const { digests, watches } = refreshingHomes({ follow }, {
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
        answer: (question) =>
          question.kind === 'mine' && asked++ === 0 ? gate.promise : answering(question),
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
});

describe('home', () => {
  const people = ['ada', 'bob', 'carl', 'dora', 'zoe'].map((name) => ({
    id: `U0${name.toUpperCase()}`,
    name,
    realName: name,
    email: `${name}@example.com`,
    tz: 'Europe/Berlin',
  }));

  let place: Awaited<ReturnType<typeof startDwellInSlack>>;
  const start = (mode: 'http' | 'socket') =>
    startDwellInSlack({
      ...{ mode, people },
      at: '2026-03-18T12:00:00.000Z',
      environment: { TRACKER: 'sample', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
    });

  const blocks = (as: string): readonly Json[] => place.slack.home(as)?.blocks ?? [];
  const shown = (as = 'bob') => JSON.stringify(blocks(as));

  /** Opens somebody's Home tab and waits until it is full. */
  async function opens(as = 'bob'): Promise<string> {
    await place.slack.opensHome(as);
    await until(() => !shown(as).includes('Still counting'));
    return shown(as);
  }

  const direct = (as = 'bob'): readonly Message[] =>
    place.slack.messages({ channel: 'dm', as }).filter(({ byApp }) => byApp);

  /** Presses a button of the tab by its text; resolves to what the app says in the conversation. */
  async function presses(text: string, as = 'bob', blockId?: string): Promise<Message> {
    const before = direct(as).length;
    await place.slack.clicks(text, { as, on: 'home', ...(blockId === undefined ? {} : { blockId }) });
    await until(() => direct(as).length > before);
    const message = direct(as).at(-1);
    if (message === undefined) throw new Error('Nothing was said');
    return message;
  }

  describe.each(['http', 'socket'] as const)('over %s', (mode) => {
    beforeAll(async () => {
      place = await start(mode);
    });
    afterAll(() => place.stop());

    test('the tab tells what waits, who covers whom, the weeks, digests, watches and what it rests on', async () => {
      const text = await opens();
      expect(checkView({ type: 'home', blocks: blocks('bob') })).toEqual([]);
      for (const part of [
        'What waits on you',
        'Whom you cover',
        'Your teams’ last week',
        'Your digests',
        'Your watches',
        'Tracker sample (an invented company)',
        'You are *Bob* (bob)',
      ]) {
        expect(text).toContain(part);
      }
      expect(text).toMatch(/WEB-\d+ .* for \*[^*]+\*, usual ≤ [^*]+, \*over by /);
      expect(text).toMatch(/\*Finished: \d+\*\\n\d+ (fewer|more) than the week before/);
    });

    test.each([
      ['Whole week', /finished.* in WEB in week 11/],
      ['This week', /^\*Cover Mar 16–22\*/],
      ['Help', /\/tis KEY/],
    ])('%s answers in the conversation, for who pressed it alone', async (button, told) => {
      await opens();
      expect((await presses(button)).text).toMatch(told);
      expect(place.slack.messages()).toEqual([]);
    });

    test('Refresh tells what is true by now', async () => {
      await opens();
      place.dwell.clock.now = Date.parse('2026-03-18T13:30:00Z');
      await place.slack.clicks('Refresh', { as: 'bob', on: 'home' });
      await until(() => shown().includes('2026-03-18 13:30 UTC'));
    });

    test('Settings choose projects and the hours that count, and the tab follows', async () => {
      await opens('ada');
      await place.slack.clicks('Settings', { as: 'ada', on: 'home' });
      await until(() => JSON.stringify(place.slack.openModals('ada')).includes('Projects whose week'));
      const [form] = place.slack.openModals('ada');
      expect(
        checkView({ type: 'modal', title: form?.title, submit: form?.submit, blocks: form?.blocks }),
      ).toEqual([]);
      await place.slack.submits({ projects: ['APP'] }, { as: 'ada' });
      await until(() => JSON.stringify(place.slack.openModals('ada')).includes('Your Home tab shows it'));
      expect(shown('ada')).toContain('*APP*, week 11');
      expect(shown('ada')).toContain('The projects you chose');
      expect(shown('ada')).not.toContain('*WEB*, week 11');
    });

    test('Hand work over opens the form', async () => {
      await opens();
      await place.slack.clicks('Hand work over', { as: 'bob', on: 'home' });
      await until(() => JSON.stringify(place.slack.openModals('bob')).includes('Who covers'));
    });

    test('Ask something opens the report builder', async () => {
      await opens();
      await place.slack.clicks('Ask something', { as: 'bob', on: 'home' });
      await until(() => place.slack.openModals('bob').length > 0);
    });
  });

  describe('somebody', () => {
    beforeAll(async () => {
      place = await start('http');
    });
    afterAll(() => place.stop());

    test('whom nobody knows is invited, and has what works without that', async () => {
      const text = await opens('zoe');
      expect(text).toContain('Your Slack account is not linked to a Jira user yet.');
      expect(text).toContain('Link my account');
      expect(text).toMatch(/`\/tis [A-Z]+-\d+` tells where/);
      expect(text).not.toContain('What waits on you');
      expect(text).toContain('New digest');
      expect((await presses('Help', 'zoe')).text).toMatch(/\/tis KEY/);
    });

    test('sees their own, and nothing of others', async () => {
      await opens();
      await opens('ada');
      expect(shown('ada')).toContain('You are *Ada* (ada)');
      expect(shown('ada')).not.toContain('You are *Bob*');
      expect(shown('ada')).toMatch(/\d open issues/);
    });

    test('finds their exports there, with the file', async () => {
      await place.slack.types('/tis export csv WEB-490', { as: 'bob' });
      await until(async () => (await opens()).includes('Get the file'));
      expect(shown()).toContain('Status Duration of WEB-490 as CSV');
      expect((await presses('Get the file')).text).toContain('Download the file');
    });

    test('finds their digests there', async () => {
      await place.slack.types('/tis digest weekly WEB every monday at 9', { as: 'bob' });
      // The next reply may still be that the export is ready.
      await until(async () => (await opens()).includes('every Monday'));
      const text = shown();
      expect(text).toMatch(/every Monday at 09:00 · next Mon 23 Mar 09:00 \(UTC\)/);
      expect(text).toContain('New digest');
      expect((await presses('All digests')).text).toContain('every Monday at 09:00');
    });

    test('sees there at once what they changed in the conversation', async () => {
      await place.slack.types('/tis watch "In Review" longer than usual in WEB tell me', { as: 'carl' });
      await place.slack.reply();
      expect(await opens('carl')).toContain('In Review longer than usual');
      expect(shown('carl')).not.toContain('· paused');
      await place.slack.types('/tis watch', { as: 'carl' });
      await until(() => JSON.stringify(place.slack.messages({ as: 'carl' })).includes('watch-pause'));
      await place.slack.clicks('Pause', { as: 'carl' });
      await until(() => shown('carl').includes('· paused'));
    });

    test('another tab of the app is left alone', async () => {
      await place.slack.playground.openHome('U0DORA', 'messages');
      expect(place.slack.home('dora')).toBeUndefined();
    });
  });
});
