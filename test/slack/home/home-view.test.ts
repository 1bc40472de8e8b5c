import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from '#jest';
import { checkView } from '../../../src/block-kit/check-blocks.ts';
import { limits } from '../../../src/block-kit/limits.ts';
import type { Preferences } from '../../../src/model/chat.ts';
import type { Submission } from '../../../src/slack/app/handler-types.ts';
import { notice } from '../../../src/slack/app/message-texts.ts';
import type { SlackParts } from '../../../src/slack/app/parts.ts';
import { emptyHome, type HomeContent } from '../../../src/slack/home/home-content.ts';
import { homeSettings, type SettingsChoices, settingsView } from '../../../src/slack/home/home-settings.ts';
import { homeView } from '../../../src/slack/home/home-view.ts';
import { linkInvitation } from '../../../src/slack/people/identify.ts';
import { aDigest } from '../../support/a-digest.ts';
import { aHome, aWeekOf, homeAt, known } from '../../support/a-home.ts';
import { aWatch } from '../../support/a-watch.ts';
import { anAging, anAgingIssue, officeHours, provenanceOf } from '../../support/an-answer.ts';
import { anExport } from '../../support/an-export.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { smallWorld } from '../../support/small-world.ts';

describe('home view', () => {
  const shown = (content: HomeContent) => JSON.stringify(homeView(content).blocks);
  /** What somebody reads, a line for each. */
  const lines = (content: HomeContent) =>
    homeView(content)
      .blocks.flatMap((block) => [...JSON.stringify(block).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)])
      .flatMap(([, text = '']) => text.split('\\n'));
  const home = (more: Partial<HomeContent>): HomeContent => ({ ...aHome({ count: 0 }), ...more });

  describe('whatever there is to tell, Slack takes it', () => {
    const names = {
      short: 'Basket',
      long: 'A very long name indeed '.repeat(400),
      emoji: '👩‍👩‍👧‍👦🛒'.repeat(50),
      'right to left': 'סל הקניות מאבד פריטים '.repeat(10),
      'marks of Slack': '<!channel> & *bold* `code` <@U0ADA> <https://example.com|x>',
    };
    test.each(
      Object.entries(names).flatMap(([called, name]) =>
        [0, 1, 10, 10_000].map((count) => [count, called, name] as const),
      ),
    )('%i of each, with names: %s', (count, _, name) => {
      const view = homeView(aHome({ count, name }));
      expect(checkView(view)).toEqual([]);
      expect(view.blocks.length).toBeLessThanOrEqual(limits.blocks.home);
      expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThan(limits.viewBytes);
      // What a button carries is shown to nobody.
      expect(JSON.stringify(view).replaceAll(/"value":"[^"]*"/g, '')).not.toMatch(/<!channel>|<@U0ADA>/);
    });

    test('with any names at all, and parts in any state', () => {
      const states = fc.constantFrom('counting', 'known', 'failed');
      const partNames = ['who', 'waiting', 'cover', 'weeks', 'telling', 'files', 'facts'] as const;
      fc.assert(
        fc.property(
          fc.string({ unit: 'grapheme', maxLength: 300 }),
          fc.nat({ max: 12 }),
          fc.array(states, { minLength: partNames.length, maxLength: partNames.length }),
          (name, count, chosen) => {
            const whole = aHome({ count, name });
            const changed = partNames.flatMap((part, i) => {
              const state = chosen[i];
              if (state === 'known') return [];
              const why = notice(name || 'x');
              return [[part, state === 'failed' ? { state, why } : { state: 'counting' }]];
            });
            expect(checkView(homeView({ ...whole, ...Object.fromEntries(changed) }))).toEqual([]);
          },
        ),
      );
    });
  });

  describe('what waits', () => {
    const baseline = { p85: 28 * millisecondsInHour, visits: 12, days: 90 };
    const late = anAgingIssue('WEB-7', 74, { summary: 'Pay by invoice', baseline, pace: 74 / 28 });

    test('stands on top, each with its age, what is usual there and by how much it is over', () => {
      const content = home({ waiting: known({ own: anAging([late], { beyond: 1 }), covered: [] }) });
      const [first, second, third] = lines(content);
      expect([first, second]).toEqual(['*What waits on you*', '1 open issue, 1 of them longer than usual.']);
      expect(third).toMatch(/WEB-7.* Pay by invoice: .* for \*3d 2h\*, usual ≤ 1d 4h, \*over by 1d 22h\*$/);
    });

    test('says so where too few visits ended there to tell', () => {
      const one = anAgingIssue('WEB-8', 5, { baseline: null, pace: null });
      expect(shown(home({ waiting: known({ own: anAging([one]), covered: [] }) }))).toContain(
        'too few before it to tell what is usual',
      );
    });

    test('tells what a day is where it is a working day', () => {
      const own = anAging([late], { provenance: provenanceOf(1, { calendar: officeHours }) });
      expect(shown(home({ waiting: known({ own, covered: [] }) }))).toContain('1d is a working day of 8h');
    });

    test('of more than ten ten are told, and all of them on request', () => {
      const issues = Array.from({ length: 22 }, (_, i) => anAgingIssue(`WEB-${i + 1}`, 5));
      const text = shown(home({ waiting: known({ own: anAging(issues), covered: [] }) }));
      expect(text).toContain('… and 12 more.');
      expect(text).toContain('"action_id":"home-ask","value":"/tis mine"');
      expect(text).toContain('WEB-10');
      expect(text).not.toContain('WEB-11');
    });

    test('on those somebody stands in for stands apart', () => {
      const covered = [
        { person: { id: 'bob', name: 'Bob' }, category: 'Expense', aging: anAging([late], { beyond: 1 }) },
        { person: { id: 'eve', name: 'Eve' }, category: 'Expense', aging: anAging([]) },
      ];
      const text = lines(home({ waiting: known({ own: anAging([]), covered }) }));
      expect(text[1]).toMatch(/^No open issue waits on you/);
      expect(text).toContain('*As a stand-in for Bob* (Expense): 1 open issue, 1 of them longer than usual.');
      expect(text.join()).not.toContain('Eve');
    });

    test('names the issues whose cut history does not tell since when', () => {
      const own = anAging([late], { unknown: ['WEB-9'] });
      expect(shown(home({ waiting: known({ own, covered: [] }) }))).toContain('WEB-9');
    });
  });

  describe('who covers whom', () => {
    test('is told both ways, with ways to change it', () => {
      const text = shown(aHome({ count: 1, name: 'Carl' }));
      expect(text).toContain('*You cover*\\n• *Carl*: Carl, until <!date^');
      expect(text).toContain('*You are covered by*\\n• *Carl*: Carl, until <!date^');
      expect(text).toContain('"value":"/delegates week"');
      expect(text).toContain('"value":"/delegates set"');
      expect(text).toContain('No one covers for *Carl*');
    });

    test('nobody and nobody are said', () => {
      const text = lines(aHome({ count: 0 }));
      expect(text).toContain('You cover nobody.');
      expect(text).toContain('Nobody covers you.');
    });

    test('what the register cannot tell, or may not, is said in its own words', () => {
      const refused = notice('You do not have permission to view delegations.');
      expect(lines(home({ cover: known(refused) }))).toContain(
        'You do not have permission to view delegations.',
      );
    });
  });

  describe('the weeks', () => {
    test('have the finished issues and cycle times against the week before and the eight weeks', () => {
      const text = lines(home({ weeks: known({ weeks: [aWeekOf('WEB')], chosen: true, more: 0 }) }));
      const start = text.indexOf('*WEB*, week 46 (9–15 Nov).');
      expect(text.slice(start + 1, start + 11)).toEqual([
        '*Finished: 14*',
        '3 more than the week before',
        '1.5 more than the eight weeks’ mean of 12.5',
        '*Cycle time, median: 2d 4h*',
        '5h less than the week before',
        '2h more than in the eight weeks before (2d 2h)',
        '*Cycle time, 85 % within: 4d 8h*',
        '10h less than the week before',
        '4h more than in the eight weeks before (4d 4h)',
        'Whole week',
      ]);
    });

    test('one that cannot be told takes no other with it', () => {
      const weeks = [aWeekOf('WEB'), { project: 'GONE', why: notice('There is no project GONE.') }];
      const text = lines(home({ weeks: known({ weeks, chosen: true, more: 0 }) }));
      expect(text).toEqual(
        expect.arrayContaining(['*GONE* cannot be told.', 'There is no project GONE.', '*Finished: 14*']),
      );
    });

    test('without projects it is said how to choose some', () => {
      expect(shown(aHome({ count: 0 }))).not.toContain('Whole week');
      const none = home({ weeks: known({ weeks: [], chosen: false, more: 0 }) });
      expect(shown(none)).toContain('*Settings* below takes up to five');
    });
  });

  describe('digests, watches and exports', () => {
    const run = { note: {}, attempts: 1, skipReason: null, finishedAt: 1, due: homeAt - millisecondsInHour };

    test('failed digests come first, with the reason and what to do', () => {
      const digests = [
        aDigest('a', { title: 'Fine', lastRun: { ...run, digestId: 'a', state: 'sent', message: null } }),
        aDigest('b', {
          title: 'Broken',
          lastRun: { ...run, digestId: 'b', state: 'failed', message: 'This channel is archived.' },
        }),
      ];
      const text = shown(home({ telling: known({ digests, watches: [] }) }));
      expect(text.indexOf('Broken')).toBeLessThan(text.indexOf('Fine'));
      expect(text).toContain('failed: This channel is archived.');
      expect(text).toContain('One of them failed the last time');
      expect(text).toContain('"value":"/tis digest"');
      expect(text).toContain('"value":"/tis digest new"');
    });

    test('watches tell what is too long', () => {
      const watches = [
        aWatch('a', { title: 'project WEB', threshold: { by: 'time', ms: 1, words: '3 working days' } }),
        aWatch('b', { title: 'project APP', paused: true }),
      ];
      expect(lines(home({ telling: known({ digests: [], watches }) }))).toEqual(
        expect.arrayContaining([
          '• Review longer than 3 working days, in project WEB, tells who is in charge',
          '• Review longer than usual (85 % of the visits are over by then), in project APP, tells who is in charge · paused',
        ]),
      );
    });

    test.each([
      ['Queued', 'Waits for its turn.'],
      ['Running', 'Being made: 2 of 3 issues.'],
      ['Failed', 'Failed: The disk is full'],
      ['Aborted', 'Ended before its time: The disk is full'],
      ['Expired', 'Done; the file is not kept any more. Ask again for a new one.'],
    ] as const)('an export that is %s has no file to get', (state, told) => {
      const record = anExport('e', { state, completed: 2, message: 'The disk is full' });
      const text = shown(home({ files: known({ files: [{ title: 'Sum of WEB', record }], more: 0 }) }));
      expect(text).toContain(told);
      expect(text).not.toContain('get-export-file');
    });

    test('one that is done has', () => {
      const record = anExport('e7', { state: 'Successful' });
      expect(shown(home({ files: known({ files: [{ title: 'Sum of WEB', record }], more: 4 }) }))).toMatch(
        /"action_id":"get-export-file","value":"e7".*… and 4 older\./,
      );
    });
  });

  describe('what is the matter', () => {
    test('while nothing is known yet, every part says so', () => {
      const text = shown(emptyHome(homeAt));
      expect(text.match(/Still counting/g)).toHaveLength(7);
      expect(checkView(homeView(emptyHome(homeAt)))).toEqual([]);
    });

    test('a part that failed says why and what to do, and the others are told', () => {
      const why = notice('The tracker cannot be reached.');
      const text = lines(home({ waiting: { state: 'failed', why, isPassingFailure: true } }));
      expect(text).toEqual(expect.arrayContaining(['The tracker cannot be reached.', 'You cover nobody.']));
      expect(text.join()).toContain('*Refresh*');
    });

    test('a reason of several parts is said once', () => {
      const failed = {
        state: 'failed',
        why: notice('Slack cannot be reached.'),
        isPassingFailure: true,
      } as const;
      const text = lines(home({ who: failed, weeks: failed, files: failed })).join();
      expect(text.match(/Slack cannot be reached\./g)).toHaveLength(1);
      expect(text).toContain('nor can: Your teams’ last week, Your last exports.');
    });

    test('what does not pass by itself is said without a promise', () => {
      const failed = {
        state: 'failed',
        why: notice('You are a guest here.'),
        isPassingFailure: false,
      } as const;
      const text = lines(home({ who: failed, weeks: failed, files: failed, facts: failed })).join();
      expect(text.match(/You are a guest here\./g)).toHaveLength(1);
      expect(text).not.toMatch(/\*Refresh\*|at the moment|last week/);
    });

    test('who is not linked is told how their projects come here', () => {
      const none = known({ weeks: [], chosen: false, more: 0 });
      const who = known({ kind: 'unknown', invitation: notice('Who are you?') } as const);
      expect(shown(home({ who, weeks: none }))).toContain('Link yourself, and your projects stand here');
      expect(shown(home({ weeks: none }))).toContain('No issue is assigned to you');
    });

    test('who nobody knows is invited first, and told what works without it', () => {
      const invitation = linkInvitation('I do not know who you are in the tracker.', {
        link: 'https://dwell.example/link?ticket=1',
        account: 'U1',
        hasAdmins: false,
      });
      const content = home({
        who: known({ kind: 'unknown', invitation } as const),
        waiting: known(null),
        cover: known(null),
      });
      const text = lines(content);
      expect(text[0]).toBe('I do not know who you are in the tracker.');
      expect(shown(content)).toContain('"action_id":"open-link-page"');
      expect(text.join()).toContain('`/tis WEB-1` tells where the time of an issue went');
      expect(text).not.toContain('*What waits on you*');
      expect(text).not.toContain('You cover nobody.');
    });

    test('to whom nothing waits three things to try are named, with keys that exist', () => {
      expect(shown(aHome({ count: 0 }))).toMatch(/`\/tis WEB-1`.*`\/tis weekly WEB`.*`\/tis aging WEB`/);
      expect(shown(aHome({ count: 1 }))).not.toContain('Three things to try');
    });

    test('without any issue it is said how they come here', () => {
      const facts = known({ calendar: null, timeZone: 'UTC', exampleKeys: [], ground: null });
      expect(shown(home({ facts }))).toContain('Import some with `npm run dwell -- import FILE`');
    });

    test('the foot tells who, whose clocks, how fresh and as of when', () => {
      const text = lines(aHome({ count: 1, name: 'Basket' })).join('\n');
      expect(text).toContain('Tracker Basket, data as of <!date^');
      expect(text).toContain('1 min ago.');
      expect(text).toContain('The calendar *Basket* counts, on the clocks of UTC.');
      expect(text).toContain('You are *Basket* (ada) in the tracker');
      expect(text).toContain('This tab is as of <!date^');
    });
  });
});

describe('settings', () => {
  const none: Preferences = { account: 'U1', projects: null, calendar: null };
  const calendar = { holidays: [], timeZone: 'UTC', workingTimes: [] };
  const calendars = [
    { ...calendar, id: null, name: 'normalHours' },
    { ...calendar, id: 7, name: 'Office hours' },
  ];
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `P${i}`);
  const view = (preferences: Partial<Preferences> = {}, choices: Partial<SettingsChoices> = {}) =>
    settingsView({ ...none, ...preferences }, { calendars, projects: ['APP', 'WEB'], ...choices });
  const shown = (...given: Parameters<typeof view>) => JSON.stringify(view(...given).blocks);

  describe('the form', () => {
    test('offers the projects that can be seen, and shows those that are chosen', () => {
      expect(shown()).toContain('"type":"multi_static_select"');
      expect(shown()).not.toContain('initial_options');
      expect(shown({ projects: ['WEB', 'GONE'] })).toContain(
        '"initial_options":[{"text":{"type":"plain_text","text":"WEB"},"value":"WEB"}]',
      );
    });

    test('shows the calendar that is chosen, else that every hour counts', () => {
      expect(shown()).toMatch(/"initial_option":\{[^}]*"Around the clock"/);
      expect(shown({ calendar: '7' })).toMatch(/"initial_option":\{[^}]*"Office hours"/);
    });

    test.each([0, 1, 100, 101, 10_000])('is within the limits of Slack with %i projects', (count) => {
      expect(checkView(view({ projects: keys(count) }, { projects: keys(count) }))).toEqual([]);
      expect(shown({}, { projects: keys(count) }).includes('project-keys')).toBe(count === 0 || count > 100);
    });

    test('is so with any names, and where nobody tells of the projects', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (name) => {
          const odd = [{ ...calendar, id: 1, name }];
          expect(checkView(view({ projects: [name] }, { projects: null, calendars: odd }))).toEqual([]);
        }),
      );
    });
  });

  describe('what was submitted', () => {
    const submission = (more: Partial<Submission>): Submission => ({
      principal: principalOf('U1'),
      userName: 'ada',
      metadata: '',
      ...{ chosen: {}, chosenAll: {}, accounts: {}, instants: {}, texts: {} },
      ...more,
    });
    let [kept, shows]: [unknown[], string[]] = [[], []];
    beforeEach(() => {
      [kept, shows] = [[], []];
    });
    const parts = {
      reporting: smallWorld('2026-03-18T12:00:00Z', [anIssue('WEB-1', '2026-03-02T09:00:00Z').issue]),
      people: { tenant: 'default', users: async () => new Map(), linkOf: async () => null },
      accounts: { profileOf: async () => ({ refused: null, standing: 'ours', isGuest: false, email: null }) },
      channels: {
        changePreferences: async (account: string, changes: unknown) => kept.push({ account, changes }),
      },
      homes: { show: async (account: string) => void shows.push(account) },
    } as unknown as SlackParts;

    test('is kept, and the tab follows', async () => {
      const chosen = submission({ chosenAll: { projects: ['WEB'] }, chosen: { calendar: '7' } });
      const { text, later } = await homeSettings.answer(chosen, parts);
      expect(text).toBe('Saved. Your Home tab tells of WEB.');
      expect((await later)?.text).toBe('Saved. Your Home tab shows it.');
      expect(kept.at(-1)).toEqual({ account: 'U1', changes: { projects: ['WEB'], calendar: '7' } });
      expect(shows).toEqual(['U1']);
    });

    test('without projects it is guessed again which are theirs', async () => {
      const { text } = await homeSettings.answer(submission({}), parts);
      expect(kept.at(-1)).toEqual({ account: 'U1', changes: { projects: null } });
      expect(text).toContain('most of your issues');
    });

    test('typed keys are taken whatever their case, each once', async () => {
      await homeSettings.answer(submission({ texts: { 'project-keys': 'web, WEB' } }), parts);
      expect(kept.at(-1)).toMatchObject({ changes: { projects: ['WEB'] } });
    });

    test('a project nobody knows is named, and nothing is kept', async () => {
      const typed = submission({ texts: { 'project-keys': 'WEB NONE' } });
      await expect(homeSettings.answer(typed, parts)).rejects.toMatchObject({
        code: 'bad-request',
        details: [expect.stringMatching(/no project NONE, or none that you may see/)],
      });
      expect(kept).toEqual([]);
    });

    test('more than five are seen to be too many at once', () => {
      const typed = submission({ texts: { 'project-keys': 'a b c d e f' } });
      expect(homeSettings.wrongAtOnce?.(typed, 0)).toEqual({
        'project-keys': '6 projects are named. Try: at most 5.',
      });
      expect(homeSettings.wrongAtOnce?.(submission({}), 0)).toEqual({});
    });
  });
});
