import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { notice } from '../../../src/slack/app/message-texts.ts';
import type { HomeParts } from '../../../src/slack/app/parts.ts';
import { checkView } from '../../../src/slack/blocks/check-blocks.ts';
import { limits } from '../../../src/slack/blocks/limits.ts';
import { gatherHome, type HomeContent } from '../../../src/slack/home/gather-home.ts';
import { homeView } from '../../../src/slack/home/home-view.ts';
import { linkByOthers, linkInvitation } from '../../../src/slack/people/identify.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { aDigest } from '../../support/a-digest.ts';
import { aHome, aWeekOf, homeAt, known } from '../../support/a-home.ts';
import { aWatch } from '../../support/a-watch.ts';
import { anAging, anAgingIssue, aWeeklyAnswer } from '../../support/an-answer.ts';

describe('home view', () => {
  const shown = (content: HomeContent) => JSON.stringify(homeView(content).blocks);
  /** What people read, a line for each. */
  const lines = (content: HomeContent) =>
    homeView(content)
      .blocks.flatMap((block) => [...JSON.stringify(block).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)])
      .flatMap(([, text = '']) => text.split('\\n'));
  const home = (more: Partial<HomeContent>): HomeContent => ({ ...aHome({ count: 0 }), ...more });

  describe('whatever there is to show, Slack takes it', () => {
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
      // What a button carries is shown to no one.
      expect(JSON.stringify(view).replaceAll(/"value":"[^"]*"/g, '')).not.toMatch(/<!channel>|<@U0ADA>/);
    });

    test('with any names at all, and parts in any state', () => {
      const states = fc.constantFrom('counting', 'known', 'failed');
      const partNames = ['who', 'assigned', 'cover', 'weeks', 'scheduled', 'facts'] as const;
      fc.assert(
        fc.property(
          fc.string({ unit: 'grapheme', maxLength: 300 }),
          fc.nat({ max: 12 }),
          fc.boolean(),
          fc.array(states, { minLength: partNames.length, maxLength: partNames.length }),
          (name, count, isFirst, chosen) => {
            const changed = partNames.flatMap((part, i) => {
              const state = chosen[i];
              if (state === 'known') return [];
              const why = notice(name || 'x');
              return [[part, state === 'failed' ? { state, why } : { state: 'counting' }]];
            });
            const content = { ...aHome({ count, name }), isFirst, ...Object.fromEntries(changed) };
            expect(checkView(homeView(content))).toEqual([]);
          },
        ),
      );
    });
  });

  describe('the greeting', () => {
    test('is one line with what people do from here', () => {
      const text = shown(aHome({ name: 'Ada' }));
      expect(text).toContain('*Hello, Ada!*');
      expect(text).toMatch(/"open-builder".*"\/tis digest new".*"\/delegates set"/);
      expect(text).not.toContain('Run');
    });

    test('offers three things to try on the first visit, with keys that exist, and a button each', () => {
      const text = shown({ ...aHome({ name: 'Ada' }), isFirst: true });
      expect(text).toContain('*Welcome, Ada!*');
      expect(text).toMatch(/"value":"\/tis WEB-1".*"value":"\/tis weekly WEB".*"value":"\/tis aging WEB"/);
      expect(text).not.toContain('Schedule');
    });

    test('without any issue says how they come here', () => {
      const facts = known({ calendar: null, timeZone: 'UTC', exampleKey: null, ground: null });
      expect(shown(home({ facts, isFirst: true }))).toContain('import some with `npx dwell import FILE`');
    });

    test('invites people the tracker does not know', () => {
      const invitation = linkInvitation(
        'I don’t know your Jira user.',
        'https://dwell.example/link?ticket=1',
        linkByOthers('U1', false),
      );
      const who = known({ kind: 'unknown', invitation } as const);
      const text = shown(home({ who, assigned: known(null), cover: known(null) }));
      expect(text).toContain('"action_id":"open-link-page"');
      expect(text).toContain('Not linked to a Jira user');
      expect(text).not.toContain('Assigned to you');
      expect(text).not.toContain('cover for you');
    });
  });

  describe('assigned to you', () => {
    const usual = { p85Ms: 28 * millisecondsInHour, visits: 12, days: 90 };
    const late = anAgingIssue('WEB-7', 74, {
      ...{ summary: 'Pay by invoice', link: 'https://jira.example/browse/WEB-7', usual, pace: 74 / 28 },
    });
    const assigned = (own: ReturnType<typeof anAging>, more = {}) =>
      home({ assigned: known({ mine: { own, covered: [] }, snoozed: 0, ...more }) });

    test('has a row an issue: its link, how long it is there and how long is usual, and one menu', () => {
      const text = shown(assigned(anAging([late], { beyondUsual: 1 })));
      expect(text).toContain('*Assigned to you* · 1 open, 1 longer than usual');
      expect(text).toMatch(
        /<https:[^|]*\|WEB-7> Pay by invoice\\n🟠 [^*]+ \*3d 2h\* · usual up to 1d 4h".*"type":"overflow"/,
      );
      expect(text).toMatch(/"Open in Jira".*"url":"https:.*"run-line \/tis WEB-7".*"home-snooze WEB-7 \d+"/);
    });

    test('says nothing of usual where it is unknown', () => {
      const own = anAging([anAgingIssue('WEB-8', 5, { usual: null, pace: null })], { beyondUsual: 0 });
      expect(lines(assigned(own))).toContain('*Assigned to you* · 1 open');
      expect(shown(assigned(own))).not.toContain('usual up to');
    });

    test('shows ten, and the rest on request', () => {
      const text = shown(
        assigned(anAging(Array.from({ length: 22 }, (_, i) => anAgingIssue(`WEB-${i + 1}`, 5)))),
      );
      expect(text).toMatch(/12 more issues\..*"action_id":"run-line","value":"\/tis mine"/);
      expect(text).toContain('WEB-10');
      expect(text).not.toContain('WEB-11');
    });

    test('says what is snoozed, and brings it back', () => {
      const text = shown(assigned(anAging([late]), { snoozed: 2 }));
      expect(text).toMatch(/· 2 snoozed.*"Show snoozed".*"action_id":"home-snooze","value":"all"/);
      expect(lines(assigned(anAging([]), { snoozed: 1 }))).toContain(
        '*Assigned to you* · nothing else open · 1 snoozed',
      );
    });

    test('keeps that of the people they cover for apart', () => {
      const covered = [
        {
          person: { id: 'bob', name: 'Bob' },
          category: 'Expense',
          aging: anAging([late], { beyondUsual: 1 }),
        },
        { person: { id: 'eve', name: 'Eve' }, category: 'Expense', aging: anAging([]) },
      ];
      const mine = { own: anAging([]), covered };
      const text = lines(home({ assigned: known({ mine, snoozed: 0 }) }));
      expect(text).toContain('*Assigned to you* · no open issues');
      expect(text).toContain('*For <@tracker:bob|@Bob>* (Expense) · 1 open, 1 longer than usual');
      expect(text.join()).not.toContain('Eve');
    });

    test('names the issues whose cut history does not say since when', () => {
      expect(shown(assigned(anAging([late], { ageUnknown: ['WEB-9'] })))).toContain('WEB-9');
    });
  });

  describe('out-of-office cover', () => {
    const cover = (...delegations: ReturnType<typeof aDelegation>['delegation'][]) =>
      lines(
        home({
          cover: known({
            ...{ self: 'ada', zonesOf: () => ['UTC'], delegations, hasGaps: false },
            person: (id: string) => `@${id}`,
            category: () => 'Expense',
          }),
        }),
      );

    test('says both ways, in whole days with the last one included', () => {
      const now = aDelegation('bob')
        .to('ada')
        .from('2026-11-01T00:00Z')
        .until('2027-01-01T00:00Z').delegation;
      const later = aDelegation('ada')
        .to('carl')
        .from('2026-11-30T00:00Z')
        .until('2026-12-16T00:00Z').delegation;
      const text = cover(now, later);
      expect(text).toContain('You cover for @bob until Thu, Dec 31.');
      expect(text).toContain('@carl covers for you Nov 30 – Dec 15.');
    });

    test('says hours where they are chosen, and where no one covers', () => {
      const text = lines(aHome({ count: 1 })).join('\n');
      expect(text).toMatch(/You cover for .* until \w+/);
      expect(text).toContain('Part of this time has no cover');
      const hours = aDelegation('bob')
        .to('ada')
        .from('2026-11-01T00:00Z')
        .until('2026-11-20T17:00Z').delegation;
      expect(cover(hours).join()).toContain(
        'until <!date^1795194000^{date_short_pretty} at {time}|2026-11-20 17:00 UTC>',
      );
    });

    test('says that there is none', () => {
      expect(lines(aHome({ count: 0 }))).toContain('No one covers for you, and you cover for no one.');
      expect(shown(aHome({ count: 0 }))).toContain('"value":"/delegates week"');
    });

    test('says why it cannot be listed', () => {
      const text = lines(home({ cover: known(notice('You don’t have permission to see cover.')) }));
      expect(text).toContain('You don’t have permission to see cover.');
    });
  });

  describe('your week', () => {
    const weeks = (week = aWeekOf('WEB')) => home({ weeks: known({ weeks: [week], chosen: true }) });

    test('has three figures against last week and the 8-week average', () => {
      const text = lines(weeks());
      const start = text.indexOf('*WEB* · week 46 (Nov 9–15)');
      expect(text.slice(start + 1, start + 8)).toEqual([
        '*14 finished* ▲ 3 (27% more)',
        '8-week average 12.5',
        '*Median cycle time 2d 4h* ▼ 5h (9% faster)',
        '8-week median 2d 2h',
        '*p85 4d 8h* ▼ 10h (9% faster)',
        '8-week p85 4d 4h',
        'Open',
      ]);
      expect(shown(weeks())).toContain('"value":"/tis weekly WEB"');
    });

    test('has no percentiles of one issue, and none of nothing', () => {
      const of = (count: number) => {
        const { value } = aWeeklyAnswer();
        const time = count === 0 ? null : 36e5;
        const week = { ...value.cycleTime.week, count, averageMs: time, medianMs: time, p85Ms: time };
        const weekly = { ...value, finished: { ...value.finished, week: count } };
        return lines(
          weeks({ project: 'WEB', weekly: { ...weekly, cycleTime: { ...value.cycleTime, week } } }),
        ).join();
      };
      expect(of(1)).toContain('*Cycle time 1h*');
      expect(of(1)).not.toContain('p85');
      expect(of(0)).toContain('*0 finished*');
      expect(of(0)).not.toContain('ycle time');
    });

    test('one that is not known takes no other with it', () => {
      const gone = { project: 'GONE', why: notice('There is no project GONE.') };
      const text = lines(home({ weeks: known({ weeks: [gone, aWeekOf('WEB')], chosen: true }) }));
      expect(text).toEqual(
        expect.arrayContaining(['*GONE*', 'There is no project GONE.', '8-week average 12.5']),
      );
    });

    test('leads to where projects are chosen', () => {
      const text = shown(home({ weeks: known({ weeks: [], chosen: false }) }));
      expect(text).toContain("I don't know which projects are yours");
      expect(text).toContain('"action_id":"run-line","value":"/tis settings"');
    });
  });

  describe('digests and watches', () => {
    const run = { note: {}, attempts: 1, skipReason: null, finishedAt: 1, due: homeAt - millisecondsInHour };

    test('failed digests come first, with the reason', () => {
      const digests = [
        aDigest('a', { title: 'Fine', lastRun: { ...run, digestId: 'a', state: 'sent', message: null } }),
        aDigest('b', {
          title: 'Broken',
          lastRun: { ...run, digestId: 'b', state: 'failed', message: 'This channel is archived.' },
        }),
      ];
      const text = shown(home({ scheduled: known({ digests, watches: [], isPaused: false }) }));
      expect(text.indexOf('Broken')).toBeLessThan(text.indexOf('Fine'));
      expect(text).toContain('failed: This channel is archived.');
      expect(text).toMatch(/next <!date\^/);
      expect(text).toMatch(/"Manage".*"value":"\/tis digest"/);
      expect(text).not.toContain('"/tis watch"');
    });

    test('that nothing is posted after a restore is said to those who wait for it, and to admins', () => {
      const [digests, watches] = [[aDigest('a', { title: 'Fine' })], [aWatch('a', {})]];
      const some = shown(home({ scheduled: known({ digests, watches, isPaused: true }) }));
      expect(some).toContain('Digests and alerts are paused');
      const none = known({ digests: [], watches: [], isPaused: true });
      const who = (admin: boolean) => known({ kind: 'known', name: 'Ada', login: 'ada', admin } as const);
      expect(shown(home({ scheduled: none, who: who(false) }))).not.toContain('are paused');
      expect(shown(home({ scheduled: none, who: who(true) }))).toContain('`npx dwell resume`');
    });

    test('watches say what is too long', () => {
      const watches = [
        aWatch('a', { title: 'project WEB', threshold: { by: 'time', ms: 1, words: '3 working days' } }),
        aWatch('b', { title: 'project APP', paused: true }),
      ];
      const text = lines(home({ scheduled: known({ digests: [], watches, isPaused: false }) })).join('\n');
      expect(text).toContain('• Review longer than 3 working days, in project WEB');
      expect(text).toMatch(/in project APP.* · paused/);
    });

    test('none are one line', () => {
      expect(lines(aHome({ count: 0 }))).toContain(
        'None yet. Choose *Schedule* to have any report posted regularly.',
      );
    });
  });

  describe('what is the matter', () => {
    const failed = (text: string, isPassingFailure = true) =>
      ({ state: 'failed', why: notice(text), isPassingFailure }) as const;

    test('while nothing is known yet, every part says so', () => {
      const parts = { now: () => homeAt } as HomeParts;
      const empty = gatherHome('U1', { isFirst: false, snoozed: new Map() }, parts).content();
      expect(shown(empty).match(/Counting…/g)).toHaveLength(4);
      expect(checkView(homeView(empty))).toEqual([]);
    });

    test('a part that failed says why and what to do, and the others are shown', () => {
      const text = lines(home({ assigned: failed('The tracker cannot be reached.') }));
      expect(text).toEqual(
        expect.arrayContaining([
          'The tracker cannot be reached.',
          'Open Home again to retry.',
          '*Out-of-office cover*',
        ]),
      );
    });

    test('a reason of several parts is said once, and without a promise where it does not pass', () => {
      const why = failed('You are a guest here.', false);
      const text = lines(home({ who: why, weeks: why, scheduled: why, facts: why })).join();
      expect(text.match(/You are a guest here\./g)).toHaveLength(1);
      expect(text).not.toContain('retry');
    });

    test('the last line says how fresh the data is, who they are and which hours count', () => {
      expect(lines(aHome({ count: 1, name: 'Basket' })).at(-1)).toMatch(
        /^Data as of <!date.*1 min ago · Linked to Jira user Basket \(ada\) · working hours Basket, UTC$/,
      );
    });
  });
});
