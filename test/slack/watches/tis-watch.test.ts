import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { startDwellInSlack } from '../../support/start-slack.ts';

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
    expect(await says('/tis watch Review longer than 2 hours in WEB')).toMatch(/^Watching: In Review longer/);
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
