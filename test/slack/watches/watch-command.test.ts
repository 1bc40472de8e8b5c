import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import { readWatchWords } from '../../../src/slack/watches/watch-words.ts';
import { anAsking } from '../../support/an-asking.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { berlinOffice } from '../../support/watch-office.ts';

describe('tis watch', () => {
  type World = Awaited<ReturnType<typeof startDwellInSlack>>;
  let world: World;
  afterEach(() => world.stop());

  describe.each(['http', 'socket'] as const)('over %s', (mode) => {
    beforeEach(async () => {
      world = await startDwellInSlack({ mode });
    });

    const says = async (line: string) => (await world.asks(line))[0]?.text ?? '';

    test('a watch begins with its rule and what sits there now', async () => {
      const told = await says('/tis watch "In Review" longer than 2 hours in WEB');
      expect(told).toMatch(/^Watching: In Review longer than 2 hours, in WEB, .*\.\n\d+ (do|does) now/);
      expect(told).toContain('once for each stay, in a direct message');
    });

    test('a part of the one status that has it is enough, and the example in the list works', async () => {
      expect(await says('/tis watch Review longer than 2 hours in WEB')).toMatch(
        /^Watching: In Review longer/,
      );
      const [, example = ''] = /A new one: `([^`]+)`/.exec(await says('/tis watch list')) ?? [];
      expect(example).toBe('/tis watch "In Review" longer than 3 working days in WEB');
      expect(await says(example)).toMatch(/^Watching: In Review longer than 3 working days, in WEB/);
    });

    test('working days of a calendar are told as such, and where every hour counts that is said', async () => {
      expect(
        await says('/tis watch in review longer than 3 working days in WEB in Service desk tell me'),
      ).toMatch(/Watching: In Review longer than 3 working days, in WEB, by Service desk\..*It tells you/s);
      expect(await says('/tis watch In Review longer than 300 working days in WEB')).toMatch(
        /longer than 300 working days, in WEB, Monday to Friday around the clock\.\nNothing sits there that long now, of .*\nHere every hour counts/,
      );
    });

    test('working days that are not equally long count by their mean, which is said', async () => {
      const said = await says('/tis watch In Review longer than 3 working days in WEB in Berlin');
      expect(said).toContain('longer than 3 working days (22.4 hours), in WEB, by Berlin');
      expect(said).toContain('not equally long; 3 working days count as 22.4 hours, by their mean.');
    });

    test('whom the tracker does not know is told themselves, and nobody else', async () => {
      const said = await says('/tis watch In Review longer than 2 hours in WEB tell assignee');
      expect(said).toContain('so I tell nobody but you');
      expect(said).toContain('It tells you');
    });

    test('the list shows each with what can be done, and it rests, goes on, and is deleted', async () => {
      expect(await says('/tis watch')).toContain('You have no watches.');
      await says('/tis watch In Review longer than usual in WEB');
      expect(await says('/tis watch')).toMatch(
        /You have one watch\.\nIn Review longer than usual .*\nWatching/,
      );
      await world.slack.clicks('watch-pause');
      expect((await world.slack.updated()).text).toContain('Paused');
      await world.slack.clicks('watch-resume');
      expect((await world.slack.updated()).text).toContain('Watching');
      await world.slack.clicks('watch-delete');
      expect((await world.slack.updated()).text).toContain('You have no watches.');
    });

    test('others see and change none of it', async () => {
      await says('/tis watch In Review longer than usual in WEB');
      await world.slack.types('/tis watch', { as: 'ben' });
      expect((await world.slack.reply()).text).toContain('You have no watches.');
    });

    const refused: readonly (readonly [string, string])[] = [
      ['/tis watch In Review', "'longer than' is missing"],
      ['/tis watch In Revue longer than usual in WEB', "Did you mean 'In Review'?"],
      ['/tis watch Done longer than usual in WEB', 'of the category Done'],
      ['/tis watch In Review longer than ages in WEB', 'is no time I know. Try: 3 working days'],
      ['/tis watch In Review longer then 3 days in WEB', "'longer then' is not what I read"],
      ['/tis watch help', 'begins a watch'],
      ['/tis watch pause', 'has its buttons in the list'],
      ['/tis watch stop my watch', 'has its buttons in the list'],
      ['/tis watch In Review longer than 0 days in WEB', "'0 days' is no time"],
      ['/tis watch In Review longer than usual in NOPE', 'NOPE'],
      ['/tis watch In Review longer than usual in WEB tell everybody', 'Try: tell assignee, tell me'],
    ];

    test('what is no watch is refused with what is allowed', async () => {
      for (const [line, why] of refused) {
        const told = (await says(line)).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
        expect([line, told]).toEqual([line, expect.stringContaining(why)]);
        expect(told).toContain('/tis watch');
      }
    });

    test('the form makes one, and comes back as it was where something is wrong', async () => {
      await world.slack.types('/tis watch new');
      await world.slack.modal();
      await world.slack.modal();
      await world.slack.submits({ threshold: 'ages', filter: 'WEB', tells: 'owner' });
      let shown = await world.slack.modal();
      while (!JSON.stringify(shown.blocks).includes('no time I know')) shown = await world.slack.modal();
      expect(JSON.stringify(shown.blocks)).toContain('ages');
      await world.slack.submits({ threshold: '2 hours', filter: 'WEB', tells: 'owner' });
      shown = await world.slack.modal();
      while (!JSON.stringify(shown.blocks).includes('Watching')) shown = await world.slack.modal();
      expect(JSON.stringify(shown.blocks)).toContain('longer than 2 hours, in WEB');
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
    const { wish, remarks } = await read(typed);
    expect(wish).toMatchObject({
      threshold,
      status: { id: '4', name: 'In Review' },
      selection: { by: 'project', project: 'WEB' },
      tells: 'assignee',
    });
    expect(remarks).toEqual([]);
  });

  test.each([
    'In Review longer than usual in WEB tell me in Lisbon',
    'In Review longer than usual in WEB in Lisbon tell me',
    'In Review longer than usual tell me in Lisbon',
  ])('the ends stand in any order: %s', async (typed) => {
    expect((await read(typed)).wish).toMatchObject({
      calendar: '2',
      tells: 'owner',
      timeZone: 'Europe/Berlin',
      selection: { by: 'project', project: 'WEB' },
    });
  });

  test('a query is read as it stands there', async () => {
    const { wish } = await read(
      'In Review longer than usual in jql project = WEB AND status in ("In Review")',
    );
    expect(wish.selection).toEqual({ by: 'jql', jql: 'project = WEB AND status in ("In Review")' });
  });

  test('what was taken for granted is told', async () => {
    expect((await read('In Review longer than usual')).remarks).toEqual(['This is of `WEB`.']);
    const { remarks } = await read('In Review longer than 3 working days in WEB in normal hours');
    expect(remarks[0]).toContain('from Monday to Friday');
    const { wish } = await read('In Review longer than 3 working days in WEB in normal hours');
    expect(wish.threshold).toMatchObject({
      ms: 3 * millisecondsInDay,
      words: '3 working days',
      weekdays: true,
    });
  });

  test('the easy slip is named', async () => {
    await expect(read('In Review longer then 3 days in WEB')).rejects.toMatchObject({
      details: ["'longer then' is not what I read. Try: longer than."],
    });
  });
});

describe('watch of known', () => {
  let world: Awaited<ReturnType<typeof startTeamInSlack>>;
  beforeEach(async () => {
    world = await startTeamInSlack();
  });
  afterEach(() => world.stop());

  test('whom the tracker knows may have others told', async () => {
    const { text } = await world.says('/tis watch "In Progress" longer than 2 hours in APP');
    expect(text).toContain('It tells who is in charge');
    expect(text).not.toContain('/tis link');
  });

  test('a status nothing is in now is told apart from one nothing was ever in', async () => {
    const left = await world.says('/tis watch "In Progress" longer than 2 hours in WEB');
    expect(left.text).toContain('Nothing is in In Progress now.');
    const never = await world.says(
      '/tis watch "In Progress" longer than 2 hours in jql key = WEB-1 AND status = "To Do"',
    );
    expect(never.text).toContain('that you can see was ever in In Progress');
  });

  test('the list that Home sends shows what was done in it', async () => {
    const { slack } = world;
    await world.says('/tis watch "In Progress" longer than 2 hours in APP');
    await slack.opensHome();
    await until(() => JSON.stringify(slack.home()?.blocks).includes('Manage'));
    await slack.clicks('Manage', { on: 'home' });
    expect((await slack.reply()).text).toContain('Watching');
    await slack.clicks('watch-pause', { in: 'dm' });
    const list = await slack.updated();
    expect(list.text).toContain('Paused');
    expect(JSON.stringify(list.blocks)).toContain('watch-resume');
    await slack.clicks('watch-delete', { in: 'dm' });
    expect((await slack.updated()).text).toContain('You have no watches.');
  });
});
