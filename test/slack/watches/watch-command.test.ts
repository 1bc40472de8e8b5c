import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import { readWatchWords } from '../../../src/slack/ask/grammar/read-watch.ts';
import { anAsking } from '../../support/an-asking.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedEach } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { transports } from '../../support/transports.ts';
import { berlinOffice } from '../../support/watch-office.ts';

describe('tis watch', () => {
  type World = Awaited<ReturnType<typeof startDwellInSlack>>;
  let world: World;

  describe.each(transports)('over %s', (mode) => {
    const start = async () => {
      world = await startDwellInSlack({ mode });
    };
    const stop = () => world.stop();

    const says = async (line: string) => (await world.slack.answerTo(line)).text;

    describe('whatever other watches there are', () => {
      beforeAll(start);
      afterAll(stop);

      test('a watch begins with its rule and what sits there now', async () => {
        const reply = await says('/tis watch "In Review" longer than 2 hours in WEB');
        expect(reply).toMatch(
          /^Watching In Review longer than 2 hours, in WEB, 24\/7\.\n\d+ issues? In Review now, \w+ overdue/,
        );
        expect(reply).toContain('once per stay, by direct message, in working hours');
      });

      test('a target is watched over all started issues, however it is typed', async () => {
        const begun = await says('/tis watch WEB target');
        expect(begun).toMatch(
          /^Watching Missed targets, in WEB, 24\/7\.\n\d+ started issues now, \w+ past the target\./,
        );
        expect(begun).toContain('once per issue, by direct message, in working hours');
        expect(await says('/tis watch target in WEB in Berlin alert me')).toMatch(
          /^Watching Missed targets, in WEB, Berlin hours\..*It alerts you/s,
        );
        expect(await says('/tis watch')).toContain('Missed targets, in WEB, Berlin hours');
        const ignored = await says('/tis watch "In Review" longer than target in WEB');
        expect(ignored).toMatch(/^Watching Missed targets, in WEB, 24\/7\./);
        expect(ignored).toContain('so it is watched in every status');
        expect(ignored).toContain('Another of your watches has the same rule.');
      });

      test('working days of a calendar are shown as such, and where the hours are 24/7 that is said', async () => {
        expect(
          await says('/tis watch in review longer than 3 working days in WEB in Service desk alert me'),
        ).toMatch(
          /Watching In Review longer than 3 working days, in WEB, Service desk hours\..*It alerts you/s,
        );
        expect(await says('/tis watch In Review longer than 300 working days in WEB')).toMatch(
          /longer than 300 working days, in WEB, Monday to Friday\.\n.* now, none overdue\.\nWith 24\/7 hours a working day/,
        );
      });

      test('working days that are not equally long count by their mean, which is said', async () => {
        const said = await says('/tis watch In Review longer than 3 working days in WEB in Berlin');
        expect(said).toContain('longer than 3 working days (22.4 hours), in WEB, Berlin hours');
        expect(said).toContain('differ in length, so 3 working days count as 22.4 hours.');
      });

      test('a person unknown to the tracker alerts only themselves', async () => {
        const said = await says('/tis watch In Review longer than 2 hours in WEB tell assignee');
        expect(said).toContain('so I only alert you');
        expect(said).toContain('It alerts you');
      });

      test('the form makes one, and comes back as it was where something is wrong', async () => {
        await world.slack.types('/tis watch new');
        await world.slack.modal();
        await world.slack.modal();
        await world.slack.submits({ threshold: 'ages', filter: 'WEB', tells: 'owner' });
        let shown = await world.slack.modal();
        while (!JSON.stringify(shown.blocks).includes('as a time')) shown = await world.slack.modal();
        expect(JSON.stringify(shown.blocks)).toContain('ages');
        await world.slack.submits({ threshold: '2 hours', filter: 'WEB', tells: 'owner' });
        shown = await world.slack.modal();
        while (!JSON.stringify(shown.blocks).includes('Watching')) shown = await world.slack.modal();
        expect(JSON.stringify(shown.blocks)).toContain('longer than 2 hours, in WEB');
      });
    });

    describe('where there is none yet', () => {
      beforeEach(start);
      afterEach(stop);

      test('a part of the one status that has it is enough, and the example in the list works', async () => {
        expect(await says('/tis watch Review longer than 2 hours in WEB')).toMatch(
          /^Watching In Review longer/,
        );
        const [, example = ''] = /Create one: `([^`]+)`/.exec(await says('/tis watch list')) ?? [];
        expect(example).toBe('/tis watch "In Review" longer than 3 working days in WEB');
        expect(await says(example)).toMatch(/^Watching In Review longer than 3 working days, in WEB/);
      });

      test('the list shows each with a menu, which pauses, resumes and deletes it', async () => {
        expect(await says('/tis watch')).toContain('You have no watches yet.');
        await says('/tis watch In Review longer than usual in WEB');
        const list = await world.slack.answerTo('/tis watch');
        expect(list.text).toMatch(
          /^\*Your watches\*\nIn Review longer than usual \(85th percentile\), in WEB, 24\/7\nActive · alerts you · no alerts yet/,
        );
        const value = /"value":"watch-pause ([^"]+)"/.exec(JSON.stringify(list.blocks))?.[1] ?? '';
        await world.slack.clicks('more', { entry: `watch-pause ${value}` });
        expect((await world.slack.updated()).text).toContain('Paused · alerts you');
        await world.slack.clicks('more', { entry: `watch-resume ${value}` });
        expect((await world.slack.updated()).text).not.toContain('Paused');
        await world.slack.clicks('more', { entry: `watch-delete ${value}` });
        expect((await world.slack.updated()).text).toContain('You have no watches yet.');
      });

      test('a new watch is paused and deleted where it was created', async () => {
        await says('/tis watch In Review longer than usual in WEB');
        await world.slack.clicks('watch-pause');
        expect((await world.slack.reply()).text).toContain('The watch is paused.');
        await world.slack.clicks('watch-delete');
        expect((await world.slack.reply()).text).toContain('The watch is deleted.');
      });

      test('the same watch a second time warns, however it is typed, until the first is paused', async () => {
        const warning = 'Another of your watches has the same rule. `/tis watch` lists both.';
        expect(await says('/tis watch In Review longer than 48 hours in WEB')).not.toContain(warning);
        expect(await says('/tis watch "In Review" longer than 2 days in project WEB')).toContain(warning);
        for (const other of [
          'In Review longer than 49 hours in WEB',
          'In Review longer than 48 hours in APP',
          'In Review longer than 48 hours in WEB in Berlin',
          'In Review longer than usual in WEB',
          'In Progress longer than 48 hours in WEB',
        ]) {
          expect([other, await says(`/tis watch ${other}`)]).toEqual([
            other,
            expect.not.stringContaining(warning),
          ]);
        }
        expect(await says('/tis watch In Review longer than usual in WEB')).toContain(warning);
        expect(
          (await world.slack.answerTo('/tis watch In Review longer than usual in WEB', { as: 'ben' })).text,
        ).not.toContain(warning);
        await says('/tis watch In Review longer than 7 hours in WEB');
        await world.slack.clicks('watch-pause');
        await world.slack.reply();
        expect(await says('/tis watch In Review longer than 7 hours in WEB')).not.toContain(warning);
      });

      test('a long list is shown ten at a time', async () => {
        for (let i = 1; i <= 12; i += 1) await says(`/tis watch In Review longer than ${i} hours in WEB`);
        expect(await says('/tis watch')).toContain('*Your watches* (1–10 of 12)');
        await world.slack.clicks('Next');
        expect((await world.slack.updated()).text).toContain('(11–12 of 12)');
      });

      test('others see and change none of it', async () => {
        await says('/tis watch In Review longer than usual in WEB');
        expect((await world.slack.answerTo('/tis watch', { as: 'ben' })).text).toContain(
          'You have no watches yet.',
        );
      });

      const refused: readonly (readonly [string, string])[] = [
        ['/tis watch In Review', "'longer than' is missing"],
        ['/tis watch In Revue longer than usual in WEB', 'Did you mean `/tis watch In Review longer'],
        ['/tis watch Done longer than usual in WEB', 'Work in "Done" is already done.'],
        [
          '/tis watch In Review longer than ages in WEB',
          'I can\'t read "ages" as a time. Try: 3 working days',
        ],
        ['/tis watch help', 'Alert the assignee when an issue stays in a status too long'],
        ['/tis watch pause', 'You have no watches yet.'],
        ['/tis watch stop my watch', 'You have no watches yet.'],
        ['/tis watch In Review longer than 0 days in WEB', '"0 days" is too short'],
        ['/tis watch In Review longer than usual in NOPE', 'NOPE'],
        ['/tis watch In Review longer than usual in WEB alert everybody', 'Try: alert assignee, alert me'],
      ];

      test('what is no watch is refused with what is allowed', async () => {
        for (const [line, why] of refused) {
          const reply = (await says(line)).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
          expect([line, reply]).toEqual([line, expect.stringContaining(why)]);
          expect(reply).toContain('/tis watch');
        }
      });
    });
  });
});

describe('watch without a project', () => {
  describe.each(transports)('over %s', (mode) => {
    const world = startedEach(() => startDwellInSlack({ mode, at: '2026-11-20T14:00:00.000Z' }));
    beforeEach(async () => {
      await world.dwell.types('people', '--link', 'U0ADA', '--to', 'emil');
    });

    const says = async (line: string) => (await world.slack.answerTo(line)).text;

    const shownWith = async (text: string) => {
      let shown = await world.slack.modal();
      while (!JSON.stringify(shown.blocks).includes(text)) shown = await world.slack.modal();
      return JSON.stringify(shown.blocks);
    };

    test('without a project it shows what it would cover, and begins when that is confirmed', async () => {
      await world.slack.types('/tis watch "In Review" longer than 3 working days alert me in Berlin');
      const shown = await shownWith('Nothing is watched yet.');
      const covers =
        /This watch would cover \d+ open issues in 1 project \(WEB\)\. \d+ are in Review now, \w+ overdue\./i;
      expect(shown).toMatch(covers);
      expect(shown).toContain('No project given, so this is about `WEB`, where most of your issues are.');
      // The first answer in a channel names the time zone as well.
      expect((await world.slack.reply()).text).toContain('are Berlin time');
      expect(await says('/tis watch')).toContain('You have no watches yet.');
      await world.slack.submits({});
      const begun = await shownWith('Watching');
      expect(begun).toContain('longer than 3 working days (22.4 hours), in WEB, Berlin hours');
      expect(begun).toContain('It alerts you');
    });

    test('the form takes a target without a status, and asks for one where a time needs it', async () => {
      await world.slack.types('/tis watch target');
      const shown = await shownWith('Nothing is watched yet.');
      expect(shown).toMatch(/\d+ are started, \w+ past the target\./i);
      await world.slack.submits({ threshold: '2 hours' });
      expect(await shownWith('Which status?')).toContain('Longer than');
      await world.slack.submits({ threshold: 'target' });
      expect(await shownWith('Watching')).toContain('Missed targets, in WEB');
    });

    test('the form without a project shows that too, and other issues can be chosen', async () => {
      await world.slack.types('/tis watch new');
      await shownWith('Longer than');
      await world.slack.submits({ threshold: '2 hours' });
      expect(await shownWith('Nothing is watched yet.')).toContain('project WEB');
      expect(await says('/tis watch')).toContain('You have no watches yet.');
      await world.slack.submits({ filter: 'APP' });
      expect(await shownWith('Watching')).toContain('longer than 2 hours, in APP');
    });
  });
});

describe('watch words', () => {
  const hours: CalendarDefinition = { ...berlinOffice, id: null, name: 'normalHours', timeZone: 'UTC' };
  const everyHour: CalendarDefinition = {
    ...hours,
    workingTimes: (
      ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
    ).map((weekday) => ({ weekday, start: 0, end: millisecondsInDay })),
  };
  const asking = anAsking({
    calendars: [everyHour, berlinOffice, { ...berlinOffice, id: 2, name: 'Lisbon' }],
  });
  const statuses = [
    { id: '4', name: 'In Review', category: 'In Progress', deleted: false },
    { id: '9', name: 'Done', category: 'Done', deleted: false },
  ] as const;

  const read = (typed: string) => readWatchWords(typed, asking, statuses);

  test.each([
    [
      'In Review longer than 3 working days in WEB',
      { by: 'time', ms: 24 * millisecondsInHour, words: '3 working days' },
    ],
    ['"In Review" longer than 1 day WEB', { by: 'time', ms: 8 * millisecondsInHour, words: '1 working day' }],
    [
      'in review LONGER THAN 90 minutes in WEB',
      { by: 'time', ms: 1.5 * millisecondsInHour, words: '90 minutes' },
    ],
    ['In Review longer than 1.5h in WEB', { by: 'time', ms: 1.5 * millisecondsInHour, words: '1.5 hours' }],
    ['In Review longer than our 85th percentile in WEB', { by: 'usual' }],
    [
      'In Review longer than 2 days in WEB in normal hours',
      { by: 'time', ms: 2 * millisecondsInDay, words: '2 days' },
    ],
  ])('%s', async (typed, threshold) => {
    const { input, remarks } = await read(typed);
    expect(input).toMatchObject({
      threshold,
      status: { id: '4', name: 'In Review' },
      selection: { by: 'project', project: 'WEB' },
      tells: 'assignee',
    });
    expect(remarks).toEqual([]);
  });

  test.each(['WEB target', 'target in WEB', 'Target WEB', 'project WEB TARGET', 'in WEB target'])(
    'a target needs no status: %s',
    async (typed) => {
      const { input, remarks, unnamed } = await read(typed);
      expect(input).toMatchObject({ threshold: { by: 'target' }, status: null, tells: 'assignee' });
      expect(input.selection).toEqual({ by: 'project', project: 'WEB' });
      expect([remarks, unnamed]).toEqual([[], null]);
    },
  );

  test('a target of the default projects is unnamed, and its ends come in any order', async () => {
    const { input, unnamed } = await read('target alert me in Lisbon');
    expect(input).toMatchObject({ threshold: { by: 'target' }, status: null, tells: 'owner', calendar: '2' });
    expect(unnamed).toMatchObject({ threshold: 'target' });
    await expect(read('WEB target NOPE')).rejects.toMatchObject({ code: 'bad-request' });
  });

  test.each([
    'In Review longer than usual in WEB alert me in Lisbon',
    'In Review longer than usual in WEB in Lisbon alert me',
    'In Review longer than usual tell me in Lisbon',
  ])('the ends come in any order: %s', async (typed) => {
    expect((await read(typed)).input).toMatchObject({
      calendar: '2',
      tells: 'owner',
      timeZone: 'Europe/Berlin',
      selection: { by: 'project', project: 'WEB' },
    });
  });

  test('a query is read as it is typed', async () => {
    const { input } = await read(
      'In Review longer than usual in jql project = WEB AND status in ("In Review")',
    );
    expect(input.selection).toEqual({ by: 'jql', jql: 'project = WEB AND status in ("In Review")' });
  });

  test('what was taken for granted is said', async () => {
    expect((await read('In Review longer than usual')).remarks).toEqual(['This is of `WEB`.']);
    const { remarks } = await read('In Review longer than 3 working days in WEB in normal hours');
    expect(remarks[0]).toContain('Monday to Friday');
    const { input } = await read('In Review longer than 3 working days in WEB in normal hours');
    expect(input.threshold).toMatchObject({
      ms: 3 * millisecondsInDay,
      words: '3 working days',
      weekdays: true,
    });
  });

  test('a common slip is understood', async () => {
    expect((await read('In Review longer then 3 days in WEB')).input.threshold).toMatchObject({ by: 'time' });
  });
});

describe('watch of known', () => {
  const world = startedEach(() => startTeamInSlack());

  test('a person known to the tracker can have assignees alerted', async () => {
    const { text } = await world.says('/tis watch "In Progress" longer than 2 hours in APP');
    expect(text).toContain('It alerts the assignee');
    expect(text).not.toContain('/tis link');
  });

  test('a status that is empty now differs from one nothing was ever in', async () => {
    const left = await world.says('/tis watch "In Progress" longer than 2 hours in WEB');
    expect(left.text).toContain('No issue is In Progress now.');
    const never = await world.says(
      '/tis watch "In Progress" longer than 2 hours in jql key = WEB-1 AND status = "To Do"',
    );
    expect(never.text).toContain('that you can see was ever In Progress');
  });

  test('the list that Home sends shows what was done in it', async () => {
    const { slack } = world;
    await world.says('/tis watch "In Progress" longer than 2 hours in APP');
    await slack.opensHome();
    await until(() => JSON.stringify(slack.home()?.blocks).includes('Manage'));
    await slack.clicks('Manage', { on: 'home' });
    const sent = await slack.reply();
    expect(sent.text).toContain('alerts the assignee · no alerts yet');
    const value = /"value":"watch-pause ([^"]+)"/.exec(JSON.stringify(sent.blocks))?.[1] ?? '';
    await slack.clicks('more', { in: 'dm', entry: `watch-pause ${value}` });
    const list = await slack.updated();
    expect(list.text).toContain('Paused');
    expect(JSON.stringify(list.blocks)).toContain('watch-resume');
    await slack.clicks('more', { in: 'dm', entry: `watch-delete ${value}` });
    expect((await slack.updated()).text).toContain('You have no watches yet.');
  });
});
